// The whole page: the head with its tabs, the view that is looked at, and what goes wrong.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";
import { useAnswer, useLost } from "./shared/server.js";
import { Table } from "./shared/table.js";
import { IconButton, Link } from "./shared/controls.js";
import { namesOf, useShortcuts } from "./shared/keys.js";
import { useLesson, useMeeting } from "./shared/lesson.js";
import { bringInSight } from "./shared/place.js";
import { Presenter, togglePresenting, usePresenter } from "./shared/present.js";
import { useBusyViews } from "./shared/runs.js";
import { Notices, Others } from "./shared/together.js";
import { TABS, useTab } from "./tabs.js";

const NONE = [];
const NO_OFFERS = { games: [], max_side: 32 };

export function App() {
  const [state, setState] = useState(null);
  const table = useRef(null);
  if (!table.current) table.current = new Table(setState, Object.keys(TABS));
  const offers = useAnswer("/games").answer || NO_OFFERS;

  useEffect(() => {
    table.current.openAddress();
    const follow = () => table.current.openAddress();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  useHeading(state?.view);

  const now = state || table.current.state;
  const { view } = now;
  const { View, about, guide, keys = NONE, fresh, lost, again } = useTab(view);
  table.current.fresh = fresh;
  useShortcuts(table.current, keys);
  useEffect(() => void (document.title = `${TABS[view]} · noughts`), [view]);
  usePresenter(table.current, view);
  const meeting = useMeeting();
  const lesson = useLesson(table.current);
  return html` <${Head} ...${{ view, table: table.current, meeting, lesson }} />
    <${Lost} />
    <${Notices} ...${{ meeting, lesson }} />
    <main id="main" class=${`view view-${view}`}>
      ${about && html`<${About} ...${{ title: TABS[view], about, guide }} />`}
      ${
        View
          ? html`<${View} key=${view} ...${{ table: table.current, state: now, offers }} />`
          : html`<${Loading} ...${{ lost, again }} />`
      }
    </main>
    <footer class="foot">
      <p>
        Every answer comes from Python on this machine: <a href="/docs">the same questions over HTTP</a>.${" "}
        <a href="/guide/">Tutorial and guides</a>.
      </p>
      <p class="keys">${namesOf(keys).map(([key, does]) => html`<kbd key=${key}>${key}</kbd> ${does} `)}</p>
    </footer>
    <${Presenter} table=${table.current} />`;
}

const About = ({ title, about, guide }) =>
  html`<header class="about">
    <h1>${title}</h1>
    <p class="soft">${about} <a href=${`/guide/${guide}`}>Read more</a></p>
  </header>`;

function Loading({ lost, again }) {
  if (!lost) return html`<p class="loading" role="status">One moment …</p>`;
  return html`<div class="loading" role="alert">
    <p>This part of the page could not be loaded: the server does not answer.</p>
    <button onClick=${again}>Try again</button>
  </div>`;
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

function Head({ view, table, meeting, lesson }) {
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
    <div class="head-tools">
      <${IconButton} name="present" title="Present" shortcut="p" onClick=${togglePresenting} />
      <${Others} ...${{ meeting, lesson }} />
      <${IconButton}
        name=${dark ? "sun" : "moon"}
        title=${dark ? "Light" : "Dark"}
        aria-label=${dark ? "Use light colours" : "Use dark colours"}
        onClick=${toggle}
      />
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
      bringInSight(tabs, "[aria-current]");
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
  return html`<nav class="tabs" aria-label="Views" ref=${place}>
    ${Object.entries(TABS).map(
      ([name, title]) =>
        html`<${Link}
          key=${name}
          href=${table.linkTo(name)}
          aria-current=${view === name ? "page" : null}
          onFollow=${() => table.look(name)}
          >${title}${busy.has(name) && html`<span class="busy-dot"><span class="sr"> (at work)</span></span>`}<//
        >`,
    )}
  </nav>`;
}

function Lost() {
  const lost = useLost();
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
