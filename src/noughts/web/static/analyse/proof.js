// The proof of a verdict: what each player does for sure, and a win to step through and to try to refute. The strategy comes
// whole from the server, a list of steps; every reply is looked up there.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { Icon } from "../shared/controls.js";
import { cellNames } from "../shared/board.js";
import { GameBoard } from "../shared/gameboard.js";
import { useRun } from "../shared/runs.js";
import { to, useAnswer } from "../shared/server.js";
import { ThreatIcon, ThreatTick } from "../shared/threats.js";
import { counted, sentence } from "../shared/words.js";
import { Problem } from "../shared/waiting.js";

const PROVEN = ["threats", "pairing", "stealing"];
const LONG = 30; // seconds of a longer look

// What is proven here: {claims, look}, where `look` begins a longer look.
export function useProof(analysis) {
  const { board, status, how = [], value, position } = analysis || {};
  const canProve = status === "ongoing" && !board.gravity && !board.misere;
  const isShown = canProve && how.some((name) => PROVEN.includes(name));
  const { answer, problem } = useAnswer(isShown ? to("/proof", { position }) : null);
  const isOpen = canProve && value === "unknown";
  const run = useRun("analyse", isOpen ? to("/prove", { position, seconds: LONG }) : "", false);
  const longer = run.status === "done" ? run.summary : null;
  const claims = (longer?.claims.length ? longer : answer)?.claims || [];
  return { claims, problem, isOpen, run, isWaiting: isShown && !answer && !problem };
}

export function Proof({ table, state, proof }) {
  const { claims, problem, isOpen, run, isWaiting } = proof;
  if (!claims.length && !isOpen && !isWaiting && !problem) return null;
  const { show } = state.more;
  return html`<${Card} title="The proof" kind="proof">
    ${isWaiting && html`<p class="note" role="status">Writing the proof down …</p>`}
    ${claims.map((claim) => html`<${Claim} key=${claim.side + claim.what} ...${{ table, claim, show }} />`)}
    <${Problem} ...${{ problem }} />
    ${isOpen && !isWaiting && html`<${Longer} ...${{ run }} isHalf=${claims.length > 0} />`}
  <//>`;
}

function Claim({ table, claim, show }) {
  const { side, what, text, steps, pair_cells } = claim;
  const name = what === "wins" ? "win" : `pairs-${side}`;
  const toggle = () => {
    table.note({ show: show === name ? null : name });
    scrollTo(0, 0); // to the board
  };
  const words = what === "wins" ? ["Show me the win", "Back to the game"] : ["Show the pairs", "Hide the pairs"];
  const isThere = what === "wins" ? steps.length > 0 : pair_cells.length > 0;
  return html`<div class="claim">
    <p>${sentence(text)}</p>
    ${
      what === "holds" &&
      pair_cells.length > 0 &&
      html`<p class="note">Whenever ${side === "X" ? "O" : "X"} takes a cell of a pair, ${side} takes the other one. So no line that holds a pair is ever completed.</p>`
    }
    ${isThere && html`<button class=${show === name ? "" : "primary"} aria-pressed=${show === name} onClick=${toggle}>${words[show === name ? 1 : 0]}</button>`}
  </div>`;
}

// A longer look, with how far it has come.
function Longer({ run, isHalf }) {
  const { status, summary, last, problem } = run;
  const seconds = useSeconds(status === "running");
  if (status === "running")
    return html`<div class="looking">
      <p class="note" role="status">Looking for a proof${last ? `, among up to ${counted(last.nodes, "position")}` : ""} …</p>
      <progress max=${LONG} value=${Math.min(seconds, LONG)} aria-label="Time of the look"></progress>
      <div class="row"><span class="note">${seconds} of at most ${LONG} s</span><button onClick=${() => run.stop()}>Stop</button></div>
    </div>`;
  const found = status === "done" && !summary.claims.length ? `${summary.sentence} Who wins stays open.` : "";
  return html`<p class="note" role="status">
      ${found || (isHalf ? "More than that is not proven yet." : "Nothing is proven here within a second. That does not mean that it is a draw.")}
    </p>
    <${Problem} ...${{ problem }} />
    <button onClick=${() => run.start(status !== "idle")}>Look longer for a proof</button>`;
}

function useSeconds(isOn) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isOn) return undefined;
    setSeconds(0);
    const began = performance.now();
    const timer = setInterval(() => setSeconds(Math.floor((performance.now() - began) / 1000)), 500);
    return () => clearInterval(timer);
  }, [isOn]);
  return seconds;
}

// The win on the board: the winner's moves are made, each reply is the visitor's.
export function Walk({ table, board, claim }) {
  const { side, steps } = claim;
  const other = side === "X" ? "O" : "X";
  const [path, setPath] = useState([{ reply: null, step: 0 }]);
  const names = cellNames(board);
  const now = steps[path.at(-1).step];
  const isWon = now.idle === null;
  const moves = path.flatMap(({ reply, step }) => [
    ...(reply === null ? [] : [[other, reply]]),
    ...(steps[step].cell === null ? [] : [[side, steps[step].cell]]),
  ]);
  const marks = [...board.marks];
  for (const [mark, cell] of moves) marks[cell] = mark;
  const free = isWon ? [] : marks.flatMap((mark, cell) => (mark === "." ? [{ cell }] : []));
  const reply = (cell) => setPath([...path, { reply: cell, step: now.replies[cell] ?? now.idle }]);
  const stubborn = () => reply(Number(longest(steps, now)?.[0] ?? now.lacks[0] ?? free[0].cell));
  const named = now.cell === null ? "" : `${side} ${names[now.cell]} `;
  const lost = isWon
    ? `Whatever ${other} tries, ${side} has an answer.`
    : `Now press any free cell: that is ${other}'s reply, and ${side} answers it.`;
  return html`<div class="status">
      <div role="status">
        <h1>${isWon ? `${side} has won` : `${side} wins: try to refute it`}</h1>
        <p>${sentence(named + now.does)} ${lost}</p>
      </div>
    </div>
    <${GameBoard}
      board=${{ ...board, marks: marks.join("") }}
      last=${moves.length ? names[moves.at(-1)[1]] : null}
      lines=${isWon && now.line.length ? [now.line.map((cell) => names[cell])] : []}
      turn=${other}
      moves=${free}
      notes=${now.lacks.map((cell) => [cell, { hint: true, lack: true }])}
      say=${({ lack }) => lack && `${side} would complete a line`}
      onPlay=${(_, cell) => reply(cell)}
      about=${`, the proof that ${side} wins`}
    />
    <div class="controls" role="group" aria-label="Steps of the proof">
      <button onClick=${() => setPath(path.slice(0, 1))} disabled=${path.length === 1}><${Icon} name="first" /><span>Begin again</span></button>
      <button onClick=${() => setPath(path.slice(0, -1))} disabled=${path.length === 1}><${Icon} name="back" /><span>Back</span></button>
      <button onClick=${stubborn} disabled=${isWon}><${Icon} name="next" /><span>Longest reply</span></button>
      <button onClick=${() => table.note({ show: null })}><span>Done</span></button>
    </div>
    <ol class="row line walked" aria-label="Moves of the proof">
      ${moves.map(([mark, cell], i) => html`<li key=${i} class=${`by-${mark.toLowerCase()}`}><b>${mark}</b> ${names[cell]}</li>`)}
    </ol>`;
}

// The reply after which the win takes longest: [cell, step]; undefined if none is named.
function longest(steps, step) {
  const known = new Map();
  const depth = (number) => {
    if (!known.has(number)) {
      const { idle, replies } = steps[number];
      known.set(number, 0);
      known.set(number, idle === null ? 1 : 1 + Math.max(...[idle, ...Object.values(replies)].map(depth)));
    }
    return known.get(number);
  };
  return Object.entries(step.replies).sort(([, a], [, b]) => depth(b) - depth(a))[0];
}

// Every four and three in words, as it is drawn on the board.
export function Threats({ analysis, isOn, onChoose }) {
  const { shapes, turn, value, remoteness } = analysis;
  const atOnce = value === "win" && remoteness === 1; // then nothing has to be met
  const text = ({ owner, text, promise }) => (owner === turn || atOnce ? promise : text);
  return html`<${Card} title="Threats" kind="threat-list">
    ${
      shapes.length
        ? html`<ul>
            ${shapes.map(
              (shape, i) =>
                html`<li key=${i}>
                  <${ThreatIcon} ...${{ shape }} />
                  <span><b class=${`by-${shape.owner.toLowerCase()}`}>${shape.owner}</b> ${text(shape)}</span>
                </li>`,
            )}
          </ul>`
        : html`<p class="note">Nobody has a ${names(analysis.board.k)} here.</p>`
    }
    <${ThreatTick} checked=${isOn} ...${{ onChoose }} />
  <//>`;
}

const NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const named = (number) => NUMBERS[number - 2] ?? String(number);
const names = (k) => named(k - 1) + (k > 3 ? ` or an open ${named(k - 2)}` : "");
