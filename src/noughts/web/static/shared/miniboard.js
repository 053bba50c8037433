// A small picture of a board: no labels, nothing to press.
import { html } from "../vendor/preact-htm.js";
import { centresOf, DiscShape, MarkShape, SmallGrid, SmallRack, ValueShape } from "./marks.js";

// `played` is ringed as the mistake, `keeping` are shown as what would have kept `value`.
export function Miniboard({ rows, columns, marks, gravity, side = 108, played = null, mark, keeping = [], value }) {
  const size = Math.floor(side / Math.max(rows, columns));
  const [width, height] = [columns * size, rows * size];
  const at = (cell) => `translate(${centresOf(columns, size)(cell)})`;
  return html`<svg class="miniboard" ...${{ width, height }} viewBox=${`0 0 ${width} ${height}`} aria-hidden="true">
    <${gravity ? SmallRack : SmallGrid} ...${{ rows, columns, marks, size }} />
    ${keeping.map((cell) => html`<g key=${`k${cell}`} transform=${at(cell)}><${ValueShape} value=${value} size=${Math.min(16, size * 0.5)} /></g>`)}
    ${
      played !== null &&
      html`<g transform=${at(played)} class="mistake">
        <rect x=${-size * 0.43} y=${-size * 0.43} width=${size * 0.86} height=${size * 0.86} rx=${size * 0.16} />
        <${gravity ? DiscShape : MarkShape} mark=${mark} size=${size} still />
      </g>`
    }
  </svg>`;
}
