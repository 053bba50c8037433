// Draws the scene of a step: rows of parts, each of a few plain kinds. What they mean is the server's business.
//
//   grid     rows, columns, texts, rest, marks, roles, paths, moved: a field of squares
//   tiles    numbers or words on small plates
//   meters   how far each line has come, for X and for O
//   sign     what stands between two parts

import { html, useLayoutEffect, useRef } from "../vendor/preact-htm.js";
import { centresOf, latticeOf, MarkShape } from "../shared/marks.js";
import { useRoom } from "../shared/place.js";
import { isPresenting } from "../shared/present.js";
import { classes } from "../shared/words.js";

const UNIT = 40; // a square's side, in the units of its picture
const LEGIBLE = 100; // squares up to which each empty one has its text too
const FITS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4]; // scales of a drawing on a wall
const SMALLEST = 5.5; // pixels: smaller letters are left out

// The drawing grows with the room that it has: on a wall twice as large as on a small screen, and never taller than that.
export function Scene({ rows }) {
  const frame = useRef();
  const [width] = useRoom(frame) || [0];
  useFit(frame);
  const scale = Math.max(1, Math.min(2.2, width / 620));
  const part = (parts) => ({ alone: grids(parts) === 1, scale, tall: Math.max(400, innerHeight * 0.42) });
  return html`<div class="scene-frame" ref=${frame}>
    <div class="scene" aria-hidden="true" style=${{ "--zoom": Math.min(scale, 1.6) }}>
      ${rows.map(
        (parts, row) =>
          html`<div class=${`row scene-row ${parts.map(({ kind }) => `has-${kind}`).join(" ")}`} key=${row}>
            ${parts.map((each, i) => html`<${KINDS[each.kind]} key=${i} ...${each} ...${part(parts)} />`)}
          </div>`,
      )}
    </div>
  </div>`;
}

// On a wall nobody scrolls: the drawing is as large as lets its whole card be seen, where that stands beside the board.
function useFit(frame) {
  useLayoutEffect(() => {
    const card = frame.current.closest(".card");
    const foot = () => document.querySelector(".presenter").offsetTop;
    const isSeen = () => !matchMedia("(min-width: 900px)").matches || card.getBoundingClientRect().bottom + scrollY <= foot();
    const fit = () => {
      const [drawing] = frame.current.children;
      for (const zoom of FITS) {
        drawing.style.zoom = zoom;
        if (!isPresenting() || isSeen()) break;
      }
    };
    fit();
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  });
}

const grids = (parts) => parts.filter(({ kind }) => kind === "grid").length;
const rolesOf = (roles) => roles.map((role) => `is-${role}`).join(" ");

// Fields of squares

export function Grid({ rows, columns, title, texts = {}, rest, marks, roles, paths = [], moved = 0, alone, scale = 1, tall = 400 }) {
  const squares = squaresOf({ rows, columns, texts, rest, marks, roles });
  const [width, height] = [columns * UNIT, rows * UNIT];
  const at = centresOf(columns, UNIT);
  const slide = (square) => at(square + moved).map((n, i) => `${n - at(square)[i]}px`);
  // What looks alike and moves alike is drawn as one shape: of the largest board, too, a picture has a few of them.
  const looks = Map.groupBy(squares, ({ square, names }) => [rolesOf(names), ...slide(square)].join());
  const layer = (draw) =>
    [...looks].map(([key, group]) => {
      const [{ square, names }] = group;
      const [dx, dy] = slide(square);
      const kind = classes("scene-square", rolesOf(names), moved && "slides");
      return html`<g key=${key} class=${kind} style=${moved ? { "--dx": dx, "--dy": dy } : null}>${draw(group)}</g>`;
    });
  const shape = (outline, group) => group.map(({ square }) => outline(...at(square))).join("");
  const owned = [...(roles.x || []), ...(roles.o || [])];
  const font = Math.max(0, ...squares.map(({ text }) => text.length)) > 3 ? 12 : 17;
  const side = Math.min((alone ? 68 : 46) * scale, ((alone ? 400 : 280) * scale) / Math.max(columns, rows), tall / rows);
  const size = { maxWidth: `${columns * side}px`, minWidth: `${Math.max(Math.min(columns * 9, 200), scale > 1 ? columns * side * 0.5 : 0)}px` };
  const legible = (font * side) / UNIT / scale >= SMALLEST; // in more room too: thousands of letters are slow to draw
  return html`<figure class=${`grid-part${moved ? " moving" : ""}`} style=${size}>
    <svg viewBox=${`-2 -2 ${width + 4} ${height + 4}`}>
      <path class="scene-net" d=${`${latticeOf(rows, columns, UNIT)}M0 0H${width}V${height}H0Z`} />
      ${moved !== 0 && html`<path class="scene-ghost" d=${owned.map((square) => box(30)(...at(square + moved))).join("")} />`}
      ${layer((group) => group[0].names.length > 0 && html`<path class="scene-field" d=${shape(box(34), group)} />`)}
      ${paths.map((path) => html`<path key=${path.join()} class="stroke-through" pathLength="1" d=${`M${at(path[0])}L${at(path.at(-1))}`} />`)}
      ${layer((group) => [...marksOf(group, at), ...(legible ? textsOf(group, at, font) : [])])}
    </svg>
    ${title && html`<figcaption class="small">${title}</figcaption>`}
  </figure>`;
}

const marksOf = (squares, at) =>
  ["X", "O"].flatMap((mark) =>
    ["under", ""].map((kind) => {
      const same = squares.filter((each) => each.mark === mark && Boolean(each.text) === Boolean(kind));
      const places = same.map(({ square }) => at(square));
      return same.length > 0 && html`<g class=${kind}><${MarkShape} ...${{ mark, places }} size=${UNIT} still /></g>`;
    }),
  );

const textsOf = (squares, at, font) =>
  squares
    .filter(({ text }) => text)
    .map(({ square, text, mark }) => {
      const [x, y] = at(square);
      const kind = mark ? "over" : null;
      return html`<text key=${square} class=${kind} x=${x} y=${y + font * 0.35} font-size=${font}>${text}</text>`;
    });

// The outline of a square with round corners around a point.
const box = (side) => (x, y) => {
  const [half, arc] = [side / 2 - 6, "a6 6 0 0 1"];
  const edge = 2 * half;
  return `M${x - half} ${y - side / 2}h${edge}${arc} 6 6v${edge}${arc} -6 6h${-edge}${arc} -6 -6v${-edge}${arc} 6 -6Z`;
};

// Every square with something in it.
function squaresOf({ rows, columns, texts, rest, marks, roles }) {
  const found = new Map();
  const of = (square) => {
    if (!found.has(square)) found.set(square, { square, text: "", mark: null, names: [] });
    return found.get(square);
  };
  for (const [role, squares] of Object.entries(roles)) for (const square of squares) of(square).names.push(role);
  for (const [mark, squares] of Object.entries(marks)) for (const square of squares) of(square).mark = mark;
  for (const [square, text] of Object.entries(texts)) of(Number(square)).text = text;
  if (rest && rows * columns <= LEGIBLE)
    for (let square = 0; square < rows * columns; square++) of(square).text ||= rest;
  return [...found.values()].sort((a, b) => a.square - b.square);
}

// Plates, counters, signs

const Tiles = ({ title, tiles }) =>
  html`<div class="row plates">
    ${title && html`<p class="small">${title}</p>`}
    <ul class="row">
      ${tiles.map(
        ({ text, roles, note }, i) =>
          html`<li key=${i} class=${`plate ${rolesOf(roles)}`}>
            <b>${text}</b>${note && html`<small>${note}</small>`}
          </li>`,
      )}
    </ul>
  </div>`;

const Meters = ({ rows, columns, of, meters, title }) =>
  html`<div class="meters-part">
    ${title && html`<p class="small">${title}</p>`}
    <ul class="meters">
      ${meters.map(
        ({ cells, name, x, o, roles }) =>
          html`<li key=${name} class=${`meter ${rolesOf(roles)}`}>
            <${LinePicture} ...${{ rows, columns, cells }} />
            <${Pips} count=${x} of=${of} owner="x" /><${Pips} count=${o} of=${of} owner="o" />
          </li>`,
      )}
    </ul>
  </div>`;

const Pips = ({ count, of, owner }) =>
  html`<span class=${`pips is-${owner}${count === of ? " full" : ""}`}>
    ${of <= 6 ? Array.from({ length: of }, (_, i) => html`<i key=${i} class=${i < count ? "on" : ""}></i>`) : html`<b>${count}</b>/${of}`}
  </span>`;

function LinePicture({ rows, columns, cells }) {
  const at = centresOf(columns, 1);
  return html`<svg class="line-picture" viewBox=${`0 0 ${columns} ${rows}`}>
    <rect x="0" y="0" width=${columns} height=${rows} rx=${Math.max(rows, columns) * 0.06} />
    <path d=${`M${at(cells[0])}L${at(cells.at(-1))}`} stroke-width=${Math.max(rows, columns) * 0.11} />
  </svg>`;
}

const Sign = ({ text, roles }) => html`<span class=${`scene-sign ${rolesOf(roles)}`}>${text}</span>`;

const KINDS = { grid: Grid, tiles: Tiles, meters: Meters, sign: Sign };
