// Numbers for people: whole ones with commas, large ones in words, times and sizes in the unit that fits.

export const whole = (number) => Math.round(number).toLocaleString("en");

const SCALES = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

// 135,554,807,014 is "136 billion": three digits tell enough.
export function inWords(number) {
  const [factor, word] = SCALES.find(([factor]) => number >= factor) || [1, ""];
  if (!word) return whole(number);
  const part = number / factor;
  return `${part >= 100 ? whole(part) : part.toPrecision(3)} ${word}`;
}

// As a label on an axis: 2k, 1.5M, 20G.
export function inShort(number) {
  for (const [factor, letter] of [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ])
    if (number >= factor) return `${Number((number / factor).toPrecision(3))}${letter}`;
  return String(number);
}

export function duration(seconds) {
  if (seconds < 0.001) return "less than 1 ms";
  if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export function bytes(size) {
  const [factor, unit] = [
    [1e9, "GB"],
    [1e6, "MB"],
    [1e3, "kB"],
  ].find(([factor]) => size >= factor) || [1, "bytes"];
  return `${Number((size / factor).toPrecision(3))} ${unit}`;
}

// Shares always have one decimal, rounded as Python does, and only all is 100 %.
const ONE_DECIMAL = new Intl.NumberFormat("en", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  roundingMode: "halfEven",
});

export const percent = (part, all) =>
  !all ? "–" : part === all ? "100 %" : `${ONE_DECIMAL.format(Math.min(99.9, (part / all) * 100))} %`;
