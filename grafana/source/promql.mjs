// SPDX-License-Identifier: Apache-2.0
//
// Pieces of PromQL. Every selector is made by select(), so that every query has the matchers that the
// variables of a dashboard stand for.

/** The hosts that a dashboard is about. */
export const HOSTS = 'job=~"$job", instance=~"$instance"';

/** A selector of the hosts' series, narrowed by further matchers: `cpu=~"$cpu"`. */
export function select(name, matchers = '', hosts = HOSTS) {
  return `${name}{${[hosts, matchers].filter(Boolean).join(', ')}}`;
}

/** Rate of a counter or histogram over a time that fits the panel's width and the scrape interval. */
export function rate(name, matchers = '', hosts = HOSTS) {
  return `rate(${select(name, matchers, hosts)}[$__rate_interval])`;
}

/** Sum by labels given as "a, b"; over everything when there are none. */
export function sum(expression, by = '') {
  return by ? `sum by (${by}) (${expression})` : `sum(${expression})`;
}

/** A quantile of native histograms, summed by labels. */
export function quantile(q, expression, by = '') {
  return `histogram_quantile(${q}, ${sum(expression, by)})`;
}

/** Mean of what histograms counted; nothing where they counted nothing. */
export function mean(expression, by = '') {
  return `histogram_sum(${sum(expression, by)}) / (histogram_count(${sum(expression, by)}) > 0)`;
}

/** The series of expression whose labels are among the n greatest at the end of the time shown, so
 * that the choice does not change along the time axis. */
export function greatest(n, expression, by) {
  return `${expression} and on (${by}) topk(${n}, ${atEnd(expression)})`;
}

/** The expression at the end of the time shown: @ end() goes behind each selector. */
function atEnd(expression) {
  return expression.replace(/(\}(?:\[[^\]]*\])?)/g, '$1 @ end()');
}
