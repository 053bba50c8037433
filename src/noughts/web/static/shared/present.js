// Presenting: the whole screen, large type, and one thing at a time; a clicker's keys lead on and back.
//
//   parts     the outermost cards of a view, in their order: one of them is shown, beside the board where there is one
//   next      a step of what there is to watch, or else a move of the game that was taken back, or else the next part
//
// Clickers send PageDown and PageUp, and a full stop to darken the screen.

import { html, useEffect, useLayoutEffect, useState } from "../vendor/preact-htm.js";
import { makeNews } from "./news.js";
import { isElses, stepper } from "./keys.js";

const news = makeNews();
const root = document.documentElement;
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
      const way = { PageDown: 1, PageUp: -1 }[event.key];
      if (!on || isElses(event)) return;
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) togglePresenting();
      else if (event.key === ".") set({ dark: !dark });
      else if (way) lead(way, table);
      else return;
      event.preventDefault();
    };
    const changed = () => void (on && !document.fullscreenElement && set({ on: false }));
    addEventListener("keydown", listen);
    document.addEventListener("fullscreenchange", changed);
    return () => {
      removeEventListener("keydown", listen);
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
  const there = count > 1 ? `Part ${part + 1} of ${count}` : "";
  return html`<nav class="presenter row" aria-label="Presentation">
    <button aria-keyshortcuts="PageUp" onClick=${() => lead(-1, table)}>Back</button>
    <button class="primary" aria-keyshortcuts="PageDown" onClick=${() => lead(1, table)}>Next</button>
    <span class="soft" role="status">${there}</span>
    ${
      count > 1 &&
      html`<button disabled=${part === 0} onClick=${() => set({ part: part - 1 })}>Part before</button>
        <button disabled=${part === count - 1} onClick=${() => set({ part: part + 1 })}>Part after</button>`
    }
    <button aria-keyshortcuts="Escape" onClick=${togglePresenting}>End</button>
  </nav>`;
}
