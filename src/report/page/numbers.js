/* Numbers, ticks and data of the pictures. The files of this folder are one script of the page: numbers, chart, plot,
 * draw, legend, save, page. */
'use strict';

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const minus = text => text.replace(/-/g, '\u2212');

/* ---- numbers ---- */

const raised = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';
const superscript = power => [...String(power)].map(c => c === '-' ? '\u207b' : raised[c]).join('');

const scientific = (value, digits) => {
  const [mantissa, power] = value.toExponential(digits).split('e');
  return (mantissa === '1' ? '' : minus(mantissa) + '\u00b7') + '10' + superscript(+power);
};

const readable = value => {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return scientific(value, 3);
  return minus(value.toFixed(clamp(size ? 3 - Math.floor(Math.log10(size)) : 0, 0, 8)));
};

/* digits enough to tell pixels apart */
const resolved = (value, span) => Math.abs(value) >= 1e7 || span < 1e-9
  ? scientific(value, 3)
  : minus(value.toFixed(clamp(Math.ceil(3 - Math.log10(span)), 0, 12)));

/* ticks that a person would choose: 1, 2 or 5 times a power of ten */
const ROUND_STEPS = Array.from({ length: 48 }, (_, i) => i - 24).flatMap(power => [1, 2, 5].map(n => Number(`${n}e${power}`)));

const tickTexts = (ticks, step) => {
  const power = Math.floor(Math.log10(step) + 1e-9);
  const decimals = Math.max(0, -power);
  const plain = tick => minus(tick.toFixed(Math.min(decimals, 12))).replace(/^\u2212(0(\.0*)?)$/, '$1');
  return ticks.map(tick => Math.abs(tick) >= 1e7 ? scientific(tick, 2) : plain(tick));
};

const logTicks = (low, high, about) => {
  const from = Math.log10(low), to = Math.log10(high), ticks = [];
  const every = Math.max(1, Math.ceil((to - from) / about));
  const parts = to - from < about / 3 ? (to - from < 1 ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 5]) : [1];
  for (let power = every * Math.floor(from / every); power <= to; power += every)
    for (const part of parts) ticks.push(part * 10 ** power);
  return ticks.filter(tick => tick >= low * 0.999 && tick <= high * 1.001);
};
const logText = tick => tick >= 0.01 && tick < 1e4 ? String(+tick.toPrecision(3)) : scientific(tick, 0);

const unitAfter = unit => unit && (unit[0] === '\u00d7' ? '\u2009' : '\u00a0') + unit;

/* ---- data ---- */

const decode = ([bits, text]) => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return bits === 32 ? new Float32Array(bytes.buffer) : new Float64Array(bytes.buffer);
};

/* the first index whose x is not below the value */
const lowerBound = (x, value) => {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

const spanOf = (log, share, visit) => {
  let low = Infinity, high = -Infinity;
  visit(value => {
    if (value < low) low = value;
    if (value > high) high = value;
  });
  if (!(low <= high)) return log ? [1, 10] : [0, 1];
  if (log) {
    const more = Math.max(share * Math.log10(high / low), low === high ? 0.5 : 0);
    return [low / 10 ** more, high * 10 ** more];
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  const more = high - low > 1e-12 * size ? share * (high - low) : 0.1 * size || 1;
  return [low - more, high + more];
};
