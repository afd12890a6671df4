// The page put together.

const root = document.documentElement;

function setTheme(theme) {
  root.dataset.theme = theme;
  const dark = theme === "dark";
  byId("theme").textContent = dark ? "Light" : "Dark";
  byId("theme").setAttribute("aria-pressed", String(dark));
  byId("theme").setAttribute("aria-label", `Change to ${dark ? "light" : "dark"} colours`);
}

function start() {
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  byId("theme").addEventListener("click", () => {
    setTheme(root.dataset.theme === "dark" ? "light" : "dark");
    drawScatter();
  });
  // Paper is light.
  let onScreen = null;
  addEventListener("beforeprint", () => { onScreen = root.dataset.theme; setTheme("light"); drawScatter(); });
  addEventListener("afterprint", () => { setTheme(onScreen); drawScatter(); });
  const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;
  byId("summary").textContent = visible(`${plural(systems.length, "system")}, ${plural(record.segments.length, "segment")}, ${plural(metrics.length, "metric")}, parser ${record.parser}`);
  byId("notices").replaceChildren(...record.warnings.map((text) => element("p", { class: "notice", text })));
  byId("made-by").textContent = `synteval ${record.synteval}`;
  byId("signature-list").replaceChildren(...record.metrics.flatMap(({ name, signature }) => [element("dt", { text: name }), element("dd", { text: signature })]));
  for (const id of ["length-metric", "metric-x", "diff-metric"]) options(byId(id), metrics);
  options(byId("metric-y"), metrics, 1);
  options(byId("diff-one"), systems);
  options(byId("diff-other"), systems, 1);
  options(byId("scatter-system"), systems);
  if (systems.length > 1) {
    byId("scatter-system").prepend(element("option", { value: "all", text: "all" }));
    byId("scatter-system").value = "all";
  }
  byId("length-metric").addEventListener("change", drawLengths);
  for (const id of ["metric-x", "metric-y"]) byId(id).addEventListener("change", () => { drawScatter(); drawRanks(); });
  byId("scatter-system").addEventListener("change", drawScatter);
  const afresh = () => { listPage = 0; drawList(); };
  for (const id of ["diff-metric", "diff-one", "diff-other", "diff-who"]) byId(id).addEventListener("change", afresh);
  byId("diff-one").addEventListener("change", drawDetail);
  byId("search").addEventListener("input", afresh);
  byId("previous").addEventListener("click", () => { listPage--; drawList(); });
  byId("next").addEventListener("click", () => { listPage++; drawList(); });
  byId("detail").addEventListener("keydown", (event) => event.key === "Escape" && closeSegment());
  drawScores();
  describeScores();
  if (record.segments.length) {
    drawLengths();
    drawScatter();
    drawRanks();
  }
  drawList();
  root.dataset.ready = "true";
}

start();
