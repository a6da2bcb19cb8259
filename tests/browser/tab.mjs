// The engine of the tab against the native one: the same requests, the same documents.

import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  PHONE,
  SCRATCH,
  SITE,
  VIEWS,
  check,
  fits,
  open,
  plainServer,
  seeText,
  shifts,
  shot,
  test,
  until,
  url,
} from './harness.mjs';
import { zip } from './own.mjs';

/** The system calls, as the site has them. */
const ofSite = (name) => (SITE ? import(join(SITE, 'page', name)) : {});
const { Fd } = await ofSite('wasi-fd.js');
const { Directory, File, OpenFile, PreopenDirectory } = await ofSite('wasi-fs_mem.js');
const { default: WASI } = await ofSite('wasi-wasi.js');

/** The answer, after the lines that report the progress. */
const lastLine = (text) => text.trimEnd().split('\n').pop();

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

  /** Returns the text of an answer. */
  ask(name, request = {}) {
    this.written = [];
    this.wasi.fds[0] = new OpenFile(new File(new TextEncoder().encode(`${name}\n${JSON.stringify(request)}`)));
    try {
      this.exports.ask();
    } catch (error) {
      throw new Error(`${name}: ${error.message}: ${Buffer.concat(this.written).toString().slice(-1000)}`, { cause: error });
    }
    return lastLine(Buffer.concat(this.written).toString());
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
  const response = await fetch(`${url}api/v1/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/x-ndjson',
      // The server closes a connection that is not used while the module runs here.
      connection: 'close',
    },
    body: JSON.stringify(request),
  });
  return lastLine(await response.text());
}

/** The text of an answer without what differs from run to run. */
const timeless = (text) => text.replace(/"seconds":[\d.e+-]+/g, '');

/** Random numbers that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** How many questions the server is asked at the same time. */
const AT_ONCE = 20;

/** Asks both engines `[name, request]` questions, and compares their answers, which are returned. */
async function same(tab, ...questions) {
  const texts = [];
  for (let from = 0; from < questions.length; from += AT_ONCE) {
    const some = questions.slice(from, from + AT_ONCE);
    const answers = await Promise.all(some.map(([name, request]) => native(name, request)));
    some.forEach(([name, request], place) => {
      const one = timeless(tab.ask(name, request));
      const other = timeless(answers[place]);
      check(
        one === other,
        `${name} ${JSON.stringify(request)}:\nin the tab ${one.slice(0, 600)}\n` +
          `native     ${other.slice(0, 600)}`,
      );
      texts.push(one);
    });
  }
  return texts;
}

/** Games with as many states take longer than a second in the tab. */
const SLOW = 1_000_000;

/** Games with more states have a smaller goal where every state is computed, not looked up. */
const SMALL = 10_000;

/** The number of states of a game: each memory of a player is there twice. */
const statesOf = ({ goal, memories }) =>
  memories.reduce((all, { max, of }) => all * (max + 1) ** (of === 'player' ? 2 : 1), goal ** 2);

/** A value for each memory of a game. */
function memoryOf({ memories }, random) {
  const names = memories.flatMap(({ name, max, of }) =>
    (of === 'player' ? [name, `opponent_${name}`] : [name]).map((one) => [one, max]),
  );
  return Object.fromEntries(names.map(([name, max]) => [name, random(max + 1)]));
}

/** The questions about a game whose answers are compared. */
function questionsOf(shown, random) {
  const { id: rules, goal, max_dice: most } = shown;
  const maps = shown.memories.length ? 3 : 1;
  // Every pair of scores: the best rolls and the win rates of 10,000 positions in most games.
  const map = () => ['map', { rules, memory: memoryOf(shown, random), layers: ['spread'] }];
  const best = () => {
    const scores = { score: random(goal), opponent: random(goal) };
    return ['best', { rules, ...scores, memory: memoryOf(shown, random) }];
  };
  const upTo = (number) => ({ rules, goal: Math.min(goal, number) });
  const game = statesOf(shown) > SMALL ? upTo(30) : { rules };
  const asked = { ...game, strategy: 'always_roll:1', against: 'optimal' };
  const rolls = Array.from({ length: most }, (_, dice) => `always_roll:${dice + 1}`);
  const entrants = ['optimal', 'beat:always_roll:1', ...rolls].slice(0, 10);
  return [
    ...Array.from({ length: maps }, map),
    ...Array.from({ length: 10 }, best),
    ['rate', asked],
    ['try', asked],
    ['describe', upTo(20)],
    ['solve', { ...upTo(20), fraction: true }],
    ['contest', { ...upTo(30), entrants }],
  ];
}

if (SITE) {
  test('the engine of the tab gives the documents of the native one', async () => {
    const tab = await Tab.start();
    await same(tab, ['rules/list', {}], ['rules/functions', {}]);
    const { games } = JSON.parse(tab.ask('rules/list')).result;
    let compared = 0;
    for (const { id: rules } of games) {
      tab.load(rules);
      await same(tab, ['rules/show', { rules }]);
      const { result: shown } = JSON.parse(tab.ask('rules/show', { rules }));
      if (statesOf(shown) >= SLOW) continue;
      compared += 1;
      const texts = await same(tab, ...questionsOf(shown, numbers(compared)));
      const refused = texts.find((text) => !text.startsWith('{"type":"result",'));
      check(!refused, `${rules}: ${refused}`);
    }
    check(compared > 30, `only ${compared} games were compared`);
  });

  test('contests, games, rule files and files of strategies are the same in the tab', async () => {
    const tab = await Tab.start();
    tab.load('fa21');
    const csv = Array.from({ length: 100 }, (_, score) => Array.from({ length: 100 }, (_, other) => (score + other) % 8).join(',')).join('\n');
    const files = [{ name: 'a.csv', text: csv }, { name: 'b.csv', text: csv.replaceAll('7', '2') }];
    const entrants = ['optimal', 'baseline', 'always_roll:4', 'always_roll:5', 'always_roll:6', 'beat:always_roll:6', 'bacon_strategy:8,6'];
    await same(tab, ['contest', { rules: 'fa21', entrants, files }]);
    await same(tab, ['try', { rules: 'fa21', strategy: 'a.csv', files }]);
    await same(tab, ['try', { rules: 'fa21', strategy: 'b.csv', files }]);
    await same(tab, ['play', { rules: 'fa21', players: ['optimal', 'a.csv'], seed: 7, files }]);
    await same(tab, ['why', { rules: 'fa21', score: 20, opponent: 36 }]);
    await same(tab, ['tune', { rules: 'fa21', strategy: 'always_roll:1..10' }]);
    await same(tab, ['compare', { rules: 'fa21', other: 'sp22' }]);
    const file = 'id = "mine"\ngoal = 30\nmax_dice = 3\n';
    await same(tab, ['map', { file }]);
    await same(tab, ['solve', { file, fraction: true }]);
    await same(tab, ['best', { rules: 'fa21', score: 200, opponent: 0 }]);
    await same(tab, ['rules/check', { file: 'goal = "x"\n' }]);
    await same(tab, ['best', { rules: 'nothing', score: 0, opponent: 0 }]);
  });

  test('what the site knows without its engine is what the engine answers', async () => {
    const tab = await Tab.start();
    const { games } = JSON.parse(readFileSync(join(SITE, 'engine.json'), 'utf8'));
    check(games.su26 === 'fa23' && Object.keys(games).length > 50, Object.keys(games).join(' '));
    for (const id of ['list', ...new Set(Object.values(games))]) {
      tab.load(id);
      const known = JSON.parse(gunzipSync(readFileSync(join(SITE, 'answers', `${id}.json.gz`))));
      for (const [name, answer] of Object.entries(known)) {
        const { result } = JSON.parse(tab.ask(name, id === 'list' ? {} : { rules: id }));
        check(JSON.stringify(answer) === JSON.stringify(result), `${name} ${id}`);
      }
    }
  });

  test('a shipped game and its positions are shown while the engine is loading', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    let arrive;
    const late = new Promise((done) => { arrive = done; });
    await page.route('**/engine.wasm.gz', async (request) => {
      await late;
      await request.continue();
    });
    await page.goto(`${server.url}#/explore/fa21`);
    await seeText(page, 'Whoever moves first wins 53.44 %');
    await page.goto(`${server.url}#/explore/fa21/20/36`);
    await page.locator('.verdict', { hasText: 'Roll 8: you win 39.66 %' }).waitFor();
    await seeText(page, 'The other rolls are being computed');
    arrive();
    await seeText(page, 'Why 8 dice rather than 7');
    server.close();
    // A view that needs the engine says how far it is.
    const slow = await plainServer(SITE, { rate: 1e6 });
    const other = await open();
    await other.goto(`${slow.url}#/play/fa21`);
    await seeText(other, /Loading the engine: \d0 %/);
    await seeText(other, 'How many dice will you roll?');
    check((await other.locator('#gone').textContent()) === '', 'it is there');
    slow.close();
  });

  /** Writes a file for the page and drops it into the first field for files. */
  const drop = async (page, name, text) => {
    const path = join(SCRATCH, name);
    writeFileSync(path, text);
    await page.locator('input[type=file]').first().setInputFiles(path);
  };

  test('a site on a plain host has every view', async () => {
    const server = await plainServer(SITE);
    const page = await open({ reducedMotion: 'reduce' });
    page.on('request', (request) => { if (request.url().includes('/api/')) page.faults.push(request.url()); });
    await page.goto(server.url);
    await seeText(page, 'Whoever moves first wins');
    // A rule file that was put into the folder: three points, one die, worked out by hand: 997/1296.
    writeFileSync(join(SITE, 'games/race.toml'), "id = 'race'\ngoal = 3\nmax_dice = 1\n");
    await page.goto(`${server.url}#/explore/race`);
    await seeText(page, 'Whoever moves first wins 76.93 %');
    // It is not edited: what it is like is told of it alone.
    await page.goto(`${server.url}#/rules/race`);
    await seeText(page, 'The best rolls are those of race');
    await page.getByText('What the game is like').click();
    await page.locator('.more tr', { hasText: 'Turns of a game, on average' }).waitFor();
    check((await page.locator('.more thead th').allInnerTexts()).join() === 'Both play optimally,now', 'no other game');
    await page.goto(`${server.url}#/explore/fa21/20/36`);
    await seeText(page, '39.66 %');
    await seeText(page, 'Why 8 dice rather than 7');
    await shot(page, 'tab-explore');
    await page.getByRole('link', { name: 'Play', exact: true }).click();
    await seeText(page, 'How many dice will you roll?');
    for (let turn = 0; turn < 80 && !await page.locator('.ended .answer').count(); turn += 1) {
      await page.keyboard.press('6');
      await page.waitForTimeout(100);
    }
    await seeText(page, 'of win rate in all');
    await page.goto(`${server.url}#/rules/fa21`);
    await seeText(page, 'Who moves first wins');
    const text = await page.locator('textarea').inputValue();
    await page.locator('textarea').fill(text.replace('goal = 100', 'goal = 50'));
    await seeText(page, 'The goal is 50 instead of 100.');
    await shot(page, 'tab-rules');
    server.close();
  });

  test('every view of the site fits the screen, is accessible and does not shift', async () => {
    const server = await plainServer(SITE);
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' }]) {
      for (const [view, text] of Object.entries({ '': 'Whoever moves first wins', ...VIEWS })) {
        const page = await open({ bypassCSP: true, ...options });
        await page.goto(view ? `${server.url}#/${view}` : server.url);
        await seeText(page, text);
        await page.waitForTimeout(300);
        const sum = await shifts(page);
        check(sum < 0.1, `${view} shifts by ${sum}`);
        await fits(page, view);
        // The coach loads Python, which needs the policy that is bypassed here.
        page.faults = page.faults.filter((fault) => !fault.includes('web workers'));
      }
    }
    server.close();
  });

  test('Python files are rated in the tab, again after each change, with the refusals of the command', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/coach/fa21`);
    const rated = async (text, told) => {
      await drop(page, 'hog.py', text);
      await seeText(page, told);
    };
    await rated('def final_strategy(score, opponent_score):\n    return 6\n', '50.00 %');
    await rated('def final_strategy(score, opponent_score):\n    return 4 if score > 50 else 6\n', '49.22 %');
    await shot(page, 'tab-coach');
    await rated('import random\ndef final_strategy(score, opponent_score):\n    return random.randint(0, 10)\n', 'random.randint');
    await rated('def final_strategy(score, opponent_score):\n    return score / 2\n', 'returns 0.0');
    await rated('def final_strategy(score, opponent_score)\n    return 6\n', 'line 1');
    await rated('def final_strategy(score, opponent_score):\n    while True: pass\n', 'Asking your');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await seeText(page, 'Cancelled.');
    // With the scores and the line, as by the command, also in a loop of several lines.
    const turns = 'def final_strategy(score, opponent_score):\n    turns = 0\n';
    const endless = `${turns}    while score < 100:\n        turns += 1\n    return 5\n`;
    await rated(endless, 'it never ends');
    const told = await page.locator('main').innerText();
    check(/at 0 to 0: it never ends: nothing in the while loop in line 3/.test(told), told);
    // A loop that looks so and ends is no fault.
    await rated(`${turns}    while score > 99:\n        turns += 1\n    return 5\n`, 'positions reached');
    await rated('def final_strategy(score, opponent_score):\n    return 5\n', 'positions reached');
    server.close();
  });

  test('what a hostile file tries in the tab stays in it', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/coach/fa21`);
    const tried = async (body, told) => {
      await drop(page, 'hog.py', `def final_strategy(score, opponent_score):\n${body.split('\n').map((line) => `    ${line}\n`).join('')}`);
      await seeText(page, told);
    };
    await page.evaluate(() => localStorage.setItem('secret', 'grades'));
    // What cannot be imported or called is told as an exception; nothing is asked of any server.
    await tried('import urllib.request\nurllib.request.urlopen("http://127.0.0.1:1/x")', 'raises');
    await tried(
      'import js\nreturn len(js.localStorage.getItem("secret"))',
      'AttributeError: localStorage',
    );
    await tried('import js\nreturn len(js.parent.document.title)', 'AttributeError: parent');
    await tried('import js\njs.fetch("/x")', 'AttributeError: fetch');
    // Pyodide's own functions lead to JavaScript; there the policy of the frame still holds.
    const attempts = `
      const found = [];
      const attempt = (what, work) => {
        try { found.push(what + ' ' + work()); } catch (error) { found.push(what + ' fails'); }
      };
      const address = '${server.url}x?';
      attempt('importScripts', () => WorkerGlobalScope.prototype.importScripts.call(self, address + 1));
      attempt('fetch', () => { WorkerGlobalScope.prototype.fetch.call(self, address + 2).catch(() => {}); });
      attempt('import', () => { import(address + 3).catch(() => {}); });
      attempt('XMLHttpRequest', () => new XMLHttpRequest());
      attempt('Worker', () => new Worker(address + 4));
      attempt('indexedDB', () => WorkerGlobalScope.prototype.indexedDB.open('hog'));
      attempt('parent', () => parent.document);
      return found.join(', ');`;
    const script = attempts.replaceAll('\n', ' ').replaceAll("'", "\\'");
    await tried(
      `import pyodide_js\nraise ValueError(pyodide_js.toPy.constructor('${script}')())`,
      'importScripts fails, fetch undefined, import undefined, XMLHttpRequest fails, ' +
        'Worker fails, indexedDB fails, parent fails',
    );
    // Messages of its own: what later runs would begin with, and a reason of any length.
    const byMessage = (message) => `import pyodide_js
pyodide_js.toPy.constructor('postMessage(${message})')()
return 6`;
    await tried(byMessage('{ snapshot: new Uint8Array(8) }'), 'it sends messages of its own');
    await tried(byMessage('{ out: new Uint8Array(8), more: 1 }'), 'it sends messages of its own');
    // A small part of a buffer takes the whole with it.
    const part = '{ out: new Uint8Array(new ArrayBuffer(1 << 24), 0, 0) }';
    await tried(byMessage(part), 'it prints too much');
    await tried(byMessage('{ end: "ha".repeat(25000000) }'), 'hahaha');
    const shown = await page.evaluate(() => document.body.textContent.length);
    check(shown < 10_000, `the page shows ${shown} characters`);
    await tried('from pyodide.code import run_js\nrun_js("fetch(\'/x\')")\nreturn 6', 'ImportError');
    // Four gigabytes.
    await tried('return len([bytearray(1 << 28) for _ in range(16)])', '1024 MiB');
    await tried('for _ in iter(int, 1): pass', '10 s');
    const made = server.asked.filter((one) => /\/x(\?|$)/.test(one));
    check(made.length === 0, `requests were made: ${made}`);
    // The page still answers.
    await tried('return 5', 'positions reached');
    await shot(page, 'tab-hostile');
    // The last one: what it has sent keeps the frame busy for a while.
    const flood = 'for (;;) postMessage({ out: new Uint8Array(0) })';
    await tried(`import pyodide_js\npyodide_js.toPy.constructor('${flood}')()`, 'it prints too much');
    page.faults = page.faults.filter((fault) => !/Content Security Policy|violates|fetch/i.test(fault));
    server.close();
  });

  test('in a contest in the tab a file that loops loses itself', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/contest/fa21`);
    const files = Array.from({ length: 7 }, (_, i) => [`student${i}.py`, `def final_strategy(score, opponent_score):\n    return ${i % 11}\n`]);
    files.push(['looper.py', 'def final_strategy(score, opponent_score):\n    while True: pass\n']);
    const paths = files.map(([name, text]) => {
      const path = join(SCRATCH, name);
      writeFileSync(path, text);
      return path;
    });
    await page.locator('input[type=file]').first().setInputFiles(paths);
    await seeText(page, '8 files');
    await page.getByRole('button', { name: 'Start the contest' }).click();
    await seeText(page, 'no win rate differs');
    await seeText(page, 'looper.py: at 0 to 0: it never ends');
    await page.locator('.ranking tbody tr', { hasText: 'student4' }).waitFor();
    await shot(page, 'tab-contest');
    server.close();
  });

  test('an export with Python files and a roster is played in the tab', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/contest/fa21?goal=20`);
    const strategy = (dice) => `import numbers_of\ndef final_strategy(score, opponent_score):\n    return numbers_of.${dice}\n`;
    const archive = zip([
      ['export/submission_metadata.yml', 'submission_7:\n  :submitters:\n  - :name: Ada Lovelace\n    :email: ada@example.edu\n'],
      ['export/submission_7/hog.py', strategy('MANY')],
      ['export/submission_7/numbers_of.py', 'MANY = 5\n'],
      ['export/submission_8/hog.py', strategy('FEW')],
      ['export/submission_8/numbers_of.py', 'FEW = 3\n'],
    ]);
    await drop(page, 'export.zip', archive);
    await seeText(page, '5 files');
    await page.getByRole('button', { name: 'Start the contest' }).click();
    await page.getByRole('button', { name: 'Ada Lovelace', exact: true }).waitFor({ timeout: 180_000 });
    check((await page.locator('.ranking tbody tr').count()) === 2, 'both, and nobody else');
    await seeText(page, '2 files do not take part');
    server.close();
  });

  test('two sites on one host keep both', async () => {
    const folder = join(SCRATCH, 'two');
    mkdirSync(join(folder, 'other'), { recursive: true });
    symlinkSync(SITE, join(folder, 'one'));
    for (const name of readdirSync(SITE).filter((one) => one !== 'service.js'))
      symlinkSync(join(SITE, name), join(folder, 'other', name));
    const service = readFileSync(join(SITE, 'service.js'), 'utf8');
    writeFileSync(join(folder, 'other/service.js'), service.replace(/BUILD = '\w+'/, "BUILD = 'other'"));
    const server = await plainServer(folder);
    const page = await open();
    for (const name of ['one', 'other']) {
      await page.goto(`${server.url}${name}/#/rules/fa21`);
      await until(page, () => navigator.serviceWorker.controller !== null);
    }
    const names = await page.evaluate(() => caches.keys());
    check(names.length === 2, `kept are ${names}`);
    server.close();
  });

  test('a site works offline after the first visit', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/explore/fa21/20/36`);
    await seeText(page, '39.66 %');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await until(page, () => navigator.serviceWorker.controller !== null);
    // Asked again, so that the table is kept too.
    await page.reload();
    await seeText(page, '39.66 %');
    await page.context().setOffline(true);
    await page.reload();
    await seeText(page, '39.66 %');
    await page.locator('#version', { hasText: 'hog 0.' }).waitFor();
    server.close();
  });
}
