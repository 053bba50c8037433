// Keys that work anywhere but in a field. In the views with the board: h hint, u undo, r redo, n new game; the arrows
// step through the moves. In those with something to watch: Space plays and pauses, arrows, Home and End step.
// Whoever sees a thing can press its keys: they are heard from the moment that it is on the page (a layout effect).
import { useLayoutEffect, useRef } from "../vendor/preact-htm.js";

const isElses = ({ ctrlKey, metaKey, altKey, defaultPrevented }) => ctrlKey || metaKey || altKey || defaultPrevented;
const inField = ({ target }) => target.closest?.("input:not([type=radio]):not([type=checkbox]), select, textarea");

const KEYS = {
  play: { h: "hint", u: "undo", r: "redo", n: "new game" },
  analyse: { h: "hint", u: "undo", r: "redo", n: "new game" },
  algorithms: { u: "undo", r: "redo", n: "new game" },
  search: { u: "undo", r: "redo", n: "new game" },
};

export const keysOf = (view) => Object.entries(KEYS[view] || {});

export function useShortcuts(table) {
  useLayoutEffect(() => {
    const actions = {
      h: () => table.hint(),
      u: () => table.undo(),
      r: () => table.redo(),
      n: () => table.newGame(),
    };
    const steps = {
      ArrowLeft: () => table.goTo(table.state.at - 1),
      ArrowRight: () => table.goTo(table.state.at + 1),
    };
    const listen = (event) => {
      if (isElses(event) || inField(event)) return;
      const isRadio = event.target.matches?.("input[type=radio]");
      const { view } = table.state;
      const act = (KEYS[view]?.[event.key] && actions[event.key]) || (view === "analyse" && !isRadio && steps[event.key]);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [table]);
}

// Step through something with the steps 0 … last, at none of them while `at` is null: `go(step)`, `toggle()`. In what the
// selector `taken` finds the keys mean something else. Each press begins where the one before it led, however quickly
// they come.
export function useStepKeys({ at, last, go, toggle }, taken) {
  const now = useRef();
  now.current = { at, last, go, toggle };
  useLayoutEffect(() => {
    const listen = (event) => {
      const { key, target } = event;
      if (isElses(event) || target.closest?.(`${taken}, select, textarea, input:not([type=radio])`)) return;
      if (target.matches?.("input") && (key === " " || key.startsWith("Arrow"))) return;
      if (key === " " && target.closest?.("button, a, summary")) return;
      const { current } = now;
      const step = {
        ArrowLeft: (current.at ?? current.last + 1) - 1,
        ArrowRight: (current.at ?? -1) + 1,
        Home: 0,
        End: current.last,
      }[key];
      if (step === undefined && key !== " ") return;
      event.preventDefault();
      if (key === " ") return void current.toggle();
      current.at = Math.max(0, Math.min(current.last, step));
      current.go(current.at);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
