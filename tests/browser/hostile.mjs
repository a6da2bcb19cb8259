// Pages of other sites that want to reach the page, and the frame in which it runs Python files.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { SCRATCH, SITE, check, open, plainServer, seeText, shot, test, url } from './harness.mjs';

/** Starts a server of another site, whose only page has this body. */
async function otherSite(body) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><meta charset="utf-8"><title>Another site</title>${body}`);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/**
 * Sends a window what the page sends its frame, with programs of its own, as one message and by a
 * port, and returns what comes back. Runs in a page of another site.
 */
async function takeOver(target) {
  const heard = [];
  const program = 'onmessage = () => postMessage({ end: "taken over" })';
  const scripts = { worker: program, pyodide: '', python: '' };
  // The shortest module there is.
  const module = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  const prepare = { scripts, module, library: new Uint8Array(), lock: '{}' };
  const run = { hashes: '3', seconds: 1, harness: '', input: new Uint8Array(), files: [] };
  for (const message of [{ prepare }, run, 'port']) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => heard.push(JSON.stringify(data));
    target.postMessage(message, '*', [port2]);
    port1.postMessage({ prepare });
    port1.postMessage({ run }, [new MessageChannel().port2]);
    await new Promise((done) => setTimeout(done, 1000));
  }
  return heard;
}

/** The headers that docs/page.md asks a host to send. */
const HEADERS = {
  'content-security-policy': "frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const FILE = (dice) => `def final_strategy(score, opponent_score):\n    return ${dice}\n`;

if (SITE) {
  test('a site that has opened the page cannot answer in place of its Python files', async () => {
    const site = await plainServer(SITE);
    const other = await otherSite(`<script>${takeOver}</script>`);
    const page = await open();
    await page.goto(other.url);
    const opening = page.context().waitForEvent('page');
    await page.evaluate((address) => { window.opened = window.open(address); }, `${site.url}#/coach/fa21`);
    const coach = await opening;
    const rated = async (dice, told) => {
      writeFileSync(join(SCRATCH, 'hog.py'), FILE(dice));
      await coach.locator('input[type=file]').first().setInputFiles(join(SCRATCH, 'hog.py'));
      await seeText(coach, told);
    };
    await rated(6, '50.00 %');
    check(await page.evaluate(() => window.opened.length) === 1, 'the page has a frame');
    const heard = await page.evaluate(() => takeOver(window.opened.frames[0]));
    check(heard.length === 0, `the frame answers: ${heard}`);
    await rated(4, 'positions reached');
    check(await coach.getByText('taken over').count() === 0, 'the other site answers');
    site.close();
    other.close();
  });

  test('the document of the frame runs nothing for another site', async () => {
    const site = await plainServer(SITE);
    const address = `${site.url}page/python.html`;
    const frames = `<iframe src="${address}"></iframe><iframe sandbox="allow-scripts" src="${address}"></iframe>`;
    const other = await otherSite(`<script>${takeOver}</script>${frames}`);
    const page = await open();
    await page.goto(other.url);
    const opening = page.context().waitForEvent('page');
    await page.evaluate((to) => { window.opened = window.open(to); }, address);
    await (await opening).waitForLoadState();
    for (const target of ['frames[0]', 'frames[1]', 'opened']) {
      const heard = await page.evaluate(`takeOver(${target})`);
      check(heard.length === 0, `${target} answers: ${heard}`);
    }
    site.close();
    other.close();
  });

  test('the page does not run inside a page of another site', async () => {
    const site = await plainServer(SITE);
    const other = await otherSite(`<iframe width="900" height="600" src="${site.url}#/coach/fa21"></iframe>`);
    const page = await open();
    await page.goto(other.url);
    const frame = page.frameLocator('iframe');
    await frame.getByText('Open hog in a window of its own').waitFor();
    await page.waitForTimeout(500);
    check(await frame.locator('input').count() === 0, 'there is nothing to drop a file on');
    await shot(page, 'hostile-framed');
    site.close();
    other.close();
  });
}

if (SITE) {
  test('with the headers that a host should send, the page works and another site reaches nothing', async () => {
    const site = await plainServer(SITE, { headers: HEADERS });
    const page = await open();
    await page.goto(`${site.url}#/coach/fa21`);
    writeFileSync(join(SCRATCH, 'hog.py'), FILE(6));
    await page.locator('input[type=file]').first().setInputFiles(join(SCRATCH, 'hog.py'));
    await seeText(page, '50.00 %');
    const other = await otherSite(`<iframe src="${site.url}page/python.html"></iframe>`);
    const hostile = await open();
    await hostile.goto(other.url);
    await hostile.evaluate((to) => { window.opened = window.open(to); }, site.url);
    await hostile.waitForFunction(() => window.opened.closed);
    check(hostile.faults.some((fault) => fault.includes('frame-ancestors')), 'the frame is refused');
    hostile.faults = [];
    site.close();
    other.close();
  });
}

test('the server lets no other page frame its own', async () => {
  const other = await otherSite(`<iframe src="${url}coach/fa21"></iframe>`);
  const page = await open();
  await page.goto(other.url);
  await page.waitForTimeout(500);
  check(await page.frameLocator('iframe').locator('header').count() === 0, 'nothing is shown');
  check(page.faults.some((fault) => fault.includes('frame-ancestors')), 'the policy refuses it');
  page.faults = [];
  other.close();
});
