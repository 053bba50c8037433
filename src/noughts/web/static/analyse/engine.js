// What the engine believes, beside what is proven: of the position as a stream of depths, of the game as its course.
//
//   in the address: engine, "on" while it looks at every position that is come to

import { html, useEffect } from "../vendor/preact-htm.js";
import { Card } from "../shared/card.js";
import { LookingBack } from "../shared/moves.js";
import { useRun } from "../shared/runs.js";
import { to } from "../shared/server.js";
import { Problem } from "../shared/waiting.js";
import { counted, sentence } from "../shared/words.js";
import { playAll } from "./verdict.js";

const SECONDS = 20; // of one look
const LINES = 3;
const STOPPED = "You stopped it";

const percent = (share) => `${Math.round(100 * share)} %`;
const canThink = ({ gravity, misere }) => !gravity && !misere;
const others = { X: "O", O: "X" };

export function EngineView({ table, state, analysis }) {
  const { board, status, position, turn, remoteness } = analysis;
  const isOffered = status === "ongoing" && canThink(board) && remoteness === null;
  const isOn = isOffered && state.more.engine === "on";
  const path = isOffered ? to("/engine", { position, seconds: SECONDS, lines: LINES }) : "";
  const run = useRun("analyse", path, isOn);
  useEffect(() => () => run.stop(), [path]); // what was begun for a position ends with it
  if (!isOffered) return null;
  const view = run.summary || run.last;
  const start = () => {
    table.note({ engine: "on" });
    if (run.status !== "running") run.start(run.status !== "idle");
  };
  const stop = () => {
    table.note({ engine: null });
    run.stop();
  };
  return html`<${Card} title="What the engine believes" kind="engine">
    ${!view && run.status !== "running" && html`<p class="note">A guess, and no verdict: how the points would be shared, and the lines that look best. It looks again at every position you go to.</p>`}
    ${run.status === "running" && !view && html`<p class="note" role="status">Beginning to think …</p>`}
    ${view && html`<${Believed} ...${{ table, view, turn }} isRunning=${run.status === "running"} />`}
    <${Problem} problem=${run.problem === STOPPED ? null : run.problem} />
    ${
      run.status === "running"
        ? html`<button onClick=${stop}>Stop</button>`
        : html`<button class=${view ? "" : "primary"} onClick=${start}>${view ? "Think again" : "Let the engine think"}</button>`
    }
  <//>`;
}

function Believed({ table, view, turn, isRunning }) {
  const { depth, reached, nodes, rate, value, lines, plies, settled: chance } = view;
  const ofX = turn === "X" ? chance : 1 - chance;
  const found = plies && `It has found ${chance > 0.5 ? "a win" : "a loss"} for ${turn} in ${plies}`;
  return html`<${ChanceBar} ...${{ ofX }} />
    ${
      value === "win"
        ? html`<p><b class="proven">Proven:</b> ${turn} wins.</p>`
        : html`<p><b class="believed">Believed:</b> ${found ? `${found}, which no proof has confirmed.` : `${turn}, who moves, gets ${percent(chance)} of the points.`}</p>`
    }
    <ol class="engine-lines">
      ${lines.map(({ line, chance }) => html`<${Line} key=${line[0]} ...${{ table, line, chance, turn }} />`)}
    </ol>
    <p class="note" role=${isRunning ? null : "status"}>
      ${depth > 0 && `Depth ${depth}, up to ${reached} moves ahead. `}${counted(nodes, "position")}${rate > 0 && depth > 0 && `, ${rate.toLocaleString("en")} a second`}. Press a move to play up to it.
    </p>`;
}

// Whose points they would be: X from the left, O from the right.
function ChanceBar({ ofX }) {
  const words = { X: percent(ofX), O: percent(1 - ofX) };
  return html`<div class="chance-bar" role="img" aria-label=${`X ${words.X}, O ${words.O} of the points, the engine believes`}>
    <span class="of-x" style=${{ width: `${100 * ofX}%` }}></span>
    <b class="left">X ${words.X}</b><b class="right">${words.O} O</b>
  </div>`;
}

function Line({ table, line, chance, turn }) {
  return html`<li>
    <b class="share">${percent(chance)}</b>
    <span class="row line">
      ${line.slice(0, 10).map((move, i) => {
        const mark = i % 2 ? others[turn] : turn;
        return html`<button key=${i} class=${`chip by-${mark.toLowerCase()}`} onClick=${() => playAll(table, line.slice(0, i + 1))}><b>${mark}</b> ${move}</button>`;
      })}
    </span>
  </li>`;
}

// The course of the whole game: a point for each position, and the mistakes, proven or believed.
export function Course({ table, state, board }) {
  const { start, moves, at } = state;
  const path = to("/course", { position: start, moves: moves.map(({ move }) => move).join(",") });
  const run = useRun("analyse", canThink(board) ? path : "", false);
  useEffect(() => () => run.stop(), [path]);
  if (!canThink(board)) return null;
  const looked = run.events.filter(({ level }) => level !== "look");
  const moments = run.summary?.course || looked.sort((a, b) => a.number - b.number);
  const mistakes = moments.filter(({ mistake }) => mistake);
  const isDone = run.status === "done";
  return html`<${Card} title="The course of the game" kind="course-card">
    ${!moments.length && run.status !== "running" && html`<p class="note">How it stood after each move, as far as it is proven, and else as the engine believes; and which moves were mistakes.</p>`}
    ${moments.length > 0 && html`<${Graph} ...${{ table, moments, at }} last=${moves.length} />`}
    ${
      isDone &&
      (mistakes.length
        ? html`<ul class="mistakes">
            ${mistakes.map(
              ({ number, mistake, text }) =>
                html`<li key=${number}>
                  <button class="chip" aria-label=${`Before move ${number}`} onClick=${() => table.goTo(number - 1)}>${number}</button>
                  <span><b class=${mistake}>${mistake === "proven" ? "Proven mistake" : "Believed mistake"}</b> ${sentence(text.slice(text.indexOf(": ") + 2))}</span>
                </li>`,
            )}
          </ul>`
        : html`<p class="note" role="status">No mistake is proven, and the engine saw none that cost a tenth of the points.</p>`)
    }
    <${Problem} problem=${run.problem === STOPPED ? null : run.problem} />
    ${
      run.status === "running"
        ? html`<div class="row">
            ${looked.length ? html`<span class="note" role="status">${looked.length} of ${moves.length + 1} positions</span>` : html`<${LookingBack} lookedAt=${run.last} />`}
            <button onClick=${run.stop}>Stop</button>
          </div>`
        : !isDone && html`<button onClick=${() => run.start(run.status !== "idle")}>Look at the whole game</button>`
    }
  <//>`;
}

function Graph({ table, moments, at, last }) {
  const [width, height, left] = [320, 96, 44];
  const x = (number) => left + 8 + (number / Math.max(1, last)) * (width - left - 16);
  const y = ({ chance }) => 10 + (1 - chance) * (height - 20);
  const path = moments
    .map((moment, i) => `${i && moments[i - 1].number === moment.number - 1 ? "L" : "M"}${x(moment.number)} ${y(moment)}`)
    .join("");
  const words = ({ number, chance, proven, mistake }) =>
    `${number}: X ${percent(chance)}${proven ? " proven" : ""}${mistake ? `, a ${mistake} mistake` : ""}`;
  return html`<svg class="chart chances" viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${`X's share of the points after each move. ${moments.map(words).join("; ")}`}>
      <g class="scale">
        <text x="0" y="14">X</text>
        <text x="0" y=${height / 2 + 4}>even</text>
        <text x="0" y=${height - 6}>O</text>
        <path d=${`M${left} ${height / 2}H${width}`} />
      </g>
      <path class="now" d=${`M${x(at)} 0V${height}`} />
      <path class="course" d=${path} />
      ${moments.map((moment) => {
        const { number, proven, mistake } = moment;
        return html`<g key=${number} transform=${`translate(${x(number)} ${y(moment)})`} onClick=${() => table.goTo(number)}>
          <title>${words(moment)}</title>
          <circle class=${`chance ${proven ? "proven" : "believed"} ${mistake ? `is-${mistake}` : ""}`} r=${mistake ? 6 : last > 60 ? 2 : 3.5} />
          ${mistake && html`<text class="sign" y="3.5">?</text>`}
        </g>`;
      })}
    </svg>
    <p class="note key"><span class="dot proven"></span>proven <span class="dot believed"></span>believed; ? a mistake</p>`;
}
