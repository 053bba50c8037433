// The address holds the game on the board, so that a link shares it:
//   /?view=analyse&position=X.O/.X./..O&moves=b2,a3&at=1&x=you&o=level-4
// Whatever is as usual is left out: / alone is a new game of tic-tac-toe. What a view keeps beside the game follows
// under names of its own (`more`): /?view=algorithms&detector=shifts&step=3

export const PERSON = "you";
export const USUAL = { view: "play", position: "", game: "3x3k3", moves: [], at: null, x: PERSON, o: "level-4" };
const COMMON = new Set([...Object.keys(USUAL), "seed"]);

export function read(search = location.search) {
  const given = new URLSearchParams(search);
  const moves = (given.get("moves") || "").split(",").filter(Boolean);
  const at = given.has("at") ? Number.parseInt(given.get("at"), 10) : null;
  return {
    view: given.get("view") || USUAL.view,
    position: given.get("position") || "",
    game: given.get("game") || USUAL.game,
    moves,
    at: Number.isInteger(at) ? Math.max(0, Math.min(at, moves.length)) : null,
    x: given.get("x") || USUAL.x,
    o: given.get("o") || USUAL.o,
    seed: given.has("seed") ? Number(given.get("seed")) : null, // to have the same opponent again
    more: Object.fromEntries([...given].filter(([name]) => !COMMON.has(name))),
  };
}

export function write({ view, position, game, moves, at, x, o, more = {} }) {
  const parts = [];
  const readable = (text) => encodeURIComponent(text).replace(/%2F|%3A|%2C/g, decodeURIComponent);
  const add = (name, text) => parts.push(`${name}=${readable(text)}`);
  if (view !== USUAL.view) add("view", view);
  if (position) add("position", position);
  else if (game !== USUAL.game) add("game", game);
  if (moves.length) add("moves", moves.join(","));
  if (at !== null && at !== moves.length) add("at", at);
  if (x !== USUAL.x) add("x", x);
  if (o !== USUAL.o) add("o", o);
  for (const [name, text] of Object.entries(more)) if (text !== null && text !== "") add(name, text);
  return parts.length ? `/?${parts.join("&")}` : "/";
}
