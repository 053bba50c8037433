// Keys that work anywhere but in a field. A tab names those of the board that it listens to. In what there is to watch Space
// plays and pauses, arrows, Home and End step.
// Whoever sees a thing can press its keys: they are heard from the moment that it is on the page (a layout effect).
import { useLayoutEffect, useRef } from "../vendor/preact-htm.js";
import { togglePresenting } from "./present.js";

export const stepper = { current: null }; // what there is to step through now: a clicker does, too
export const letters = { current: [] }; // those that name a column of the board that is shown

function useKeys(listen, changes) {
  useLayoutEffect(() => {
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, changes);
}

export const isElses = ({ ctrlKey, metaKey, altKey, defaultPrevented }) => ctrlKey || metaKey || altKey || defaultPrevented;
export const inField = ({ target }) => target.closest?.("input:not([type=radio]):not([type=checkbox]), select, textarea");

const ACTIONS = {
  h: ["hint", (table) => table.hint()],
  u: ["undo", (table) => table.undo()],
  r: ["redo", (table) => table.redo()],
  n: ["new game", (table) => table.newGame()],
  p: ["present", () => togglePresenting()],
  ArrowLeft: ["", (table) => table.goTo(table.state.at - 1)],
  ArrowRight: ["", (table) => table.goTo(table.state.at + 1)],
};

// The keys that are worth naming, each with what it does.
export const namesOf = (keys) => [...keys, "p"].map((key) => [key, ACTIONS[key][0]]).filter(([, does]) => does);

export function useShortcuts(table, keys) {
  const listen = (event) => {
    const { key, target } = event;
    if (isElses(event) || inField(event) || !(keys.includes(key) || key === "p")) return;
    if (key.startsWith("Arrow") && target.matches?.("input[type=radio]")) return;
    event.preventDefault();
    ACTIONS[key][1](table);
  };
  useKeys(listen, [table, keys]);
}

// Which of these labels the pressed key is; null for none.
export function letterOf(event, labels) {
  const at = isElses(event) || event.repeat ? -1 : labels.indexOf(event.key.toLowerCase());
  return at < 0 ? null : at;
}

// A key that is a label names it, wherever one is; where it also is a key of the page, only the board itself takes it.
export function useLetters(labels, onLetter) {
  const now = useRef();
  now.current = { labels, onLetter };
  const listen = (event) => {
    const at = letterOf(event, now.current.labels);
    if (at === null || inField(event) || Object.hasOwn(ACTIONS, event.key)) return;
    event.preventDefault();
    now.current.onLetter(at);
  };
  useKeys(listen, []);
  useLayoutEffect(() => {
    letters.current = labels;
    return () => void (letters.current = []);
  }, [labels.join()]);
}

// Where a key leads among the places 0 … last; undefined if it leads nowhere. Up and down do the same as left and right.
export function placeOf(key, at, last) {
  const back = { ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0 };
  const to = { ...back, ArrowRight: at + 1, ArrowDown: at + 1, End: last }[key];
  return to === undefined ? undefined : Math.max(0, Math.min(last, to));
}

// Step through something with the steps 0 … last, at none of them while `at` is null: `go(step)`, `toggle()`. In what the
// selector `taken` finds the keys mean something else. Each press begins where the one before it led, however quickly
// they come.
export function useStepKeys({ at, last, go, toggle }, taken) {
  const now = useRef();
  now.current = { at, last, go, toggle };
  useLayoutEffect(() => {
    stepper.current = now;
    return () => void (stepper.current === now && (stepper.current = null));
  }, []);
  const listen = (event) => {
    const { key, target } = event;
    if (isElses(event) || target.closest?.(`${taken}, select, textarea, input:not([type=radio])`)) return;
    if (target.matches?.("input") && (key === " " || key.startsWith("Arrow"))) return;
    if (key === " " && target.closest?.("button, a, summary")) return;
    const { at, last, go, toggle } = now.current;
    const step = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[key];
    if (step === undefined && key !== " ") return;
    event.preventDefault();
    if (key === " ") return void toggle();
    now.current.at = Math.max(0, Math.min(last, step));
    go(now.current.at);
  };
  useKeys(listen, []);
}
