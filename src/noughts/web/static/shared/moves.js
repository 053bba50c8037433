// The moves of a game as a list: each leads to the board after it, with what it kept and a question mark where it threw
// something away.
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { ProgressBar } from "./figures.js";
import { placeOf } from "./keys.js";
import { ValueIcon } from "./marks.js";
import { useInSight } from "./place.js";

// `moves` {mark, move}; `at` how many are on the board; onGo(at). With `start` the list begins at the first position.
export function MoveList({ moves, at, review, onGo, start = false }) {
  const list = useRef();
  useInSight(list, "[aria-current]", [at]);
  useEffect(() => {
    if (list.current.contains(document.activeElement)) list.current.querySelector("[aria-current]")?.focus();
  }, [at]);
  const onKeyDown = (event) => {
    const to = placeOf(event.key, at, moves.length);
    if (to === undefined) return;
    event.preventDefault();
    onGo(to);
  };
  const entry = (number, kind, content) =>
    html`<li key=${number}>
      <button
        class=${`chip ${kind}`}
        tabindex=${number === at || (!at && !start && number === 1) ? 0 : -1}
        aria-current=${number === at ? "step" : null}
        onClick=${() => onGo(number)}
      >
        ${content}
      </button>
    </li>`;
  return html`<ol class="row move-list" ref=${list} onKeyDown=${onKeyDown} aria-label="Moves; the arrow keys step through them">
    ${start && entry(0, "", "Start")}
    ${moves.map(({ mark, move }, i) => {
      const { slipped, value } = review?.moves[i] || {};
      return entry(
        i + 1,
        `${slipped ? "slipped" : ""} ${i < at || start ? "" : "to-come"}`,
        html`<span class="number">${i + 1}</span><b class=${`by-${mark.toLowerCase()}`}>${mark}</b> ${move}
          ${slipped && html`<span class="slip"><span class="sr">, a mistake</span><span aria-hidden="true">?</span></span>`}
          ${value && value !== "unknown" && html`<${ValueIcon} value=${value} />`}`,
      );
    })}
  </ol>`;
}

// While the account of a game is made: how far that is, where it takes long.
export const LookingBack = ({ lookedAt }) =>
  html`<div class="looking-back" role="status">
    <p class="note">Looking back at the game …</p>
    ${lookedAt && html`<${ProgressBar} share=${(100 * lookedAt.done) / lookedAt.total} label="How far the look back is" />`}
  </div>`;

// What the account says of the move that led here.
export function comment(review, at) {
  const point = review.turning_points.find(({ number }) => number === at);
  if (point) return point.sentences.join(" ");
  if (review.lost_from?.number === at) return review.lost_from.sentences.join(" ");
  const step = review.moves[at - 1];
  if (!step || step.value === "unknown") return "";
  const said = { win: "kept the win", tie: "kept the draw", loss: "changed nothing: every move loses here" };
  return `${step.turn} ${step.move} ${said[step.value]}.`;
}
