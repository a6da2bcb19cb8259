// Tests of what a screen reader is told, when it is asked for.

import { check, open, seeText, test, until, url } from './harness.mjs';
import { drop } from './own.mjs';

/** Waits until this is said last; returns it. */
const hear = async (page, words) => {
  await until(page, (like) => new RegExp(like).test(document.getElementById('said').textContent), words.source);
  return page.locator('#said').textContent();
};

test('with hints, the best choice is heard with each turn, and a roll leads to its dice', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7`);
  await seeText(page, 'How many dice');
  await page.keyboard.press('h');
  // The best first roll of fa21, and what moving first wins.
  await hear(page, /^Hints are shown\. Best: 6, 53\.4 %\.$/);
  await page.keyboard.press('4');
  await hear(page, /Your turn\. Best: \d+, [\d.]+ %\.$/);
  await page.goto(`${url}play/kcd?seed=7&goal=500&hints=1`);
  await page.getByRole('button', { name: /^Roll 6 dice/ }).press('Enter');
  await hear(page, /^Rolled \d(, \d){5}: choose the dice to keep\. Best: keep [\d ]+, [\d.]+ %\.$/);
  await until(page, () => document.activeElement.getAttribute('aria-label').startsWith('Die 1 of 6'));
});

test('a turn is heard before the others move, and a game that is shown again turn by turn', async () => {
  const page = await open();
  await page.goto(`${url}play/su26?from=90-88&seed=3`);
  await page.getByRole('button', { name: 'Roll 1 die', exact: true }).press('Enter');
  await hear(page, /^You: 1 die: [^.]*\.$/);
  await hear(page, /^The best player: .* You lose: \d+ to \d+\.$/);
  await page.getByRole('button', { name: 'Watch it again' }).press('Enter');
  await until(page, () => document.activeElement.textContent === 'Pause');
  await hear(page, /^You: 1 die: [^.]*\.$/);
  await hear(page, /^The best player: .* You lose: \d+ to \d+\.$/);
  await page.locator('.ended:focus', { hasText: 'You lose' }).waitFor();
});

test('rules with too many positions are refused aloud', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=20`);
  await seeText(page, 'who moves first wins');
  await page.getByLabel('Goal').fill('5000');
  await page.getByLabel('Goal').press('Enter');
  await hear(page, /25,000,000 positions/);
});

test('who is alone in a ranking is heard, and a pair in a sentence', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await page.getByLabel('Strategies by name').fill('optimal, baseline, always_roll:4');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '3 pairs;');
  const name = page.getByRole('region', { name: 'Ranking' }).or(page.getByRole('group', { name: 'Ranking' })).getByRole('button', { name: 'baseline', exact: true });
  await name.press('Enter');
  await hear(page, /^Only baseline of 3 entrants: press again for all$/);
  check((await name.getAttribute('aria-pressed')) === 'true', 'it is pressed');
  await name.press('Enter');
  await hear(page, /^All 3 entrants$/);
  await page.getByRole('button', { name: /: optimal against baseline$/ }).press('Enter');
  await hear(page, /^optimal against baseline: [\d.]+ % on average\. More is below\.$/);
});

test('the coach goes on with a file that the browser has, and tells since when a rate has changed', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=20`);
  const text = 'def final_strategy(score, opponent_score):\n    return ';
  await drop(page, 'hog.py', `${text}11\n`);
  await seeText(page, 'at 0 to 0');
  const area = page.locator('.editor textarea');
  await area.fill(`${text}5\n`);
  await page.locator('.beside', { hasText: '%' }).waitFor();
  await area.fill(`${text}6\n`);
  await page.locator('.beside', { hasText: 'since it was first rated here' }).waitFor();
  await page.getByRole('link', { name: 'Coach' }).click();
  await page.getByRole('button', { name: 'Go on with hog.py' }).click();
  await seeText(page, 'positions reached');
  check(page.url().includes('strategy=hog.py'), page.url());
});

test('who goes back is at the link that was followed', async () => {
  const page = await open();
  await page.goto(`${url}coach/fa21?goal=20&strategy=always_roll:4`);
  const link = page.locator('.worst tbody tr').nth(2).getByRole('link').first();
  const place = await link.innerText();
  await link.press('Enter');
  await seeText(page, 'more often, by');
  await page.goBack();
  await until(page, (words) => document.activeElement.textContent === words, place);
});

test('the focus stays on a button that saves something, and a number out of its range is marked', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await page.getByLabel('Strategies by name').fill('optimal, baseline');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '1 pair;');
  for (const name of ['Matrix (.csv)', 'Reports (.zip)']) {
    const button = page.getByRole('button', { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent('download'), button.press('Enter')]);
    await file.path();
    await hear(page, /^The file is ready$/);
    check(await button.evaluate((one) => one === document.activeElement), `${name} has the focus`);
    await page.locator('#said').evaluate((said) => { said.textContent = ''; });
  }
  await page.goto(`${url}explore/fa21/20/36`);
  await seeText(page, 'you win');
  const own = page.getByRole('spinbutton', { name: 'You', exact: true });
  await own.fill('195');
  await own.press('Tab');
  await seeText(page, 'You: 0 to 99, and not 195.');
  check((await own.getAttribute('aria-invalid')) === 'true', 'the field is marked');
});

test('a game that was left goes on', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21`);
  await seeText(page, 'How many dice');
  await page.keyboard.press('4');
  await until(page, () => document.getElementById('said').textContent.endsWith('Your turn.'));
  const scores = await page.locator('.score').allInnerTexts();
  await page.getByRole('link', { name: 'Explore', exact: true }).first().click();
  await seeText(page, 'Whoever moves first wins');
  await page.getByRole('link', { name: 'Play', exact: true }).first().click();
  await until(page, () => /rolls=4/.test(location.href));
  await page.locator('.history table').waitFor();
  check(`${await page.locator('.score').allInnerTexts()}` === `${scores}`, `${scores}`);
});
