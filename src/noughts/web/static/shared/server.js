// The one way to the server. It alone knows the rules; the page draws what it says.
//
//   ask(path, {question, signal})   one answer; a question goes as the body of a POST. No question changes anything, so while
//                                   the server is gone it waits, and is asked again when it is back: useLost() says so
//   useAnswer(path, question)       the same for a component, asked anew when the question changes
//   follow(path, …)                 a long run as it goes on: see runs.js
//
// Whoever asks is refused with a sentence, or gets an answer.

import { useEffect, useState } from "../vendor/preact-htm.js";
import { makeNews } from "./news.js";

const API = "/api/v1";
const RETRY = 1500; // milliseconds
const KEPT = 200; // answers remembered: those that depend on nothing but the question
const LASTING = /^\/(analyze|atlas|proof|detect|detectors|exhibits|labelling|search)\b/;

export class Refused extends Error {} // the server says no, with a sentence
class Lost extends Error {} // it does not answer

// A path with what is asked.
export const to = (path, asked) => `${path}?${new URLSearchParams(asked)}`;

export async function reach(path, { question, ...options } = {}) {
  const body = typeof question === "string" ? question : JSON.stringify(question);
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body };
  try {
    return await fetch(API + path, question ? { ...sent, ...options } : options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Lost("The server does not answer.");
  }
}

async function read(response) {
  const type = response.headers.get("content-type") || "";
  const body = type.startsWith("application/json") ? parse(await response.text()) : {};
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
  while (!known.has(path)) {
    try {
      const answer = await read(await reach(path, options));
      return LASTING.test(path) ? keep(path, answer) : answer;
    } catch (problem) {
      if (!(problem instanceof Lost)) throw problem;
      await Promise.race([back(), aborted(options?.signal)]);
    }
  }
  return known.get(path);
}

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

// Long runs

// Follow one: its name, then each event as {event, ...data}.
export async function follow(path, onName, onEvent, signal) {
  const response = await reach(path, { signal });
  if (!response.ok) await read(response);
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
      onEvent({ event, ...JSON.parse(data) });
    }
  }
}

export const stopRun = (name) => reach(`/runs/${encodeURIComponent(name)}`, { method: "DELETE" }).catch(() => {});
