// A bot in JavaScript: it wins where it can, blocks where it must, and else plays next to the most marks.
//
//     noughts match "bot:node examples/bots/bot.js" level-2
//
// docs/reference/bots.md tells the messages: one JSON object a line, and one line in answer to each.

const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

function answer(message) {
  switch (message.ask) {
    case "hello": return { name: "neighbour", protocol: 1 };
    case "game": return message.misere ? { error: "a line must win" } : {};
    case "move": return { cell: choose(message) };
    default: return {};
  }
}

function choose({ game, board, turn, moves }) {
  const columns = board[0].length, k = parseInt(game.split("k")[1]);
  const place = (cell) => [Math.floor(cell / columns), cell % columns];
  for (const mark of [turn, turn === "X" ? "O" : "X"]) {
    for (const cell of moves) if (longest(board, mark, ...place(cell)) >= k) return cell;
  }
  const scores = moves.map((cell) => neighbours(board, ...place(cell)));
  return moves[scores.indexOf(Math.max(...scores))];
}

// The longest row of this mark that a mark there would make.
function longest(board, mark, row, column) {
  const run = (down, right) => {
    let length = 0;
    while (board[row + (length + 1) * down]?.[column + (length + 1) * right] === mark) length++;
    return length;
  };
  return Math.max(...DIRECTIONS.map(([down, right]) => 1 + run(down, right) + run(-down, -right)));
}

function neighbours(board, row, column) {
  let count = 0;
  for (const [down, right] of DIRECTIONS) {
    for (const way of [1, -1]) {
      const mark = board[row + way * down]?.[column + way * right];
      count += mark === undefined ? 0 : mark === "." ? 1 : 9; // before the first move the cell with the most around it
    }
  }
  return count;
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => console.log(JSON.stringify(answer(JSON.parse(line)))));
