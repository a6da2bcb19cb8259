// The engine of the tab against the native one: the same requests, the same documents.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SITE, check, test, url } from './harness.mjs';
import { Fd } from '../../page/wasi-fd.js';
import { Directory, File, OpenFile, PreopenDirectory } from '../../page/wasi-fs_mem.js';
import WASI from '../../page/wasi-wasi.js';

/** The module, run as the page's worker runs it. */
class Tab {
  static async start() {
    const tab = new Tab();
    const out = new Fd();
    out.fd_write = (bytes) => {
      tab.written.push(Buffer.from(bytes));
      return { ret: 0, nwritten: bytes.length };
    };
    tab.tables = new Directory(new Map());
    const root = new PreopenDirectory('/', new Map([['tables', tab.tables], ['sent', new Directory(new Map())], ['python', new Directory(new Map())], ['tmp', new Directory(new Map())]]));
    tab.wasi = new WASI(['hog'], [], [new OpenFile(new File([])), out, out, root], { debug: false });
    const { instance } = await WebAssembly.instantiate(gunzipSync(readFileSync(join(SITE, 'engine.wasm.gz'))), { wasi_snapshot_preview1: tab.wasi.wasiImport });
    tab.exports = instance.exports;
    tab.wasi.initialize(instance);
    return tab;
  }

  ask(name, request = {}) {
    this.written = [];
    this.wasi.fds[0] = new OpenFile(new File(new TextEncoder().encode(`${name}\n${JSON.stringify(request)}`)));
    this.exports.ask();
    const lines = Buffer.concat(this.written).toString().trim().split('\n');
    return JSON.parse(lines[lines.length - 1]);
  }

  load(id) {
    try {
      this.tables.contents.set(`${id}.hog`, new File(readFileSync(join(SITE, 'tables', `${id}.hog`))));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

async function native(name, request) {
  const response = await fetch(`${url}api/v1/${name}`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' }, body: JSON.stringify(request) });
  const lines = (await response.text()).trim().split('\n');
  return JSON.parse(lines[lines.length - 1]);
}

/** A document without what differs from run to run. */
const timeless = (document) => JSON.stringify(document, (key, value) => (key === 'seconds' ? undefined : value));

/** Random numbers that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

async function same(tab, name, request) {
  const [one, other] = [timeless(tab.ask(name, request)), timeless(await native(name, request))];
  check(one === other, `${name} ${JSON.stringify(request)}:\nin the tab ${one.slice(0, 600)}\nnative     ${other.slice(0, 600)}`);
}

/** Games that take longer than a second in the tab. */
const SLOW = 1_000_000;

if (SITE) {
  test('the engine of the tab gives the documents of the native one', async () => {
    const tab = await Tab.start();
    await same(tab, 'rules/list', {});
    await same(tab, 'rules/functions', {});
    const { games } = tab.ask('rules/list').result;
    let compared = 0;
    for (const { id } of games) {
      tab.load(id);
      await same(tab, 'rules/show', { rules: id });
      const shown = tab.ask('rules/show', { rules: id }).result;
      const states = shown.memories.reduce((product, memory) => product * (memory.max + 1) ** (memory.of === 'player' ? 2 : 1), shown.goal ** 2);
      if (states >= SLOW) continue;
      const random = numbers(compared + 1);
      for (let place = 0; place < 10; place += 1) {
        await same(tab, 'best', { rules: id, score: random(shown.goal), opponent: random(shown.goal) });
      }
      await same(tab, 'map', { rules: id, layers: ['spread'] });
      await same(tab, 'solve', { rules: id, goal: 20, fraction: true });
      await same(tab, 'rate', { rules: id, strategy: 'always_roll:1', against: 'optimal' });
      await same(tab, 'explain', { rules: id, strategy: 'always_roll:1', against: 'optimal', goal: 30 });
      await same(tab, 'describe', { rules: id, goal: 20 });
      compared += 1;
    }
    check(compared > 30, `only ${compared} games were compared`);
  });

  test('contests, games, rule files and files of strategies are the same in the tab', async () => {
    const tab = await Tab.start();
    tab.load('fa21');
    const csv = Array.from({ length: 100 }, (_, score) => Array.from({ length: 100 }, (_, other) => (score + other) % 8).join(',')).join('\n');
    const files = [{ name: 'a.csv', text: csv }, { name: 'b.csv', text: csv.replaceAll('7', '2') }];
    const entrants = ['optimal', 'baseline', 'always_roll:4', 'always_roll:5', 'always_roll:6', 'beat:always_roll:6', 'bacon_strategy:8,6'];
    await same(tab, 'contest', { rules: 'fa21', entrants, files });
    await same(tab, 'explain', { rules: 'fa21', strategy: 'a.csv', files });
    await same(tab, 'try', { rules: 'fa21', strategy: 'b.csv', files });
    await same(tab, 'play', { rules: 'fa21', players: ['optimal', 'a.csv'], seed: 7, files });
    await same(tab, 'why', { rules: 'fa21', score: 20, opponent: 36 });
    await same(tab, 'tune', { rules: 'fa21', strategy: 'always_roll:1..10' });
    await same(tab, 'compare', { rules: 'fa21', other: 'sp22' });
    const file = 'id = "mine"\ngoal = 30\nmax_dice = 3\n';
    await same(tab, 'map', { file });
    await same(tab, 'solve', { file, fraction: true });
    await same(tab, 'best', { rules: 'fa21', score: 200, opponent: 0 });
    await same(tab, 'rules/check', { file: 'goal = "x"\n' });
    await same(tab, 'best', { rules: 'nothing', score: 0, opponent: 0 });
  });
}
