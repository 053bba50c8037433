// How the value went, move by move: a small chart, and the list of moves.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { comment, MoveList } from "../shared/moves.js";

const WORDS = { x_wins: "X wins", o_wins: "O wins", tie: "tie", unknown: "unknown" };
const inWords = ({ outcome, remoteness }) =>
  remoteness && outcome !== "tie" ? `${WORDS[outcome]} in ${remoteness}` : WORDS[outcome];

export function History({ table, state }) {
  const { moves, at, review } = state;
  return html`<${Card} title="The game">
    ${
      moves.length
        ? html`<${Chart} ...${{ table, review, at }} />
            <${MoveList} ...${{ moves, at, review }} start onGo=${(to) => table.goTo(to)} />
            ${at > 0 && review && html`<p class="note" role="status">${comment(review, at)}</p>`}`
        : html`<p class="note">No moves yet. Play on the board: each move is kept here, with what it was worth.</p>`
    }
  <//>`;
}

function Chart({ table, review, at }) {
  if (!review) return html`<div class="chart"></div>`;
  const { history } = review;
  if (history.every(({ outcome }) => outcome === "unknown"))
    return html`<p class="note">The values of these positions are unknown, so there is no course to draw yet.</p>`;
  const [width, height, left] = [320, 84, 44];
  const last = Math.max(1, history.length - 1);
  const longest = Math.max(1, ...history.map(({ remoteness }) => remoteness || 0));
  const x = (i) => left + 8 + (i / last) * (width - left - 16);
  const y = ({ outcome, remoteness }) => {
    const sign = outcome === "x_wins" ? -1 : outcome === "o_wins" ? 1 : 0;
    return height / 2 + sign * (height / 2 - 10) * (1 - 0.35 * ((remoteness || 0) / longest));
  };
  const known = history.map((moment, i) => ({ ...moment, i })).filter(({ outcome }) => outcome !== "unknown");
  const path = known
    .map((moment, n) => `${n && known[n - 1].i === moment.i - 1 ? "L" : "M"}${x(moment.i)} ${y(moment)}`)
    .join("");
  return html`<svg
    class="chart"
    viewBox=${`0 0 ${width} ${height}`}
    role="img"
    aria-label=${`Value after each move: ${history.map(inWords).join(", ")}`}
  >
    <g class="scale">
      <text x="0" y="16">X wins</text>
      <text x="0" y=${height / 2 + 4}>tie</text>
      <text x="0" y=${height - 8}>O wins</text>
      <path d=${`M${left} ${height / 2}H${width}`} />
    </g>
    <${Unknown} ...${{ history, x, height }} />
    <path class="now" d=${`M${x(at)} 0V${height}`} />
    <path class="course" d=${path} />
    ${known.map(
      ({ i, ...moment }) =>
        html`<circle
          key=${i}
          class=${`moment ${moment.outcome} ${i === at ? "current" : ""}`}
          cx=${x(i)}
          cy=${y(moment)}
          r=${i === at ? 5 : 3.5}
          onClick=${() => table.goTo(i)}
        />`,
    )}
  </svg>`;
}

// Where nothing is known nothing is drawn: least of all a tie.
function Unknown({ history, x, height }) {
  const first = history.findIndex(({ outcome }) => outcome !== "unknown");
  if (first <= 0) return null;
  const [from, to] = [x(0) - 6, x(first) - 6];
  return html`<g class="unknown"
    ><rect x=${from} y="4" width=${to - from} height=${height - 8} rx="6" /><text
      x=${(from + to) / 2}
      y=${height / 2 + 4}
      >unknown</text
    ></g
  >`;
}
