// The whole page: the head with its tabs, the view that is looked at, and what goes wrong.
import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import * as server from "./server.js";
import { Table } from "./table.js";
import { useShortcuts } from "./keys.js";
import { PlayView } from "./play.js";
import { AnalyseView } from "./analyse.js";

// One entry a tab: a further tab is one line here and one module.
const VIEWS = {
  play: { title: "Play", show: PlayView },
  analyse: { title: "Analyse", show: AnalyseView },
};

export function App() {
  const [state, setState] = useState(null);
  const table = useRef(null);
  if (!table.current) table.current = new Table(setState);
  const [offers, setOffers] = useState({ games: [], max_side: 32 });

  useEffect(() => {
    table.current.openAddress();
    const follow = () => table.current.openAddress();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  useOffers(state, setOffers);
  useShortcuts(table.current);

  const now = state || table.current.state;
  const view = VIEWS[now.view] ? now.view : "play";
  useEffect(() => void (document.title = `${VIEWS[view].title} · noughts`), [view]);
  return html` <${Head} view=${view} table=${table.current} />
    <${Lost} lost=${now.lost} />
    <main id="main" class=${`view view-${view}`}>
      <${VIEWS[view].show} ...${{ table: table.current, state: now, offers }} />
    </main>
    <footer class="foot">
      <p>Every answer comes from Python on this machine: <a href="/docs">the same questions over HTTP</a>.</p>
      <p class="keys"><kbd>h</kbd> hint <kbd>u</kbd> undo <kbd>r</kbd> redo <kbd>n</kbd> new game</p>
    </footer>`;
}

// The games on offer, asked until they come.
function useOffers(state, setOffers) {
  const [have, setHave] = useState(false);
  const lost = Boolean(state?.lost);
  useEffect(() => {
    if (!have && !lost)
      server.games().then(
        (found) => (setOffers(found), setHave(true)),
        () => {},
      );
  }, [have, lost]);
}

function Head({ view, table }) {
  const [, redraw] = useState(0);
  const look = (event, name) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    table.look(name);
  };
  const toggle = () => {
    window.theme.toggle();
    redraw((n) => n + 1);
  };
  const dark = window.theme.isDark();
  return html`<header class="head">
    <a class="skip" href="#main">Skip to the board</a>
    <a class="wordmark" href="/" aria-label="noughts, a new game">
      <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.5" /></svg><span>noughts</span>
    </a>
    <nav class="tabs" aria-label="Views">
      ${Object.entries(VIEWS).map(
        ([name, { title }]) =>
          html`<a
            key=${name}
            href=${`/?view=${name}`}
            aria-current=${view === name ? "page" : null}
            onClick=${(event) => look(event, name)}
            >${title}</a
          >`,
      )}
    </nav>
    <div class="head-end">
      <button
        class="icon"
        onClick=${toggle}
        aria-label=${dark ? "Use light colours" : "Use dark colours"}
        title=${dark ? "Light" : "Dark"}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          ${
            dark
              ? html`<circle cx="12" cy="12" r="4.5" /><path
                    d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8"
                  />`
              : html`<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z" />`
          }
        </svg>
      </button>
    </div>
  </header>`;
}

function Lost({ lost }) {
  return html`<div class="lost-place" role="alert">
    ${
      lost &&
      html`<p class="lost">
        <strong>The server does not answer.</strong> It may have been stopped: start it again with
        <code>noughts serve</code>. Your game is kept, and goes on as soon as the server is back.
      </p>`
    }
  </div>`;
}
