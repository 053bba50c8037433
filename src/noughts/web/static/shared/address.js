// The address holds the game on the board, so that a link shares it:
//   /?view=analyse&position=X.O/.X./..O&moves=b2,a3&at=1&x=you&o=level-4
// Whatever is as usual is left out: / alone is a new game of tic-tac-toe. What a view keeps beside the game follows
// under names of its own (`more`): /?view=algorithms&detector=shifts&step=3

export const PERSON = "you";
export const USUAL = { view: "play", position: "", game: "3x3k3", moves: [], at: null, x: PERSON, o: "level-4" };
const COMMON = new Set([...Object.keys(USUAL), "seed"]);

export function read(search = location.search) {
  const given = new URLSearchParams(search);
  const texts = ["view", "position", "game", "x", "o"].map((name) => [name, given.get(name) || USUAL[name]]);
  const moves = (given.get("moves") || "").split(",").filter(Boolean);
  const at = Number.parseInt(given.get("at"), 10);
  return {
    ...Object.fromEntries(texts),
    moves,
    at: Number.isInteger(at) ? Math.max(0, Math.min(at, moves.length)) : null,
    ...(given.has("seed") ? { seed: Number(given.get("seed")) } : {}), // to have the same opponent again
    more: Object.fromEntries([...given].filter(([name]) => !COMMON.has(name))),
  };
}

export function write({ view, position, game, moves, at, x, o, more = {} }) {
  const readable = (text) => encodeURIComponent(text).replace(/%2F|%3A|%2C/g, decodeURIComponent);
  const board = position ? { position } : { game };
  const all = { view, ...board, moves: moves.join(), at: at === moves.length ? null : at, x, o, ...more };
  const parts = Object.entries(all)
    .filter(([name, text]) => text !== null && text !== "" && text !== USUAL[name])
    .map(([name, text]) => `${name}=${readable(text)}`);
  return parts.length ? `/?${parts.join("&")}` : "/";
}
