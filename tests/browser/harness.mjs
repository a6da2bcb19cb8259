// The test harness: a browser, a running `hog serve`, and tests that run one after another.

import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';

export const HOG = process.env.HOG;
export const SHOTS = process.env.HOG_SHOTS;
/** The folder that scripts/site made; without it the tests of the tab are skipped. */
export const SITE = process.env.HOG_SITE;
if (!HOG || !SHOTS) throw new Error('set HOG to the program and HOG_SHOTS to the folder for screenshots, as tests/browser.rs does');
mkdirSync(SHOTS, { recursive: true });
export const SCRATCH = mkdtempSync(join(tmpdir(), 'hog-browser-'));

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const tests = [];

export const test = (name, run) => tests.push([name, run]);

export function check(well, what) {
  if (!well) throw new Error(what);
}

/** Runs a hog command and returns its output. */
export function hog(...words) {
  const { status, stderr, stdout } = spawnSync(HOG, words, { encoding: 'utf8' });
  check(status === 0, `hog ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** All servers that were started: those of a test that has failed would keep the caller waiting. */
const servers = [];

/** Starts `hog serve`, on a free port if none is named. */
export async function serve(port = 0) {
  const child = spawn(HOG, ['serve', '--port', `${port}`, '--format', 'json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.push(child);
  const [line] = await Promise.all([new Promise((done) => { createInterface(child.stdout).once('line', done); })]);
  return { child, url: JSON.parse(line).url };
}

const KINDS = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.mjs': 'text/javascript', '.webmanifest': 'application/manifest+json', '.svg': 'image/svg+xml', '.json': 'application/json' };

/** What a host packs on its way. */
const IS_TEXT = /^(text|application\/(json|manifest))|svg/;

/**
 * Starts a web server that only serves the files of a folder, at /courses/hog/. `asked` has the
 * paths of the requests, `sent` the bytes of the answers; with `rate`, in bytes per second, it sends
 * no faster, one piece after the other, and packs texts. `headers` are sent with every answer.
 */
export async function plainServer(folder, { rate = null, headers = {} } = {}) {
  const base = '/courses/hog/';
  const site = { asked: [], sent: 0 };
  let line = Promise.resolve();
  const slowly = async (response, bytes) => {
    for (let at = 0; at < bytes.length; at += 4096) {
      const piece = bytes.subarray(at, at + 4096);
      line = line.then(() => wait((1000 * piece.length) / rate));
      await line;
      response.write(piece);
    }
    response.end();
  };
  const server = createServer((request, response) => {
    site.asked.push(request.url);
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    try {
      if (!path.startsWith(base)) throw new Error('elsewhere');
      const inner = path.slice(base.length);
      const isFolder = inner === '' || inner.endsWith('/');
      const file = join(folder, isFolder ? `${inner}index.html` : inner);
      const plain = readFileSync(file);
      const kind = KINDS[extname(file)] ?? 'application/octet-stream';
      const isPacked = rate !== null && IS_TEXT.test(kind);
      const bytes = isPacked ? gzipSync(plain) : plain;
      site.sent += bytes.length;
      const packing = isPacked ? { 'content-encoding': 'gzip' } : {};
      response.writeHead(200, { 'content-type': kind, ...packing, ...headers });
      if (rate === null) response.end(bytes);
      else slowly(response, bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const { port } = server.address();
  site.url = `http://127.0.0.1:${port}${base}`;
  site.close = () => server.close();
  return site;
}

/** Opens a page in a new browser context; every console message, error and request to another server is a fault. */
export async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.faults = [];
  await page.addInitScript(() => {
    // The colours of a canvas of the page; a copy is read, so that the page's own stays where it is.
    window.pixels = (canvas) => {
      const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
      const context = copy.getContext('2d', { willReadFrequently: true });
      context.drawImage(canvas, 0, 0);
      return context.getImageData(0, 0, copy.width, copy.height).data;
    };
  });
  page.on('console', (message) => page.faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:') && !request.url().startsWith('blob:')) page.faults.push(`request to another server: ${request.url()}`);
  });
  opened.push(page);
  return page;
}

/** How long a test waits for what must come, in milliseconds: long enough for a busy machine. */
const PATIENCE = Number(process.env.HOG_PATIENCE ?? 180_000);

export const until = (page, script, value) =>
  page.waitForFunction(script, value, { timeout: PATIENCE });
export const seeText = (page, text) => page.getByText(text).first().waitFor({ timeout: PATIENCE });

export const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });

/** A view of each kind, with a text that is there when it is complete. */
export const VIEWS = {
  'explore/fa21/20/36': 'What follows',
  'play/fa21?seed=7': 'How many dice',
  'rules/fa21': 'worked examples hold',
  'coach/fa21?strategy=always_roll:5': 'Worst positions',
  'contest/fa21': 'Start the contest',
};

export const PHONE = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true };

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Checks that a page fits the screen and has no serious fault of accessibility; needs `bypassCSP`. */
export async function fits(page, view) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${view} is ${wide} pixels too wide`);
  await page.addScriptTag({ path: AXE });
  const { violations } = await page.evaluate(() => axe.run());
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const told = ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(' ')}`;
  check(serious.length === 0, `${view}: ${serious.map(told).join('\n')}`);
}

/** The sum of the layout shifts of a page so far, as browsers measure it. */
export const shifts = (page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => done(sum), 100);
      }),
  );

let browser;
let opened = [];
export let url;

export async function runAll() {
  const server = await serve();
  url = server.url;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGUMENTS });
  let failed = 0;
  // HOG_ONLY=contest runs the tests with this word in their names.
  const chosen = tests.filter(([name]) => name.includes(process.env.HOG_ONLY ?? ''));
  for (const [name, run] of chosen) {
    opened = [];
    const began = Date.now();
    const seconds = () => `${((Date.now() - began) / 1000).toFixed(1).padStart(5)} s`;
    try {
      await run();
      for (const page of opened) check(page.faults.length === 0, page.faults.join('\n'));
      console.log(`ok    ${seconds()}  ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${seconds()}  ${name}\n${error.stack}`);
      for (const page of opened) await shot(page, `failed-${name.replaceAll(' ', '-')}`).catch(() => {});
    }
    for (const page of opened) await page.context().close();
  }
  await browser.close();
  servers.forEach((child) => child.kill());
  rmSync(SCRATCH, { recursive: true, force: true });
  console.log(`${chosen.length - failed} of ${chosen.length} passed; screenshots in ${SHOTS}`);
  process.exit(failed ? 1 : 0);
}
