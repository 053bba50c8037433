// A small picture of a board: no labels, nothing to press.
import { html } from "../vendor/preact-htm.js";
import { MarkShape, ValueShape } from "./marks.js";

// `played` is ringed as the mistake, `keeping` are shown as what would have kept `value`.
export function Miniboard({
  rows,
  columns,
  marks,
  side = 108,
  played = null,
  mark = null,
  keeping = [],
  value = "tie",
}) {
  const size = Math.floor(side / Math.max(rows, columns));
  const [width, height] = [columns * size, rows * size];
  let path = "";
  for (let c = 1; c < columns; c++) path += `M${c * size} 0V${height}`;
  for (let r = 1; r < rows; r++) path += `M0 ${r * size}H${width}`;
  const at = (cell) => `translate(${((cell % columns) + 0.5) * size} ${(Math.floor(cell / columns) + 0.5) * size})`;
  return html`<svg
    class="miniboard"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
  >
    <path class="lattice" d=${path} />
    ${[...marks].map((each, cell) => each !== "." && html`<g key=${cell} transform=${at(cell)}><${MarkShape} mark=${each} size=${size} still /></g>`)}
    ${keeping.map((cell) => html`<g key=${`k${cell}`} transform=${at(cell)}><${ValueShape} value=${value} size=${Math.min(16, size * 0.5)} /></g>`)}
    ${
      played !== null &&
      html`<g transform=${at(played)} class="mistake">
        <rect x=${-size * 0.43} y=${-size * 0.43} width=${size * 0.86} height=${size * 0.86} rx=${size * 0.16} />
        <${MarkShape} mark=${mark} size=${size} still />
      </g>`
    }
  </svg>`;
}
