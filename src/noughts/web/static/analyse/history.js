// How the value went, move by move: a small chart, and the list of moves.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { comment, LookingBack, MoveList } from "../shared/moves.js";

const WORDS = { x_wins: "X wins", o_wins: "O wins", tie: "tie", unknown: "unknown" };
const inWords = ({ outcome, remoteness, x_at_least, x_at_most }) => {
  if (outcome !== "unknown") return remoteness && outcome !== "tie" ? `${WORDS[outcome]} in ${remoteness}` : WORDS[outcome];
  return x_at_least === "tie" ? "X cannot lose" : x_at_most === "tie" ? "O cannot lose" : "unknown";
};

export function History({ table, state }) {
  const { moves, at, review } = state;
  return html`<${Card} title="The game">
    ${
      moves.length
        ? html`${review ? html`<${Chart} ...${{ table, review, at }} />` : html`<div class="chart"><${LookingBack} ...${state} /></div>`}
            <${MoveList} ...${{ moves, at, review }} start onGo=${(to) => table.goTo(to)} />
            ${at > 0 && review && html`<p class="note" role="status">${comment(review, at)}</p>`}`
        : html`<p class="note">No moves yet. Play on the board: each move is kept here, with what it was worth.</p>`
    }
  <//>`;
}

function Chart({ table, review, at }) {
  const { history } = review;
  if (history.every(({ x_at_least, x_at_most }) => x_at_least === "loss" && x_at_most === "win"))
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
    <${Unknown} ...${{ history, x, height }} wide=${(width - left - 16) / last} />
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

// Where a value is not known exactly, all that it may be: from top to bottom, or half of it where one player cannot lose.
// Least of all is a tie drawn there.
function Unknown({ history, x, height, wide }) {
  const open = history.map((moment, i) => ({ ...moment, i })).filter(({ outcome }) => outcome === "unknown");
  const [top, middle, bottom] = [4, height / 2, height - 4];
  const runs = []; // of moments of which the same is known
  for (const { i, x_at_least, x_at_most } of open) {
    const [from, to] = [x_at_most === "win" ? top : middle, x_at_least === "loss" ? bottom : middle];
    const run = runs.at(-1);
    if (run && run.last === i - 1 && run.from === from && run.to === to) run.last = i;
    else runs.push({ first: i, last: i, from, to });
  }
  const left = ({ first }) => Math.max(x(first) - wide / 2, x(0) - 6);
  const right = ({ last }) => Math.min(x(last) + wide / 2, x(history.length - 1) + 6);
  return html`<g class="unknown">
    ${runs.map((run) => {
      const isWhole = run.from === top && run.to === bottom;
      const [from, room] = [left(run), right(run) - left(run)];
      return html`<g key=${run.first}>
        <rect class=${isWhole ? "" : "half"} x=${from} y=${run.from} width=${room} height=${run.to - run.from} rx="4" />
        ${isWhole && room > 56 && html`<text x=${from + room / 2} y=${height / 2 + 4}>unknown</text>`}
      </g>`;
    })}
  </g>`;
}
