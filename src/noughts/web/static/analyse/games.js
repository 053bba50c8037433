// Games to keep: the moves that were tried, as a tree with comments; read from a text in any format, written in one.
// The server reads and writes; the tree lives here as long as the page, and in the tab's storage over a reload.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Select, Tick } from "../shared/controls.js";
import { centresOf } from "../shared/marks.js";
import { ask, Refused } from "../shared/server.js";
import { Problem } from "../shared/waiting.js";

const FORMATS = { sgf: "SGF", psq: ".psq (Piskvork)", moves: "List of moves", link: "Link" };
const KEY = "variations";

// One tree at a time, of the game that begins at `start`: a node {move, mark, comment, next: [node]}.
let tree = recall();

function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) || { start: "", comment: "", next: [] };
  } catch {
    return { start: "", comment: "", next: [] };
  }
}

function keep() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(tree));
  } catch {
    // No storage: as long as the page is open.
  }
}

// The nodes of the moves that are played, made where they are new.
function follow(start, moves) {
  if (tree.start !== start) tree = { start, comment: "", next: [] };
  const path = [tree];
  for (const { move, mark } of moves) {
    const at = path.at(-1);
    let node = at.next.find((each) => each.move === move);
    if (!node) at.next.push((node = { move, mark, comment: "", next: [] }));
    path.push(node);
  }
  keep();
  return path;
}

// As the server wants it: each move with the place of the one before it.
function flat() {
  const moves = [];
  const left = tree.next.map((node) => [node, null]).reverse();
  while (left.length) {
    const [{ move, comment, next }, parent] = left.pop();
    const place = moves.push({ parent, move, comment }) - 1;
    left.push(...next.map((node) => [node, place]).reverse());
  }
  return moves;
}

function plant({ start, comment, moves }) {
  tree = { start, comment, next: [] };
  const nodes = [];
  for (const { parent, move, turn, comment } of moves) {
    const node = { move, mark: turn, comment, next: [] };
    (parent === null ? tree : nodes[parent]).next.push(node);
    nodes.push(node);
  }
  keep();
}

export function useNumbers() {
  return useState(false);
}

// The number of each move on its mark, for a board's `layer`.
export const numbersOn = (board, moves, at) => {
  const names = new Map(moves.slice(0, at).map(({ move, mark }, i) => [move, { number: i + 1, mark }]));
  return ({ size, columns }) => {
    const centre = centresOf(columns, size);
    const nameOf = (cell) => board.column_labels[cell % columns] + board.row_labels[Math.floor(cell / columns)];
    return html`<g class="move-numbers" aria-hidden="true">
      ${Array.from(board.marks, (_, cell) => {
        const found = names.get(nameOf(cell));
        if (!found) return null;
        const [x, y] = centre(cell);
        const r = size * 0.24;
        return html`<g key=${cell}><circle cx=${x} cy=${y} r=${r} /><text x=${x} y=${y} dy="0.36em" font-size=${r * 1.15}>${found.number}</text></g>`;
      })}
    </g>`;
  };
};

export function Games({ table, state, numbers, onNumbers }) {
  const { start, moves, at } = state;
  const [, redraw] = useState(0);
  const [problem, setProblem] = useState(null);
  const path = follow(start, moves);
  const here = path[at];
  const go = (line) => {
    const asked = state.emptyStart === false ? { position: start } : { game: state.game };
    return table.open({ ...asked, view: "analyse", moves: line }, "push");
  };
  const say = (comment) => {
    here.comment = comment;
    keep();
    redraw((n) => n + 1);
  };
  const attempt = async (work) => {
    try {
      setProblem(null);
      await work();
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      setProblem(refusal.message);
    }
  };
  const bring = (text) =>
    attempt(async () => {
      const { games } = await ask("/games/read", { question: { text } });
      const [first] = games;
      plant(first);
      const empty = !/[XO]/.test(first.start.slice(first.start.indexOf(":") + 1));
      await table.open({ ...(empty ? { game: first.game } : { position: first.start }), view: "analyse", moves: first.line });
    });
  return html`<${Card} title="Game and variations" kind="kept">
    <${Tick} checked=${numbers} onChoose=${onNumbers}>Show move numbers on the board<//>
    <${Tree} ...${{ path, at, go }} />
    <label class="field kept-comment">
      Comment ${at ? `on ${here.move}` : "before the first move"}
      <textarea rows="2" maxlength="10000" value=${here.comment} onInput=${(event) => say(event.target.value)}></textarea>
    </label>
    <${Export} ...${{ state, attempt }} />
    <${Import} onText=${bring} />
    <${Problem} problem=${problem} />
  <//>`;
}

// The tree as lines: the game, and under the move where they leave it the variations.
function Tree({ path, at, go }) {
  const lines = [];
  const left = [[tree, [], 0]];
  const seen = new Set(path.slice(1, at + 1));
  while (left.length) {
    const [from, before, depth] = left.pop();
    const line = { depth, first: before.length, moves: [] };
    let [node, names] = [from, before];
    for (;;) {
      const [next, ...others] = node.next;
      if (!next) break;
      names = [...names, next.move];
      line.moves.push({ node: next, names });
      for (const other of others.reverse()) left.push([{ next: [other] }, names.slice(0, -1), depth + 1]);
      node = next;
    }
    if (line.moves.length) lines.push(line);
  }
  if (!lines.length) return html`<p class="note">Play on the board: every line that you try is kept.</p>`;
  return html`<div class="variations" role="group" aria-label="The game and its variations">
    ${lines.map(
      ({ depth, first, moves }) =>
        html`<p key=${moves[0].names.join()} class=${depth ? "variation" : ""}>
          ${depth > 0 && html`<span class="sr">Variation: </span>`}
          ${moves.map(
            ({ node, names }, i) =>
              html`<button
                  class=${`link ${seen.has(node) ? "on-board" : ""}`}
                  aria-current=${path[at] === node ? "step" : null}
                  onClick=${() => go(names)}
                >${first + i + 1}. ${node.mark} ${node.move}</button
                >${node.comment && html` <span class="said-of">${node.comment}</span>`} `,
          )}
        </p>`,
    )}
  </div>`;
}

function Export({ state, attempt }) {
  const [form, setForm] = useState("sgf");
  const [text, setText] = useState("");
  useEffect(() => setText(""), [state.moves, state.start]);
  const write = () =>
    attempt(async () => {
      const start = state.emptyStart === false ? { position: state.start } : { game: state.game };
      const question = { format: form, ...start, moves: flat(), comment: tree.comment };
      setText((await ask("/games/write", { question })).text);
    });
  const href = text && `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
  return html`<div class="stack kept-export">
    <div class="row">
      <${Select} title="Format" value=${form} options=${FORMATS} onChoose=${(to) => (setForm(to), setText(""))} />
      <button onClick=${write}>Write it</button>
      ${text && form !== "link" && html`<a download=${`game.${form === "moves" ? "txt" : form}`} href=${href}>Download</a>`}
    </div>
    ${text && html`<textarea class="kept-text" rows="3" readonly aria-label="The game as text" value=${text}></textarea>`}
  </div>`;
}

function Import({ onText }) {
  const [text, setText] = useState("");
  const file = useRef();
  const open = async () => {
    const [chosen] = file.current.files;
    if (chosen) onText(await chosen.text());
  };
  return html`<details class="kept-import">
    <summary>Open a game</summary>
    <label class="field">
      SGF, .psq, a list of moves, or a link
      <textarea class="kept-text" rows="3" value=${text} onInput=${(event) => setText(event.target.value)}></textarea>
    </label>
    <div class="row">
      <button onClick=${() => onText(text)} disabled=${!text.trim()}>Open it</button>
      <label class="field">or a file <input type="file" ref=${file} onChange=${open} /></label>
    </div>
  </details>`;
}
