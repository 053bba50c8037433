// Steps through a walk: play, pause, back and forth, a timeline; by mouse, thumb or keyboard.
import { html, useState } from "../vendor/preact-htm.js";
import { Transport } from "../shared/controls.js";
import { SPEEDS, Speed, usePlayback } from "../shared/playback.js";
import { QuizTick } from "../shared/quiz.js";
import { classes } from "../shared/words.js";

export const END = "end"; // in the address, the last step, however many there are

// Where a walk of so many steps stands: `noted` is the number of the step in the address, counted from 1, or END. While
// other steps are on their way (`waits`) only the two ends can be asked for: what lies between is not known yet.
export function usePlayer(count, noted, note, waits, quiz) {
  const [speed, setSpeed] = useState("steady");
  const [dragged, setDragged] = useState(null);
  const asked = Number.parseInt(noted, 10);
  const last = Math.max(0, count - 1);
  const settled = Number.isInteger(asked) ? Math.max(0, Math.min(last, asked - 1)) : last;
  const at = dragged === null ? settled : Math.min(dragged, last);
  const go = (step) => {
    setDragged(null);
    if (!waits) note({ step: String(step + 1) });
    else if (step === last || step === 0) note({ step: step ? END : "1" });
  };
  const pause = (count > 60 ? 450 : count > 24 ? 900 : 1400) * SPEEDS[speed][1];
  const player = usePlayback({ at, last, go, pause, waits: waits || !count || Boolean(quiz.pending), hold: quiz.hold });
  return { ...player, speed, setSpeed, drag: (step) => (player.setPlaying(false), setDragged(step)) };
}

export const PlayerBar = ({ player, steps, found, quiz }) =>
  html`<div class="row stepper">
    <${Transport} ...${player} words play=${player.at === player.last ? "Replay" : "Play"} />
    <${Timeline} ...${{ player, steps, found }} />
    <${Speed} ...${player} /> <${QuizTick} quiz=${quiz} />
  </div>`;

function Timeline({ player, steps, found }) {
  const { at, last, drag, go } = player;
  const told = `step ${at + 1} of ${last + 1}${found === at ? ", the one that found the line" : ""}`;
  const begins = (step, i) => i > 0 && step.moves !== null && step.moves !== steps[i - 1].moves;
  return html`<div class="step-line">
    <div class="step-ticks" aria-hidden="true">
      ${steps.map(
        (step, i) =>
          html`<i
            key=${i}
            class=${classes({ past: i < at, now: i === at, found: i === found, begins: begins(step, i) })}
          ></i>`,
      )}
    </div>
    <input
      type="range"
      min="1"
      max=${last + 1}
      value=${at + 1}
      disabled=${last === 0}
      aria-label="Step"
      aria-valuetext=${told}
      onInput=${(event) => drag(event.target.valueAsNumber - 1)}
      onChange=${(event) => go(event.target.valueAsNumber - 1)}
    />
    <p class="step-count note"><b>${at + 1}</b> of ${last + 1}</p>
  </div>`;
}
