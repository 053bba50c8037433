// Below the stage: what each way costs on this position, and the exhibits, which are wrong.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { BarRow } from "../shared/figures.js";
import { whole } from "../shared/quantities.js";
import { classes } from "../shared/words.js";
import { Grid } from "./scene.js";

const SOURCES = "/guide/explanation/the-five-papers";

export function Costs({ entries, chosen, choose, lab }) {
  const most = Math.max(1, ...entries.map(({ operations }) => operations || 0));
  const note = html`Readings, additions, comparisons, ANDs and shifts until the answer. Those with ${Follows()} keep
  tables while the game goes on, and need so many for the last move.`;
  return html`<${Card} title="What each costs here" ...${{ note }}>
    <ul class="bar-list">
      ${entries.map(
        ({ detector, title, operations, total, follows, cost, supports, refusal }) =>
          html`<${BarRow}
            key=${detector}
            kind=${classes("cost", { refused: !supports })}
            aria-pressed=${String(detector === chosen)}
            onClick=${() => choose(detector)}
            title=${supports ? cost : refusal}
            name=${html`<span>${title}${follows && Follows()}</span>`}
            share=${supports ? operations / most : 0}
          >
            <span class="cost-number">
              ${supports ? whole(operations) : "not here"}
              ${follows && supports && total > operations && html`<span class="sr">, ${whole(total)} for the whole game</span>`}
            </span>
          <//>`,
      )}
    </ul>
    <p class="note">Counting is not timing: <a href=${lab}>let them race in the Lab</a>.</p>
  <//>`;
}

const Follows = () =>
  html`<span class="follows soft" title="keeps tables and follows the game"
    >↻<span class="sr"> follows the game</span></span
  >`;

export function Exhibits({ exhibits, chosen, open }) {
  if (!exhibits) return null;
  const said = (mark) => (mark ? `${mark} has a line` : "nobody has a line");
  const note = html`Published methods, each on the smallest board that fools it.${" "}
    <a href=${SOURCES}>Where they come from</a>`;
  return html`<${Card} title="Known to be wrong" kind="algo-exhibits" ...${{ note }}>
    <ul class="tiles">
      ${exhibits.map(
        (each) =>
          html`<li key=${each.detector} class=${each.detector === chosen ? "chosen" : ""}>
            <${Grid} ...${pictureOf(each)} />
            <div>
              <h3>${each.title}</h3>
              <dl class="row">
                <div class="wrong">
                  <dt class="soft">It says</dt>
                  <dd>${said(each.verdict)}</dd>
                </div>
                <div class="right">
                  <dt class="soft">The truth</dt>
                  <dd>${said(each.truth)}</dd>
                </div>
              </dl>
              <p class="note">${each.why_wrong}</p>
              <button onClick=${() => open(each)} aria-label=${`Watch ${each.title} go wrong`}>
                Watch it go wrong
              </button>
            </div>
          </li>`,
      )}
    </ul>
  <//>`;
}

// The board that fools it, with the cells that matter.
function pictureOf({ board: { rows, columns, marks }, cells }) {
  const of = (mark) => [...marks].flatMap((each, cell) => (each === mark ? [cell] : []));
  return { rows, columns, marks: { X: of("X"), O: of("O") }, roles: { look: cells }, alone: true };
}
