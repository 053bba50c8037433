// Keys that work anywhere but in a field, in the views with the board: h hint, u undo, r redo, n new game; the arrows
// step through the moves.
import { useEffect } from "./vendor/preact-htm.js";

const inField = ({ target }) => target.closest?.("input:not([type=radio]):not([type=checkbox]), select, textarea");

const KEYS = {
  play: { h: "hint", u: "undo", r: "redo", n: "new game" },
  analyse: { h: "hint", u: "undo", r: "redo", n: "new game" },
  algorithms: { u: "undo", r: "redo", n: "new game" },
  search: { u: "undo", r: "redo", n: "new game" },
};

export const keysOf = (view) => Object.entries(KEYS[view] || {});

export function useShortcuts(table) {
  useEffect(() => {
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
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || inField(event)) return;
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
