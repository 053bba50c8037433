// What was solved in this browser: {date: the text to share}, for the puzzles that count.
const KEY = "puzzles";
let here = {}; // where nothing can be stored, for as long as the page is open

export function recall() {
  try {
    here = JSON.parse(localStorage.getItem(KEY)) || here;
  } catch {
    // No storage, or something else in it: as on this page.
  }
  return here;
}

export function record(date, text) {
  here = { ...recall(), [date]: text };
  try {
    localStorage.setItem(KEY, JSON.stringify(here));
  } catch {
    // As above.
  }
  return here;
}

export function daysBefore(date, days) {
  const day = new Date(`${date}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() - days);
  return day.toISOString().slice(0, 10);
}

// So many days up to this one were solved without a gap; today may still be open.
export function streak(kept, date) {
  let days = 0;
  const from = kept[date] ? 0 : 1;
  while (kept[daysBefore(date, from + days)]) days++;
  return days;
}
