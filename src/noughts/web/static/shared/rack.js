// Where marks fall the board is a rack: discs behind a panel with holes, and over each column a place to drop them from.
//
//   drops   what a press anywhere in a column does, from left to right:
//           {words, free, cell}   what a screen reader says, how many cells are free, where a mark would land (null: it
//                                 cannot be played); and what is shown over it: value, remoteness, best, hint

import { html, useRef, useState } from "../vendor/preact-htm.js";
import { centresOf, DiscShape, panelOf, ValueShape } from "./marks.js";
import { classes } from "./words.js";

export const PAD = 6; // pixels of the panel around its cells
export const HEAD = 0.92; // the room over the columns, in cells
const FOOT = 10; // pixels
const FINE = 30; // pixels of a cell under which little is drawn
const RING = 0.45; // its radius, in cells
const overColumn = (column, size) => `translate(${(column + 0.5) * size} ${(-HEAD / 2) * size - PAD})`;

// The panel, and behind it two feet. Discs are drawn before it, so that they fall behind it.
export function Panel({ rows, columns, size }) {
  const [width, base, wide] = [columns * size, rows * size + PAD, Math.min(26, size * 0.3)];
  const foot = (edge, inwards) =>
    `M${edge + inwards * 3} ${base - PAD}l${-inwards * 3} ${PAD + FOOT}h${inwards * wide}l${inwards * 4} ${-PAD - FOOT}Z`;
  return html`<g class="rack-panel" aria-hidden="true">
    <path class="feet" d=${foot(-PAD, 1) + foot(width + PAD, -1)} />
    <path fill-rule="evenodd" d=${panelOf(rows, columns, size, PAD)} />
  </g>`;
}

// A disc falls from over its column, the longer the deeper; one that came still (see board.js) stays so.
export function Fallen({ mark, size, row, still }) {
  const came = useRef(still);
  const way = { "--above": `${-(row + 1) * size}px`, "--time": `${Math.round(190 * Math.sqrt(row + 1))}ms` };
  return html`<g class=${came.current ? "" : "falls"} style=${came.current ? null : way}>
    <${DiscShape} ...${{ mark, size }} />
  </g>`;
}

const cueOf = (r) => `M${-r} ${2 * r}l${r} ${r}l${r} ${-r}`; // "down here"

// Over the columns: what each is worth, where that is shown. They take the focus; a press on any cell below does the same.
export const Columns = ({ drops, size, focus }) =>
  html`<g role="row" aria-rowindex="1">
    ${drops.map(
      ({ words, free, cell, value, remoteness, best }, column) =>
        html`<g
          key=${column}
          class=${classes("column", { best, "can-play": cell !== null }, value && `value-${value}`)}
          role="gridcell"
          aria-colindex=${column + 1}
          tabindex=${column === focus ? 0 : -1}
          aria-label=${words}
          aria-disabled=${cell === null ? "true" : null}
          data-column=${column}
          transform=${overColumn(column, size)}
        >
          <rect class="hit" x=${-size / 2} y=${(-HEAD / 2) * size} width=${size} height=${HEAD * size} />
          ${free === 0 && size >= 22 && html`<text class="full" ...${{ y: size * 0.1, "font-size": Math.min(15, size * 0.28) }}>full</text>`}
          ${!value && cell !== null && size >= FINE && html`<path class="cue" d=${cueOf(size * 0.1)} />`}
          ${value && html`<${Worth} ...${{ value, remoteness, size }} />`}
        </g>`,
    )}
  </g>`;

// As much as fits: shape and word over the number, shape over number, or the shape alone.
function Worth({ value, remoteness, size }) {
  if (value === "unknown") return html`<circle class="unknown-dot" r=${Math.max(1.2, size * 0.04)} />`;
  const [width, height, font] = [size * 0.9, size * 0.78, Math.min(15, size * 0.24)];
  const shape = (x, y, side) => html`<g transform=${`translate(${x} ${y})`}><${ValueShape} value=${value} size=${side} /></g>`;
  const number = (y, font) => html`<text class="number" ...${{ y }} font-size=${font}>${remoteness}</text>`;
  const line = remoteness ? -height * 0.22 : 0; // of the shape
  return html`<rect class="ground" x=${-width / 2} y=${-height / 2} ...${{ width, height }} rx=${Math.min(10, size * 0.16)} />
    <g class="value-label">
      ${shape(size >= 42 ? -font * 1.15 : 0, line, size >= 42 ? font * 0.85 : size * (size >= 26 ? 0.34 : 0.55))}
      ${size >= 42 && html`<text x=${font * 0.55} y=${line + font * 0.34} font-size=${font}>${value}</text>`}
      ${remoteness > 0 && size >= 26 && number(height * 0.36, Math.min(22, size * 0.34))}
    </g>`;
}

// Where a mark would land, and while no value stands there the mark over the column.
export function Ghost({ drop, turn, columns, size }) {
  if (!drop || drop.cell === null) return null;
  const [x, y] = centresOf(columns, size)(drop.cell);
  return html`<g class="ghost" aria-hidden="true" data-lands=${drop.cell}>
    <g class="landing" transform=${`translate(${x} ${y})`}>
      ${turn && html`<${DiscShape} mark=${turn} size=${size} />`}<circle class="ring" r=${size * 0.4} />
    </g>
    ${turn && !drop.value && html`<g transform=${overColumn(drop.cell % columns, size)}><${DiscShape} mark=${turn} size=${size} /></g>`}
  </g>`;
}

// Rings on the panel: the last mark, hints, completed lines, what a step looks at.
export const Spots = ({ notes, inLine, columns, size }) =>
  html`<g aria-hidden="true">
    ${[...new Set([...(notes?.keys() || []), ...inLine])].map((cell) => {
      const { last, hint, role } = notes?.get(cell) || {};
      const ringed = { last, hint, "in-line": inLine.has(cell) };
      if (!role && !Object.values(ringed).some(Boolean)) return null;
      const place = `translate(${centresOf(columns, size)(cell)})`;
      return html`<g key=${cell} class=${classes("spot", ringed, role && `role-${role}`)} transform=${place}>
        <circle class="ring" r=${size * RING} />${hint && html`<circle class="hint-dot" r=${Math.max(3, size * 0.09)} />`}
      </g>`;
    })}
  </g>`;

// Around the column that has the focus, or the cell where they are pressed one by one.
export function FocusRing({ cell, byColumns, rows, columns, size }) {
  const [x, y] = centresOf(columns, size)(cell);
  if (!byColumns) return html`<circle class="focus-ring" cx=${x} cy=${y} r=${size * RING} />`;
  const [top, height] = [-HEAD * size - PAD, (rows + HEAD) * size + PAD];
  return html`<rect class="focus-ring" x=${x - size / 2} y=${top} ...${{ height }} width=${size} rx=${Math.min(12, size * 0.2)} />`;
}

// The column that a mouse is over, or the keyboard's focus has come to, whichever was last; null for none.
export function useAimed(columns, focus) {
  const [over, setOver] = useState(null);
  const [isFocused, setFocused] = useState(false);
  const onPointerMove = ({ pointerType, target }) => {
    const { cell, column } = target.closest("[data-cell], [data-column]")?.dataset || {};
    const at = Number(cell ?? column) % columns;
    setOver(pointerType === "touch" || Number.isNaN(at) ? null : at);
  };
  const onfocusin = ({ target }) => {
    const isByKeys = target.matches("[data-column]:focus-visible");
    setFocused(isByKeys);
    if (isByKeys) setOver(null);
  };
  const listeners = {
    onfocusin,
    onPointerMove,
    onPointerLeave: () => setOver(null),
    onfocusout: () => setFocused(false),
  };
  return [over ?? (isFocused ? focus : null), listeners];
}
