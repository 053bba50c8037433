// A board with what the server says of it: moves and lines by name become cells, and a screen reader is told of each.
//
//   last     the move that was played last; lines the completed ones, as lists of moves
//   notes    what else a cell shows (see board.js); say(note) puts it into words
//   moves    those that can be played, {cell}; where marks fall, any empty cell of a column stands for its own
//   onPlay   (move, cell); verb what that is called

import { html } from "../vendor/preact-htm.js";
import { Board, cellNames } from "./board.js";

const NONE = [];

export function GameBoard({ board, last, lines = NONE, notes, say, moves = NONE, onPlay, about = "", ...rest }) {
  const names = cellNames(board);
  const cellOf = new Map(names.map((name, cell) => [name, cell]));
  const noted = new Map([...(last ? [[cellOf.get(last), { last: true }]] : NONE), ...(notes || NONE)]);
  const describe = (cell) => {
    const mark = board.marks[cell] === "." ? "empty" : board.marks[cell];
    return [names[cell], mark, say?.(noted.get(cell) || {})].filter(Boolean).join(", ");
  };
  const lowest = new Map(moves.map(({ cell }) => [cell % board.columns, cell]));
  const falls = (cell) => (board.gravity && board.marks[cell] === "." ? lowest.get(cell % board.columns) : undefined);
  const cells = board.gravity ? [...names.keys()].filter((cell) => falls(cell) !== undefined) : moves.map(({ cell }) => cell);
  const play = (cell) => onPlay(names[falls(cell) ?? cell], falls(cell) ?? cell);
  return html`<${Board}
    ...${{ board, describe, notes: noted, ...rest }}
    lines=${lines.map((line) => line.map((name) => cellOf.get(name)))}
    playable=${new Set(cells)}
    onPlay=${play}
    label=${`Board of ${board.rows} rows and ${board.columns} columns${about}`}
  />`;
}
