// Numbers for people: whole ones with commas, large ones in words, times and sizes in the unit that fits.

export const whole = (number) => Math.round(number).toLocaleString("en");

// The largest unit that fits, and how many of it: of the units {name: size}, from the largest to the smallest.
export function inUnits(number, units) {
  const [unit, size] = Object.entries(units).find(([, size]) => Math.abs(number) >= size) || ["", 1];
  return [number / size, unit];
}

// 135,554,807,014 is "136 billion": three digits tell enough.
export function inWords(number) {
  const [part, word] = inUnits(number, { trillion: 1e12, billion: 1e9, million: 1e6 });
  return word ? `${part >= 100 ? whole(part) : part.toPrecision(3)} ${word}` : whole(number);
}

// As a label on an axis: 2k, 1.5M, 20G.
export function inShort(number) {
  const [part, letter] = inUnits(number, { T: 1e12, G: 1e9, M: 1e6, k: 1e3 });
  return `${letter ? Number(part.toPrecision(3)) : number}${letter}`;
}

export function duration(seconds) {
  if (seconds < 0.001) return "less than 1 ms";
  if (seconds < 0.1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 100) return `${Math.round(seconds)} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

export function bytes(size) {
  const [part, unit] = inUnits(size, { GB: 1e9, MB: 1e6, kB: 1e3 });
  return `${Number(part.toPrecision(3))} ${unit || "bytes"}`;
}

// Shares always have one decimal, rounded as Python does, and only all is 100 %.
const ONE_DECIMAL = new Intl.NumberFormat("en", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  roundingMode: "halfEven",
});

export const percent = (part, all) =>
  !all ? "–" : part === all ? "100 %" : `${ONE_DECIMAL.format(Math.min(99.9, (part / all) * 100))} %`;
