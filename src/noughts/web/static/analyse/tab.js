// Analyse: what every move is worth, why, how the game went, and the position turned and flipped.
import { html } from "../vendor/preact-htm.js";
import { Board, cellNames } from "../shared/board.js";
import { Controls } from "../shared/controls.js";
import { BestLine, MoveTable, Verdict } from "./verdict.js";
import { History } from "./history.js";
import { Orbit } from "./orbit.js";
import { Editor, useBrush } from "./editor.js";
import { valueWords } from "../shared/marks.js";
import { Waiting } from "../shared/waiting.js";

export const keys = ["h", "u", "r", "n", "ArrowLeft", "ArrowRight"];

export function View({ table, state, offers }) {
  const { analysis, draft, moves, at } = state;
  const [brush, setBrush] = useBrush();
  const shown = draft && !draft.legal ? null : analysis;
  const board = draft?.board || analysis?.board;
  if (!board) return html`<${Waiting} ...${{ table, state }} />`;
  const names = cellNames(board);
  const cellOf = new Map(names.map((name, cell) => [name, cell]));
  const notes = notesOf(shown, draft ? null : moves[at - 1]?.move, cellOf, state.hint);
  const every = new Set(board.marks.split("").keys());
  const playable = draft ? every : new Set((shown?.moves || []).map(({ cell }) => cell));
  const describe = (cell) => {
    const { value, remoteness, best } = notes.get(cell) || {};
    const mark = board.marks[cell] === "." ? "empty" : board.marks[cell];
    return [names[cell], mark, value && valueWords(value, remoteness), best && "best"].filter(Boolean).join(", ");
  };
  const editor = html`<${Editor} ...${{ table, state, brush, setBrush, offers }} />`;
  return html`<div class="stage">
    <section class="table" aria-label="The board">
      <${Verdict} ...${{ analysis: shown, draft, state }} />
      <${Board}
        ...${{ board, notes, playable, describe }}
        lines=${(shown?.winning_lines || []).map((line) => line.map((name) => cellOf.get(name)))}
        onPlay=${(cell) => (draft ? table.put(cell, brush) : table.play(names[cell]))}
        label=${`Board of ${board.rows} rows and ${board.columns} columns, ${draft ? "editing" : "with the value of every move"}`}
      />
      ${!draft && html`<${Controls} ...${{ table, state }} />`}
    </section>
    <aside class="panel" aria-label="Analysis">
      ${draft && editor} ${shown && html`<${BestLine} ...${{ table, analysis: shown }} />`}
      ${!draft && html`<${History} ...${{ table, state }} />`}
      ${shown && html`<${MoveTable} ...${{ table, analysis: shown }} />`} ${!draft && editor}
      ${shown && html`<${Orbit} ...${{ table, analysis: shown }} />`}
    </aside>
  </div>`;
}

function notesOf(analysis, last, cellOf, hint) {
  const notes = new Map();
  if (last) notes.set(cellOf.get(last), { last: true });
  for (const { cell, move, value, remoteness } of analysis?.moves || []) {
    notes.set(cell, { value, remoteness, best: analysis.best.includes(move), hint: hint?.moves.includes(move) });
  }
  return notes;
}
