// Segments by the difference of two systems: sorted, filtered, searched, paged; and one of them open, with its trees.

const PAGE = 25;
let listOrder = { column: "size", ascending: false };
let listPage = 0;
let opened = null;
let treeKind = record.trees.some(Boolean) ? "constituency" : "dependencies";

const searchable = record.segments.map(([id, references, hypotheses]) =>
  [id, ...[...references, ...hypotheses].filter((text) => text >= 0).map(textOf)].join("\n").toLowerCase(),
);

function listed() {
  const [metric, one, other] = ["diff-metric", "diff-one", "diff-other"].map((id) => Number(byId(id).value));
  const who = byId("diff-who").value;
  const words = byId("search").value.toLowerCase();
  const sense = record.metrics[metric].higher ? 1 : -1;
  const rows = record.segments.flatMap((_, segment) => {
    const [a, b] = [scoreOf(metric, one, segment), scoreOf(metric, other, segment)];
    const difference = a === null || b === null ? null : a - b;
    const better = difference === null ? 0 : Math.sign(difference) * sense;
    if ((who === "one" && better <= 0) || (who === "other" && better >= 0)) return [];
    if (words && !searchable[segment].includes(words)) return [];
    return [{ segment, a, b, difference, size: difference === null ? null : Math.abs(difference) }];
  });
  const { column, ascending } = listOrder;
  const value = (row) => row[column] ?? -Infinity;
  rows.sort((x, y) => (value(x) - value(y)) * (ascending ? 1 : -1) || x.segment - y.segment);
  return { rows, metric, one, other };
}

function drawList() {
  const { rows, metric, one, other } = listed();
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  listPage = Math.min(listPage, pages - 1);
  const heading = (text, column) =>
    sortable(text, listOrder.column === column ? (listOrder.ascending ? "ascending" : "descending") : "none", (event) => {
      const at = [...byId("segment-table").querySelectorAll("thead button")].indexOf(event.currentTarget);
      listOrder = { column, ascending: listOrder.column === column ? !listOrder.ascending : column === "segment" };
      listPage = 0;
      drawList();
      byId("segment-table").querySelectorAll("thead button")[at].focus();
    });
  const columns = one === other ? [heading("segment", "segment"), heading(systems[one], "a")] : [heading("segment", "segment"), heading(systems[one], "a"), heading(systems[other], "b"), heading("difference", "size")];
  const head = element("tr", {}, ...columns, element("th", { class: "text", scope: "col", text: "hypotheses" }));
  const body = rows.slice(listPage * PAGE, (listPage + 1) * PAGE).map((row) => listRow(row, metric, one, other));
  byId("segment-table").replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  byId("segment-count").textContent = rows.length === record.segments.length ? `${rows.length} segments` : `${rows.length} of ${record.segments.length} segments`;
  byId("page-number").textContent = `Page ${listPage + 1} of ${pages}`;
  byId("previous").disabled = listPage === 0;
  byId("next").disabled = listPage >= pages - 1;
}

function listRow({ segment, a, b, difference }, metric, one, other) {
  const [id, , hypotheses] = record.segments[segment];
  const open = element("button", { class: "segment", type: "button", text: id, "aria-label": visible(`Open segment ${id}`), onclick: () => openSegment(segment) });
  const snippets = [...new Set([one, other])].flatMap((system) =>
    hypotheses[system] < 0
      ? []
      : [element("small", { class: "who", text: systems[system] }), element("span", { class: "snippet", dir: "auto", text: textOf(hypotheses[system]).slice(0, 400) || "(empty)" })],
  );
  const cells = [element("td", { text: number(a, digits[metric]) })];
  if (one !== other) {
    const sense = record.metrics[metric].higher ? 1 : -1;
    cells.push(element("td", { text: number(b, digits[metric]) }));
    cells.push(element("td", { class: difference * sense > 0 ? "up" : difference * sense < 0 ? "down" : null, text: difference === null ? "–" : signed(difference, digits[metric]) }));
  }
  return element("tr", { class: segment === opened ? "open" : null }, element("th", { scope: "row" }, open), ...cells, element("td", { class: "text" }, ...snippets));
}

function openSegment(segment) {
  opened = segment;
  drawList();
  drawDetail();
  byId("detail").focus({ preventScroll: true });
  byId("detail").scrollIntoView({ block: "start" });
}

function closeSegment() {
  const row = byId("segment-table").querySelector("tr.open button") ?? byId("search");
  opened = null;
  byId("detail").hidden = true;
  drawList();
  row.isConnected ? row.focus() : byId("search").focus();
}

function drawDetail() {
  if (opened === null) return;
  const [id, references, hypotheses] = record.segments[opened];
  const kinds = [["constituency", record.trees], ["dependencies", record.heads]].filter(([, lists]) => lists.some(Boolean));
  const choice = element("select", { id: "tree-kind", onchange: (event) => { treeKind = event.target.value; drawDetail(); byId("tree-kind").focus(); } }, ...kinds.map(([kind]) => element("option", { value: kind, text: kind })));
  choice.value = treeKind;
  const close = element("button", { type: "button", text: "Close", onclick: closeSegment });
  const one = Number(byId("diff-one").value);
  const judged = hypotheses[one] >= 0 ? [hypotheses[one]] : hypotheses.filter((text) => text >= 0);
  const said = [
    ...references.map((text, at) => utterance(`reference${references.length > 1 ? ` ${at + 1}` : ""}, marked by what ${systems[one]} has of it`, text, judged)),
    ...hypotheses.flatMap((text, system) => (text < 0 ? [] : [utterance(systems[system], text, references)])),
  ];
  const marks = element("ul", { class: "legend" }, ...[["matched", "matched"], ["partly", "in part"], ["unmatched", "not matched"]].map(([name, text]) => element("li", { class: name, text })));
  byId("detail").replaceChildren(
    element("div", { class: "heading" }, element("h3", { id: "detail-title", text: `Segment ${id}` }), close),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Scores of this segment" }, detailScores(hypotheses)),
    ...(kinds.length ? [element("div", { class: "controls trees" }, element("label", { text: "Trees " }, choice), marks)] : []),
    element("div", { class: "utterances" }, ...said),
    ...(kinds.length ? [element("p", { class: "quiet", text: MARKS[treeKind] })] : []),
  );
  byId("detail").hidden = false;
  // Trees side by side where they fit, else one below the other: a tree is read as a whole.
  const utterances = byId("detail").querySelector(".utterances");
  const widest = Math.max(0, ...[...utterances.querySelectorAll("svg")].map((drawing) => Number(drawing.getAttribute("width"))));
  utterances.classList.toggle("wide", widest > utterances.clientWidth / 2);
}

function detailScores(hypotheses) {
  const head = element("tr", {}, element("th", { scope: "col", text: "system" }), ...metrics.map((text) => element("th", { scope: "col", text })));
  const rows = hypotheses.flatMap((text, system) =>
    text < 0 ? [] : [element("tr", {}, element("th", { scope: "row", text: systems[system] }), ...metrics.map((_, metric) => element("td", { text: number(scoreOf(metric, system, opened), digits[metric]) })))],
  );
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}

function utterance(name, text, others) {
  const trees = tokensOf(text).length && (record.trees[text] || record.heads[text]) ? drawnTrees(treeKind, text, others) : [];
  const said = textOf(text);
  return element("div", { class: "utterance" }, element("h4", { text: name }), element("p", { dir: "auto", class: said.length > 1200 ? "long" : null, tabindex: said.length > 1200 ? 0 : null, text: said || "(empty)" }), ...trees);
}
