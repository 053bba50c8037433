// Fours, threes and pairs, drawn on a board. Whose a threat is, and whether it is open, is told by its strokes:
//
//   X  a solid line through its marks      O  a dashed one
//   four  thick, three  thin               an end that is free has an arrow, one that is shut a bar
//   a ring: here a four is completed       a square: here a three is met
//
// Whether threats are shown is chosen for each view, and remembered.

import { html, useState } from "../vendor/preact-htm.js";
import { Tick } from "./controls.js";
import { centresOf } from "./marks.js";

const USUALLY = { analyse: true, play: false }; // in a game they would be hints that nobody asked for
const chosen = {}; // where nothing can be stored, for as long as the page is open

export function useThreats(view) {
  const key = `threats-${view}`;
  const [isOn, setOn] = useState(() => {
    try {
      const stored = localStorage.getItem(key);
      if (stored) return stored === "on";
    } catch {
      // No storage: as chosen on this page.
    }
    return chosen[view] ?? USUALLY[view];
  });
  const choose = (on) => {
    chosen[view] = on;
    setOn(on);
    try {
      localStorage.setItem(key, on ? "on" : "off");
    } catch {
      // As above.
    }
  };
  return [isOn, choose];
}

// Only games with fours and threes have them to show.
export const hasThreats = ({ k, gravity, misere }) => k > 2 && !gravity && !misere;

export const ThreatTick = ({ checked, onChoose }) =>
  html`<${Tick} kind="show-threats" ...${{ checked, onChoose }}>Show threats on the board<//>`;

// For a board's `layer`.
export const threatsOn = (shapes) => (place) =>
  html`<g class="threats" aria-hidden="true">
    ${shapes.map((shape) => html`<${Threat} key=${`${shape.owner}${shape.at_cells}`} ...${{ shape, ...place }} />`)}
  </g>`;

function Threat({ shape, size, columns }) {
  const { owner, kind, at_cells, completing_cells, meeting_cells } = shape;
  const centre = centresOf(columns, size);
  const [[x1, y1], [x2, y2]] = [at_cells[0], at_cells.at(-1)].map(centre);
  const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / size || 1;
  const [dx, dy] = [(x2 - x1) / steps, (y2 - y1) / steps]; // one cell along the line
  const wide = Math.min(6, kind === "four" ? Math.max(2.5, size * 0.085) : Math.max(1.5, size * 0.045));
  const isFree = (cell) => completing_cells.includes(cell) || meeting_cells.includes(cell);
  const beyond = (x, y, sign) => [x + sign * dx, y + sign * dy];
  const cellAt = ([x, y]) => Math.floor(y / size) * columns + Math.floor(x / size);
  const end = (x, y, sign) => endOf(x + sign * dx * 0.42, y + sign * dy * 0.42, sign * dx, sign * dy, isFree(cellAt(beyond(x, y, sign))));
  const line = `M${x1 - dx * 0.42} ${y1 - dy * 0.42}L${x2 + dx * 0.42} ${y2 + dy * 0.42}`;
  const spots = kind === "four" ? completing_cells : meeting_cells;
  return html`<g class=${`threat by-${owner.toLowerCase()} ${kind}`} data-owner=${owner} data-open=${String(shape.open)}>
    <path class="stem" d=${line} stroke-width=${wide} stroke-dasharray=${owner === "O" ? `${size * 0.14} ${size * 0.1}` : null} />
    <path class="end" d=${end(x1, y1, -1) + end(x2, y2, 1)} stroke-width=${Math.max(1.5, wide * 0.7)} />
    ${spots.map((cell) => html`<${Spot} key=${cell} ...${{ kind, size }} at=${centre(cell)} />`)}
  </g>`;
}

// An arrow where it is free, a bar where it is shut.
function endOf(x, y, dx, dy, isFree) {
  const [ux, uy] = [dx * 0.16, dy * 0.16]; // along, and across
  if (isFree) return `M${x - ux - uy} ${y - uy + ux}L${x} ${y}L${x - ux + uy} ${y - uy - ux}`;
  return `M${x - uy * 1.2} ${y + ux * 1.2}L${x + uy * 1.2} ${y - ux * 1.2}`;
}

function Spot({ kind, size, at: [x, y] }) {
  const r = size * 0.34;
  if (kind === "four") return html`<circle class="spot" cx=${x} cy=${y} r=${r} />`;
  return html`<rect class="spot" x=${x - r} y=${y - r} width=${2 * r} height=${2 * r} />`;
}

// A threat as an icon in a list: four marks of a line, as it is drawn on the board.
export const ThreatIcon = ({ shape }) =>
  html`<svg class="threat-icon" viewBox="0 0 48 16" aria-hidden="true">
    <g class=${`threat by-${shape.owner.toLowerCase()} ${shape.kind}`}>
      <path
        class="stem"
        d="M8 8H40"
        stroke-width=${shape.kind === "four" ? 3.5 : 1.75}
        stroke-dasharray=${shape.owner === "O" ? "5 3.500" : null}
      />
      <path class="end" d=${shape.open ? "M13 3L8 8L13 13M35 3L40 8L35 13" : "M8 2V14M35 3L40 8L35 13"} stroke-width="1.75" />
    </g>
  </svg>`;

// Pairs: a number on both cells, and a bow between them.
export const pairsOn = (pairs) => (place) =>
  html`<g class="pairs" aria-hidden="true">
    ${pairs.map(([one, two], i) => html`<${Pair} key=${one} ...${{ one, two, number: i + 1, ...place }} />`)}
  </g>`;

function Pair({ one, two, number, size, columns }) {
  const centre = centresOf(columns, size);
  const [[x1, y1], [x2, y2]] = [centre(one), centre(two)];
  const far = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) > 1.5 * size;
  const [bx, by] = far ? [(y1 - y2) * 0.18, (x2 - x1) * 0.18] : [0, 0]; // so that bows on one line do not cover each other
  const font = Math.min(15, size * 0.36);
  const text = ([x, y]) =>
    html`<circle cx=${x} cy=${y} r=${font * 0.95} /><text x=${x} y=${y + font * 0.36} font-size=${font}>${number}</text>`;
  return html`<g class="pair" data-pair=${number}>
    <path d=${`M${x1} ${y1}Q${(x1 + x2) / 2 + bx} ${(y1 + y2) / 2 + by} ${x2} ${y2}`} stroke-width=${Math.max(1.5, size * 0.05)} />
    ${text([x1, y1])} ${text([x2, y2])}
  </g>`;
}
