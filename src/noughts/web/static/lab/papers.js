// The papers: every claim beside what is computed, filled in as the server judges them.
import { html, useEffect, useRef } from "../vendor/preact-htm.js";
import * as address from "../shared/address.js";
import { Field, Link } from "../shared/controls.js";
import { Figures } from "../shared/figures.js";
import { useRun } from "../shared/runs.js";
import { Choice } from "../shared/setup.js";
import { Take } from "../shared/take.js";
import { Problem } from "../shared/waiting.js";
import { capital, classes } from "../shared/words.js";
import { TABS } from "../tabs.js";
import { Stage, VerdictIcon, verdictOf, VERDICTS } from "./verdict.js";

export function Papers({ table, state }) {
  const run = useRun("lab", "/papers", true);
  const [plan, ...told] = run.events;
  if (!plan) return html`<${Beginning} run=${run} />`;
  const judged = new Map(told.map(({ verdict }) => [verdict.id, verdict]));
  const rows = plan.claims.map((claim) => judged.get(claim.id) || claim);
  const { source = "", verdict = "", find = "" } = state.more;
  const matches = {
    source: (row) => !source || row.source === source,
    verdict: (row) => !verdict || verdictOf(row)?.key === verdict,
    find: (row) => !find || textOf(row).includes(find.toLowerCase()),
  };
  // The rows that pass every filter but one: what its choices would show.
  const but = (name) =>
    rows.filter((row) => Object.entries(matches).every(([each, passes]) => each === name || passes(row)));
  const shown = but(null);
  return html`<div class="papers">
    <${Score} ...${{ run, table, verdict, rows: but("verdict") }} />
    <${Progress} ...${{ run, done: judged.size, total: plan.total }} />
    <div class="row filters">
      <${Choice}
        legend="Source"
        name="source"
        value=${source}
        options=${[["", `All ${but("source").length}`], ...plan.sources.map((each) => [each.source, `${each.name} ${count(but("source"), each.source)}`, each.title])]}
        onChoose=${(name) => table.note({ source: name })}
      />
      <${Field}
        title="Find"
        kind="find"
        ...${{ type: "search", placeholder: "a word or a number", value: find }}
        onInput=${(event) => table.note({ find: event.target.value })}
      />
    </div>
    ${
      run.status !== "running" &&
      shown.length > 0 &&
      html`<${Take}
        of="the claims that are shown"
        ...${{ name: "claims", title: "Claims beside the truth", head: TAKEN.map(([title]) => title) }}
        rows=${shown.map((row) => TAKEN.map(([, of]) => of(row)))}
      />`
    }
    <p class="sr" role="status">${run.status === "running" ? "" : `${shown.length} claims shown`}</p>
    ${
      shown.length
        ? plan.sources.map((each) => {
            const own = shown.filter((row) => row.source === each.source);
            return (
              own.length > 0 && html`<${Source} key=${each.source} ...${{ table, state, source: each, rows: own, noughts: plan.noughts }} />`
            );
          })
        : html`<p class="nothing">
            No claim fits${run.status === "running" ? " yet" : ""}.
            <button class="link" onClick=${() => table.note({ source: null, verdict: null, find: null })}>
              Show all
            </button>
          </p>`
    }
  </div>`;
}

const TAKEN = [
  ["claim", ({ id }) => id],
  ["where", ({ where }) => where],
  ["it says", ({ claim }) => claim],
  ["claimed", (row) => row.claimed_text],
  ["computed", (row) => row.computed_text],
  ["verdict", (row) => verdictOf(row)?.word || ""],
];
const count = (rows, source) => rows.filter((row) => row.source === source).length;
const textOf = (row) =>
  [row.id, row.where, row.claim, row.claimed_text, row.computed_text, row.note].filter(Boolean).join(" ").toLowerCase();

function Beginning({ run }) {
  if (run.status !== "problem") return html`<p class="loading" role="status">The claims are being looked up …</p>`;
  return html`<div class="loading">
    <${Problem} problem=${run.problem} />
    <button class="primary" onClick=${() => run.start()}>Try again</button>
  </div>`;
}

// The three verdicts with their numbers: each is a filter.
function Score({ table, verdict, rows }) {
  const number = (key) => rows.filter((row) => verdictOf(row)?.key === key).length;
  return html`<div class="tally" role="group" aria-label="Show only">
    ${VERDICTS.map(
      ({ key, words }) =>
        html`<button
          key=${key}
          class=${`verdict-${key}`}
          aria-pressed=${String(verdict === key)}
          onClick=${() => table.note({ verdict: verdict === key ? null : key })}
        >
          <${VerdictIcon} verdict=${key} />
          <span class="number">${number(key)}</span>
          <span class="words">${words}</span>
          <span class="small only">${verdict === key ? "show all again" : "show only these"}</span>
        </button>`,
    )}
  </div>`;
}

function Progress({ run, done, total }) {
  const running = run.status === "running";
  const words = running
    ? `Checking: ${done} of ${total} claims.`
    : run.summary
      ? `${run.summary.sentence} Computed on this machine in ${run.summary.seconds.toFixed(1)} s.`
      : `${done} of ${total} claims checked.`;
  return html`<${Stage} kind="checking" label="Claims checked" share=${running && done / total} ...${{ words }}>
    ${
      running
        ? html`<button class="link" onClick=${run.stop}>Stop</button>`
        : html`<button class="link" onClick=${() => run.start(true)}>Check again</button>`
    }
    <${Problem} problem=${run.problem} />
  <//>`;
}

// The claims of one source

// The source, and noughts, as a file for a list of references.
const Bibtex = ({ text, name }) =>
  html`<a download=${`${name}.bib`} href=${`data:application/x-bibtex;charset=utf-8,${encodeURIComponent(text)}`}>BibTeX</a>`;

function Source({ table, state, source, rows, noughts }) {
  const id = `source-${source.source}`;
  return html`<section class="source" aria-labelledby=${id}>
    <header>
      <h2 id=${id}>${source.title}</h2>
      <p class="note">${source.about}</p>
      <p class="note cited">
        ${source.link ? html`<a href=${source.link} rel="noreferrer">${source.cited}</a>` : source.cited}${" "}
        <${Bibtex} text=${`${source.bibtex}\n\n${noughts}\n`} name=${source.source} />
      </p>
    </header>
    <table class="claims" role="table" aria-labelledby=${id}>
      <thead role="rowgroup">
        <tr role="row">
          ${["Verdict", "Claim", "Claimed", "Computed", "See it"].map(
            (title) => html`<th key=${title} role="columnheader" scope="col">${title}</th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map((row) => html`<${Row} key=${row.id} ...${{ table, row, open: state.more.row === row.id }} />`)}
      </tbody>
    </table>
  </section>`;
}

function Row({ table, row, open }) {
  const place = useRef();
  const verdict = verdictOf(row);
  const waiting = !verdict;
  // A link to a row leads to it.
  useEffect(() => {
    if (open && !seen(place.current)) place.current.scrollIntoView({ block: "center" });
  }, [waiting]);
  const told = !waiting && (open || !row.holds);
  return html`<tr
    role="row"
    ref=${place}
    class=${classes("claim", waiting ? "waiting" : `verdict-${verdict.key}`, { open })}
    data-claim=${row.id}
  >
    <td role="cell" class="verdict">
      ${waiting ? html`<span class="soft">checking …</span>` : html`<${VerdictIcon} verdict=${verdict.key} />${verdict.word}`}
    </td>
    <td role="cell" class="what">
      <button
        class="unfold"
        aria-expanded=${String(open)}
        disabled=${waiting}
        onClick=${() => table.note({ row: open ? null : row.id })}
      >
        <svg class="pen" viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2.5L7.5 6L4 9.5" /></svg>
        <span>${row.claim}</span>
      </button>
      ${row.where && html`<p class="note stands">${capital(row.where)}</p>`}
      ${told && html`<p class="reason note">${row.note}</p>`}
      ${
        open &&
        row.table &&
        html`<${Shown} table=${row.table} label=${row.claim} />
          <${Take} of="this table" ...${{ name: row.id, title: row.claim, head: row.table.columns, rows: row.table.rows }} />`
      }
      ${open && !waiting && html`<p class="name note">Claim <code>${row.id}</code></p>`}
    </td>
    <td role="cell" class="value claimed"><span class="label">claimed</span>${row.claimed_text}</td>
    <td role="cell" class="value computed"><span class="label">computed</span>${waiting ? "…" : row.computed_text}</td>
    <td role="cell" class="where"><${See} ...${{ table, row }} /></td>
  </tr>`;
}

// The small table that shows a claim: what speaks against it is marked.
function Shown({ table: { columns, rows, against }, label }) {
  const marked = html`<${VerdictIcon} verdict="false" /><span class="sr">against the claim</span>`;
  const last = (key) => (against.length ? [against.includes(key) && marked] : []);
  return html`<${Figures}
    kind="shown"
    label=${`Table: ${label}`}
    head=${[...columns, ...last(null)]}
    rows=${rows.map((cells, key) => ({
      ...{ key, kind: against.includes(key) && "against", cells: [...cells, ...last(key)] },
    }))}
  />`;
}

// A link into the laboratory; the page need not be loaded again for it.
function See({ table, row }) {
  const isView = row.see.startsWith("/?");
  const asked = isView && address.read(row.see.slice(1));
  const here = isView && asked.more.row === row.id;
  const place = !isView ? "the guide" : here ? "a table" : asked.view === "lab" ? "the benchmark" : TABS[asked.view];
  const words = html`See it<span class="sr">: ${row.claim}</span> <span class="place soft">in ${place}</span>`;
  if (!isView) return html`<a href=${row.see}>${words}</a>`;
  const follow = () => {
    table.note({ row: row.id }); // whoever comes back finds the row again
    if (!here) table.open(asked);
  };
  return html`<${Link} href=${row.see} onFollow=${follow}>${words}<//>`;
}

function seen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
