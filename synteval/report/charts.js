// Distributions by length, two metrics against each other, ranks.

function quantile(sorted, part) {
  const place = (sorted.length - 1) * part;
  const low = Math.floor(place);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (place - low);
}

// The words of the first reference or, without references, of the first hypothesis.
const sizes = record.segments.map(([, references, hypotheses]) => sizeOf(references[0] ?? hypotheses.find((text) => text >= 0)));
const sized = record.segments.some(([, references]) => references.length) ? "reference" : "hypothesis";

// Bins of about equal numbers of segments, at whole lengths.
function lengthBins() {
  const sorted = sizes.toSorted((a, b) => a - b);
  const edges = [...new Set([0.2, 0.4, 0.6, 0.8, 1].map((part) => Math.ceil(quantile(sorted, part))))];
  return edges.map((high, at) => ({ low: at ? edges[at - 1] + 1 : sorted[0], high }));
}

function lengthStatistics(metric) {
  return lengthBins().map(({ low, high }) => {
    const members = sizes.flatMap((size, segment) => (size >= low && size <= high ? [segment] : []));
    const boxes = systems.map((_, system) => {
      const values = members.map((segment) => scoreOf(metric, system, segment)).filter((value) => value !== null);
      values.sort((a, b) => a - b);
      return values.length ? [0.25, 0.5, 0.75].map((part) => quantile(values, part)) : null;
    });
    return { name: low === high ? `${low}` : `${low}–${high}`, count: members.length, boxes };
  });
}

function scaleOf(values) {
  const top = Math.max(...values, 0);
  const low = Math.min(...values, 0);
  const step = [1, 2, 2.5, 5, 10].map((one) => one * 10 ** Math.floor(Math.log10((top - low || 1) / 5))).find((one) => (top - low || 1) / one <= 6);
  const first = Math.floor(low / step) * step;
  const ticks = [];
  for (let at = first; at < top + step * 0.999; at += step) ticks.push(Number(at.toFixed(10)));
  return { low: ticks[0], high: ticks.at(-1), ticks, digits: Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) };
}

function drawLengths() {
  const metric = Number(byId("length-metric").value);
  const bins = lengthStatistics(metric);
  const scale = scaleOf(bins.flatMap(({ boxes }) => boxes.flatMap((box) => box ?? [])));
  const room = byId("length-chart").clientWidth - 60;
  const group = Math.max(56, systems.length * 18 + 2, Math.min(180, room / bins.length));
  const [left, top, height] = [48, 10, 220];
  const width = left + bins.length * group + 10;
  const y = (value) => top + height * (1 - (value - scale.low) / (scale.high - scale.low || 1));
  const parts = scale.ticks.map((tick) =>
    shape("g", {}, shape("path", { class: "axis", d: `M${left} ${y(tick)}H${width}` }), shape("text", { class: "tick", x: left - 6, y: y(tick) + 4, "text-anchor": "end", text: tick.toFixed(scale.digits) })),
  );
  bins.forEach(({ name, count, boxes }, at) => {
    const start = left + at * group;
    boxes.forEach((box, system) => {
      if (!box) return;
      const x = start + group / 2 + (system - (systems.length - 1) / 2) * 18;
      parts.push(
        shape(
          "g",
          { class: `c${system % 8}` },
          shape("title", { text: `${systems[system]}, ${name} words: median ${number(box[1], digits[metric])}` }),
          shape("path", { class: "own-line", d: `M${x} ${y(box[0])}V${y(box[2])}` }),
          shape("circle", { class: "own", cx: x, cy: y(box[1]), r: 4.5 }),
        ),
      );
    });
    parts.push(shape("text", { x: start + group / 2, y: top + height + 18, "text-anchor": "middle", text: group < 84 ? name : `${name} words` }));
    parts.push(shape("text", { class: "tick", x: start + group / 2, y: top + height + 34, "text-anchor": "middle", text: `n = ${count}` }));
  });
  const total = top + height + 42;
  const name = `${metrics[metric]} by length: ` + bins.map((bin) => `${bin.name} words, ` + bin.boxes.map((box, system) => `${systems[system]} ${box ? number(box[1], 3) : "none"}`).join(", ")).join("; ");
  byId("length-chart").replaceChildren(legend(systems), shape("svg", { role: "img", "aria-label": visible(name), width, height: total, viewBox: `0 0 ${width} ${total}` }, ...parts));
  byId("length-caption").textContent = `Median and middle half of the segment scores, by the number of words of the first ${sized}.`;
  const head = element("tr", {}, element("th", { scope: "col", text: "words" }), element("th", { scope: "col", text: "segments" }), ...systems.map((text) => element("th", { scope: "col", text })));
  const rows = bins.map((bin) =>
    element("tr", {}, element("th", { scope: "row", text: bin.name }), element("td", { text: bin.count }), ...bin.boxes.map((box) => element("td", { text: box ? number(box[1], digits[metric]) : "–" }))),
  );
  byId("length-table").replaceChildren(element("caption", { text: `Median ${metrics[metric]}` }), element("thead", {}, head), element("tbody", {}, ...rows));
}

// Average ranks from 1, the best first.
function ranksOf(values, higher) {
  return values.map((value) => {
    const better = values.filter((other) => (higher ? other > value : other < value)).length;
    const equal = values.filter((other) => other === value).length;
    return better + (equal + 1) / 2;
  });
}

function pearson(xs, ys) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  let [xy, xx, yy] = [0, 0, 0];
  xs.forEach((x, at) => {
    xy += (x - mx) * (ys[at] - my);
    xx += (x - mx) ** 2;
    yy += (ys[at] - my) ** 2;
  });
  return xx && yy ? xy / Math.sqrt(xx * yy) : null;
}

let points = [];

function drawScatter() {
  const [mx, my] = [Number(byId("metric-x").value), Number(byId("metric-y").value)];
  const chosen = byId("scatter-system").value;
  const which = chosen === "all" ? systems.map((_, at) => at) : [Number(chosen)];
  const found = which.flatMap((system) =>
    record.segments.flatMap((_, segment) => {
      const [x, y] = [scoreOf(mx, system, segment), scoreOf(my, system, segment)];
      return x === null || y === null ? [] : [{ x, y, system, segment }];
    }),
  );
  const [across, up] = [scaleOf(found.map(({ x }) => x)), scaleOf(found.map(({ y }) => y))];
  const size = 680;
  const [left, bottom, edge] = [70, 60, 16];
  const px = (x) => left + ((size - left - edge) * (x - across.low)) / (across.high - across.low || 1);
  const py = (y) => size - bottom - ((size - bottom - edge) * (y - up.low)) / (up.high - up.low || 1);
  const canvas = element("canvas", { width: size, height: size, role: "img" });
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  pen.font = "20px system-ui, sans-serif";
  pen.strokeStyle = colour("--line");
  pen.fillStyle = colour("--quiet");
  pen.textAlign = "center";
  for (const tick of across.ticks) {
    pen.beginPath();
    pen.moveTo(px(tick), edge);
    pen.lineTo(px(tick), size - bottom);
    pen.stroke();
    pen.fillText(tick.toFixed(across.digits), px(tick), size - bottom + 24);
  }
  pen.fillText(metrics[mx], (left + size) / 2, size - 8);
  pen.textAlign = "right";
  for (const tick of up.ticks) {
    pen.beginPath();
    pen.moveTo(left, py(tick));
    pen.lineTo(size - edge, py(tick));
    pen.stroke();
    pen.fillText(tick.toFixed(up.digits), left - 8, py(tick) + 7);
  }
  pen.save();
  pen.translate(20, (size - bottom) / 2);
  pen.rotate(-Math.PI / 2);
  pen.textAlign = "center";
  pen.fillText(metrics[my], 0, 0);
  pen.restore();
  pen.globalAlpha = found.length > 3000 ? 0.25 : found.length > 300 ? 0.45 : 0.8;
  points = found.map((point) => ({ ...point, px: px(point.x), py: py(point.y) }));
  for (const point of points) {
    pen.fillStyle = colour(`--c${point.system % 8}`);
    pen.beginPath();
    pen.arc(point.px, point.py, found.length > 3000 ? 3 : 4.5, 0, 7);
    pen.fill();
  }
  const r = pearson(found.map(({ x }) => x), found.map(({ y }) => y));
  const caption = `${found.length} segments, Pearson r = ${r === null ? "undefined" : number(r, 3)}. Click a point to open its segment.`;
  canvas.setAttribute("aria-label", visible(`${metrics[my]} against ${metrics[mx]}. ${caption}`));
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) * size) / box.width, ((event.clientY - box.top) * size) / box.height];
    const distance = (point) => (point.px - x) ** 2 + (point.py - y) ** 2;
    const nearest = points.reduce((best, point) => (distance(point) < distance(best) ? point : best), points[0]);
    if (nearest && distance(nearest) < 900) openSegment(nearest.segment);
  });
  byId("scatter").replaceChildren(canvas);
  byId("scatter-caption").textContent = caption;
}

function drawRanks() {
  const sides = [Number(byId("metric-x").value), Number(byId("metric-y").value)];
  const ranks = sides.map((metric) => ranksOf(record.systems.map((system) => system.scores[metric]), record.metrics[metric].higher));
  const width = Math.min(420, Math.max(320, byId("ranks").clientWidth));
  const [top, step] = [34, 34];
  const height = top + systems.length * step;
  const y = (rank) => top + (rank - 0.5) * step;
  const short = (text) => (text.length > 16 ? text.slice(0, 15) + "…" : text);
  const parts = sides.map((metric, side) => shape("text", { class: "tick", x: side ? width - 120 : 120, y: 16, "text-anchor": side ? "start" : "end", text: short(metrics[metric]) }));
  // Systems of one rank share a line of text.
  systems.forEach((name, system) => {
    const [a, b] = [ranks[0][system], ranks[1][system]];
    const shift = (side) => {
      const tied = systems.map((_, at) => at).filter((at) => ranks[side][at] === ranks[side][system]);
      return (tied.indexOf(system) - (tied.length - 1) / 2) * 15;
    };
    parts.push(
      shape(
        "g",
        { class: `c${system % 8}` },
        shape("path", { class: "own-line", d: `M130 ${y(a) + shift(0)}L${width - 130} ${y(b) + shift(1)}` }),
        shape("circle", { class: "own", cx: 130, cy: y(a) + shift(0), r: 4 }),
        shape("circle", { class: "own", cx: width - 130, cy: y(b) + shift(1), r: 4 }),
        shape("text", { x: 120, y: y(a) + shift(0) + 4, "text-anchor": "end", text: `${short(name)} ${a}` }),
        shape("text", { x: width - 120, y: y(b) + shift(1) + 4, text: `${b} ${short(name)}` }),
      ),
    );
  });
  const moved = systems.filter((_, system) => ranks[0][system] !== ranks[1][system]).length;
  const caption = systems.length < 2 ? "One system has one rank." : moved ? `${moved} of ${systems.length} systems change their rank.` : "Both metrics rank the systems alike.";
  const name = `Ranks of the systems. ${caption} ` + systems.map((text, system) => `${text}: ${ranks[0][system]} by ${metrics[sides[0]]}, ${ranks[1][system]} by ${metrics[sides[1]]}`).join("; ");
  byId("ranks").replaceChildren(element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Ranks" }, shape("svg", { role: "img", "aria-label": visible(name), width, height, viewBox: `0 0 ${width} ${height}` }, ...parts)));
  byId("ranks-caption").textContent = caption;
}
