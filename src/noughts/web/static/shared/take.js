// What is shown, to take along: a table as CSV, and what the server draws of it as SVG and PNG.
//
//   name     of the file, without its ending; title what stands over the picture
//   head     the names of the columns; rows the cells, as they are: numbers as numbers
//   kind     how it is drawn (see noughts/lab/figure.py), "table" if nothing is said; log on a logarithmic scale
//   of       what is taken, for those who do not see where the buttons stand

import { html, useState } from "../vendor/preact-htm.js";
import { ask } from "./server.js";
import { Problem } from "./waiting.js";

const SHARP = 2; // pixels of a PNG for one of the picture

export function Take({ of, ...figure }) {
  const [problem, setProblem] = useState(null);
  const take = (form) => async () => {
    try {
      setProblem(null);
      save(`${figure.name}.${form}`, await FORMS[form](figure));
    } catch (refused) {
      setProblem(refused.message);
    }
  };
  return html`<div class="take row" role="group" aria-label=${`Download ${of}`}>
    ${Object.keys(FORMS).map((form) => html`<button key=${form} class="link small" onClick=${take(form)}>${form.toUpperCase()}</button>`)}
    <${Problem} ...${{ problem }} />
  </div>`;
}

function save(name, blob) {
  const href = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

const quoted = (cell) => (cell === null || cell === undefined ? "" : /[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell));
const drawn = async ({ title, head, rows, kind = "table", log = false }) =>
  (await ask("/figure", { question: { title, head, rows: rows.map((row) => row.map((cell) => cell ?? null)), kind, log } })).svg;

const FORMS = {
  csv: ({ head, rows }) => new Blob([`${[head, ...rows].map((row) => row.map(quoted).join()).join("\n")}\n`], { type: "text/csv" }),
  svg: async (figure) => new Blob([await drawn(figure)], { type: "image/svg+xml" }),
  png: async (figure) => painted(new DOMParser().parseFromString(await drawn(figure), "image/svg+xml").documentElement),
};

// The picture on a canvas: the policy lets no picture be loaded that was made here, and it has rectangles, paths and words alone.
function painted(svg) {
  const read = (element, name) => Number(element.getAttribute(name));
  const canvas = Object.assign(document.createElement("canvas"), { width: SHARP * read(svg, "width"), height: SHARP * read(svg, "height") });
  const pen = canvas.getContext("2d");
  const [left, top] = svg.getAttribute("viewBox").split(" ").map(Number);
  pen.setTransform(SHARP, 0, 0, SHARP, -SHARP * left, -SHARP * top);
  const family = svg.getAttribute("font-family");
  const paint = {
    rect: (each) => pen.fillRect(...["x", "y", "width", "height"].map((name) => read(each, name))),
    path: (each) => {
      pen.strokeStyle = each.getAttribute("stroke");
      pen.lineWidth = read(each, "stroke-width");
      pen.stroke(new Path2D(each.getAttribute("d")));
    },
    text: (each) => {
      pen.font = `${each.getAttribute("font-weight") || 400} ${each.getAttribute("font-size") || svg.getAttribute("font-size")}px ${family}`;
      pen.textAlign = { middle: "center", end: "right" }[each.getAttribute("text-anchor")] || "left";
      pen.fillText(each.textContent, read(each, "x"), read(each, "y"));
    },
  };
  for (const each of svg.children) {
    pen.fillStyle = each.getAttribute("fill") || "none";
    paint[each.tagName]?.(each);
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
