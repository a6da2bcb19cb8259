// Tests of what the page shows beside the answers: memories, names, numbers of the address, and what does not hold yet.

import { check, open, seeText, shot, test, until, url } from './harness.mjs';

test('a map that takes long says so, and has no controls before', async () => {
  const page = await open();
  let answers;
  const held = new Promise((resolve) => { answers = resolve; });
  await page.route('**/api/v1/map', async (request) => {
    await held;
    await request.continue();
  });
  await page.goto(`${url}explore/fa21?goal=20`);
  await page.getByRole('status').getByText('Solving…').waitFor();
  check(!await page.getByText('As a table').isVisible() && !await page.getByLabel('Strategy to show').isVisible(), 'nothing can be done yet');
  answers();
  await page.getByText('As a table').waitFor();
  check(!await page.getByText('Solving…').isVisible(), 'the message is gone');
});

test('the worst positions and the game show the memory, and no dice hold', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}coach/pig?goal=15&strategy=hold_at:5`);
  await page.getByRole('link', { name: /^\d+ to \d+, pot \d+$/ }).first().waitFor();
  await page.getByRole('link', { name: /^Play against it from \d+ to \d+, pot \d+$/ }).first().waitFor();
  await page.goto(`${url}coach/fa19?goal=15&strategy=always_roll:5`);
  await page.getByRole('link', { name: /last dice \d+, opponent’s last dice \d+$/ }).first().waitFor();
  await page.goto(`${url}play/pig?goal=40&players=person~person&pot=7&seed=3`);
  await page.locator('.memories').getByText('pot 7').waitFor();
  await shot(page, 'play-pot');
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  await until(page, () => document.querySelector('.score').lastChild.textContent === '7' && document.querySelector('.memories').textContent === 'pot 0');
  await page.goto(`${url}play/fa21?goal=40&seed=3`);
  await page.getByRole('button', { name: 'Roll 0 dice', exact: true }).waitFor();
  check(!await page.locator('.memories').isVisible(), 'fa21 has no memory');
});

test('comments call the players as the page does', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  for (const [query, told] of [['goal=20&from=5-8&rolls=8&players=person~always_roll:4', 'You take the lead by 32'],
    ['goal=20&from=5-8&rolls=8&players=person~always_roll:4', 'a record gain for you!'],
    ['goal=40&rolls=0&players=person~always_roll:4', 'always_roll:4 takes the lead by 8'],
    ['goal=20&players=always_roll:4~always_roll:4', 'a record gain for always_roll:4 (']]) {
    await page.goto(`${url}play/fa21?seed=1&${query}`);
    await seeText(page, told);
    check(!(await page.locator('.told').textContent()).includes('Player'), 'no player has a number');
  }
});

test('rules begin with the numbers of the address', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21?goal=50`);
  await seeText(page, '10 to 18: roll');
  await page.getByRole('link', { name: 'Rules', exact: true }).click();
  await seeText(page, 'The goal is 50 instead of 100');
  const explore = page.getByRole('link', { name: 'Explore these rules' });
  check(await explore.getAttribute('href') === '/explore/fa21?goal=50', await explore.getAttribute('href'));
  await page.goto(`${url}rules/fa21?goal=50&max_dice=4`);
  await seeText(page, 'The goal is 50 instead of 100');
  check(await page.getByLabel('Goal').inputValue() === '50' && await page.getByLabel('Most dice').inputValue() === '4', 'the fields have the numbers');
  await explore.click();
  await seeText(page, '10 to 18: roll');
  check(page.url().endsWith('/explore/fa21?goal=50&max_dice=4') && await page.evaluate(() => localStorage.getItem('hog.mine.fa21')) === null, 'no draft is made of them');
  await page.goBack();
  await seeText(page, 'The goal is 50 instead of 100');
  await page.getByLabel('Goal').fill('30');
  await page.getByLabel('Goal').blur();
  await seeText(page, 'The goal is 30 instead of 100');
  check(page.url().endsWith('/rules/fa21'), page.url());
  check(await explore.getAttribute('href') === '/explore/mine.fa21', await explore.getAttribute('href'));
  await page.reload();
  await seeText(page, 'The goal is 30 instead of 100');
});

test('faulty rules have no links, and the figures of the rules before are greyed', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'worked examples hold');
  await until(page, () => !document.querySelector('.stale'));
  await page.getByLabel('Goal').fill('0');
  await page.getByLabel('Goal').blur();
  await page.locator('.faults li').first().waitFor();
  check(await page.locator('.figures.stale').count() === 1, 'the figures are greyed');
  const play = page.getByRole('link', { name: 'Play these rules' });
  check(await play.getAttribute('aria-disabled') === 'true' && await play.getAttribute('href') === null, 'the link leads nowhere');
  await page.getByLabel('Goal').fill('40');
  await page.getByLabel('Goal').blur();
  await until(page, () => !document.querySelector('.stale'));
  check(await play.getAttribute('href') === '/play/mine.fa21', 'the link is back');
});

test('forced colours keep the colours of legends and mark what is chosen', async () => {
  const page = await open({ forcedColors: 'active' });
  await page.goto(`${url}explore/fa21/20/36`);
  await seeText(page, 'What follows');
  const style = (selector, name) => page.locator(selector).first().evaluate((element, property) => getComputedStyle(element)[property], name);
  const canvas = await style('.card', 'backgroundColor');
  for (const part of ['.swatch', '.meter']) check(await style(part, 'backgroundColor') !== canvas, `${part} has its colour`);
  for (const part of ['nav a[aria-current]', '.layers [aria-pressed=true]']) check(await style(part, 'borderTopWidth') === '3px', `${part} has a border`);
  await shot(page, 'forced-colours');
});
