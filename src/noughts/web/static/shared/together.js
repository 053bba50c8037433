// Others: what they open, as text and as a QR code; to lead a class or to follow; and the line that says which it is.
import { html, useRef, useState } from "../vendor/preact-htm.js";
import { Field, IconButton } from "./controls.js";
import { useBusy } from "./server.js";
import { Problem } from "./waiting.js";
import { counted } from "./words.js";

// The button in the head: where there is nobody else, there is none.
export function Others({ meeting, lesson }) {
  const place = useRef();
  if (!meeting || (!meeting.addresses.length && !meeting.can_follow)) return null;
  return html`<${IconButton} name="others" title="Others" onClick=${() => place.current.showModal()} />
    <dialog class="others card" ref=${place} aria-labelledby="others-title">
      <div class="spread">
        <h2 id="others-title">Together</h2>
        <button onClick=${() => place.current.close()}>Close</button>
      </div>
      <div class="stack">
        <${Invitation} ...${meeting} />
        ${meeting.can_follow && (meeting.leads ? html`<${Leader} ...${{ meeting, lesson }} />` : html`<${Follower} ...${{ lesson }} />`)}
      </div>
    </dialog>`;
}

function Invitation({ addresses, word }) {
  const [chosen, choose] = useState(0);
  const links = addresses.map((each) => (word ? `${each}?join=${encodeURIComponent(word)}` : each));
  if (!links.length) return html`<p class="soft">Only this computer can open the page: start it with <code>--host 0.0.0.0</code> for others.</p>`;
  return html`<img class="qr" loading="lazy" src=${`/api/v1/qr?link=${encodeURIComponent(links[chosen])}`} alt=${`QR code of ${links[chosen]}`} />
    <p>Others on this network open this address.${word && html` The word to join is <b>${word}</b>.`}</p>
    <ul class="stack">
      ${links.map(
        (link, number) =>
          html`<li key=${link} class="row">
            <code class="address">${link}</code>
            ${links.length > 1 && html`<button class="link" aria-pressed=${String(number === chosen)} onClick=${() => choose(number)}>as a code</button>`}
          </li>`,
      )}
    </ul>`;
}

const Leader = ({ meeting, lesson: { role, lead, stop, problem } }) =>
  html`<${Problem} problem=${problem} />
    <div class="row">
      ${
        role === "leads"
          ? html`<button onClick=${stop}>Stop leading</button> <span class="soft">${counted(meeting.followers, "page follows", "pages follow")} yours.</span>`
          : html`<button class="primary" onClick=${lead}>Follow me</button>
              <span class="soft">shows your board, tab and step to all who have joined, until you stop.</span>`
      }
    </div>`;

function Follower({ lesson: { role, join, leave, problem } }) {
  const submit = (event) => {
    event.preventDefault();
    const word = event.target.elements.word.value.trim();
    if (word) join(word);
  };
  if (role) return html`<div class="row"><button onClick=${leave}>Leave the class</button></div>`;
  return html`<form class="row join" onSubmit=${submit}>
    <${Field} title="The word of the class" name="word" maxlength="40" autocapitalize="none" autocomplete="off" />
    <button class="primary">Join</button>
    <${Problem} problem=${problem} />
  </form>`;
}

// Under the head: what a class does, and whether others are served first.
export function Notices({ meeting, lesson: { role, problem, back, stop, leave } }) {
  const busy = useBusy();
  const said = {
    leads: ["Your class sees what you do here", meeting && counted(meeting.followers, "page follows", "pages follow"), ["Stop", stop]],
    outside: ["The class has no room for you yet", "this page tries again by itself", ["Leave", leave]],
    waits: ["You have joined the class", "it has not begun", ["Leave", leave]],
    follows: ["You follow the class", "what you see is what is shown", ["Leave", leave]],
    strays: ["You look on your own", "the class goes on", ["Back to the class", back]],
  }[role];
  return html`<div class="notices" role="status">
    ${
      said &&
      html`<div class=${`notice ${role}`}>
        <p><b>${said[0]}</b>: ${said[1]}.</p>
        <button onClick=${said[2][1]}>${said[2][0]}</button>
      </div>`
    }
    ${!role && problem && html`<div class="notice"><p>${problem}</p></div>`}
    ${
      busy &&
      html`<div class="notice">
        <p>
          <b>Many ask at once.</b> ${busy.run ? "Your run" : "Your question"} is kept, and it is its turn
          ${busy.place === Infinity ? " as soon as there is room" : busy.place > 1 ? ` after ${counted(busy.place - 1, "other", "others")}` : " next"}.
        </p>
      </div>`
    }
  </div>`;
}
