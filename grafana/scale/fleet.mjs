// SPDX-License-Identifier: Apache-2.0
//
// Which hosts the made-up fleet has: three kernels, each with a mechanism of its own; adapters in every
// other host; some that regress, lose samples or lack a probe.

const MECHANISMS = ['timer', 'workqueue', 'timer', 'tasklet'];
const RELEASES = { timer: '6.12.41', workqueue: '5.18.19', tasklet: '5.18.19-hi' };

/** Hosts by name, for host.mjs; start and changeAt in seconds since 1970. */
export function fleet({ hosts, cpus, functions, start, changeAt }) {
  return new Map(Array.from({ length: hosts }, (_, index) => {
    const mechanism = MECHANISMS[index % MECHANISMS.length];
    const name = `host-${index}`;
    return [name, {
      name, cpus, functions, mechanism, release: RELEASES[mechanism],
      adapter: index % 2 ? 'mlx4_0' : '',
      start: start - 3600 * (1 + (index % 24)),
      changeAt: index % 7 === 1 ? changeAt : Infinity,
      changed: { release: '6.12.42-bad', mechanism: 'timer', factor: 4 },
      missing: index % 11 === 3, losing: index % 13 === 5,
    }];
  }));
}

/** A number from 0 to 1 that belongs to a text, always the same. */
export function chance(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
