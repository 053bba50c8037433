// A board with what the server says of it: moves and lines by name become cells, and a screen reader is told of each.
//
//   last     the move that was played last; lines the completed ones, as lists of moves
//   notes    what else a cell shows (see board.js); say(note) puts it into words
//   moves    those that can be played, {cell}; where marks fall, a press anywhere in a column is the move in it, unless
//            the cells are pressed one by one (`single`)
//   onPlay   (move, cell); verb what that is called; turn the mark that is played

import { html } from "../vendor/preact-htm.js";
import { Board, cellNames } from "./board.js";

const NONE = [];

export function GameBoard({ board, last, lines = NONE, notes, say, moves = NONE, onPlay, single, about = "", ...rest }) {
  const names = cellNames(board);
  const cellOf = new Map(names.map((name, cell) => [name, cell]));
  const noted = new Map([...(last ? [[cellOf.get(last), { last: true }]] : NONE), ...(notes || NONE)]);
  const described = (first, second, cell) => [first, second, say?.(noted.get(cell) || {})].filter(Boolean).join(", ");
  const describe = (cell) => described(names[cell], board.marks[cell] === "." ? "empty" : board.marks[cell], cell);
  const drops = board.gravity && onPlay && !single && dropsOf(board, moves, noted, described);
  // Of a full column the server says that it is.
  const drop = (column) => {
    const { cell } = drops[column];
    if (moves.length) onPlay(cell === null ? board.column_labels[column] : names[cell], cell);
  };
  return html`<${Board}
    ...${{ board, describe, notes: noted, drops, onDrop: drop, ...rest }}
    lines=${lines.map((line) => line.map((name) => cellOf.get(name)))}
    playable=${new Set(moves.map(({ cell }) => cell))}
    onPlay=${onPlay && ((cell) => onPlay(names[cell], cell))}
    label=${`Board of ${board.rows} rows and ${board.columns} columns${about}`}
  />`;
}

// The columns of a rack, for rack.js.
function dropsOf({ columns, column_labels, marks }, moves, noted, described) {
  const landing = new Map(moves.map(({ cell }) => [cell % columns, cell]));
  const free = Array(columns).fill(0);
  for (let cell = 0; cell < marks.length; cell++) if (marks[cell] === ".") free[cell % columns]++;
  return column_labels.map((name, column) => {
    const cell = landing.get(column) ?? null;
    const words = described(`column ${name}`, free[column] ? `${free[column]} free` : "full", cell);
    return { ...noted.get(cell), words, cell, free: free[column] };
  });
}
