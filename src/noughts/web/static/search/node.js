// How a node, a cut and a merged branch look. Everything hangs from the point (0, 0), where the edge from above arrives.
import { html } from "../vendor/preact-htm.js";
import { SCISSORS } from "../shared/controls.js";
import { centresOf, SmallGrid, SmallRack } from "../shared/marks.js";
import { counted } from "../shared/words.js";
import { alphaText, betaText, mergedWords, numberText, scoreText, scoreWords } from "./model.js";

const ROOF = 9;
const [SCORE, WINDOW] = [17, 12]; // heights of these lines
const DRAWN = 6; // rows or columns of the largest board that is drawn in a node

// The measures of a node on this board.
export function measures({ rows, columns, gravity }, windows) {
  const longest = Math.max(rows, columns);
  const cell = longest > DRAWN + (gravity ? 1 : 0) ? 0 : longest <= 3 ? 13 : longest === 4 ? 10.5 : longest === 5 ? 8.8 : 7.5;
  const [width, height] = [columns * cell, rows * cell];
  const inner = (cell ? height + 5 : 4) + SCORE + (windows ? WINDOW : 0);
  const wide = cell ? Math.max(width + 14, 50) : 72; // without a board the badge of a cut stands beside the score
  return { rows, columns, gravity, cell, board: [width, height], windows, width: wide, inner, tall: inner + ROOF + 12 };
}

// A house points up for MAX, down for MIN; where the search went no further it is a plain box.
function outline({ width, inner }, player, isLeaf) {
  const [x, h] = [width / 2, inner + 12];
  if (isLeaf)
    return `M${-x + 6} 0H${x - 6}Q${x} 0 ${x} 6V${h - 6}Q${x} ${h} ${x - 6} ${h}H${-x + 6}Q${-x} ${h} ${-x} ${h - 6}V6Q${-x} 0 ${-x + 6} 0Z`;
  if (player === "MAX")
    return `M0 0L${x} ${ROOF}V${h + ROOF - 5}Q${x} ${h + ROOF} ${x - 5} ${h + ROOF}H${-x + 5}Q${-x} ${h + ROOF} ${-x} ${h + ROOF - 5}V${ROOF}Z`;
  return `M${-x} 5Q${-x} 0 ${-x + 5} 0H${x - 5}Q${x} 0 ${x} 5V${h}L0 ${h + ROOF}L${-x} ${h}Z`;
}

const side = (score) => (score > 0 ? "for-x" : score < 0 ? "for-o" : "level");

export const bottomOf = ({ inner }, { plain }) => inner + 12 + (plain.kind === "searched" ? ROOF : 0);

// `moment` is the step at which a node under way stands; its window and best score are those of that step.
export function NodeShape({ node, size, moment, under }) {
  const { plain } = node;
  const isLeaf = plain.kind !== "searched";
  const top = 7 + (plain.player === "MAX" && !isLeaf ? ROOF : 0);
  const below = top + (size.cell ? size.board[1] + 5 : 2);
  const best = under ? (moment?.best ?? null) : plain.score;
  const { alpha, beta } = under && moment ? moment : plain;
  return html`<path
      class=${`shape ${plain.player === "MAX" ? "max" : "min"}`}
      d=${outline(size, plain.player, isLeaf)}
    />
    ${size.cell > 0 && html`<${Picture} ...${{ plain, size, top }} />`}
    <text class=${`score ${best === null ? "" : side(best)} ${under ? "so-far" : ""}`} y=${below + 13}>
      ${best === null ? "?" : under ? numberText(best) : scoreText(plain)}
    </text>
    ${
      size.windows &&
      html`<text class="window" y=${below + 13 + WINDOW}>${`[${alphaText(alpha)}, ${betaText(beta)}]`}</text>`
    }`;
}

// The board in a few strokes: large trees have many of them.
function Picture({ plain, size: { rows, columns, gravity, cell, board }, top }) {
  const at = centresOf(columns, cell);
  const [x, y] = at(plain.cell ?? 0).map((centre) => centre - cell / 2);
  return html`<g class="picture" transform=${`translate(${-board[0] / 2} ${top})`}>
    ${plain.cell !== null && html`<rect class="played" ...${{ x, y }} width=${cell} height=${cell} rx="2" />`}
    <${gravity ? SmallRack : SmallGrid} marks=${plain.marks} ...${{ rows, columns, size: cell }} />
    ${plain.lines.map((line) => html`<path class="won" d=${`M${at(line[0])}L${at(line.at(-1))}`} />`)}
  </g>`;
}

// How many nodes wait below a closed node.
export const MoreChip = ({ node, size, text }) =>
  html`<g class="more-chip" data-toggle=${node.id} transform=${`translate(0 ${bottomOf(size, node) + 12})`}>
    <rect x=${-(text.length * 3.6 + 8)} y="-9" width=${text.length * 7.2 + 16} height="18" rx="9" /><text y="4"
      >${text}</text
    >
  </g>`;

// On a closed node: the rest of it was cut.
export const CutBadge = ({ node, size }) =>
  html`<g class="cut-badge" transform=${`translate(${size.width / 2 - 1} 16)`}>
    <circle class="blade" r="8" /><path class="pen scissors" transform="translate(-5.4 -5.4) scale(0.45)" d=${SCISSORS} />
  </g>`;

const shortened = (moves) => (moves.length > 3 ? `${moves.slice(0, 2).join(" ")} +${moves.length - 2}` : moves.join(" "));

export function CutShape({ node }) {
  const words = shortened(node.plain.cut.skipped);
  return html`<circle class="blade" cy="15" r="14" />
    <path class="pen scissors" transform="translate(-9 6) scale(0.75)" d=${SCISSORS} />
    <text class="skipped" y="45">${words || "none left"}</text>`;
}

export function MergedShape({ node }) {
  const words = shortened(Object.keys(node.plain.merged));
  return html`<circle class="mirror" cy="15" r="14" />
    <path class="mirror-mark" d="M0 5V25M-4 10L-9 20H-4ZM4 10L9 20H4Z" />
    <text class="skipped" y="45">${words}</text>`;
}

// What a screen reader says of an item.
export function itemWords({ kind, node }, under, moment) {
  const { plain } = node;
  if (kind === "cut") return plain.cut.why;
  if (kind === "merged") return mergedWords(plain.merged).join("; ");
  const name = plain.move || "the position on the board";
  const ends = { over: "game over", horizon: "at the depth limit", table: "remembered from the table" }[plain.kind];
  const score = under ? `best so far ${moment?.best ?? "none"}` : `score ${scoreWords(plain)}`;
  return [name, ends || plain.player, score, !under && plain.nodes > 1 && counted(plain.nodes, "node")]
    .filter(Boolean)
    .join(", ");
}
