// The levels of a game as a column of bars: the full board at the top, the empty one at the bottom, each bar as wide as
// its level has positions. What is solved has the colours of its wins, ties and losses; what is at work fills up.
import { html } from "../vendor/preact-htm.js";
import { OUTCOMES, sharesOf } from "../shared/figures.js";
import { whole, percent } from "../shared/quantities.js";
import { Take } from "../shared/take.js";
import { counted } from "../shared/words.js";

const shares = (found) => sharesOf(OUTCOMES.map((each) => [each, found[each]]), found.positions);
const endOf = (i, levels) => (i === 0 ? "the full board" : i === levels - 1 ? "the empty board" : null);

export function Levels({ run, prospect }) {
  const { events, summary, status, last } = run;
  const solved = new Map(
    (summary?.by_marks || events.map(({ found }) => found).filter(Boolean)).map((found) => [found.marks, found]),
  );
  const expected = prospect?.levels || [];
  if (!expected.length) return null;
  const levels = expected
    .map(({ marks, positions }) => ({ marks, about: positions, found: solved.get(marks) }))
    .reverse();
  const sizes = levels.map(({ about, found }) => found?.positions ?? about);
  const widest = Math.max(...sizes);
  const fill = status === "running" && last ? filled(expected, last) : 0;
  const words = ({ marks, about, found }) => {
    const name = counted(marks, "mark");
    if (!found) return `${name}: about ${whole(about)} positions`;
    const shares = OUTCOMES.map((each) => `${each} ${percent(found[each], found.positions)}`);
    return `${name}: ${whole(found.positions)} positions, ${shares.join(", ")}`;
  };
  return html`<figure class="levels-figure">
    <ol
      class=${`solve-levels ${levels.length > 14 ? "many" : ""}`}
      aria-label="Levels, from the full board to the empty one"
    >
      ${levels.map((level, i) => {
        const { marks, found } = level;
        const atWork = status === "running" && last?.at_work.includes(marks) && !found;
        return html`<li
          key=${marks}
          class=${found ? "solved" : atWork ? "at-work" : ""}
          aria-current=${atWork ? "step" : null}
          title=${words(level)}
        >
          <span class="level-marks" aria-hidden="true">${marks}</span>
          <span class="level-track" aria-hidden="true">
            <span class="level-bar shares" style=${{ width: `${(100 * sizes[i]) / widest}%`, "--turn": i }}>
              ${found ? shares(found) : atWork && html`<span class="level-fill" style=${{ width: `${100 * fill}%` }}></span>`}
            </span>
            ${sizes[i] < widest / 4 && endOf(i, levels.length) && html`<span class="level-end">${endOf(i, levels.length)}</span>`}
          </span>
          <span class="level-count" aria-hidden="true">${found ? whole(found.positions) : ""}</span>
          <span class="sr">${words(level)}</span>
        </li>`;
      })}
    </ol>
    <figcaption class="note spread">
      Marks on the board, and positions. ${" "}<span class="row value-legend"
        >For the player to move:
        ${OUTCOMES.map((each) => html`<span key=${each} class=${`swatch value-${each}`}>${each}</span>`)}</span
      >
      ${
        summary &&
        html`<${Take}
          of="the levels"
          ...${{ name: `${summary.game}-levels`, title: `${summary.game}: positions by marks`, kind: "bars" }}
          head=${["marks", ...OUTCOMES]}
          rows=${summary.by_marks.map((level) => [String(level.marks), ...OUTCOMES.map((each) => level[each])])}
        />`
      }
    </figcaption>
  </figure>`;
}

// How much of the levels at work is done: progress counts the bytes of all levels, a few positions each.
function filled(expected, { level, at_work, done, size }) {
  const sum = (wanted) => expected.filter(wanted).reduce((total, { positions }) => total + positions, 0);
  const above = sum(({ marks }) => marks > level);
  const own = sum(({ marks }) => at_work.includes(marks));
  return own ? Math.max(0, Math.min(1, ((done / size) * sum(() => true) - above) / own)) : 0;
}
