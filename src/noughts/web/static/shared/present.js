// Presenting: the whole screen, large type, and one thing at a time; a clicker's keys lead on and back.
//
//   parts     the outermost cards of a view, in their order: one of them is shown, beside the board where there is one
//   next      a step of what there is to watch, or else a move of the game that was taken back, or else the next part
//
// Clickers send PageDown and PageUp, or arrows, and a full stop or b to darken the screen. The first two lead wherever the
// keyboard is; arrows stay with a board, a tree and what is chosen by them, and b with a board whose columns have letters.

import { html, useEffect, useLayoutEffect, useState } from "../vendor/preact-htm.js";
import { IconButton } from "./controls.js";
import { makeNews } from "./news.js";
import { inField, isElses, letters, stepper } from "./keys.js";

const news = makeNews();
const root = document.documentElement;
const WAYS = { PageDown: 1, ArrowRight: 1, PageUp: -1, ArrowLeft: -1 };
const BY_ARROWS = "[role=grid], [role=tree], [role=tablist], input[type=radio]";
let on = false;
let dark = false;
let part = 0;
let count = 0;

function set(change) {
  ({ on, dark, part } = { on, dark, part, ...change });
  root.toggleAttribute("data-present", on);
  root.toggleAttribute("data-dark-screen", on && dark);
  mark();
  news.tell();
}

export const isPresenting = () => on;

export function togglePresenting() {
  set({ on: !on, dark: false, part: 0 });
  if (on) root.requestFullscreen?.().catch(() => {}); // where that is not allowed, the page alone is large
  else if (document.fullscreenElement) document.exitFullscreen();
}

// Which part is shown: the others are marked, and the style hides them.
function mark() {
  const cards = on ? [...document.querySelectorAll("main .card")].filter((card) => !card.parentElement.closest(".card")) : [];
  const before = count;
  count = cards.length;
  part = Math.max(0, Math.min(part, count - 1));
  for (const marked of document.querySelectorAll("[data-part]")) if (!cards.includes(marked)) marked.removeAttribute("data-part");
  cards.forEach((card, number) => {
    const kind = number === part ? "now" : "later";
    if (card.dataset.part !== kind) card.dataset.part = kind;
  });
  if (before !== count) news.tell();
}

// On (1) or back (-1).
function lead(way, table) {
  const { at, last, go } = stepper.current?.current || {};
  const step = (at ?? (way > 0 ? -1 : last + 1)) + way;
  const ply = table.state.at + way;
  if (go && step >= 0 && step <= last) go(step);
  else if (ply >= 0 && ply <= table.state.moves.length && !go) table.goTo(ply);
  else set({ part: part + way });
}

export function usePresenter(table, view) {
  news.use();
  useEffect(() => {
    const listen = (event) => {
      const { key, target } = event;
      if (!on || isElses(event) || document.querySelector("dialog[open]")) return;
      const darkens = key === "." || (key === "b" && !letters.current.includes(key));
      const isTaken = inField(event) || (key.startsWith("Arrow") && target.closest?.(BY_ARROWS));
      if (key === "Escape") togglePresenting();
      else if (WAYS[key] && (key.startsWith("Page") || !isTaken)) lead(WAYS[key], table);
      else if (darkens && !isTaken) set({ dark: !dark });
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const changed = () => void (on && !document.fullscreenElement && set({ on: false }));
    document.addEventListener("keydown", listen, true); // before all others
    document.addEventListener("fullscreenchange", changed);
    return () => {
      document.removeEventListener("keydown", listen, true);
      document.removeEventListener("fullscreenchange", changed);
    };
  }, []);
  useLayoutEffect(() => {
    if (!on) return undefined;
    const seen = new MutationObserver(mark);
    seen.observe(document.querySelector("main"), { childList: true, subtree: true });
    mark();
    return () => seen.disconnect();
  }, [on]);
  useEffect(() => void (on && set({ part: 0 })), [view]);
  return on;
}

// Under everything while one presents: the same by pointer, and where one is.
export function Presenter({ table }) {
  news.use();
  if (!on) return null;
  const button = (name, title, to) =>
    count > 1 && html`<${IconButton} ...${{ name, title }} disabled=${to < 0 || to === count} onClick=${() => set({ part: to })} />`;
  return html`<nav class="presenter row" aria-label="Presentation">
    <button aria-keyshortcuts="PageUp" onClick=${() => lead(-1, table)}>Back</button>
    <button class="primary" aria-keyshortcuts="PageDown" onClick=${() => lead(1, table)}>Next</button>
    ${button("back", "Part before", part - 1)}
    <span class="soft" role="status">${count > 1 && `Part ${part + 1} of ${count}`}</span>
    ${button("next", "Part after", part + 1)}
    <button aria-keyshortcuts="Escape" onClick=${togglePresenting}>End</button>
  </nav>`;
}
