// The one way to the server. It alone knows the rules; the page draws what it says.
//
//   ask(path, {question, signal})   one answer; a question goes as the body of a POST. No question changes anything, so while
//                                   the server is gone it waits, and is asked again when it is back: useLost() says so.
//                                   Where too many ask it is asked again when the server says; useBusy() tells of it if
//                                   that takes long
//   useAnswer(path, question)       the same for a component, asked anew when the question changes
//   follow(path, …)                 a long run as it goes on: see runs.js; answerOf(path, …) what it ends with
//
// Whoever asks is refused with a sentence, or gets an answer.

import { useEffect, useState } from "../vendor/preact-htm.js";
import { makeNews } from "./news.js";

const API = "/api/v1";
const RETRY = 1500; // milliseconds
const LONG = 3000; // then it is worth a word that a question has to wait for its turn
const PAGE = Math.random().toString(36).slice(2); // until it is closed: the server takes pages in turn
const KEPT = 200; // answers remembered: those that depend on nothing but the question
const LASTING = /^\/(against|analyze|atlas|proof|proven|detect|detectors|exhibits|labelling|search)\b/;

export class Refused extends Error {} // the server says no, with a sentence
class Lost extends Error {} // it does not answer
class Later extends Error {} // too many ask: in `seconds` there may be room

// A path with what is asked.
export const to = (path, asked) => `${path}?${new URLSearchParams(asked)}`;

export async function reach(path, { question, ...options } = {}) {
  const body = typeof question === "string" ? question : JSON.stringify(question);
  const headers = { "x-page": PAGE, ...(question && { "content-type": "application/json" }), ...options.headers };
  try {
    return await fetch(API + path, { ...(question && { method: "POST", body }), ...options, headers });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Lost("The server does not answer.");
  }
}

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.startsWith("application/json") ? parse(await response.text()) : {};
  const seconds = Number(response.headers.get("retry-after"));
  if (seconds > 0) throw Object.assign(new Later(body.detail), { seconds });
  if (!response.ok) throw new Refused(body.detail || `The server answered with ${response.status}.`);
  return body;
}

// A position's code can have more digits than a number here: it is taken as text.
const parse = (text) => JSON.parse(text.replace(/"code":(\d+)/g, '"code":"$1"'));

// What was answered

const known = new Map();

function keep(path, answer) {
  known.delete(path);
  known.set(path, answer);
  if (known.size > KEPT) known.delete(known.keys().next().value);
  return answer;
}

export async function ask(path, options) {
  const done = waitsFor(path);
  try {
    while (!known.has(path)) {
      try {
        const answer = await read(await reach(path, options));
        return LASTING.test(path) ? keep(path, answer) : answer;
      } catch (problem) {
        await until(problem, options?.signal);
      }
    }
    return known.get(path);
  } finally {
    done();
  }
}

// Wait for what a problem needs before it is worth asking again: a server that is back, or that has room.
async function until(problem, signal) {
  const isLater = problem instanceof Later;
  if (!isLater && !(problem instanceof Lost)) throw problem;
  await Promise.race([isLater ? pause(problem.seconds) : back(), aborted(signal)]);
}

// Not all at the same moment
const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * (1000 + 500 * Math.random())));

const analysisOf = (position) => to("/analyze", { position });
export const analyze = (position, signal) => ask(analysisOf(position), { signal });

export async function move(question, signal) {
  const answer = await ask("/move", { question, signal });
  keep(analysisOf(answer.analysis.position), answer.analysis);
  return answer;
}

// For a component: `answer` or `problem` once they are there, `last` the answer before until then, `of` the question that
// it answers; again() asks once more.
export function useAnswer(path, question) {
  const [found, setFound] = useState({});
  const [tries, setTries] = useState(0);
  const asked = path ? path + (question ? JSON.stringify(question) : "") : null;
  useEffect(() => {
    if (!asked) return undefined;
    const abort = new AbortController();
    ask(path, { question, signal: abort.signal }).then(
      (answer) => setFound({ of: asked, answer, last: answer }),
      (problem) => abort.signal.aborted || setFound(({ last }) => ({ of: asked, problem: problem.message, last })),
    );
    return () => abort.abort();
  }, [asked, tries]);
  const { of = null, last = null } = asked ? found : {};
  return { ...(of === asked ? found : {}), of, last, again: () => setTries(tries + 1) };
}

// While the server is gone

const news = makeNews();
let gone = null; // a promise of its return

export function useLost() {
  news.use();
  return gone !== null;
}

function back() {
  gone ||= (async () => {
    news.tell();
    do await new Promise((done) => setTimeout(done, RETRY));
    while (!(await reach("/games").catch(() => null)));
    gone = null;
    news.tell();
  })();
  return gone;
}

const aborted = (signal) =>
  new Promise((_, stop) => signal?.addEventListener("abort", () => stop(new DOMException("", "AbortError"))));

// While others are served first

const waiting = new Map(); // what is asked -> since when
const places = new Map(); // a long run -> its place in the queue
let place = null; // of our next question
let looking = false;

// The place in the queue, Infinity where that is full, if it is worth a word: {place, run}.
export function useBusy() {
  news.use();
  if (place !== null) return { place, run: false };
  return places.size ? { place: Math.min(...places.values()), run: true } : null;
}

function waitsFor(path) {
  const key = Symbol(path);
  waiting.set(key, Date.now());
  look();
  return () => void waiting.delete(key);
}

// Long ones are looked after: do they wait for their turn, or are they just long?
async function look() {
  if (looking) return;
  looking = true;
  while (waiting.size) {
    await new Promise((done) => setTimeout(done, LONG / 2));
    const oldest = Math.min(...waiting.values());
    const answer = waiting.size && Date.now() - oldest > LONG ? await inQueue() : null;
    if (place !== (answer?.place ?? null)) {
      place = answer?.place ?? null;
      news.tell();
    }
  }
  looking = false;
}

const inQueue = () =>
  reach("/queue")
    .then(read)
    .catch(() => null);

// Long runs

// The answer of one, once it is there; it is told how far it is.
export async function answerOf(path, onProgress, signal) {
  let answer = null;
  const hear = ({ event, ...data }) => {
    if (event === "problem") throw new Refused(data.detail);
    if (event === "summary") answer = data;
    else onProgress(data);
  };
  for (;;) {
    try {
      await follow(path, () => {}, hear, signal);
      if (answer) return answer;
      throw new Lost("The server stopped in the middle");
    } catch (problem) {
      await until(problem, signal);
    }
  }
}

// Follow one: its name, then each event as {event, ...data}. While it waits for its turn useBusy() has its place, or whoever
// says onPlace: Infinity beyond a queue that is full, null when it waits no more.
export async function follow(path, onName, onEvent, signal, onPlace = (place) => setPlace(path, place)) {
  try {
    await listen(path, onName, onEvent, signal, onPlace);
  } finally {
    onPlace(null);
  }
}

function setPlace(path, place) {
  if (place === null) places.delete(path);
  else places.set(path, place);
  news.tell();
}

async function listen(path, onName, onEvent, signal, onPlace) {
  let response = await reach(path, { signal });
  while (!response.ok) {
    await read(response).catch((problem) => {
      if (!(problem instanceof Later)) throw problem;
      onPlace(Infinity);
      return until(problem, signal);
    });
    response = await reach(path, { signal });
  }
  onName(response.headers.get("x-run"));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read().catch((problem) => {
      throw signal.aborted ? problem : new Lost("The server stopped in the middle");
    });
    if (done) return;
    const parts = (waiting + value).split("\n\n");
    waiting = parts.pop();
    for (const part of parts) {
      const [, event, data] = part.match(/^event: (\w+)\ndata: (.*)$/s);
      const told = { event, ...JSON.parse(data) };
      onPlace(event === "waiting" ? told.place : null);
      if (event !== "waiting") onEvent(told);
    }
  }
}

export const stopRun = (name) => reach(`/runs/${encodeURIComponent(name)}`, { method: "DELETE" }).catch(() => {});
