// The whole page: the head with its tabs, the view that is looked at, and what goes wrong.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import * as server from "./shared/server.js";
import { Table } from "./shared/table.js";
import { keysOf, useShortcuts } from "./shared/keys.js";
import { View as PlayView } from "./play/tab.js";
import { View as AnalyseView } from "./analyse/tab.js";
import { later } from "./shared/later.js";
import { useBusyViews } from "./shared/runs.js";

// One entry a tab: a further tab is one entry here and one module, loaded when it is first looked at.
const VIEWS = {
  play: { title: "Play", show: PlayView },
  analyse: { title: "Analyse", show: AnalyseView },
  algorithms: {
    title: "Algorithms",
    show: later(() => import("./algorithms/tab.js")),
    about:
      "Eight ways to see whether somebody has won, each at work on the board in front of you. Step through one, play on, and watch what it does and what it costs.",
    guide: "explanation/who-has-won",
  },
  search: {
    title: "Search",
    show: later(() => import("./search/tab.js")),
    about:
      "Minimax looks at every way to go on; alpha-beta gives the same answer and leaves out what cannot matter. Replay the search of this position and see each branch it cuts, and why.",
    guide: "explanation/minimax",
  },
  solve: {
    title: "Solve",
    show: later(() => import("./solve/tab.js")),
    about:
      "To solve a game is to know the value of every position that can arise. The computer begins with the full boards and works back, level by level, to the empty one.",
    guide: "explanation/how-5x5-is-solved",
  },
  lab: {
    title: "Lab",
    show: later(() => import("./lab/tab.js")),
    about:
      "Every claim of five published texts, beside what is computed here: not all of them hold. And a race between the ways to see a win, on your own machine.",
    guide: "explanation/the-five-papers",
  },
  match: {
    title: "Match",
    show: later(() => import("./match/tab.js")),
    about:
      "Let two players meet: watch one game move by move, or a whole series with its tally. The same seed gives the same games.",
    guide: "how-to/match-players",
  },
};

export function App() {
  const [state, setState] = useState(null);
  const table = useRef(null);
  if (!table.current) table.current = new Table(setState, Object.keys(VIEWS));
  const [offers, setOffers] = useState({ games: [], max_side: 32 });

  useEffect(() => {
    table.current.openAddress();
    const follow = () => table.current.openAddress();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  useOffers(state, setOffers);
  useHeading(state?.view);
  useShortcuts(table.current);

  const now = state || table.current.state;
  const { view } = now;
  useEffect(() => void (document.title = `${VIEWS[view].title} · noughts`), [view]);
  return html` <${Head} view=${view} table=${table.current} />
    <${Lost} lost=${now.lost} />
    <main id="main" class=${`view view-${view}`}>
      <${About} ...${VIEWS[view]} />
      <${VIEWS[view].show} ...${{ table: table.current, state: now, offers }} />
    </main>
    <footer class="foot">
      <p>
        Every answer comes from Python on this machine: <a href="/docs">the same questions over HTTP</a>.${" "}
        <a href="/guide/">Tutorial and guides</a>.
      </p>
      <p class="keys">${keysOf(view).map(([key, does]) => html`<kbd key=${key}>${key}</kbd> ${does} `)}</p>
    </footer>`;
}

function About({ title, about, guide }) {
  if (!about) return null;
  return html`<header class="about">
    <h1>${title}</h1>
    <p>${about} <a href=${`/guide/${guide}`}>Read more</a></p>
  </header>`;
}

const NOWHERE = {}; // a heading that is still to come

// Whoever goes to another view is led to its beginning, as on a page of its own: the keyboard to the heading, also when
// another takes its place as the board comes, and the window to the top, unless the history led there: then the browser
// knows where it was.
function useHeading(view) {
  const led = useRef({ to: null, heading: null, back: false });
  useEffect(() => {
    const back = () => void (led.current.back = true);
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useLayoutEffect(() => {
    const { to, back } = led.current;
    led.current = { to: view, heading: to ? NOWHERE : null, back };
    if (to && !back) scrollTo(0, 0);
  }, [view]);
  useEffect(() => {
    const { current } = led;
    const heading = document.querySelector("main h1");
    const isLost = current.heading && !current.heading.isConnected && document.activeElement === document.body;
    current.back = false;
    if (!heading || !(isLost || current.heading === NOWHERE)) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    current.heading = heading;
  });
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
    <${Tabs} ...${{ view, table }} />
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

// Where they do not all fit, the tab that is looked at is in sight, and a fading edge says that there are more.
function Tabs({ view, table }) {
  const busy = useBusyViews();
  const place = useRef();
  useEffect(() => {
    const tabs = place.current;
    const mark = () => {
      tabs.classList.toggle("more-before", tabs.scrollLeft > 4);
      tabs.classList.toggle("more-after", tabs.scrollLeft + tabs.clientWidth < tabs.scrollWidth - 4);
    };
    const centre = () => {
      const current = tabs.querySelector("[aria-current]");
      tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
      mark();
    };
    const resized = new ResizeObserver(centre);
    resized.observe(tabs);
    tabs.addEventListener("scroll", mark);
    document.fonts?.ready.then(centre);
    return () => {
      resized.disconnect();
      tabs.removeEventListener("scroll", mark);
    };
  }, [view]);
  const look = (event, name) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    table.look(name);
  };
  return html`<nav class="tabs" aria-label="Views" ref=${place}>
    ${Object.entries(VIEWS).map(
      ([name, { title }]) =>
        html`<a
          key=${name}
          href=${table.linkTo(name)}
          aria-current=${view === name ? "page" : null}
          onClick=${(event) => look(event, name)}
          >${title}${busy.has(name) && html`<span class="busy-dot"><span class="sr"> (at work)</span></span>`}</a
        >`,
    )}
  </nav>`;
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
