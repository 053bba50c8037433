// A tab of the laboratory alone, in a frame: its board and what is at work there, without choices and lists around it.
import { html, render, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { useLost } from "../shared/server.js";
import { Table } from "../shared/table.js";
import { TABS, useTab } from "../tabs.js";
import * as fifteen from "./fifteen.js";

const NO_OFFERS = { games: [], max_side: 32 };

export const show = (place, kind) => render(html`<${Insert} kind=${kind} />`, place);

function Insert({ kind }) {
  const [state, setState] = useState(null);
  const table = useRef(null);
  if (!table.current) {
    table.current = new Table(setState, Object.keys(TABS));
    table.current.remember = () => {}; // the address is the page's around it: here nothing is written
  }
  useEffect(() => void table.current.openAddress(), []);
  const now = state || table.current.state;
  const tab = useTab(kind === "fifteen" ? fifteen.STYLED_AS : now.view);
  const { View, fresh, lost } = kind === "fifteen" ? { ...fifteen, lost: tab.lost } : tab;
  table.current.fresh = fresh || {};
  const gone = useLost() || lost;
  return html`<div class=${`view view-${now.view}`}>
      ${now.view !== "analyse" && html`<h1 class="sr">${kind === "fifteen" ? fifteen.TITLE : TABS[now.view]}</h1>`}
      ${gone && html`<p class="problem" role="alert">The server does not answer.</p>`}
      ${
        View
          ? html`<${View} ...${{ table: table.current, state: now, offers: NO_OFFERS }} alone />`
          : html`<p class="loading" role="status">One moment …</p>`
      }
    </div>
    <a class="to-laboratory" target="_blank" rel="noopener" href=${kind === "fifteen" ? fifteen.explained(table.current) : table.current.link}>
      Open this in the laboratory
    </a>`;
}
