// Tests of what the user hands in: a strategy that is dropped in the coach is known in every view.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { SCRATCH, check, hog, open, seeText, shot, test, until, url } from './harness.mjs';

/** Writes a file and drops it into the first field for files. */
export async function drop(page, name, text) {
  const path = join(SCRATCH, name);
  writeFileSync(path, text);
  await page.locator('input[type=file]').first().setInputFiles(path);
}

/** The scores on the board, as they are seen. */
const scoresOn = (page) =>
  page.locator('.board .score').evaluateAll((all) => all.map((one) => one.lastChild.textContent));

/** A table that rolls the same number everywhere. */
export const rolls = (number, goal = 100) => `${Array(goal).fill(number).join(' ')}\n`.repeat(goal);

test('a file dropped in the coach plays in every view', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}coach/fa21`);
  await drop(page, 'mine.txt', rolls(3));
  await seeText(page, 'mine.txt against baseline');
  check(page.url().endsWith('/coach/fa21?strategy=mine.txt'), page.url());
  // Explore: as a layer, and as the opponent.
  await page.goto(`${url}explore/fa21?layer=strategy`);
  await page.getByRole('button', { name: 'Show mine.txt' }).click();
  await until(page, () => location.search.includes('strategy=mine.txt'));
  await until(page, () => document.querySelectorAll('.legend li').length === 1);
  await page.getByLabel('Opponent', { exact: true }).first().fill('mine.txt');
  await page.getByLabel('Opponent', { exact: true }).first().press('Enter');
  await seeText(page, 'The opponent plays mine.txt');
  await seeText(page, 'Against mine.txt, you win');
  // Play: it is offered as an opponent.
  await page.goto(`${url}play/fa21?seed=5`);
  await page.locator('summary', { hasText: 'You against' }).click();
  await page.getByRole('button', { name: 'Against mine.txt' }).click();
  await seeText(page, 'You against mine.txt');
  await page.getByRole('button', { name: 'Roll 4 dice', exact: true }).click();
  await seeText(page, 'mine.txt: 3 dice');
  // Contest: it enters.
  await page.goto(`${url}contest/fa21?goal=100`);
  await page.getByRole('button', { name: 'Add mine.txt' }).click();
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await page.getByRole('row', { name: /mine/ }).first().waitFor();
  // Another browser does not have it, and says so.
  const other = await open();
  await other.goto(`${url}coach/fa21?strategy=mine.txt`);
  await seeText(other, 'mine.txt is not in this browser');
});

/**
 * Makes a zip archive of `[path, text]`, with every other file stored as it is. A third element is
 * the length that the list announces.
 */
export function zip(files) {
  const parts = [];
  const list = [];
  let at = 0;
  files.forEach(([path, text, announced], place) => {
    const bytes = Buffer.from(text);
    const method = place % 2 ? 0 : 8;
    const packed = method ? deflateRawSync(bytes) : bytes;
    const name = Buffer.from(path);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(bytes.length, 22);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(announced ?? bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    list.push(entry, name);
    parts.push(head, name, packed);
    at += head.length + name.length + packed.length;
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...list, end]);
}

const LONG = 'the-team-with-a-name-that-goes-on-and-on-and-on-for-sixty-let';

test('a contest of an archive with a roster, and of files of one name, lives through leaving', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  const list =
    'submission_7:\n  :submitters:\n  - :name: Ada Lovelace\n    :email: ada@example.edu\n';
  const archive = zip([
    ['export/submission_metadata.yml', list],
    ['export/submission_7/hog.txt', rolls(4, 20)],
    ['export/submission_8/hog.txt', rolls(5, 20)],
    [`export/${LONG}/hog.txt`, rolls(2, 20)],
    ['__MACOSX/._hog.txt', ''],
  ]);
  await drop(page, 'export.zip', archive);
  await seeText(page, '4 files');
  await drop(
    page,
    'roster.csv',
    'Name,Email\nAda Lovelace,ada@example.edu\nGrace Hopper,grace@example.edu\n',
  );
  await seeText(page, '(the roster)');
  await drop(page, 'hog.txt', rolls(3, 20));
  await seeText(page, '6 files');
  await drop(page, 'hog.txt', rolls(1, 20));
  await seeText(page, 'this one is called hog (2).txt');
  await drop(page, 'broken.zip', 'no archive');
  await seeText(page, 'broken.zip was not read: it is not a zip archive');
  const lying = zip([
    ['a/hog.txt', rolls(4, 20)],
    ['b/hog.txt', rolls(5, 20), 0],
  ]);
  await drop(page, 'lying.zip', lying);
  await seeText(page, 'lying.zip was not read: b/hog.txt is longer than it says');
  const damaged = zip([['a/hog.txt', rolls(4, 20)]]);
  damaged[damaged.length - 22 - 'a/hog.txt'.length - 30] ^= 1;
  await drop(page, 'damaged.zip', damaged);
  await seeText(page, 'damaged.zip was not read: a/hog.txt is damaged');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  const names = () => page.locator('.ranking tbody .name:first-of-type').allInnerTexts();
  const row = (name) => page.locator('.ranking tbody tr', { hasText: name });
  await row('Ada Lovelace').first().waitFor();
  await row(LONG.slice(0, 50)).first().waitFor();
  await seeText(page, 'Handed in nothing: Grace Hopper');
  check((await page.locator('.ranking tbody tr').count()) === 5, `a class, and nobody else: ${await names()}`);
  await shot(page, 'contest-archive');
  // Sorted and searched.
  const first = async () => (await page.locator('.ranking tbody tr').first().innerText()).trim();
  const best = await first();
  await page.getByRole('button', { name: 'Mean' }).click();
  await page.getByRole('button', { name: /^Mean/ }).click();
  check((await first()) !== best, 'the smallest mean is first');
  await page.getByLabel('Search for a name').fill('ada');
  check((await page.locator('.ranking tbody tr').count()) === 1, 'only Ada is left');
  // Another view, Back, and a reload.
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'How many dice will you roll?');
  await page.goBack();
  await row('Ada Lovelace').first().waitFor();
  await page.reload();
  await row('Ada Lovelace').first().waitFor();
  await page
    .getByRole('button', { name: /Ada Lovelace against/ })
    .first()
    .click();
  await seeText(page, 'What costs Ada Lovelace most');
  // A contest goes on while another view is shown.
  let release;
  const held = new Promise((done) => { release = done; });
  await page.route('**/api/v1/contest', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'How many dice will you roll?');
  await page.goBack();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'How many dice will you roll?');
  const answered = page.waitForResponse('**/api/v1/contest');
  release();
  await (await answered).finished();
  await page.goBack();
  await page.getByRole('button', { name: 'Start the contest' }).waitFor();
  await row('Ada Lovelace').first().waitFor();
  await page.unroute('**/api/v1/contest');
  // One file is removed, and the contest runs without it.
  await page.getByText('7 files').waitFor();
  await page.getByRole('button', { name: 'Remove hog (2).txt' }).click();
  await page.getByText('6 files').waitFor();
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await until(page, () => document.querySelectorAll('.ranking tbody tr').length === 4);
  // The ranking fits a phone.
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page
    .locator('.ranking')
    .evaluate((table) => table.scrollWidth - table.parentElement.clientWidth);
  check(wide <= 0, `the ranking is ${wide} pixels too wide`);
  await shot(page, 'contest-phone');
  // A game that does not exist is told at once.
  await page.goto(`${url}contest/zzz`);
  await seeText(page, 'no game and no rule file is called');
  page.faults = page.faults.filter((fault) => !fault.includes('422'));
});

const readyToRoll = () =>
  [...document.querySelectorAll('.rolls button')].some((button) => !button.ariaDisabled) ||
  document.querySelector('.ended .answer');

test('a game that has ended is reviewed turn by turn, and can be tried again', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7&goal=40`);
  await page.locator('.rolls button').first().waitFor();
  const place = async () => (await page.locator('.rolls button').nth(4).boundingBox())?.y;
  const before = await place();
  for (let turn = 0; turn < 40 && !(await page.locator('.ended .answer').count()); turn += 1) {
    await until(page, readyToRoll);
    if (await page.locator('.ended .answer').count()) break;
    // After the last turn there are no buttons.
    check([before, undefined].includes(await place()), 'the buttons stay where they were');
    await page.keyboard.press('2');
    await page.waitForTimeout(60);
  }
  await seeText(page, 'of win rate in all');
  await page.locator('.review polyline').waitFor();
  await seeText(page, 'The costliest turns');
  await shot(page, 'review');
  await page.locator('.review li button').first().click();
  check((await page.locator('.tray .die').count()) === 2, 'the dice are those of the turn');
  const turn = /Turn (\d+), you at (\d+) to (\d+): 2 dice, which cost/.exec(
    await page.locator('.review .turn').innerText(),
  );
  const scores = await scoresOn(page);
  check(scores.join() === `${turn[2]},${turn[3]}`, `the board shows the turn: ${scores}`);
  await page.getByRole('button', { name: 'Next turn' }).click();
  // The opponent's turn is told from its side, and says so.
  await page
    .locator('.review .turn', { hasText: `Turn ${Number(turn[1]) + 1}, the best player at` })
    .waitFor();
  const told = await page.locator('.review .turn').innerText();
  const [own, other] = await scoresOn(page);
  check(told.includes(`at ${other} to your ${own}:`), `${told} with ${own} and ${other}`);
  await page.getByRole('button', { name: 'Turn before' }).click();
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await until(page, () => !document.querySelector('.review'));
  await until(page, readyToRoll);
  check((await scoresOn(page)).join() === scores.join(), 'the game goes on from that turn');
});

test('in a game N asks, keys can be switched off, and hints are kept', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7`);
  await page.locator('.rolls button').first().waitFor();
  await until(page, readyToRoll);
  await page.keyboard.press('4');
  await until(page, () => location.search.includes('rolls=4'));
  await until(page, readyToRoll);
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    dialog.dismiss();
  });
  await page.keyboard.press('n');
  check(asked === 1 && page.url().includes('rolls=4'), 'the game goes on');
  await page.keyboard.press('h');
  await page.locator('.top-roll').waitFor();
  await page.reload();
  await page.locator('.top-roll').waitFor();
  await page.getByLabel('Single keys').uncheck();
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.keyboard.press('5');
  await page.keyboard.press('u');
  check(page.url().endsWith('rolls=4'), page.url());
  await page.reload();
  await page.locator('.top-roll').waitFor();
  check(!(await page.getByLabel('Single keys').isChecked()), 'the choice is kept');
});

test('a game that is watched can be paused', async () => {
  const page = await open();
  await page.goto(`${url}play/fa21?seed=7&players=optimal~baseline`);
  await page.getByLabel('Speed').selectOption('fast');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.waitForTimeout(1500);
  const turns = await page.locator('.history tbody tr').count();
  await page.waitForTimeout(1200);
  check((await page.locator('.history tbody tr').count()) === turns, 'nothing moves');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.locator('.ended .answer').waitFor({ timeout: 180_000 });
});

test('the coach sorts by cost, tells the course, and rates what is edited in the page', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}coach/sp13`);
  await drop(page, 'hog.py', 'def final_strategy(score, opponent_score):\n    return 3\n');
  await seeText(page, 'hog.py against baseline');
  await seeText(page, 'The baseline of the course always rolls 5 dice.');
  await seeText(page, 'The course asks for a win rate of 0.61');
  await seeText(page, 'percentage points are missing');
  const costs = await page.locator('.worst tbody tr td:nth-child(4)').allInnerTexts();
  const numbers = costs.map((text) => Number(text.replace('−', '-')));
  check(
    numbers.length > 10 && numbers.every((cost, i) => !i || cost >= numbers[i - 1]),
    `${costs.slice(0, 5)}`,
  );
  await shot(page, 'coach-own');
  // A phone shows the reasons too.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator('.worst .under').first().waitFor();
  const wide = await page
    .locator('.worst')
    .evaluate((list) => list.scrollWidth - list.clientWidth);
  check(wide <= 0, `the worst positions are ${wide} pixels too wide`);
  await shot(page, 'coach-phone');
  await page.setViewportSize({ width: 1280, height: 900 });
  // The worst position on the map: my roll beside the best, and my file as the layer.
  const first = page.locator('.worst tbody tr').first();
  const [score, opponent] = (await first.locator('th').innerText()).split(' to ');
  await first.getByRole('link').first().click();
  await seeText(page, 'rather than 3');
  check(
    (await page.getByLabel('Strategy to show').inputValue()) === 'hog.py',
    'my file is the layer',
  );
  await page.goBack();
  await page.getByRole('link', { name: `Play against it from ${score} to ${opponent}` }).click();
  await seeText(page, 'You against hog.py');
  check((await scoresOn(page)).join() === `${score},${opponent}`, 'from that position');
  await page.goBack();
  // Edited in the page.
  await seeText(page, 'hog.py against baseline');
  await page.getByText('Your file: hog.py').click();
  const area = page.getByLabel('Your file');
  const average = (strategy) =>
    JSON.parse(hog('rate', 'sp13', strategy, '--format', 'json')).win_rate.average;
  await area.fill('def final_strategy(score, opponent_score):\n    return 5\n');
  await seeText(page, `${(average('always_roll:5') * 100).toFixed(2)} %`);
  await seeText(page, 'percentage points since it was first rated here');
  await area.fill('def final_strategy(score, opponent_score)\n    return 5\n');
  await seeText(page, 'line 1');
  await page.locator('.editor mark').waitFor();
  const marked = await page.locator('.editor mark').innerText();
  check(marked === 'def final_strategy(score, opponent_score)', `the line is marked: ${marked}`);
  await page.reload();
  // It is open where the fault is.
  await area.waitFor();
  check((await area.inputValue()).includes('opponent_score)\n'), 'what was typed is kept');
  await page.getByRole('button', { name: 'Forget this file' }).click();
  await seeText(page, 'This browser no longer has hog.py');
});

test('a file with random numbers can be rated with a fixed seed', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=20`);
  const line = 'def final_strategy(score, opponent_score):\n    return random.choice([1, 2])\n';
  await drop(page, 'dicey.py', `import random\n${line}`);
  await seeText(page, 'it uses random numbers');
  check(!(await page.locator('main').innerText()).includes('seeded'), 'no syntax is needed');
  await page.getByRole('button', { name: 'Rate it with a fixed seed' }).click();
  await seeText(page, 'seeded:dicey.py against baseline');
});
