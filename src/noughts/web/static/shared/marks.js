// What is drawn on a board: X, O, the line through a row of them, and the shape of a value.
import { html } from "../vendor/preact-htm.js";

// A mark around each of these places in cells of this size; around (0, 0) if none are given.
export function MarkShape({ mark, size, still, places = [[0, 0]] }) {
  const kind = `mark mark-${mark === "X" ? "x" : "o"}${still ? " still" : ""}`;
  const drawn = (stroke) => places.map(([x, y]) => stroke(x, y)).join("");
  const strokes = mark === "X" ? crossOf(size * 0.235) : ringOf(size * 0.265);
  return html`<g class=${kind} stroke-width=${Math.max(1.6, size * 0.1)}>
    ${strokes.map((stroke, i) => html`<path key=${i} class=${i ? "stroke second" : "stroke"} pathLength="1" d=${drawn(stroke)} />`)}
  </g>`;
}

const crossOf = (r) => [
  (x, y) => `M${x - r} ${y - r}L${x + r} ${y + r}`,
  (x, y) => `M${x + r} ${y - r}L${x - r} ${y + r}`,
];
const ringOf = (r) => [(x, y) => `M${x} ${y - r}a${r} ${r} 0 1 0 0 ${2 * r}a${r} ${r} 0 1 0 0 ${-2 * r}`];

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

export const ValueTag = ({ value, remoteness }) =>
  html`<span class=${`value-tag value-${value}`}><${ValueIcon} value=${value} />${valueText(value, remoteness)}</span>`;
