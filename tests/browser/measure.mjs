// Measures the sizes and times of the site for benches/README.md: node measure.mjs, with the variables of run.mjs.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH, SITE, open, plainServer, runAll, seeText, test, until } from './harness.mjs';

/** A slow line: 1.6 Mbit/s. */
const SLOW = 200_000;

/** As fast as this machine can, with the texts packed. */
const FAST = 1e9;

const kB = (bytes) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
const tell = (what, value) => console.log(`${what}: ${value}`);

/** Opens the map of fa21 without a copy in the browser; returns the page and the server. */
async function opened(rate, slower = 1) {
  const server = await plainServer(SITE, { rate });
  const page = await open();
  // The copy for later visits is not part of the first answer.
  await page.addInitScript(() => delete Navigator.prototype.serviceWorker);
  if (slower > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  }
  const began = performance.now();
  await page.goto(`${server.url}#/explore/fa21`);
  await seeText(page, 'Whoever moves first wins');
  return { page, server, took: performance.now() - began };
}

test('bytes, and the first answer', async () => {
  const { page, server, took } = await opened(FAST);
  const paint = await page.evaluate(() => {
    const [first] = performance.getEntriesByName('first-contentful-paint');
    const entries = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ];
    const sum = (loaded) => loaded.reduce((all, entry) => all + entry.transferSize, 0);
    return {
      bytes: sum(entries.filter((entry) => entry.responseEnd <= first.startTime)),
      at: first.startTime,
      // The engine is loaded after it.
      answer: sum(entries.filter((entry) => !entry.name.endsWith('engine.wasm.gz'))),
    };
  });
  tell('bytes before the first paint', kB(paint.bytes));
  tell('first paint', `${Math.round(paint.at)} ms`);
  tell('bytes before the first answer', kB(paint.answer));
  tell('first answer', `${Math.round(took)} ms`);
  server.close();
});

test('the first answer on a slow line', async () => {
  const { server, took } = await opened(SLOW, 4);
  tell('first answer at 1.6 Mbit/s, processor four times slower', `${(took / 1000).toFixed(1)} s`);
  server.close();
});

test('from key to map', async () => {
  const { page, server } = await opened(FAST);
  await page.goto(`${server.url}#/rules/fa21`);
  await seeText(page, 'worked examples hold');
  const times = [];
  for (let goal = 101; goal < 112; goal += 1) {
    times.push(
      await page.evaluate(
        (number) =>
          new Promise((done) => {
            const area = document.querySelector('textarea');
            const map = document.querySelector('.map');
            const began = performance.now();
            const observer = new MutationObserver(() => {
              if (map.classList.contains('stale')) return;
              observer.disconnect();
              done(performance.now() - began);
            });
            area.value = area.value.replace(/goal = \d+/, `goal = ${number}`);
            area.dispatchEvent(new Event('input'));
            observer.observe(map, { attributes: true });
          }),
        goal,
      ),
    );
    // What follows the map, the worked examples and the description, is computed then.
    await until(page, () => !document.querySelector('.stale'));
  }
  tell('from key to map, fa21, median', `${Math.round(median(times))} ms`);
  tell('from key to map, fa21, least', `${Math.round(Math.min(...times))} ms`);
  server.close();
});

test('from drop to rate', async () => {
  const { page, server } = await opened(FAST);
  await page.goto(`${server.url}#/coach/fa21`);
  const file = join(SCRATCH, 'hog.py');
  const times = [];
  for (let dice = 1; dice <= 6; dice += 1) {
    writeFileSync(file, `def final_strategy(score, opponent_score):\n    return ${dice}\n`);
    const began = performance.now();
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText('positions reached').waitFor({ timeout: 120_000 });
    times.push(performance.now() - began);
    tell(dice === 1 ? 'from drop to rate, Python not loaded' : 'again', `${(times.at(-1) / 1000).toFixed(2)} s`);
    await page.evaluate(() => document.querySelector('[role=status]').replaceChildren());
    // The interpreters of the next run start.
    await page.waitForTimeout(2000);
  }
  server.close();
});

test('lines of JavaScript', () => {
  const folder = new URL('../../page/', import.meta.url);
  const own = readdirSync(folder).filter((name) => /\.js$/.test(name) && !/^(wasi|toml)-/.test(name));
  const lines = own.map((name) => readFileSync(new URL(name, folder), 'utf8').split('\n').length - 1);
  tell(`lines of JavaScript in ${own.length} files`, lines.reduce((a, b) => a + b));
});

await runAll();
