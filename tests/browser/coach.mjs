// Tests of the coach: the answer first, whatever is dropped wherever, and what to try next.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, SCRATCH, check, fits, hog, open, seeText, shot, test, until, url } from './harness.mjs';
import { drop, rolls, zip } from './own.mjs';

const FILE = `LIMIT = 3

def final_strategy(score, opponent_score):
    return 0 if opponent_score % 10 >= LIMIT else 5
`;

/** Drops a file onto an element, as from another window. */
const dropOnto = (page, selector, name, text) =>
  page.evaluate(
    ([where, called, contents]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([contents], called));
      const event = (kind) => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector(where).dispatchEvent(event('dragover'));
      document.querySelector(where).dispatchEvent(event('drop'));
    },
    [selector, name, text],
  );

test('a file dropped on any view is rated, and the answer comes first', async () => {
  const page = await open({ ...PHONE, bypassCSP: true });
  await page.goto(`${url}explore/fa21`);
  await seeText(page, 'Whoever moves first');
  await dropOnto(page, 'footer', 'mine.txt', rolls(3));
  await page.locator('.answer', { hasText: 'It wins' }).waitFor();
  const high = await page.locator('.answer').first().evaluate((one) => one.getBoundingClientRect().bottom + scrollY);
  check(high < 400, `the rate ends at ${high} pixels`);
  await shot(page, 'coach-answer-phone');
  await fits(page, 'coach');
  await page.setViewportSize({ width: 320, height: 640 });
  await fits(page, 'coach at 320');
});

test('what to change first is a wrong function, then the costliest kind of mistake', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa24`);
  const strategy = 'def final_strategy(score, opponent_score):\n    return 5\n';
  await drop(page, 'hog.py', `def boar_brawl(a, b):\n    return 1\n\n${strategy}`);
  await page.locator('.answer + p', { hasText: 'Next: your boar_brawl(' }).waitFor();
  await drop(page, 'hog.py', strategy);
  await page.locator('.answer + p', { hasText: '“Misses zero dice” costs most: −' }).waitFor();
  await shot(page, 'coach-next');
});

test('archives, other encodings and other semesters are taken as they come', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21`);
  const archive = zip([
    ['hog/hog.py', FILE],
    ['hog/helper.py', 'X = 1\n'],
    ['__MACOSX/hog/._hog.py', ''],
  ]);
  await drop(page, 'hog.zip', archive);
  await seeText(page, 'Your file: hog.py');
  await page.locator('.answer', { hasText: 'It wins' }).waitFor();
  const latin = Buffer.from(`# -*- coding: latin-1 -*-\nNAME = 'é'\n${FILE}`, 'latin1');
  await drop(page, 'latin.py', latin);
  await seeText(page, 'latin.py against baseline');
  check((await page.getByText('since the last one').count()) === 0, 'another file is not compared');
  const handout = `def free_bacon(score):
    return 10 - score % 10 + score // 10
${FILE}`;
  await drop(page, 'old.py', handout);
  await page.getByRole('link', { name: /^Rate it for / }).first().click();
  await until(page, () => !location.pathname.endsWith('/fa21') && document.querySelector('.answer'));
  check(page.url().includes('strategy=old.py'), page.url());
  await drop(page, 'broken.py', 'def final_strategy(score, opponent_score):\n    return score +\n');
  await seeText(page, '1 | def final_strategy');
});

test('a click on the map answers beside it, the best is shown beside, and numbers can be tried', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=40`);
  await drop(page, 'tuned.py', FILE);
  await seeText(page, 'Worst positions');
  await page.locator('.marks').first().click({ position: { x: 120, y: 120 } });
  await page.getByRole('region', { name: 'This position' }).waitFor();
  await page.getByRole('button', { name: 'Beside the best' }).click();
  await page.getByLabel('Where the two maps meet').waitFor();
  await shot(page, 'coach-beside');
  await page.getByText('Try other numbers').click();
  await page.locator('details select').selectOption({ label: '3 in line 1: LIMIT = 3' });
  await until(page, () => document.querySelectorAll('.follows circle').length === 12);
  // A phone has no room for a line of the file.
  const { viewport } = PHONE;
  await page.setViewportSize(viewport);
  await until(page, (most) => document.documentElement.scrollWidth <= most, viewport.width);
  const best = /Best of these: (\d+), ([\d.]+ %)/.exec(await page.locator('figcaption').textContent());
  await shot(page, 'coach-tuning');
  await page.locator('figure input[type=range]').fill(best[1]);
  await page.getByRole('button', { name: `Write ${best[1]} into the file` }).click();
  await page.locator('.answer', { hasText: best[2] }).waitFor();
  const path = join(SCRATCH, 'tuned.py');
  writeFileSync(path, FILE.replace('LIMIT = 3', `LIMIT = ${best[1]}`));
  const { win_rate: rate } = JSON.parse(hog('rate', 'fa21', path, '--goal', '40', '--format', 'json'));
  check(`${(rate.average * 100).toFixed(2)} %` === best[2], 'as the command says');
});

test('Enter in the coach keeps the focus, and scores are written with "to"', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21`);
  await page.getByLabel('Or a strategy by name').fill('always_roll:5');
  await page.getByLabel('Or a strategy by name').press('Enter');
  await seeText(page, 'Worst positions');
  check(await page.evaluate(() => document.activeElement.closest('label')?.textContent.includes('by name')), 'the focus is kept');
  await seeText(page, /Next: at \d+ to \d+ you roll 5/);
  check(!/\d[–-]\d/.test(await page.locator('.worst').innerText()), 'no positions like ranges');
});
