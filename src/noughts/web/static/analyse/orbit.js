// Symmetry: the twins that turning and flipping the board make of a position.
import { html } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Miniboard } from "../shared/miniboard.js";

const MOST = 100; // cells of a board that is still worth a small picture

export function Orbit({ table, analysis }) {
  const { orbit, board, code } = analysis;
  const { rows, columns, gravity } = board;
  const shown = rows * columns <= MOST;
  const how = gravity ? ["Flipping", "Flipped from left to right"] : ["Turning and flipping", "Turned and flipped"];
  const note =
    orbit.length === 1
      ? `${how[0]} the board changes nothing here.`
      : `${how[1]}, this position has ${orbit.length} forms; all are worth the same. The one with the smallest code stands for them all.`;
  return html`<${Card} title="Symmetry" ...${{ note }}>
    <ul class="orbit">
      ${orbit.map(
        ({ position, code, canonical, symmetries, marks }, i) =>
          html`<li key=${position}>
            <button
              onClick=${() => table.open({ position, view: "analyse" })}
              class=${canonical ? "canonical" : ""}
              aria-label=${`${symmetries.join(", ")}${canonical ? ", canonical" : ""}, code ${short(code)}`}
              title=${symmetries.join(", ")}
              aria-current=${i === 0 ? "true" : null}
            >
              ${shown && html`<${Miniboard} ...${{ rows, columns, marks, gravity }} side=${64} />`}
              <span class="code">${short(code)}</span>
              <span class="kind">${canonical ? "canonical" : i === 0 ? "this one" : ""}</span>
            </button>
          </li>`,
      )}
    </ul>
    <p class="note">Code of this position: <span class="code whole">${code}</span></p>
  <//>`;
}

const short = (code) => (code.length > 9 ? `${code.slice(0, 4)}…${code.slice(-3)}` : code);
