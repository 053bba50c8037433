// A question before what comes next, for a class to answer before it is shown. It is in the address (quiz=1), so that who
// follows is asked, too.
//
//   asked     {key, question, options: [[value, text], …], right}: what could be asked now, or null
//   pending   the same while nobody has answered it: nothing goes on until then
//   hold()    whether a step on is an answer instead: the first press reveals

import { html, useState } from "../vendor/preact-htm.js";
import { Tick } from "./controls.js";

export function useQuiz(table, more, asked) {
  const [given, setGiven] = useState(null); // the last answer: {key, value}, without a value if it was revealed
  const on = more.quiz === "1";
  const open = on ? asked : null;
  const isTold = Boolean(open) && given?.key === open.key;
  const pending = isTold ? null : open;
  const answer = (value) => setGiven({ key: asked.key, value });
  return {
    ...{ on, asked: open, pending, isTold, answer },
    value: isTold ? given.value : undefined,
    toggle: (wanted) => table.note({ quiz: wanted ? "1" : null }),
    hold() {
      if (pending) answer(undefined);
      return Boolean(pending);
    },
  };
}

export const QuizTick = ({ quiz }) =>
  html`<${Tick} checked=${quiz.on} onChoose=${quiz.toggle} title="Questions for a class, answered before the step shows it">Ask first<//>`;

export function Quiz({ quiz: { asked, pending, value, answer } }) {
  if (!asked) return null;
  const { question, options, right } = asked;
  const told = options.find(([each]) => each === right)?.[1];
  const judged = value === undefined ? "It is" : value === right ? "Right:" : "No, it is";
  return html`<div class="quiz" role="group" aria-label="A question">
    <p class="quiz-question"><b>${question}</b></p>
    <div class="row">
      ${options.map(
        ([each, text]) =>
          html`<button
            key=${each}
            class=${!pending && each === right ? "primary" : null}
            aria-pressed=${String(!pending && each === value)}
            disabled=${!pending}
            onClick=${() => answer(each)}
          >
            ${text}
          </button>`,
      )}
      ${pending && html`<button class="link" onClick=${() => answer(undefined)}>Show it</button>`}
    </div>
    <p role="status">${!pending && html`${judged} <b>${told}</b>.`}</p>
  </div>`;
}
