// The atlas: every solved game as a cell of one picture, a row a board, a column a k. Colour, sign and number say who
// wins and in how many moves; each cell is a link. One stop for the Tab key: the arrows walk from cell to cell.
import { html, useRef, useState } from "../vendor/preact-htm.js";
import { useAnswer } from "../shared/server.js";
import { Link } from "../shared/controls.js";
import { Choice } from "../shared/setup.js";
import { Problem } from "../shared/waiting.js";
import { ValueTag } from "../shared/marks.js";
import { inWords, whole } from "../shared/quantities.js";
import { Take } from "../shared/take.js";

const USUAL = "usual";
const COUNTED = ["game", "value", "remoteness", "positions", "classes", "win", "tie", "loss"];
const WORDS = {
  usual: "wins",
  misere: "loses (misère)",
  gravity: "wins, and marks fall",
  "gravity-misere": "loses, and marks fall",
};
const ruleOf = ({ gravity, misere }) => [gravity && "gravity", misere && "misere"].filter(Boolean).join("-") || USUAL;

export function Atlas({ current, rule, onRule, onChoose }) {
  const { answer, problem } = useAnswer("/atlas");
  const games = answer?.games;
  const rules = [...new Set(games?.map(ruleOf))].sort((one, other) => one.length - other.length);
  const chosen = rules.includes(rule) ? rule : USUAL;
  return html`<section class="solve-atlas stack" aria-labelledby="atlas-title">
    <h2 id="atlas-title">The atlas of solved games</h2>
    <p class="note">
      Who wins when nobody slips, and in how many moves: a row a board, a column the number in a row that is needed.
      ${games && ` ${whole(games.length)} games, none of exactly k.`}
    </p>
    <${Choice}
      legend="A completed line"
      name="atlas-rule"
      value=${chosen}
      options=${rules.map((name) => [name, WORDS[name]])}
      onChoose=${(name) => onRule(name === USUAL ? null : name)}
    />
    <${Problem} problem=${problem} />
    ${games && html`<${Picture} games=${games.filter((each) => ruleOf(each) === chosen)} ...${{ current, onChoose }} />`}
    ${
      games &&
      html`<${Take}
        of="the atlas"
        ...${{ name: `atlas-${chosen}`, title: `Solved games: a completed line ${WORDS[chosen]}`, head: COUNTED }}
        rows=${games.filter((each) => ruleOf(each) === chosen).map((each) => COUNTED.map((key) => each[key]))}
      />`
    }
  </section>`;
}

const SIGNS = { win: "X", loss: "O", tie: "=" };
const short = ({ value, remoteness }) => (!value ? "?" : value === "tie" ? "=" : `${SIGNS[value]} ${remoteness}`);
const said = ({ game, value, remoteness }) =>
  `${game}: ${!value ? "not solved" : value === "tie" ? "tie" : `${SIGNS[value]} wins in ${remoteness}`}`;

function Picture({ games, current, onChoose }) {
  const [looked, setLooked] = useState(null);
  const picture = useRef();
  const boards = boardsOf(games);
  const known = (name) => games.some(({ game }) => game === name);
  const stop = looked && known(looked) ? looked : known(current) ? current : boards[0].games.find(Boolean).game;
  const shown = games.find(({ game }) => game === looked);
  const look = (event) => setLooked(event.target.closest?.("[data-game]")?.dataset.game || null);
  const walk = (event) => {
    const [row, k] = (event.target.dataset.at || "").split(",").map(Number);
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step || Number.isNaN(row)) return;
    event.preventDefault();
    const next = picture.current.querySelector(`[data-at="${row + step[0]},${k + step[1]}"]`);
    next?.focus();
  };
  const cell = (each, row) => {
    const { game, value } = each;
    return html`<${Link}
      class=${`mosaic atlas-cell value-${value || "unknown"}`}
      href=${`/?view=solve&solve=${game}`}
      tabindex=${game === stop ? 0 : -1}
      aria-current=${game === current ? "true" : null}
      aria-label=${said(each)}
      data-game=${game}
      data-at=${`${row},${each.k}`}
      onFollow=${() => onChoose(game)}
      >${short(each)}<//
    >`;
  };
  return html`<div>
    <p class="chart-readout atlas-readout" aria-hidden="true">
      ${shown ? html`<b>${shown.game}</b> ${shown.sentence} ${shown.positions && `${inWords(shown.positions)} positions.`}` : html`<${Counts} games=${games} />`}
    </p>
    <div
      class="row atlas-picture"
      ref=${picture}
      onMouseOver=${look}
      onMouseLeave=${() => setLooked(null)}
      onfocusin=${look}
      onKeyDown=${walk}
    >
      <${Boards} name="Boards of several rows" ...${{ boards: boards.filter(({ rows }) => rows > 1), cell }} />
      <${Boards} name="Boards of one row" ...${{ boards: boards.filter(({ rows }) => rows === 1), cell }} />
    </div>
  </div>`;
}

function Boards({ name, boards, cell }) {
  if (!boards.length) return null;
  const most = Math.max(...boards.map(({ games }) => games.length));
  const ks = Array.from({ length: most }, (_, i) => i + 2);
  return html`<div tabindex="0" role="region" aria-label=${name}>
    <table>
      <caption class="sr">
        ${name}: who wins, by the number in a row that is needed
      </caption>
      <thead>
        <tr>
          <th scope="col" class="corner"><span class="sr">Board</span><span aria-hidden="true">in a row</span></th>
          ${ks.map((k) => html`<th key=${k} scope="col">${k}</th>`)}
        </tr>
      </thead>
      ${[...Map.groupBy(boards, ({ rows }) => rows)].map(
        ([rows, group]) =>
          html`<tbody key=${rows}>
            ${group.map(
              ({ name, games, row }) =>
                html`<tr key=${name}>
                  <th scope="row">${name}</th>
                  ${ks.map((k) => html`<td key=${k}>${games[k - 2] && cell(games[k - 2], row)}</td>`)}
                </tr>`,
            )}
          </tbody>`,
      )}
    </table>
  </div>`;
}

function Counts({ games }) {
  const count = (value) => whole(games.filter((each) => each.value === value).length);
  return html`<span class="row value-legend">
    ${Object.entries({ win: "X wins", tie: "tie", loss: "O wins" }).map(
      ([value, words]) => html`<${ValueTag} key=${value} value=${value}>${words}: ${count(value)}<//>`,
    )}
  </span>`;
}

// The boards with their games by k; those of many rows first, which have more to tell.
function boardsOf(games) {
  const boards = Map.groupBy(games, ({ rows, columns }) => `${rows} × ${columns}`);
  const found = [...boards].map(([name, games]) => {
    const byK = [];
    for (const each of games) byK[each.k - 2] = each;
    return { name, rows: games[0].rows, games: byK };
  });
  return found.sort((one, other) => other.rows - one.rows).map((board, row) => ({ ...board, row }));
}
