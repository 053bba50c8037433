// Whether a tap on a small cell asks before it plays: it does, unless somebody has chosen otherwise; that is remembered.
import { html, useState } from "../vendor/preact-htm.js";
import { Tick } from "./controls.js";

const KEY = "confirm-taps";
let chosen = null; // where nothing can be stored, for as long as the page is open

export function confirmsTaps() {
  try {
    chosen = localStorage.getItem(KEY) ?? chosen;
  } catch {
    // No storage: as chosen on this page.
  }
  return chosen !== "off";
}

function choose(isOn) {
  chosen = isOn ? "on" : "off";
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // As above.
  }
}

// Shown where there is something to tap with.
export function ConfirmTaps() {
  const [isOn, setOn] = useState(confirmsTaps);
  const onChoose = (isOn) => (choose(isOn), setOn(isOn));
  return html`<${Tick} kind="confirm-taps" checked=${isOn} ...${{ onChoose }}>Confirm taps on small cells<//>`;
}
