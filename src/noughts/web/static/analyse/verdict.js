// Who stands how, how the best game goes on, and every move with its value and what it does.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { ValueIcon, ValueTag } from "../shared/marks.js";
import { Problem } from "../shared/waiting.js";
import { sentence } from "../shared/words.js";

export function Verdict({ analysis, draft, state }) {
  const { problem } = state;
  if (draft && !draft.legal) {
    return html`<div class="status" role="status">
      <h1>This cannot arise</h1>
      <p class="problem">${sentence(draft.reason)}</p>
    </div>`;
  }
  if (!analysis) return html`<div class="status" role="status"><h1>Looking …</h1></div>`;
  const { head, value } = headline(analysis);
  return html`<div class="status">
    <div role="status">
      <h1>${value && html`<${ValueIcon} value=${value} />`}${head}</h1>
      <p>${analysis.sentence}</p>
      ${analysis.dead && analysis.status === "ongoing" && html`<p>No line can be completed any more.</p>`}
    </div>
    <${Problem} problem=${problem} />
  </div>`;
}

// Half a verdict in words, or null.
const halfOf = ({ at_least, at_most }) =>
  at_least === "tie" ? "cannot lose" : at_most === "tie" ? "cannot win" : null;

function headline({ status, winner, turn, value, remoteness, at_least, at_most }) {
  if (winner) return { head: `${winner} has won`, value: null };
  if (status === "draw") return { head: "A draw", value: null };
  const inSoMany = remoteness === null ? "" : ` in ${remoteness}`;
  const half = halfOf({ at_least, at_most });
  const head = {
    win: `${turn} wins${inSoMany}`,
    tie: `A tie for ${turn}`,
    loss: `${turn} loses${inSoMany}`,
    unknown: half ? `${turn} ${half}` : "Value unknown",
  };
  return { head: head[value], value: value === "unknown" ? null : value };
}

// Play these moves on the board, one after the other.
export async function playAll(table, moves) {
  for (const move of moves) {
    const { at } = table.state;
    await table.play(move);
    if (table.state.at !== at + 1 || table.state.moves[at].move !== move) return; // somebody did something else
  }
}

export function BestLine({ table, analysis }) {
  const { best_line, status, value, turn, line, story } = analysis;
  const marks = turn === "X" ? "XO" : "OX";
  const shown = best_line.length ? best_line : line.map((move, i) => ({ move, turn: marks[i % 2] }));
  if (status !== "ongoing" || (!shown.length && value !== "unknown")) return null;
  const win = value === "win" || value === "loss" ? story.at(-1) : null;
  const playTo = (last) => playAll(table, shown.slice(0, last + 1).map(({ move }) => move));
  return html`<${Card} title="Best line">
    ${
      !shown.length
        ? html`<p>
            <strong>The exact value of this position is unknown.</strong> There are too many games to try them all.
            What the engine believes is a guess, and stands apart. Play on: as the board fills up, values appear. Moves that win or lose at once are
            marked already.
          </p>`
        : html`<p class="note">
              ${best_line.length ? "How the game goes on when both play as well as can be." : "One way that the proven win goes."} Press a move to play up to it.
            </p>
            <ol class="row line">
              ${shown.map(
                ({ turn, move }, i) =>
                  html`<li key=${i}>
                    <button class=${`chip by-${turn.toLowerCase()}`} onClick=${() => playTo(i)}>
                      <b>${turn}</b> ${move}
                    </button>
                  </li>`,
              )}
            </ol>
            ${win && html`<p class="note">${sentence(win)}</p>`}`
    }
  <//>`;
}

export function MoveTable({ table, analysis }) {
  const told = analysis.moves.filter(
    ({ value, reasons, at_least }) => value !== "unknown" || at_least === "tie" || reasons.length,
  );
  if (!told.length) return null;
  const best = new Set(analysis.best);
  const rank = { win: 0, tie: 1, unknown: 2, loss: 3 };
  const order = (a, b) => best.has(b.move) - best.has(a.move) || rank[a.value] - rank[b.value] || a.cell - b.cell;
  const note = `For ${analysis.turn}, who moves; the number counts the moves to the end, both sides together.`;
  return html`<${Card} title="Every move" ...${{ note }}>
    <ul class="moves">
      ${told
        .sort(order)
        .slice(0, 40)
        .map(
          ({ move, value, remoteness, reasons, refutation, ...ends }) =>
            html`<li key=${move}>
              <button class="chip" onClick=${() => table.play(move)} aria-label=${`Play ${move}`}>${move}</button>
              <${ValueTag} ...${{ value, remoteness }} ...${value === "unknown" && halfOf(ends) && { children: halfOf(ends) }} />
              <span class="why note"
                >${best.has(move) && html`<b class="best-word">best</b>`}${reasons.join(", ")}${refutation.length > 0 && html`<span class="refutation">${reasons.length ? ": " : ""}${refutation.join(" ")}</span>`}</span
              >
            </li>`,
        )}
    </ul>
  <//>`;
}
