// SPDX-License-Identifier: Apache-2.0
//
// Histograms as the daemon exports them: native buckets of schema 3 and classic ones, from the same
// counts. Latencies are spread log-normally.

const FIRST = -191;
const LAST = 48;
const ZERO_THRESHOLD = 2 ** -24;
const CLASSIC = Array.from({ length: 26 }, (_, index) => index - 22);

/** Abramowitz and Stegun 7.1.26; exact to 1.5e-7. */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return Math.sign(x) * y;
}

const upperBound = (index) => 2 ** (index / 8);
const below = (x, { median, sigma }) => 0.5 * (1 + erf(Math.log(x / median) / (sigma * Math.SQRT2)));

const shares = new Map();

/** The share of each bucket, by index from FIRST. */
function spread(distribution) {
  const key = `${distribution.median} ${distribution.sigma}`;
  if (!shares.has(key)) {
    const share = [];
    for (let index = FIRST; index <= LAST; index++) {
      share.push(below(upperBound(index), distribution) - below(upperBound(index - 1), distribution));
    }
    shares.set(key, share);
  }
  return shares.get(key);
}

/** The histogram of spans of time, each [seconds, samples a second, distribution]. Counts only grow
 * as the seconds do. */
export function histogram(spans) {
  const counts = new Array(LAST - FIRST + 1).fill(0);
  let sum = 0;
  for (const [seconds, perSecond, distribution] of spans.filter(([length]) => length > 0)) {
    const samples = seconds * perSecond;
    spread(distribution).forEach((share, index) => (counts[index] += Math.floor(samples * share)));
    sum += samples * distribution.median * Math.exp(distribution.sigma ** 2 / 2);
  }
  const total = counts.reduce((a, b) => a + b, 0);
  return {
    sampleCount: total,
    sampleSum: sum,
    bucket: classic(counts, total),
    schema: 3,
    zeroThreshold: ZERO_THRESHOLD,
    zeroCount: 0,
    ...native(counts),
  };
}

function classic(counts, total) {
  let cumulative = 0;
  let next = FIRST;
  const buckets = CLASSIC.map((exponent) => {
    for (; next <= 8 * exponent; next++) {
      cumulative += counts[next - FIRST];
    }
    return { cumulativeCount: cumulative, upperBound: 2 ** exponent };
  });
  return [...buckets, { cumulativeCount: total, upperBound: Infinity }];
}

/** Spans of buckets that have counts, and the differences of those. */
function native(counts) {
  const positiveSpan = [];
  const positiveDelta = [];
  let previousCount = 0;
  let end = 0;
  counts.forEach((count, index) => {
    if (count === 0) {
      return;
    }
    const at = FIRST + index;
    if (positiveSpan.length && at === end) {
      positiveSpan.at(-1).length += 1;
    } else {
      positiveSpan.push({ offset: at - end, length: 1 });
    }
    end = at + 1;
    positiveDelta.push(count - previousCount);
    previousCount = count;
  });
  return { positiveSpan, positiveDelta };
}
