// SPDX-License-Identifier: Apache-2.0
//
// A small laboratory on this machine: the real agent under load, made-up hosts, and a Prometheus that
// scrapes both and runs the committed rules. Everything listens on loopback and ends with stop().

import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { closeSync, cpSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { GRAFANA } from './dashboards.mjs';

/** prometheus and promtool to use: of a folder that grafana/check gives, else those on PATH. */
export const program = (name) => (process.env.BHLAT_PROMETHEUS ? `${process.env.BHLAT_PROMETHEUS}/${name}` : name);

/** Starts a command; resolves with the process once a line matches, else rejects with its output. */
function started(command, args, ready) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const read = (chunk) => {
      output = (output + chunk).slice(-20000);
      const match = ready.exec(output);
      if (match) {
        resolve({ child, match });
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`${command} ended with ${code}: ${output.slice(-2000)}`)));
  });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Load that makes softirqs and work items: datagrams over loopback, synchronous writes, a pty. level: a
 * function that gives it at any time, from 1.
 */
export function load(folder, level = () => 1) {
  let stopped = false;
  const receiver = dgram.createSocket('udp4').bind(0, '127.0.0.1');
  const sender = dgram.createSocket('udp4');
  const file = openSync(`${folder}/synchronous`, 'w');
  const packet = Buffer.alloc(64);
  const block = Buffer.alloc(4096);
  let terminal;
  const datagrams = setInterval(() => {
    for (let i = 0; i < 20 * level(); i++) {
      sender.send(packet, receiver.address().port, '127.0.0.1');
    }
  }, 20);
  const writes = setInterval(() => {
    for (let i = 0; i < level(); i++) {
      writeSync(file, block, 0, block.length, Math.floor(Math.random() * 256) * block.length);
      fdatasyncSync(file);
    }
  }, 100);
  const lines = () => {
    if (!stopped) {
      terminal = spawn('script', ['-qfc', `seq ${500 * level()}`, '/dev/null'], { stdio: 'ignore' });
      terminal.on('error', () => {}); // no script(1): one source of load fewer
      terminal.on('exit', () => setTimeout(lines, 300));
    }
  };
  lines();
  return () => {
    stopped = true;
    clearInterval(datagrams);
    clearInterval(writes);
    terminal?.kill();
    receiver.close();
    sender.close();
    closeSync(file);
  };
}

/** The committed configuration with other targets and a shorter interval. */
function configure(folder, { agent, fleet, scrapeSeconds }) {
  cpSync(`${GRAFANA}rules`, `${folder}/rules`, { recursive: true });
  const configuration = parse(readFileSync(`${GRAFANA}prometheus.yml`, 'utf8'));
  configuration.global = { scrape_interval: `${scrapeSeconds}s`, scrape_timeout: `${scrapeSeconds}s`, evaluation_interval: '2s' };
  mkdirSync(`${folder}/targets`);
  writeFileSync(`${folder}/targets/agent.yaml`, stringify([{ targets: [agent], labels: { instance: 'this-host' } }]));
  configuration.scrape_configs.push({ job_name: 'bhlat-made', file_sd_configs: [{ files: [fleet] }] });
  for (const name of ['recording', 'alerts']) {
    const rules = `${folder}/rules/${name}.yaml`;
    writeFileSync(rules, readFileSync(rules, 'utf8').replace(/interval: \w+/g, 'interval: 2s'));
  }
  writeFileSync(`${folder}/prometheus.yml`, stringify(configuration));
}

const STATISTICS = '/proc/sys/kernel/bpf_stats_enabled';

/** Lets the kernel count what programs cost; returns what puts it back. */
function countPrograms() {
  const before = readFileSync(STATISTICS, 'utf8');
  writeFileSync(STATISTICS, '1');
  return () => writeFileSync(STATISTICS, before);
}

/** Starts everything; hosts, cpus: of the made-up fleet. */
export async function laboratory({ hosts = 6, cpus = 2, scrapeSeconds = 3, level } = {}) {
  const folder = mkdtempSync(`${tmpdir()}/bhlat-grafana-`);
  const stops = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of stops.reverse()) {
      await one();
    }
  };
  const run = async (...what) => {
    const { child, match } = await started(...what);
    stops.push(() => new Promise((resolve) => {
      child.removeAllListeners('exit');
      child.once('exit', resolve);
      child.kill();
    }));
    return match;
  };
  try {
    stops.push(countPrograms());
    writeFileSync(`${folder}/bhlat.yaml`, stringify({ labels: { rack: 'r12' } }));
    const [, agent] = await run(`${GRAFANA}../agent/bin/bhlat`, ['--no-setup', 'serve', '--config', `${folder}/bhlat.yaml`, '--web.listen-address', '127.0.0.1:0'], /serving on http:\/\/([\d.:]+)\/metrics/);
    stops.push(load(folder, level));
    const fleet = `${folder}/fleet.json`;
    await run('node', [`${GRAFANA}scale/serve.mjs`, '--port', '0', '--hosts', String(hosts), '--cpus', String(cpus), '--functions', '4', '--targets', fleet], /serving \d+ hosts/);
    configure(folder, { agent, fleet, scrapeSeconds });
    const address = `127.0.0.1:${await freePort()}`;
    await run(program('prometheus'), [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`, '--enable-feature=native-histograms'], /ready to receive web requests/);
    return { url: `http://${address}`, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Asks Prometheus's HTTP API. */
export async function api(url, path, parameters = {}) {
  const response = await fetch(`${url}/api/v1/${path}`, parameters && Object.keys(parameters).length
    ? { method: 'POST', body: new URLSearchParams(parameters) } : {});
  const { status, data, error } = await response.json();
  if (status !== 'success') {
    throw new Error(`${path} ${JSON.stringify(parameters)}: ${error}`);
  }
  return data;
}

export { sleep };
