// What is drawn on a board: X, O, the line through a row of them, and the shape of a value.
import { html } from "../vendor/preact-htm.js";

// Of the cells of a board with sides of this size: their centres, and the lines between them.
export const centresOf = (columns, size) => (cell) =>
  [((cell % columns) + 0.5) * size, (Math.floor(cell / columns) + 0.5) * size];

export function latticeOf(rows, columns, size) {
  let path = "";
  for (let c = 1; c < columns; c++) path += `M${c * size} 0V${rows * size}`;
  for (let r = 1; r < rows; r++) path += `M0 ${r * size}H${columns * size}`;
  return path;
}

// A mark around each of these places in cells of this size; around (0, 0) if none are given.
export function MarkShape({ mark, size, still, places = [[0, 0]] }) {
  const kind = `mark mark-${mark === "X" ? "x" : "o"}${still ? " still" : ""}`;
  const drawn = (stroke) => places.map(([x, y]) => stroke(x, y)).join("");
  const strokes = strokesOf(mark, size);
  return html`<g class=${kind} stroke-width=${Math.max(1.6, size * 0.1)}>
    ${strokes.map((stroke, i) => html`<path key=${i} class=${i ? "stroke second" : "stroke"} pathLength="1" d=${drawn(stroke)} />`)}
  </g>`;
}

// A whole board in a few strokes: its marks are "X.O....".
export const SmallGrid = ({ rows, columns, marks, size }) =>
  html`<path class="lattice" d=${latticeOf(rows, columns, size)} />
    ${["X", "O"].map((mark) => html`<${MarkShape} key=${mark} ...${{ mark, size }} places=${placesOf(marks, mark, columns, size)} still />`)}`;

function placesOf(marks, mark, columns, size) {
  const centre = centresOf(columns, size);
  return [...marks].flatMap((each, cell) => (each === mark ? [centre(cell)] : []));
}

const strokesOf = (mark, size) => (mark === "X" ? crossOf(size * 0.235) : ringOf(size * 0.265));
const crossOf = (r) => [
  (x, y) => `M${x - r} ${y - r}L${x + r} ${y + r}`,
  (x, y) => `M${x + r} ${y - r}L${x - r} ${y + r}`,
];
const ringOf = (r) => [(x, y) => `M${x} ${y - r}a${r} ${r} 0 1 0 0 ${2 * r}a${r} ${r} 0 1 0 0 ${-2 * r}`];

// On a rack a mark is a disc with its sign.
export const DiscShape = ({ mark, size }) =>
  html`<g class=${`mark disc disc-${mark.toLowerCase()}`}>
    <circle r=${size * 0.43} />
    <path stroke-width=${Math.max(1.2, size * 0.08)} d=${strokesOf(mark, size * 0.72).map((stroke) => stroke(0, 0)).join("")} />
  </g>`;

// A rack in a few strokes: X is a disc, O a ring.
export function SmallRack({ rows, columns, marks, size }) {
  const discs = (mark, radii) => {
    const rings = (place) => radii.map((radius) => holeOf(radius * size)(...place));
    const path = placesOf(marks, mark, columns, size).flatMap(rings).join("");
    return html`<path class=${`small-disc-${mark.toLowerCase()}`} fill-rule="evenodd" d=${path} />`;
  };
  return html`<path class="small-panel" fill-rule="evenodd" d=${panelOf(rows, columns, size, 0)} />
    ${discs("X", [0.4])} ${discs("O", [0.4, 0.19])}`;
}

const holeOf = (r) => (x, y) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

// The panel of a rack, `pad` wider than its cells on every side, with a hole for each.
export function panelOf(rows, columns, size, pad) {
  const [width, height, round] = [columns * size, rows * size, Math.min(16, size * 0.3)];
  const [x, y] = [width + 2 * pad - 2 * round, height + 2 * pad - 2 * round];
  const arc = (to) => `a${round} ${round} 0 0 1 ${to}`;
  const corners = [`${round} ${round}`, `${-round} ${round}`, `${-round} ${-round}`, `${round} ${-round}`].map(arc);
  const outline = `M${round - pad} ${-pad}h${x}${corners[0]}v${y}${corners[1]}h${-x}${corners[2]}v${-y}${corners[3]}Z`;
  const centre = centresOf(columns, size);
  const hole = holeOf(size * 0.4);
  return outline + Array.from({ length: rows * columns }, (_, cell) => hole(...centre(cell))).join("");
}

// Win points up, loss down, a tie lies level: the shape says what the colour says.
const SHAPES = {
  win: "M0 -5.5L6 5H-6Z",
  tie: "M-6 -4H6V-0.8H-6ZM-6 1.6H6V4.8H-6Z",
  loss: "M0 5.5L6 -5H-6Z",
  unknown: "M-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0",
};

export const ValueShape = ({ value, size = 14, ...rest }) =>
  html`<path class=${`value-shape value-${value}`} d=${SHAPES[value]} transform=${`scale(${size / 14})`} ...${rest} />`;

// The shape alone, as an icon in text.
export const ValueIcon = ({ value }) =>
  html`<svg class="value-icon" viewBox="-7 -7 14 14" aria-hidden="true"><${ValueShape} value=${value} /></svg>`;

// "win 5", "tie 9"; a finished or unknown value has no number.
export const valueText = (value, remoteness) =>
  value === "unknown" ? "unknown" : remoteness ? `${value} ${remoteness}` : value;

export const valueWords = (value, remoteness) =>
  value === "unknown" ? "value unknown" : remoteness ? `${value} in ${remoteness}` : value;

export const ValueTag = ({ value, remoteness, children = valueText(value, remoteness) }) =>
  html`<span class=${`value-tag value-${value}`}><${ValueIcon} value=${value} />${children}</span>`;
