// Tests of a page whose server has stopped: it goes on by the engine that it has kept, or waits.

import { once } from 'node:events';
import { check, hog, open, seeText, serve, shot, test, until, url } from './harness.mjs';

/** Ends a server and waits until it has gone. */
async function kill({ child }) {
  child.kill();
  await once(child, 'exit');
}

/** Starts a server again where it was. */
const again = (server) => serve(Number(new URL(server.url).port));

/** A failed connection is what these tests are about. */
const forgive = (page) => {
  page.faults = page.faults.filter((fault) => !/ERR_|Failed to load/.test(fault));
};

const PYTHON = {
  name: 'hog.py',
  mimeType: 'text/x-python',
  buffer: Buffer.from('def final_strategy(score, opponent_score):\n    return 5\n'),
};

test('without an engine of its own, the page waits for the server and asks again', async () => {
  let server = await serve();
  const page = await open({ reducedMotion: 'reduce' });
  // Some programs contain the engine for the tab; this page is not told.
  await page.route(`${server.url}coach/**`, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    await route.fulfill({ response, body: body.replace('"both"', '"server"') });
  });
  await page.goto(`${server.url}coach/fa21?goal=30`);
  // While requests are looked at, those for /favicon.ico fail, by which the page finds the server.
  await page.unroute(`${server.url}coach/**`);
  await page.locator('input[type=file]').first().setInputFiles(PYTHON);
  await seeText(page, 'hog.py against baseline');
  // The page has all its parts, also those that were not shown yet.
  await page.waitForLoadState('networkidle');
  await kill(server);
  await page.getByRole('link', { name: 'Contest', exact: true }).click();
  await page.getByRole('button', { name: 'Add hog.py' }).click();
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, 'this page keeps all, and goes on');
  await shot(page, 'server-gone');
  server = await again(server);
  await page.locator('.ranking tbody tr', { hasText: 'hog' }).waitFor();
  check((await page.locator('#gone').innerText()) === '', 'the message is gone');
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'How many dice will you roll?');
  await kill(server);
  await page.keyboard.press('4');
  await seeText(page, 'The server has stopped');
  server = await again(server);
  await page.locator('.told .points').first().waitFor();
  forgive(page);
  server.child.kill();
});

test('with an engine of its own, the page goes on in the tab', async () => {
  if (!(await fetch(`${url}engine.json`)).ok) {
    console.log('      skipped: the program was built without HOG_TAB');
    return;
  }
  let server = await serve();
  const page = await open({ reducedMotion: 'reduce' });
  const asked = [];
  page.on('requestfinished', (request) => asked.push(request.url()));
  await page.goto(`${server.url}explore/fa21`);
  await seeText(page, 'Whoever moves first wins');
  await page.waitForLoadState('networkidle');
  check(asked.filter((place) => place.endsWith('engine.wasm.gz')).length === 1, `${asked}`);
  await kill(server);
  // Another game, which the tab solves.
  await page.locator('#game').selectOption('pig');
  const { win_rate: first } = JSON.parse(hog('best', 'pig', '0', '0', '--format', 'json'));
  await seeText(page, `Whoever moves first wins ${(first * 100).toFixed(2)} %`);
  await seeText(page, 'this page goes on without it');
  await shot(page, 'server-gone-tab');
  await page.locator('#views').getByText('Play').click();
  await seeText(page, 'How many dice will you roll?');
  await page.keyboard.press('1');
  await page.locator('.told .points').first().waitFor();
  await page.getByRole('link', { name: 'Coach', exact: true }).click();
  await page.getByLabel('Or a strategy by name', { exact: true }).fill('hold_at:20');
  await page.getByRole('button', { name: 'Analyse' }).click();
  const rated = hog('rate', 'pig', 'hold_at:20', '--against', 'optimal', '--format', 'json');
  await seeText(page, `${(JSON.parse(rated).win_rate.average * 100).toFixed(2)} %`);
  // The worker of a question that is ended is replaced, more often than there are workers.
  await page.getByRole('link', { name: 'Contest', exact: true }).click();
  const names = page.getByLabel('Strategies by name');
  for (const more of ['20', '21', '22']) {
    await names.fill(`optimal beat:hold_at:${more} beat:hold_at:23 beat:hold_at:24`);
    await page.getByRole('button', { name: 'Start the contest' }).press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await seeText(page, 'Cancelled.');
  }
  await page.locator('#game').selectOption('fa21');
  await until(page, () => location.pathname === '/contest/fa21');
  await names.fill('optimal baseline');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '1 pair;');
  // Python waits for the server, which is asked everything again from then on.
  await page.getByRole('link', { name: 'Coach', exact: true }).click();
  // The contest takes files, too, until the coach is shown.
  await seeText(page, 'Drop your hog.py or a table of rolls');
  await page.locator('input[type=file]').first().setInputFiles(PYTHON);
  await seeText(page, 'Python files wait');
  asked.length = 0;
  server = await again(server);
  await seeText(page, 'hog.py against baseline');
  check((await page.locator('#gone').innerText()) === '', 'the message is gone');
  check(asked.some((place) => place.includes('/api/v1/')), `${asked}`);
  asked.length = 0;
  await page.getByRole('link', { name: 'Explore', exact: true }).click();
  await page.locator('#game').selectOption('fa19');
  await until(page, () => location.pathname === '/explore/fa19' && !document.querySelector('.stale'));
  await seeText(page, 'Whoever moves first wins');
  check(asked.some((place) => place.endsWith('/api/v1/map')), `${asked}`);
  forgive(page);
  server.child.kill();
});
