// Analyse: what every move is worth, why, how the game went, and the position turned and flipped.
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import { Controls } from "../shared/controls.js";
import { GameBoard } from "../shared/gameboard.js";
import { BestLine, MoveTable, Verdict } from "./verdict.js";
import { Games, numbersOn, useNumbers } from "./games.js";
import { History } from "./history.js";
import { Orbit } from "./orbit.js";
import { EditBar, Editor, useBrush } from "./editor.js";
import { Course, EngineView } from "./engine.js";
import { Proof, Threats, useProof, Walk } from "./proof.js";
import { hasThreats, pairsOn, threatsOn, useThreats } from "../shared/threats.js";
import { valueWords } from "../shared/marks.js";
import { Waiting } from "../shared/waiting.js";

export const fresh = { show: null };
export const keys = ["h", "u", "r", "n", "ArrowLeft", "ArrowRight"];

// `alone`: the board, and what is proven there.
export function View({ table, state, offers, alone = false }) {
  const { analysis, draft, moves, at } = state;
  const [brush, setBrush] = useBrush();
  const place = useWayToBoard(Boolean(draft));
  const shown = draft && !draft.legal ? null : analysis;
  const [threats, setThreats] = useThreats("analyse");
  const [numbers, setNumbers] = useNumbers();
  const proof = useProof(draft ? null : shown);
  const board = draft?.board || analysis?.board;
  if (!board) return html`<${Waiting} ...${{ table, state }} />`;
  const every = Array.from(board.marks, (_, cell) => ({ cell }));
  const { show } = state.more;
  const claim = proof.claims.find(({ side, what }) => show === (what === "wins" ? "win" : `pairs-${side}`));
  const withThreats = !draft && shown?.status === "ongoing" && hasThreats(board);
  const drawn =
    claim?.what === "holds" ? pairsOn(claim.pair_cells) : threats && withThreats ? threatsOn(shown.shapes) : null;
  const layer = numbers && !draft ? both(drawn, numbersOn(board, moves, at)) : drawn;
  const isWalk = claim?.what === "wins" && claim.steps.length > 0;
  const editor = html`<${Editor} ...${{ table, state, offers }} />`;
  const gameBoard = () =>
    html`<${Verdict} ...${{ analysis: shown, draft, state }} />
      <${GameBoard}
        ...${{ board, last: draft ? null : moves[at - 1]?.move, lines: shown?.winning_lines, turn: shown?.turn }}
        moves=${draft ? every : show === "win" && proof.isWaiting ? [] : shown?.moves}
        notes=${claim?.what === "holds" ? firstOf(claim) : notesOf(shown, state.hint)}
        say=${({ value, remoteness, best }) => value && valueWords(value, remoteness) + (best ? ", best" : "")}
        onPlay=${(move, cell) => (draft ? table.put(cell, brush) : table.play(move))}
        single=${Boolean(draft)}
        verb=${draft ? "Mark" : "Play"}
        ...${{ layer }}
        about=${draft ? ", editing" : ", with the value of every move"}
      />
      ${draft ? html`<${EditBar} ...${{ table, draft, brush, setBrush }} />` : html`<${Controls} ...${{ table, state }} />`}`;
  const panel = () =>
    html`${shown && !draft && html`<${EngineView} key="engine" ...${{ table, state, analysis: shown }} />`}
      ${withThreats && html`<${Threats} analysis=${shown} isOn=${threats} onChoose=${setThreats} />`}
      ${shown && html`<${BestLine} ...${{ table, analysis: shown }} />`}
      ${!draft && html`<${History} ...${{ table, state }} />`}
      ${shown && !draft && moves.length > 0 && html`<${Course} key="course" ...${{ table, state, board }} />`}
      ${!draft && state.start && html`<${Games} ...${{ table, state, numbers }} onNumbers=${setNumbers} />`}
      ${shown && html`<${MoveTable} ...${{ table, analysis: shown }} />`} ${!draft && editor}
      ${shown && html`<${Orbit} ...${{ table, analysis: shown }} />`}`;
  return html`<div class="stage at-table" ref=${place}>
    <section class="table" aria-label="The board">
      ${isWalk ? html`<${Walk} key=${shown.position} ...${{ table, board, claim }} />` : gameBoard()}
    </section>
    <aside class="stack panel" aria-label="Analysis">
      ${draft && editor} ${shown && !draft && html`<${Proof} ...${{ table, state, proof }} />`}
      ${!alone && panel()}
    </aside>
  </div>`;
}

// Whoever begins to edit is led to the board, with the keyboard at what is put there; whoever ends, to the board itself.
function useWayToBoard(isEditing) {
  const place = useRef();
  const before = useRef(null);
  useEffect(() => {
    if (!place.current) return;
    const isNew = before.current !== null && before.current !== isEditing;
    before.current = isEditing;
    if (!isNew) return;
    scrollTo(0, 0);
    place.current.querySelector(isEditing ? ".edit-bar input:checked" : ".board [tabindex='0']").focus({ preventScroll: true });
  });
  return place;
}

const both = (first, second) => (place) => [first?.(place), second(place)];

// With pairs on the board there is no room for values; the cell that the holder takes first is marked.
const firstOf = ({ first_cell }) => (first_cell === null ? [] : [[first_cell, { hint: true }]]);

const notesOf = (analysis, hint) =>
  analysis?.moves.map(({ cell, move, value, remoteness }) => [
    cell,
    { value, remoteness, best: analysis.best.includes(move), hint: hint?.moves.includes(move) },
  ]);
