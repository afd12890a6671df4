// What of a hypothesis' trees its references license, and the trees drawn with it.
//
// Constituents: a node's subtrees of depth 1 to 4 are counted and clipped as STM does by default; a node is matched where
// all of its subtrees are, matched in part where some are. Dependencies: a token is matched where a reference has its
// relation to the same head, in part where it has the word.

const DEPTH = 4;
const MARKS = {
  constituency: "A constituent is matched where the other side has all of its subtrees of depth 1 to 4, as stm counts them; in part where it has some.",
  dependencies: "A word is matched where the other side has it with the same head and relation; in part where it has the word.",
};
const LONGEST = 250;

// For each depth [place, number] of every subtree; a place is "sentence:node", equal subtrees have equal numbers.
function subtreesOf(trees, table) {
  const numbered = (key) => {
    if (!table.has(key)) table.set(key, table.size);
    return table.get(key);
  };
  const found = Array.from({ length: DEPTH }, () => []);
  trees.forEach((nodes, sentence) => {
    const children = nodes.map(() => []);
    const heights = nodes.map(() => 1);
    nodes.forEach((node, at) => {
      if (node.word === null && node.parent >= 0) children[node.parent].push(at);
    });
    for (let at = nodes.length - 1; at > 0; at--) {
      const { parent, word } = nodes[at];
      if (word === null && parent >= 0) heights[parent] = Math.max(heights[parent], heights[at] + 1);
    }
    let current = nodes.map((node) => (node.word === null ? numbered(`1 ${node.label}`) : -1));
    for (let depth = 1; depth <= DEPTH; depth++) {
      const deeper = current.slice();
      nodes.forEach((node, at) => {
        if (node.word !== null || heights[at] < depth) return;
        if (depth > 1) deeper[at] = numbered(`${depth} ${node.label} ${children[at].map((c) => current[c]).join(" ")}`);
        found[depth - 1].push([`${sentence}:${at}`, deeper[at]]);
      });
      current = deeper;
    }
  });
  return found;
}

function arcsOf(trees) {
  const arcs = [];
  const words = [];
  trees.forEach((tokens, sentence) =>
    tokens.forEach(({ word, head, relation }, at) => {
      const above = head < 0 ? "" : tokens[head].word.toLowerCase();
      arcs.push([`${sentence}:${at}`, JSON.stringify([relation, above, word.toLowerCase()])]);
      words.push([`${sentence}:${at}`, word.toLowerCase()]);
    }),
  );
  return [arcs, words];
}

function counted(items) {
  const counts = new Map();
  for (const [, item] of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

// The part of each place's items that is licensed; of an item licensed less often than it occurs, the first are.
function licensed(orders, others) {
  if (!others.length) return () => "";
  const had = new Map();
  const good = new Map();
  orders.forEach((items, order) => {
    const left = new Map();
    for (const other of others) {
      for (const [item, times] of counted(other[order])) left.set(item, Math.max(left.get(item) ?? 0, times));
    }
    for (const [place, item] of items) {
      had.set(place, (had.get(place) ?? 0) + 1);
      if ((left.get(item) ?? 0) > 0) {
        left.set(item, left.get(item) - 1);
        good.set(place, (good.get(place) ?? 0) + 1);
      }
    }
  });
  return (place) => {
    if (!had.has(place)) return "";
    const part = (good.get(place) ?? 0) / had.get(place);
    return part === 1 ? "matched" : part > 0 ? "partly" : "unmatched";
  };
}

// The drawing of a text, marked by what the other texts have.
function drawnTrees(kind, text, others) {
  if (kind === "constituency") {
    const table = new Map();
    const trees = constituencyOf(text);
    const against = others.map((other) => subtreesOf(constituencyOf(other), table));
    const mark = licensed(subtreesOf(trees, table), against);
    return trees.map((nodes, sentence) => drawnConstituents(nodes, (at) => mark(`${sentence}:${at}`)));
  }
  const trees = dependenciesOf(text);
  const mark = licensed(arcsOf(trees), others.map((other) => arcsOf(dependenciesOf(other))));
  return trees.map((tokens, sentence) => drawnDependencies(tokens, (at) => mark(`${sentence}:${at}`)));
}

const ruler = document.createElement("canvas").getContext("2d");
ruler.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const widthOf = (text) => ruler.measureText(text).width;

const undrawn = (text) => element("p", { class: "quiet", text });

function scrolled(drawing, name) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, drawing);
}

function marked(x, y, text, mark, extra = "") {
  const width = widthOf(text) + 8;
  return shape(
    "g",
    { class: `node ${mark} ${extra}`.trim() },
    shape("rect", { class: "mark", x: x - width / 2, y: y - 13, width, height: 18, rx: 4 }),
    shape("text", { x, y, "text-anchor": "middle", text }),
  );
}

function drawnConstituents(nodes, mark) {
  if (!nodes.length) return undrawn("This sentence has no constituency tree.");
  const words = nodes.filter((node) => node.word !== null).length;
  if (words > LONGEST) return undrawn(`A sentence of ${words} words is too long to draw.`);
  const children = nodes.map(() => []);
  nodes.forEach((node, at) => node.parent >= 0 && children[node.parent].push(at));
  const depths = [];
  nodes.forEach((node, at) => depths.push(node.parent < 0 ? 0 : depths[node.parent] + 1));
  const lowest = Math.max(...depths);
  const xs = nodes.map(() => 0);
  let edge = 6;
  nodes.forEach((node, at) => {
    if (children[at].length) return;
    // A word is as wide as itself or the tag above it.
    let width = widthOf(node.label);
    for (let up = node.parent; up >= 0 && children[up].length === 1; up = nodes[up].parent) {
      width = Math.max(width, widthOf(nodes[up].label));
    }
    xs[at] = edge + width / 2 + 4;
    edge += width + 16;
  });
  for (let at = nodes.length - 1; at >= 0; at--) {
    if (children[at].length) xs[at] = (xs[children[at][0]] + xs[children[at].at(-1)]) / 2;
  }
  const y = (at) => (nodes[at].word === null ? depths[at] : lowest) * 34 + 18;
  const edges = nodes.map((node, at) =>
    node.parent < 0 ? null : shape("path", { class: "edge", d: `M${xs[node.parent]} ${y(node.parent) + 6}L${xs[at]} ${y(at) - 14}` }),
  );
  const labels = nodes.map((node, at) => marked(xs[at], y(at), visible(node.label), mark(at), node.word === null ? "" : "word"));
  const name = `Constituency tree: ${bracketed(nodes, children)}`;
  const height = lowest * 34 + 34;
  const drawing = shape("svg", { role: "img", "aria-label": visible(name), width: edge, height, viewBox: `0 0 ${edge} ${height}` }, ...edges, ...labels);
  return scrolled(drawing, "Constituency tree");
}

function bracketed(nodes, children) {
  const parts = [];
  const stack = [0];
  while (stack.length) {
    const at = stack.pop();
    if (at === null) parts.push(")");
    else if (nodes[at].word !== null || !children[at].length) parts.push(` ${nodes[at].label}`);
    else {
      parts.push(` (${nodes[at].label}`);
      stack.push(null, ...children[at].toReversed());
    }
  }
  return parts.join("").trim();
}

function drawnDependencies(tokens, mark) {
  if (!tokens.length) return undrawn("This sentence has no dependencies.");
  if (tokens.length > LONGEST) return undrawn(`A sentence of ${tokens.length} words is too long to draw.`);
  const xs = [];
  let edge = 6;
  for (const { word, relation } of tokens) {
    const width = Math.max(widthOf(visible(word)), widthOf(relation) * 0.9);
    xs.push(edge + width / 2 + 4);
    edge += width + 18;
  }
  const arcs = tokens.map(({ head }, at) => ({ at, head, low: Math.min(at, head), high: Math.max(at, head), level: 1 })).filter(({ head }) => head >= 0);
  arcs.sort((a, b) => a.high - a.low - (b.high - b.low));
  arcs.forEach((arc, place) => {
    for (const inner of arcs.slice(0, place)) {
      // Arcs that share ground stand above one another.
      if (inner.low < arc.high && arc.low < inner.high) arc.level = Math.max(arc.level, inner.level + 1);
    }
  });
  const top = Math.max(1, ...arcs.map(({ level }) => level));
  const base = top * 20 + 22;
  const drawn = arcs.map(({ at, head, level }) => {
    const y = base - 6 - level * 20;
    const toward = Math.sign(xs[at] - xs[head]);
    const from = xs[head] + toward * 5;
    const to = xs[at] - toward * 3;
    const path = `M${from} ${base - 4}V${y + 6}Q${from} ${y} ${from + toward * 6} ${y}H${to - toward * 6}Q${to} ${y} ${to} ${y + 6}V${base - 5}`;
    return shape(
      "g",
      { class: mark(at) },
      shape("path", { class: "edge", d: path }),
      shape("path", { class: "edge", d: `M${to - 3} ${base - 9}L${to} ${base - 4}L${to + 3} ${base - 9}` }),
      shape("text", { class: "relation", x: (from + to) / 2, y: y - 3, "text-anchor": "middle", text: tokens[at].relation }),
    );
  });
  const labels = tokens.map(({ word }, at) => marked(xs[at], base + 10, visible(word), mark(at)));
  const name = "Dependencies: " + tokens.map(({ word, head, relation }) => `${relation}(${head < 0 ? "root" : tokens[head].word}, ${word})`).join(", ");
  const height = base + 20;
  const drawing = shape("svg", { role: "img", "aria-label": visible(name), width: edge, height, viewBox: `0 0 ${edge} ${height}` }, ...drawn, ...labels);
  return scrolled(drawing, "Dependency tree");
}
