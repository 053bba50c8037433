// Search: the tree of minimax or alpha-beta on the position on the board, opened as far as one looks, and its replay.
//
// In the address: algorithm, window, order, table, symmetry and depth where they are not as usual; `branch` the moves to the
// node that is looked at alone; `node` the one that is selected; `step` where the replay stands, counted from 1.

import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { to, useAnswer } from "../shared/server.js";
import { Controls, Select, Tick } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { Choice } from "../shared/setup.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { counted } from "../shared/words.js";
import { ORDERS, RootMoves, SideBySide } from "./counts.js";
import { Explorer } from "./explorer.js";

export const about =
  "Minimax looks at every way to go on; alpha-beta gives the same answer and leaves out what cannot matter. Replay the search of this position and see each branch it cuts, and why.";
export const guide = "explanation/minimax";
export const keys = ["u", "r", "n"];
export const fresh = { branch: null, node: null, step: null };

const KEPT = 300; // nodes of the tree that come at first
const USUAL = { algorithm: "alphabeta", window: "carried", order: "natural", table: "", symmetry: "", depth: "" };
const OFFERED = {
  algorithm: { minimax: "Minimax", alphabeta: "Alpha-beta" },
  window: { carried: "carried from move to move", each: "a new one for each move" },
  order: { natural: "in the order of the cells", ...ORDERS },
};
const EXAMPLES = [
  { title: "A cut in ten nodes", position: "XO./.OX/OX.", more: { step: "1" }, plays: true },
  { title: "The source’s example", position: ".X./O../X.O", more: { window: "each" } },
  { title: "Marks that fall", position: "4x4k3g:O.../O..X/X.OX/X.XO", more: {} },
];

const SMALL = 9; // rows or columns of a board that may stand beside its buttons

// `alone`: the tree and its replay, no more.
export function View({ table, state, alone = false }) {
  const { more } = state;
  const latest = useRef(null); // what is on the board until the next position has come
  const analysis = (latest.current = state.analysis || latest.current);
  const toPlay = useRef(null); // the tree of the board opened after the one of this number is replayed at once
  const options = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, more[name] || usual]));
  const position = state.analysis?.position;

  const choose = (change) => {
    const kept = Object.entries(change).map(([name, value]) => [name, value === USUAL[name] ? null : value]);
    table.note({ ...Object.fromEntries(kept), ...fresh });
  };
  const openExample = ({ position, more, plays }) => {
    toPlay.current = plays ? state.openings : null;
    table.open({ position, view: "search", more });
  };
  if (!analysis) return html`<${Waiting} ...${{ table, state }} as="h2" />`;
  return html`<div class="stage search">
    ${
      !alone &&
      html`<section class="search-side stack" aria-label="The board and how it is searched">
        <${SmallBoard} ...${{ table, state, analysis, options, choose }} />
        <${Options} ...${{ options, choose, analysis }} />
      </section>`
    }
    <div class="search-main stack">
      ${!alone && html`<div class="row" role="group" aria-label="Examples">
        <span class="note">Begin with</span>
        ${EXAMPLES.map(
          (example) =>
            html`<button
              key=${example.title}
              aria-pressed=${String(position === example.position)}
              onClick=${() => openExample(example)}
            >
              ${example.title}
            </button>`,
        )}
        <span class="note">or play on the board.</span>
      </div>`}
      ${position && !table.opening && html`<${Searched} key=${position + JSON.stringify(options)} ...${{ table, state, position, options, choose, toPlay, alone }} />`}
    </div>
  </div>`;
}

// The board

function SmallBoard({ table, state, analysis, options, choose }) {
  const { board, turn, moves, winning_lines: lines } = analysis;
  const last = state.moves[state.at - 1]?.move;
  return html`<div class=${`stack small-board ${Math.max(board.rows, board.columns) > SMALL ? "large" : ""}`}>
    <${GameBoard} ...${{ board, turn, moves, lines, last }} onPlay=${(move) => table.play(move)} />
    <div class="stack">
      <div class="row">
        <${Controls} ...${{ table, state }} hint=${false} small />
        <span class="note">${analysis.status === "ongoing" ? `${analysis.turn} to move` : "the game is over"}</span>
      </div>
      <${Choice}
        legend="Algorithm"
        name="algorithm"
        value=${options.algorithm}
        options=${OFFERED.algorithm}
        onChoose=${(algorithm) => choose({ algorithm })}
      />
    </div>
    <${Problem} problem=${state.problem} />
  </div>`;
}

// How to search

function Options({ options, choose, analysis }) {
  const { depth } = options;
  const tick = (name, title) =>
    html`<${Tick} checked=${Boolean(options[name])} onChoose=${(on) => choose({ [name]: on ? "1" : "" })}>${title}<//>`;
  const select = (name, title, texts) =>
    html`<${Select} ...${{ title }} value=${options[name]} options=${texts} onChoose=${(value) => choose({ [name]: value })} />`;
  const free = analysis.moves.length && [...analysis.board.marks].filter((mark) => mark === ".").length;
  const all = Array.from({ length: Math.min(free, 9) }, (_, n) => n + 1);
  const plies = [...new Set([...all, Number(depth) || 1])].map((n) => [String(n), counted(n, "ply", "plies")]);
  return html`<div class="search-options stack">
    ${select("order", "Moves are tried", OFFERED.order)} ${tick("table", "Remember positions (table)")}
    ${tick("symmetry", "Merge symmetric positions")} ${select("window", "Window at the root", OFFERED.window)}
    ${select("depth", "Depth", [["", "to the end, if it fits"], ...plies])}
  </div>`;
}

// The answer

const query = (position, { algorithm, window, order, table, symmetry, depth }) => ({
  ...{ position, algorithm, window, order, table: Boolean(table), symmetry: Boolean(symmetry) },
  ...(depth ? { depth } : {}),
});

// Why there is no answer, and a way to one.
function Refused({ found, options, choose }) {
  const unknown = Object.keys(OFFERED).filter((name) => !Object.hasOwn(OFFERED[name], options[name]));
  const usual = Object.fromEntries(unknown.map((name) => [name, USUAL[name]]));
  const [title, act] = unknown.includes("algorithm")
    ? ["Search with alpha-beta", () => choose(usual)]
    : unknown.length
      ? ["Search as usual", () => choose(usual)]
      : options.depth
        ? ["Let the depth be chosen", () => choose({ depth: "" })]
        : ["Try again", found.again];
  return html`<div class="card search-refused">
    <${Problem} problem=${found.problem} />
    <div class="row"><button onClick=${act}>${title}</button></div>
  </div>`;
}

function Searched({ table, state, position, options, choose, toPlay, alone }) {
  const question = query(position, options);
  const branch = state.more.branch || "";
  const found = useAnswer(to("/search", { ...question, keep: KEPT, ...(branch ? { path: branch } : {}) }));
  const depth = found.answer?.depth;
  const compared = useAnswer(
    !alone && found.answer?.moves.length && to("/search/compare", query(position, { ...options, depth: depth || "" })),
  );
  useEffect(() => {
    if (found.problem && branch) table.note(fresh);
  }, [found.problem]);
  if (found.problem) return html`<${Refused} ...${{ found, options, choose }} />`;
  if (!found.answer) return html`<p class="loading" role="status">Searching …</p>`;
  const select = (id) => table.note({ node: id, branch: null, step: null });
  const isOver = !found.answer.moves.length;
  return html`<${Explorer} key=${branch} ...${{ table, state, question, toPlay }} answer=${found.answer} /> ${
      !isOver &&
      !alone &&
      html`<div class="search-below stack">
        ${
          compared.problem
            ? html`<div class="card"><${Problem} problem=${compared.problem} /></div>`
            : html`<${SideBySide}
                found=${compared.answer}
                onChoose=${({ algorithm, order, table, symmetry }) => choose({ algorithm, order, table: table ? "1" : "", symmetry: symmetry ? "1" : "" })}
              />`
        }
        <${RootMoves} answer=${found.answer} onSelect=${select} />
      </div>`
    }`;
}
