// Tests of the coach: the answer first, whatever is dropped wherever, and what to try next.

import { readFileSync, writeFileSync } from 'node:fs';
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
  await page.goto(`${url}explore/fa21/20/36`);
  await seeText(page, 'What follows');
  await fits(page, 'explore at 320');
});

test('a file that sees the pot of Pig is rated', async () => {
  const page = await open();
  await page.goto(`${url}coach/pig?against=hold_at:20`);
  const text = 'def final_strategy(score, opponent_score, pot):\n    return pot < 20 and score + pot < 100\n';
  await drop(page, 'hold.py', text);
  await seeText(page, 'It wins 50.00 % of games');
});

test('a file with another function is rated by a click', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=20`);
  await drop(page, 'pace.py', 'def pace(score, opponent_score):\n    return 5\n');
  await page.getByRole('button', { name: 'Rate pace' }).click();
  await seeText(page, 'pace.py:pace against');
});

test('what to change first is a wrong function, then the costliest kind of mistake', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa24`);
  const strategy = 'def final_strategy(score, opponent_score):\n    return 5\n';
  await drop(page, 'hog.py', `def boar_brawl(a, b):\n    return 1\n\n${strategy}`);
  await page.locator('.answer + p', { hasText: 'Next: your boar_brawl(' }).waitFor();
  await drop(page, 'hog.py', strategy);
  await page.locator('.answer + p', { hasText: '“Misses zero dice” costs most, ' }).waitFor();
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
  await seeText(page, 'percentage points since hog.py');
  const handout = `def free_bacon(score):
    return 10 - score % 10 + score // 10
${FILE}`;
  await drop(page, 'old.py', handout);
  await page.getByRole('link', { name: /^Rate it for / }).first().click();
  await until(page, () => !location.pathname.endsWith('/fa21') && document.querySelector('.answer'));
  check(page.url().includes('strategy=old.py'), page.url());
  await drop(page, 'broken.py', 'def final_strategy(score, opponent_score):\n    return score +\n');
  await page.locator('.editor mark', { hasText: 'return score +' }).waitFor();
  check(await page.getByRole('link', { name: 'Play against it', exact: true }).count() === 0, 'a faulty file does not play');
  check(await page.locator('.beside').textContent() === '', 'the fault is told once');
  await drop(page, 'many.py', 'def final_strategy(score, opponent_score):\n    if score > 8:\n        return 11\n    return 6\n');
  await page.locator('.editor mark', { hasText: 'return 11' }).waitFor();
  await seeText(page, /^The strategy many.py: at \d+ to \d+: it rolls 11 dice/);
  await page.locator('.editor textarea').fill(FILE);
  await page.getByRole('link', { name: 'Play against it', exact: true }).waitFor();
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
  await page.getByText('Try other numbers').press('Enter');
  await page.locator('details select').selectOption({ label: '3 in line 1: LIMIT = 3' });
  check(await page.evaluate(() => document.activeElement.textContent) === 'Try other numbers', 'focus');
  await until(page, () => document.querySelectorAll('.follows circle').length === 12);
  // A phone has no room for a line of the file.
  const { viewport } = PHONE;
  await page.setViewportSize(viewport);
  await until(page, (most) => document.documentElement.scrollWidth <= most, viewport.width);
  const best = /Best of these: (\d+), ([\d.]+ %)/.exec(await page.locator('figcaption').textContent());
  await shot(page, 'coach-tuning');
  const written = page.getByRole('button', { name: 'into the file' });
  check(`${await written.allTextContents()}` === `Write ${best[1]} into the file`, 'the number of the file is there already');
  await page.locator('figure input[type=range]').fill('5');
  check(await written.count() === 2, 'what was chosen may be written, too');
  await page.getByRole('button', { name: `Write ${best[1]} into the file` }).click();
  await page.locator('.answer', { hasText: best[2] }).waitFor();
  const path = join(SCRATCH, 'tuned.py');
  writeFileSync(path, FILE.replace('LIMIT = 3', `LIMIT = ${best[1]}`));
  const { win_rate: rate } = JSON.parse(hog('rate', 'fa21', path, '--goal', '40', '--format', 'json'));
  check(`${(rate.average * 100).toFixed(2)} %` === best[2], 'as the command says');
});

test('while one writes, the rate is beside the editor, and the numbers of the strategy come first', async () => {
  const page = await open();
  const text = `def boar_brawl(a, b):
    return max(3 * (a % 10), 1, 77)


LIMIT = 6


def final_strategy(score, opponent_score):
    if boar_brawl(score, opponent_score) < 2:
        return 0
    return LIMIT
`;
  await page.goto(`${url}coach/fa21?goal=30`);
  await drop(page, 'hog.py', text);
  await seeText(page, 'positions reached');
  await page.getByText('Your file: hog.py').click();
  const beside = page.locator('.beside');
  await beside.filter({ hasText: '%' }).waitFor();
  const rate = await beside.textContent();
  await page.locator('.editor textarea').fill(text.replace('LIMIT = 6', 'LIMIT = 4'));
  await beside.filter({ hasText: 'percentage points since' }).waitFor();
  check(await beside.textContent() !== rate, 'another rate');
  await page.locator('.editor textarea').fill(text.replace('LIMIT = 6', 'LIMIT = 5'));
  await beside.filter({ hasText: rate.trim().split(' against')[0] }).filter({ hasText: 'since it was first rated here' }).waitFor();
  const [told, editor] = await Promise.all([beside.boundingBox(), page.locator('.editor').boundingBox()]);
  check(editor.y - told.y < 200 && editor.y >= told.y, 'above the editor');
  await page.getByText('Try other numbers').click();
  const offered = page.getByLabel('The number').locator('option');
  await offered.first().waitFor({ state: 'attached' });
  const lines = await offered.allTextContents();
  check(lines.length === 3 && lines.every((one) => !one.includes('max(')) && lines[0].includes('LIMIT = '), lines.join());
  await page.getByRole('button', { name: 'More numbers (4)' }).click();
  check(await offered.count() === 7, 'also those of the rules');
  // What is half written moves nothing, and a new line begins below the one before.
  const area = page.locator('.editor textarea');
  const { y } = await area.boundingBox();
  await area.press('Control+End');
  await page.keyboard.type('\nif LIMIT > 4:\nLIMIT = (');
  check((await area.inputValue()).endsWith('\nif LIMIT > 4:\n    LIMIT = ('), await area.inputValue());
  await page.locator('.beside .loss').waitFor();
  check((await area.boundingBox()).y === y, 'the editor stays where it is');
  check(await page.getByRole('region', { name: 'Map of losses' }).isVisible(), 'the map stays');
  await area.fill(text);
  await beside.filter({ hasText: rate.trim().split(' against')[0] }).waitFor();
  // What is saved is data, and what there is besides is said.
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save worst as CSV' }).click()]);
  const table = readFileSync(await saved.path(), 'utf8');
  check(table.startsWith('score,opponent,dice,best,loss,met,loss_each,mistake,words,against,error_bound,game,fingerprint,program\n'), table.slice(0, 200));
  await seeText(page, 'Only this browser has hog.py');
  await page.locator('.worst ~ .below').filter({ hasText: 'more below' }).waitFor();
  await page.setViewportSize(PHONE.viewport);
  const show = page.getByRole('button', { name: /^Show \d+ positions$/ });
  const box = page.getByRole('group', { name: 'Worst positions' });
  check((await show.boundingBox()).y >= (await box.evaluate((one) => one.getBoundingClientRect().bottom)) - 1, 'not hidden in the box');
  await shot(page, 'coach-phone-list');
  await page.setViewportSize({ width: 1280, height: 900 });
  await shot(page, 'coach-beside');
  // What is seen is there again after Back, with what was opened.
  await page.locator('.worst').evaluate((box) => { box.scrollTop = 200; });
  await page.evaluate(() => scrollTo(0, 900));
  await page.locator('.worst tbody th a').first().evaluate((link) => link.click());
  await seeText(page, 'What follows');
  await page.goBack();
  await until(page, () => scrollY === 900 && document.querySelector('.worst').scrollTop === 200);
  await page.locator('.editor textarea').waitFor();
  await page.getByRole('button', { name: 'What to write: the best few lines' }).click();
  await seeText(page, /These lines win [\d.]+ % against baseline/);
  const save = page.getByRole('button', { name: 'Save as Python' });
  await save.waitFor();
  const end = await save.evaluate((one) => one.getBoundingClientRect().bottom);
  check(end > 0 && end <= 900, `the lines are in view: ${end}`);
});

test('other numbers are tried until the best is at no end', async () => {
  const page = await open();
  await page.goto(`${url}coach/su26`);
  await drop(page, 'hog.py', 'def final_strategy(score, opponent_score):\n    return 4 if score - opponent_score > 20 else 6\n');
  await seeText(page, 'positions reached');
  await page.getByText('Try other numbers').click();
  await page.getByLabel('The number').selectOption({ index: 1 });
  // 12 to 28, and one more below the best.
  await until(page, () => document.querySelectorAll('.follows circle').length === 18);
  await seeText(page, 'Best of these: 12, ');
});

test('a loop in which another function is called is told by the line of the strategy', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=20`);
  await drop(page, 'hog.py', `def boar_brawl(a, b):
    return 1


def final_strategy(score, opponent_score):
    n = 1
    while boar_brawl(score, opponent_score) < 11:
        n = n
    return n
`);
  // What waits says for how long.
  await page.locator('.seconds').filter({ hasText: / s$/ }).waitFor();
  await seeText(page, /stopped after \d+ s in line [78]/);
  await page.locator('.editor mark', { hasText: /while boar_brawl|n = n/ }).waitFor();
  page.faults = [];
});

test('Enter in the coach keeps the focus, and scores are written with "to"', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21`);
  await page.getByLabel('Or a strategy by name').fill('always_roll:5');
  await page.getByLabel('Or a strategy by name').press('Enter');
  await seeText(page, 'Worst positions');
  check(await page.evaluate(() => document.activeElement.closest('label')?.textContent.includes('by name')), 'the focus is kept');
  await seeText(page, /For example, at \d+ to \d+ you roll 5/);
  check(!/\d[–-]\d/.test(await page.locator('.worst').innerText()), 'no positions like ranges');
});

/** A file of the project, in which the strategy has another name and asks a function that rolls dice. */
const PROJECT = `from random import randint

def roll_dice(num_rolls):
    return sum(randint(1, 6) for _ in range(num_rolls))

def boar_brawl(player_score, opponent_score):
    return max(1, 3 * abs(player_score % 10 - opponent_score // 10 % 10))

def turn(num_rolls, player_score, opponent_score):
    return roll_dice(num_rolls) if num_rolls else boar_brawl(player_score, opponent_score)

def boar_strategy(score, opponent_score, threshold=11, num_rolls=6):
    return 0 if boar_brawl(score, opponent_score) >= threshold else num_rolls

def my_strat(score, opponent_score):
    if turn(0, score, opponent_score) % 2 == 0:
        return 0
    return 6
`;

test('a function that may be the strategy is offered, and a number that cannot be changed is told so', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa23?goal=20`);
  await drop(page, 'hog.py', PROJECT);
  await page.getByRole('button', { name: 'Rate my_strat' }).waitFor();
  const offered = await page.getByRole('button', { name: /^Rate / }).allInnerTexts();
  check(offered.join() === 'Rate my_strat,Rate turn', `no function of the handout: ${offered}`);
  await page.getByRole('button', { name: 'Rate my_strat' }).click();
  await seeText(page, 'positions reached');
  let asked = 0;
  page.on('request', (request) => { asked += request.url().endsWith('/rate') ? 1 : 0; });
  await page.getByText('Try other numbers').click();
  await seeText(page, /None of these is better|Best of these/);
  const chosen = await page.getByLabel('The number').locator('option:checked').innerText();
  check(chosen.startsWith('2 in line '), `no argument of a helper: ${chosen}`);
  // The second 0 of the line is what the remainder is compared with.
  const number = page.getByLabel('The number');
  const argument = await number.locator('option', { hasText: /^0 in line \d+, column \d+: if turn/ }).first().innerText();
  await number.selectOption({ label: argument });
  await seeText(page, 'With other values it cannot be rated: ');
  check(asked < 60, `${asked} requests`);
  const before = asked;
  await page.waitForTimeout(500);
  check(asked === before, 'no more is asked');
});

test('a module that a strategy lacks is dropped after it', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa23?goal=20`);
  await drop(page, 'hog.py', 'from my_helpers import LEAST\n\ndef final_strategy(score, opponent_score):\n    return LEAST\n');
  await seeText(page, "No module named 'my_helpers'");
  await drop(page, 'my_helpers.py', 'LEAST = 5\n');
  await seeText(page, 'positions reached');
  await seeText(page, 'hog.py against');
  // A newer one takes its place.
  await drop(page, 'my_helpers.py', 'LEAST = 6\n');
  await seeText(page, 'since the last file');
});
