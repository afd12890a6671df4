// The record of the run: unpacked, and read by segment.

const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
const record = JSON.parse(await new Response(unpacked).text());

const codes = new Map([...record.alphabet].map((character, number) => [character, number]));
const codeOf = (character) => codes.get(character) ?? character.codePointAt(0) - 0x100;

const systems = record.systems.map((system) => system.name);
const metrics = record.metrics.map((metric) => metric.name);

// A text as it was, and its tokens, sentence by sentence.
function textOf(number) {
  const entry = record.texts[number];
  return typeof entry === "string" ? entry.replaceAll("\x7f", "").replaceAll("\n", " ") : entry[0];
}

function tokensOf(number) {
  const entry = record.texts[number];
  if (typeof entry !== "string") return entry[1];
  return entry ? entry.split("\n").map((line) => line.split(/[ \x7f]/)) : [];
}

function sizeOf(number) {
  const tokens = tokensOf(number);
  if (tokens.length) return tokens.reduce((sum, sentence) => sum + sentence.length, 0);
  return textOf(number).split(/\s+/).filter(Boolean).length;
}

// The score of a segment, or null where a system has none.
function scoreOf(metric, system, segment) {
  const whole = record.scores[metric].values[system][segment];
  return whole === null ? null : whole * record.scores[metric].unit;
}

// How many digits behind the point its segment scores were kept with: four where scores end at 1, two where at 100.
const digits = record.scores.map(({ unit }) => Math.min(4, Math.max(0, Math.round(-Math.log10(unit)))));

// Constituency trees of a text, one a sentence: nodes in preorder with label, parent and, for a word, its token.
function constituencyOf(number) {
  const tokens = tokensOf(number);
  const lines = record.trees[number].split("\n");
  return tokens.map((words, sentence) => {
    const nodes = [];
    const path = [];
    let next = 0;
    for (const character of lines[sentence] ?? "") {
      if (character === ")") {
        path.pop();
        continue;
      }
      const parent = path.at(-1) ?? -1;
      if (character === " ") {
        nodes.push({ label: words[next], parent, word: next++ });
        continue;
      }
      const label = record.labels[codeOf(character)];
      nodes.push({ label: label.slice(1), parent, word: null });
      if (label[0] === "/") {
        nodes.push({ label: words[next], parent: nodes.length - 1, word: next++ });
      } else {
        path.push(nodes.length - 1);
      }
    }
    return nodes;
  });
}

// Dependency trees: word, head (-1 for the root) and relation of every token.
function dependenciesOf(number) {
  const heads = [...record.heads[number]];
  const relations = [...record.relations[number]];
  let place = 0;
  return tokensOf(number).map((words) => {
    const found = words.map((word, token) => {
      const code = codeOf(heads[place + token] ?? record.alphabet[0]);
      const head = code === 0 ? -1 : code % 2 ? token + (code + 1) / 2 : token - code / 2;
      const relation = relations[place + token];
      return { word, head, relation: relation === undefined ? "" : record.relationNames[codeOf(relation)] };
    });
    const known = place + words.length <= heads.length;
    place += words.length;
    return known ? found : [];
  });
}
