// Together: the addresses for others, and "follow me", where a class sees what one page shows.
//
//   useMeeting()        {addresses, can_follow, leads, word, followers}: what the server says of others; null before it does
//   useLesson(table)    where this page stands, and what it can do: {role, join, leave, lead, stop, problem}
//
//   role   null       on its own
//          "leads"    what it shows is shown to all who follow
//          "outside"  it would join, and is to try again: too many have
//          "waits"    it has joined, and nobody leads yet
//          "follows"  it shows what the page that leads shows
//          "strays"   it has joined, and looks on its own for a while
//
// The key of whoever leads, and the word of who follows, come in the address and are taken out of it: what is on a wall, or
// copied, does not have them. They are held by the tab until it is closed, and so is that it leads: a page that is loaded again
// goes on.

import { useEffect } from "../vendor/preact-htm.js";
import { makeNews } from "./news.js";
import * as server from "./server.js";

const news = makeNews();
const PAUSE = 150; // milliseconds between two things that are shown
const JUST_NOW = 1500; // milliseconds in which a change is taken for the person's own
const AGAIN = 10_000; // milliseconds after which who leads asks how many follow

const held = {
  get: (name) => read(() => sessionStorage.getItem(name)),
  set: (name, text) => read(() => (text === null ? sessionStorage.removeItem(name) : sessionStorage.setItem(name, text))),
};
function read(storage) {
  try {
    return storage();
  } catch {
    return null; // no storage: until the page is loaded again
  }
}

let key = take("lead");
let word = take("join");
let begun = key !== null && held.get("leads") !== null; // does the holder of the key show the page?
let meeting = null;
let role = begun ? "leads" : null;
let problem = null;
let following = null; // ends it
let applied = null; // the address that stands when what was shown last is there
let touched = 0; // when the person last did something here

// What the address says under this name, or the tab has held since.
function take(name) {
  const given = new URLSearchParams(location.search);
  const found = given.get(name);
  if (found === null) return held.get(name);
  given.delete(name);
  const rest = given.toString();
  history.replaceState(null, "", location.pathname + (rest ? `?${rest}` : ""));
  held.set(name, found);
  return found;
}

function set(change) {
  ({ role, problem } = { role, problem: null, ...change });
  news.tell();
}

function begin(wanted) {
  begun = wanted;
  held.set("leads", wanted ? "1" : null);
}

// What the server says of others

const headers = () => (key ? { "x-lead": key } : {});

async function meet() {
  meeting = await server.ask("/class", { headers: headers() });
  news.tell();
}

export function useMeeting() {
  news.use();
  useEffect(() => void meet(), []);
  return meeting;
}

// Leading

let wanted = null;
let sending = false;

// Show this; while one is on its way only the last of those that follow it is kept.
async function show(shown) {
  wanted = { shown };
  if (sending) return;
  sending = true;
  while (wanted) {
    const question = { key, ...wanted };
    wanted = null;
    try {
      const { followers } = await server.ask("/class/board", { question });
      meeting = { ...meeting, followers };
      news.tell();
    } catch (found) {
      begin(false);
      set({ role: null, problem: found.message });
    }
    await new Promise((done) => setTimeout(done, PAUSE));
  }
  sending = false;
}

// Following

async function follow(table) {
  following?.abort();
  following = new AbortController();
  set({ role: "waits" });
  const { signal } = following;
  const hear = async ({ shown }) => {
    if (shown === null) return set({ role: "waits" });
    latest = shown;
    if (role !== "strays") await apply(table);
    return undefined;
  };
  try {
    for (;;) {
      const wait = (place) => void (place && set({ role: "outside" }));
      await server.follow(server.to("/class/board", { word }), () => {}, hear, signal, wait);
      await new Promise((done) => setTimeout(done, 1000)); // the server was stopped, perhaps to be started again
    }
  } catch (found) {
    if (signal.aborted) return;
    if (found instanceof server.Refused) {
      held.set("join", (word = null));
      set({ role: null, problem: found.message });
    } else setTimeout(() => !signal.aborted && follow(table), 1500);
  }
}

let latest = null;

async function apply(table) {
  applied = null;
  set({ role: "follows" });
  await table.follow(latest);
  applied = table.link;
}

export function useLesson(table) {
  news.use();
  const { link } = table;
  useEffect(() => {
    const touch = ({ key }) => void (key !== "Tab" && key !== "Shift" && (touched = Date.now()));
    addEventListener("pointerdown", touch, true);
    addEventListener("keydown", touch, true);
    if (word) follow(table);
    return () => {
      removeEventListener("pointerdown", touch, true);
      removeEventListener("keydown", touch, true);
      following?.abort();
    };
  }, []);
  useEffect(() => {
    if (begun && table.state.start) show(link.slice(1)); // not before there is a board
    const own = Date.now() - touched < JUST_NOW;
    if (role === "follows" && applied !== null && link !== applied && own) set({ role: "strays" });
  }, [link]);
  useEffect(() => {
    if (role !== "leads") return undefined;
    const timer = setInterval(() => void meet(), AGAIN);
    return () => clearInterval(timer);
  }, [role]);
  return {
    ...{ role, problem, word },
    lead() {
      begin(true);
      set({ role: "leads" });
      show(table.link.slice(1));
    },
    stop() {
      begin(false);
      set({ role: null });
      show(null);
    },
    join(given) {
      held.set("join", (word = given));
      return follow(table);
    },
    leave() {
      following?.abort();
      held.set("join", (word = null));
      set({ role: null });
    },
    back: () => apply(table),
  };
}
