// The laboratory: what the papers say beside what is computed, and the race of the methods.
import { html } from "../vendor/preact-htm.js";
import { Papers } from "./papers.js";
import { Bench } from "./bench.js";

export const about =
  "Every claim of five published texts, beside what is computed here: not all of them hold. And a race between the ways to see a win, on your own machine.";
export const guide = "explanation/the-five-papers";

const PARTS = {
  papers: { title: "Papers", show: Papers },
  bench: { title: "Benchmark", show: Bench },
};

export function View({ table, state }) {
  const part = Object.hasOwn(PARTS, state.more.part || "") ? state.more.part : "papers";
  const choose = (name) => table.note({ part: name === "papers" ? null : name });
  return html`<div class="lab page">
    <${Parts} ...${{ part, choose }} />
    <div id="lab-part" role="tabpanel" aria-labelledby=${`part-${part}`}>
      <${PARTS[part].show} ...${{ table, state }} />
    </div>
  </div>`;
}

// Tabs as people expect them: one stop for the Tab key, the arrows choose.
function Parts({ part, choose }) {
  const names = Object.keys(PARTS);
  const onKeyDown = (event) => {
    const here = names.indexOf(part);
    const to = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + names.length) % names.length;
    choose(names[next]);
    event.currentTarget.children[next].focus();
  };
  return html`<div class="parts" role="tablist" aria-label="Parts of the laboratory" onKeyDown=${onKeyDown}>
    ${names.map(
      (name) =>
        html`<button
          key=${name}
          id=${`part-${name}`}
          role="tab"
          aria-selected=${String(name === part)}
          aria-controls="lab-part"
          tabindex=${name === part ? 0 : -1}
          onClick=${() => choose(name)}
        >
          ${PARTS[name].title}
        </button>`,
    )}
  </div>`;
}
