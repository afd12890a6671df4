// The table of corpus scores, with intervals and tests, sorted by any column.

let scoreOrder = { column: null, ascending: false };

function drawScores() {
  const order = systems.map((_, at) => at);
  const { column, ascending } = scoreOrder;
  if (column === -1) order.sort((a, b) => systems[a].localeCompare(systems[b]) * (ascending ? 1 : -1));
  else if (column !== null) {
    const value = (at) => record.systems[at].scores[column] ?? -Infinity;
    order.sort((a, b) => (value(a) - value(b)) * (ascending ? 1 : -1));
  }
  const heading = (text, at) =>
    sortable(text, column === at ? (ascending ? "ascending" : "descending") : "none", () => {
      const firstAscending = at === -1 || !record.metrics[at].higher;
      scoreOrder = { column: at, ascending: column === at ? !ascending : firstAscending };
      drawScores();
      byId("score-table").querySelectorAll("thead button")[at + 1].focus();
    });
  const head = element("tr", {}, heading("system", -1), ...metrics.map(heading));
  const rows = order.map((at) => {
    const system = record.systems[at];
    return element("tr", {}, element("th", { scope: "row", text: system.name, title: visible(system.name) }), ...metrics.map((_, metric) => scoreCell(system, metric)));
  });
  byId("score-table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
}

function scoreCell(system, metric) {
  const best = systems.length > 1 && system.best[metric];
  const p = system.p[metric];
  const [low, high] = system.intervals[metric];
  const dagger = p !== null && p < 0.05 ? "†" : "";
  const cell = element("td", { class: best ? "best" : null, text: number(system.scores[metric], digits[metric]) + (best ? "*" : "") + dagger });
  if (low !== undefined) cell.append(element("small", { text: `${number(low, digits[metric])} – ${number(high, digits[metric])}` }));
  if (p !== null) cell.append(element("small", { text: p < 0.0001 ? "p < 0.0001" : `p = ${number(p)}` }));
  return cell;
}

function describeScores() {
  const notes = [];
  if (systems.length > 1) notes.push("* best.");
  const tests = { ar: "approximate randomization", bs: "paired bootstrap" };
  if (record.test) notes.push(`† differs from ${systems[0]}, p < 0.05 (${tests[record.test]}, ${record.settings}).`);
  else if (systems.length > 1) notes.push("The systems have different segments, so they are not tested against each other.");
  notes.push("Below a score: its 95% bootstrap interval" + (record.test ? ", and the p-value." : "."));
  const lower = record.metrics.filter((metric) => !metric.higher).map((metric) => metric.name);
  if (lower.length) notes.push(`Lower is better: ${lower.join(", ")}.`);
  byId("score-notes").textContent = visible(notes.join(" "));
}
