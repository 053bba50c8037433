// Keys that work anywhere but in a field: h hint, u undo, r redo, n new game; the arrows step through the moves.
import { useEffect } from "./vendor/preact-htm.js";

const inField = ({ target }) => target.closest?.("input:not([type=radio]):not([type=checkbox]), select, textarea");

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
      const act = actions[event.key] || (table.state.view === "analyse" && !isRadio && steps[event.key]);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [table]);
}
