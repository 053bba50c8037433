// /embed: one thing to play with, as the address says, for the frame of another page. `view` says what it is:
//
//   board (as if nothing is said)   <noughts-board>; the page around hears of its changes by messages:
//                                   {type: "noughts-change", position, move, status, winner}
//   analyse, algorithms, search     a tab of the laboratory without what is around it, by the laboratory's own address
//   fifteen                         the game of fifteen
//
// The last four are as high as what they show, and tell it: {type: "noughts-size", height}.

const asked = new URLSearchParams(location.search);
const kind = asked.get("view") || "board";
const main = document.querySelector("main");
if (["light", "dark"].includes(asked.get("theme"))) document.documentElement.dataset.theme = asked.get("theme");
main.classList.add(`insert-${kind}`);
const tell = (type, detail) => parent !== window && parent.postMessage({ type, ...detail }, "*");

const KINDS = { board, analyse: tab, algorithms: tab, search: tab, fifteen: tab };
if (Object.hasOwn(KINDS, kind)) KINDS[kind]();
else main.append(`There is nothing called ${kind.slice(0, 40)} to show: expected one of ${Object.keys(KINDS).join(", ")}.`);

async function board() {
  await import("./noughts-board.js");
  const made = document.createElement("noughts-board");
  for (const name of ["game", "position", "moves", "x", "o", "seed", "label"]) if (asked.has(name)) made.setAttribute(name, asked.get(name));
  for (const name of ["values", "readonly"]) made.toggleAttribute(name, asked.has(name) && asked.get(name) !== "0");
  made.toggleAttribute("controls", asked.get("controls") !== "0");
  const link = Object.assign(document.createElement("a"), { textContent: "noughts", target: "_blank", rel: "noopener" });
  link.title = "Open this position in the laboratory";
  const follow = () => (link.href = made.position ? `/?${new URLSearchParams({ view: "analyse", position: made.position })}` : "/");
  for (const event of ["pointerenter", "focus"]) link.addEventListener(event, follow);
  follow();
  made.addEventListener("noughts-change", ({ detail: { position, move, status, winner } }) =>
    tell("noughts-change", { position, move, status, winner }),
  );
  main.append(made, link);
}

async function tab() {
  const { show } = await import("./tab.js");
  show(main, kind);
  new ResizeObserver(() => tell("noughts-size", { height: Math.ceil(main.getBoundingClientRect().height) })).observe(main);
}
