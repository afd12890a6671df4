// Elements from text. Text goes in as text alone: nothing that a system said is ever read as markup.

const byId = (id) => document.getElementById(id);

// Control characters have no shape of their own; a box stands for each.
const visible = (text) => String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") node.textContent = visible(value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const shape = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const number = (value, places = 4) => (value === null || value === undefined ? "–" : value.toFixed(places));
const signed = (value, places) => (value > 0 ? "+" : value < 0 ? "−" : "±") + Math.abs(value).toFixed(places);

function options(select, names, chosen = 0) {
  select.replaceChildren(...names.map((name, value) => element("option", { value, text: name })));
  select.value = String(Math.min(chosen, names.length - 1));
}

// A heading of a column that sorts; `sorted` is "ascending", "descending" or "none".
const sortable = (text, sorted, act) =>
  element("th", { scope: "col", "aria-sort": sorted }, element("button", { type: "button", text, onclick: act }));

const legend = (names) =>
  element("ul", { class: "legend" }, ...names.map((name, at) => element("li", { class: `c${at % 8}`, text: name })));
