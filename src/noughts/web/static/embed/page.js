// /embed: one board, as the address says, for the frame of another page. It is told of changes by messages:
// {type: "noughts-change", position, move, status, winner}.
import "./noughts-board.js";

const asked = new URLSearchParams(location.search);
const board = document.createElement("noughts-board");
for (const name of ["game", "position", "moves", "x", "o", "seed", "label"]) if (asked.has(name)) board.setAttribute(name, asked.get(name));
for (const name of ["values", "readonly"]) board.toggleAttribute(name, asked.has(name) && asked.get(name) !== "0");
board.toggleAttribute("controls", asked.get("controls") !== "0");
if (["light", "dark"].includes(asked.get("theme"))) document.documentElement.dataset.theme = asked.get("theme");

const link = Object.assign(document.createElement("a"), { textContent: "noughts", target: "_blank", rel: "noopener" });
link.title = "Open this position in the laboratory";
const follow = () => (link.href = board.position ? `/?${new URLSearchParams({ view: "analyse", position: board.position })}` : "/");
for (const event of ["pointerenter", "focus"]) link.addEventListener(event, follow);
follow();
board.addEventListener("noughts-change", ({ detail: { position, move, status, winner } }) => {
  if (parent !== window) parent.postMessage({ type: "noughts-change", position, move, status, winner }, "*");
});
document.querySelector("main").append(board, link);
