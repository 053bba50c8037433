// Search: the tree of minimax or alpha-beta on the position on the board, opened as far as one looks, and its replay.
//
// In the address: algorithm, window, order, table, symmetry and depth where they are not as usual; `branch` the moves to the
// node that is looked at alone; `node` the one that is selected; `step` where the replay stands.

import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { useAnswer } from "../shared/server.js";
import { Board, cellNames } from "../shared/board.js";
import { Icon } from "../shared/controls.js";
import { Choice } from "../shared/setup.js";
import { Problem, Waiting } from "../shared/waiting.js";
import { RootMoves, SideBySide } from "./counts.js";
import { counted } from "./model.js";
import { Explorer } from "./explorer.js";

export const about =
  "Minimax looks at every way to go on; alpha-beta gives the same answer and leaves out what cannot matter. Replay the search of this position and see each branch it cuts, and why.";
export const guide = "explanation/minimax";
export const keys = ["u", "r", "n"];

const KEPT = 300; // nodes of the tree that come at first
const USUAL = { algorithm: "alphabeta", window: "carried", order: "natural", table: "", symmetry: "", depth: "" };
const ALGORITHMS = [
  ["minimax", "Minimax"],
  ["alphabeta", "Alpha-beta"],
];
const ORDERS = [
  ["natural", "in the order of the cells"],
  ["centre", "centre first"],
  ["evaluation", "best evaluation first"],
  ["best-known", "best known first"],
];
const WINDOWS = [
  ["carried", "carried from move to move"],
  ["each", "a new one for each move"],
];
const OFFERED = { algorithm: ALGORITHMS, window: WINDOWS, order: ORDERS };
const EXAMPLES = [
  {
    title: "A cut in ten nodes",
    position: "XO./.OX/OX.",
    more: { step: "0" },
    plays: true,
  },
  { title: "The source’s example", position: ".X./O../X.O", more: { window: "each" } },
];

const ANYWHERE = "anywhere";
const SMALL = 9; // rows or columns of a board that may stand beside its buttons

export function View({ table, state }) {
  const { more } = state;
  const latest = useRef(null); // what is on the board until the next position has come
  const analysis = (latest.current = state.analysis || latest.current);
  const arriving = useRef(null); // the position that an example or the history leads to
  const toPlay = useRef(null); // the tree of the board opened after the one of this number is replayed at once
  const options = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, more[name] || usual]));
  const position = state.analysis?.position;
  useFreshStart(table, position, arriving);

  const choose = (change) => {
    const kept = Object.entries(change).map(([name, value]) => [name, value === USUAL[name] ? null : value]);
    table.note({ ...Object.fromEntries(kept), branch: null, node: null, step: null });
  };
  const openExample = ({ position, more, plays }) => {
    arriving.current = position;
    toPlay.current = plays ? state.openings : null;
    table.open({ position, view: "search", more });
  };
  if (!analysis) return html`<${Waiting} ...${{ table, state }} as="h2" />`;
  return html`<div class="stage search">
    <section class="search-side" aria-label="The board and how it is searched">
      <${SmallBoard} ...${{ table, state, analysis, options, choose }} />
      <${Options} ...${{ options, choose, analysis }} />
    </section>
    <div class="search-main">
      <div class="examples" role="group" aria-label="Examples">
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
      </div>
      ${position && [null, ANYWHERE, position].includes(arriving.current) && html`<${Searched} key=${position + JSON.stringify(options)} ...${{ table, state, position, options, choose, toPlay }} />`}
    </div>
  </div>`;
}

// A move on the board, or one taken back, begins a new search: what was looked at of the old one is forgotten.
function useFreshStart(table, position, arriving) {
  const last = useRef(position);
  useEffect(() => {
    const anywhere = () => (arriving.current = ANYWHERE);
    addEventListener("popstate", anywhere);
    return () => removeEventListener("popstate", anywhere);
  }, []);
  useEffect(() => {
    if (!position) return;
    const led = arriving.current === position || arriving.current === ANYWHERE;
    if (last.current && position !== last.current && !led) table.note({ branch: null, node: null, step: null });
    if (led) arriving.current = null;
    last.current = position;
  }, [position]);
}

// The board

function SmallBoard({ table, state, analysis, options, choose }) {
  const { board } = analysis;
  const names = cellNames(board);
  const last = state.moves[state.at - 1]?.move;
  const notes = new Map(last ? [[names.indexOf(last), { last: true }]] : []);
  const describe = (cell) => `${names[cell]}, ${board.marks[cell] === "." ? "empty" : board.marks[cell]}`;
  const button = (name, title, key, act, disabled) =>
    html`<button
      class="icon"
      onClick=${act}
      disabled=${disabled}
      aria-label=${title}
      aria-keyshortcuts=${key}
      title=${`${title} (${key})`}
    >
      <${Icon} name=${name} />
    </button>`;
  return html`<div class=${`small-board ${Math.max(board.rows, board.columns) > SMALL ? "large" : ""}`}>
    <${Board}
      ...${{ board, notes, describe }}
      lines=${analysis.winning_lines.map((line) => line.map((name) => names.indexOf(name)))}
      playable=${new Set(analysis.moves.map(({ cell }) => cell))}
      onPlay=${(cell) => table.play(names[cell])}
      label=${`Board of ${board.rows} rows and ${board.columns} columns`}
    />
    <div class="small-more">
      <div class="small-controls" role="group" aria-label="Moves">
        ${button("undo", "Undo", "u", table.undo, table.undoTo === null)}
        ${button("redo", "Redo", "r", table.redo, table.redoTo === null)}
        ${button("fresh", "New game", "n", () => table.newGame(), false)}
        <span class="note">${analysis.status === "ongoing" ? `${analysis.turn} to move` : "the game is over"}</span>
      </div>
      <${Choice}
        legend="Algorithm"
        name="algorithm"
        value=${options.algorithm}
        options=${ALGORITHMS}
        onChoose=${(algorithm) => choose({ algorithm })}
      />
    </div>
    <${Problem} problem=${state.problem} />
  </div>`;
}

// How to search

function Options({ options, choose, analysis }) {
  const { window, order, table, symmetry, depth } = options;
  const free = analysis.moves.length;
  const tick = (name, value, title) =>
    html`<label class="tick"
      ><input
        type="checkbox"
        checked=${Boolean(value)}
        onChange=${(event) => choose({ [name]: event.target.checked ? "1" : "" })}
      />${" "}${title}</label
    >`;
  const select = (name, title, value, texts) =>
    html`<label class="field"
      ><span>${title}</span
      ><select value=${value} onChange=${(event) => choose({ [name]: event.target.value })}>
        ${texts.map(([key, text]) => html`<option key=${key} value=${key}>${text}</option>`)}
      </select></label
    >`;
  const plies = [...new Set([...Array(Math.min(free, 9)).keys()].map((n) => n + 1).concat(Number(depth) || []))];
  return html`<div class="search-options">
    ${select("order", "Moves are tried", order, ORDERS)} ${tick("table", table, "Remember positions (table)")}
    ${tick("symmetry", symmetry, "Merge symmetric positions")}
    ${select("window", "Window at the root", window, WINDOWS)}
    ${select("depth", "Depth", depth, [["", "to the end, if it fits"], ...plies.map((n) => [String(n), counted(n, "ply", "plies")])])}
  </div>`;
}

// The answer

const query = (position, { algorithm, window, order, table, symmetry, depth }) =>
  new URLSearchParams({
    ...{ position, algorithm, window, order, table: Boolean(table), symmetry: Boolean(symmetry) },
    ...(depth ? { depth } : {}),
  });

// Why there is no answer, and a way to one.
function Refused({ found, options, choose }) {
  const unknown = Object.keys(OFFERED).filter((name) => OFFERED[name].every(([key]) => key !== options[name]));
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

function Searched({ table, state, position, options, choose, toPlay }) {
  const question = query(position, options);
  const branch = state.more.branch || "";
  const found = useAnswer(`/search?${question}&keep=${KEPT}${branch ? `&path=${branch}` : ""}`);
  const depth = found.answer?.depth;
  const compared = useAnswer(
    found.answer?.moves.length && `/search/compare?${query(position, { ...options, depth: depth || "" })}`,
  );
  useEffect(() => {
    if (found.problem && branch) table.note({ branch: null, node: null, step: null });
  }, [found.problem]);
  if (found.problem) return html`<${Refused} ...${{ found, options, choose }} />`;
  if (!found.answer) return html`<p class="loading" role="status">Searching …</p>`;
  const select = (id) => table.note({ node: id, branch: null, step: null });
  const isOver = !found.answer.moves.length;
  return html`<${Explorer} key=${branch} ...${{ table, state, question, toPlay }} answer=${found.answer} /> ${
      !isOver &&
      html`<div class="search-below">
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
