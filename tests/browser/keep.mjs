// Tests of games in which dice are kept after the roll: the dice are typed, the choice is seen.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOG, PHONE, SCRATCH, check, fits, hog, open, seeText, shot, test, until, url } from './harness.mjs';

const KCD = readFileSync(new URL('../../crates/rules/games/kcd.toml', import.meta.url), 'utf8').replace(/^goal = .*$/m, 'goal = 500');

/** The answer to a question, a line of `hog ask`. */
const answered = (question) =>
  JSON.parse(spawnSync(HOG, ['ask'], { encoding: 'utf8', input: JSON.stringify(question) }).stdout).answer;

for (const [kind, options] of [['desk', {}], ['phone', PHONE]]) {
  test(`dice are typed, the best keep is seen, and the game goes on: ${kind}`, async () => {
    const path = join(SCRATCH, 'kcd.toml');
    writeFileSync(path, KCD);
    const asked = (...words) => JSON.parse(hog('best', path, ...words, '--format', 'json'));
    const page = await open({ ...options, bypassCSP: true });
    await page.goto(`${url}rules/fa21`);
    await seeText(page, 'worked examples hold');
    await page.getByLabel('A rule file', { exact: true }).setInputFiles(path);
    await seeText(page, 'Dice are kept after the roll');
    await page.getByRole('link', { name: 'Explore these rules' }).click();
    await page.getByText(`${(asked('0', '0').win_rate * 100).toFixed(2)} %`).first().waitFor();
    await page.getByRole('grid', { name: 'Points at risk by dice left' }).waitFor();
    for (const face of [1, 1, 4, 5, 2]) await page.getByRole('button', { name: `Add a ${face}` }).click();
    await seeText(page, '1 more die to come.');
    // What is best before a roll is not told in the middle of one.
    check(await page.locator('.answer, .field').evaluateAll((all) => all.every((one) => !one.checkVisibility({ visibilityProperty: true }))), 'no advice yet');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Take back' }).click();
    await seeText(page, '1 more die to come.');
    await page.keyboard.press('2');
    const [best] = asked('0', '0', '--roll', '1,1,4,5,2,2').keeps;
    await seeText(page, `Keep ${best.keep.join(' ')}, then ${best.then[0]}`);
    await seeText(page, `${(best.win_rate * 100).toFixed(2)} %`);
    check((await page.locator('.die.kept').count()) === best.keep.length, 'what is kept is marked');
    check(await page.getByRole('button', { name: 'Die 2 of 6: keep the 1' }).count() === 1, 'equal dice are told apart');
    if (kind === 'phone') check(await page.getByText('or type it').isHidden(), 'there is no keyboard');
    await fits(page, 'explore kcd');
    await shot(page, `keep-${kind}`);
    await page.getByRole('button', { name: /^Keep .* points$/ }).click();
    const left = 6 - best.keep.length;
    await until(page, (wanted) => location.search.includes(wanted), `dice=${left}&pot=${best.points}`);
    const now = asked('0', '0', '--memory', `pot=${best.points}`, '--memory', `dice=${left}`);
    await page.locator('.answer', { hasText: `${(now.win_rate * 100).toFixed(2)} %` }).waitFor();
    await page.getByRole('grid', { name: 'Points at risk by dice left' }).waitFor();
    // What is advised is loud; a wrong step is taken back.
    const bank = page.getByRole('button', { name: `Bank ${best.points}: the opponent moves` });
    check((await bank.getAttribute('class')) === (now.best[0] === 0 ? 'primary' : null), 'only advice is loud');
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: /^Keep .* points$/ }).click();
    await bank.click();
    // The sides stay, and what the opponent scores is typed.
    await until(page, (points) => location.pathname.endsWith(`/${points}/0`), best.points);
    await page.getByRole('spinbutton', { name: 'Opponent scored' }).waitFor();
    await page.reload();
    await page.getByRole('spinbutton', { name: 'Opponent scored' }).waitFor();
    check(await page.getByRole('button', { name: 'Add a 1' }).isHidden(), 'the dice are not mine');
    await page.keyboard.type('150');
    await shot(page, `keep-opponent-${kind}`);
    await page.keyboard.press('Enter');
    await until(page, (points) => location.pathname.endsWith(`/${points}/150`), best.points);
    check(await page.evaluate(() => document.activeElement.ariaLabel) === 'Add a 1', 'the next roll can be typed or tapped');
    await bank.waitFor({ state: 'detached' });
    const high = () => page.evaluate(() => document.querySelector('.by-dice .answer').getBoundingClientRect().top);
    const before = await high();
    for (const face of [2, 2, 3, 4, 4, 6]) await page.keyboard.press(`${face}`);
    await seeText(page, 'Nothing may be kept: the turn is over');
    check(await page.locator('.rolled .die').count() === 6, 'what was entered is seen');
    check(await high() === before, 'nothing moves');
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('spinbutton', { name: 'Opponent scored' }).fill('400');
    await page.locator('.setup').getByRole('button', { name: 'Go on' }).click();
    await seeText(page, `The opponent wins: you have ${best.points}, the opponent 550.`);
    await page.getByRole('button', { name: 'New game: the opponent begins' }).click();
    await until(page, () => location.pathname.endsWith('/0/0'));
    await page.getByRole('spinbutton', { name: 'Opponent scored' }).fill('50');
    await page.keyboard.press('Enter');
    await until(page, () => location.pathname.endsWith('/0/50'));
    // Back is a step of the game too.
    await page.goBack();
    await page.getByRole('spinbutton', { name: 'Opponent scored' }).waitFor();
  });
}

/** A game in which dice are kept, short enough to be played to its end. */
async function playsToTheEnd(page, path, name) {
  await page.goto(path);
  await seeText(page, 'Roll the dice.');
  await page.getByRole('button', { name: 'Hints' }).click();
  const hand = page.getByRole('group', { name: 'Dice to keep' });
  const ended = page.locator('.ended');
  const bank = page.getByRole('button', { name: /^Bank/ });
  const roll = page.getByRole('button', { name: /^Roll \d/ });
  let kept = 0;
  let shown = false;
  for (;;) {
    await until(page, () => document.querySelector('.columns').dataset.busy === 'false');
    if (await ended.count()) return kept;
    if (await hand.count()) {
      // The second best choice of the table, if there is one, so that the review has what to tell.
      const rows = page.locator('.told tbody tr');
      const wanted = (await rows.nth((await rows.count()) > 1 ? 1 : 0).locator('th').textContent()).split(' ');
      for (const [at, face] of wanted.entries()) {
        const dice = hand.getByRole('button', { name: `Keep the ${face}`, pressed: false });
        if (at % 2) await page.keyboard.press(face);
        else await dice.first().click();
      }
      const keep = page.getByRole('button', { name: /^Keep .*: \d+ points$/ });
      await keep.waitFor();
      if (!shown) {
        await fits(page, 'play kcd');
        await shot(page, `play-${name}-choice`);
      }
      shown = true;
      await (kept % 2 ? page.keyboard.press('k') : keep.click());
      kept += 1;
    } else {
      await ((await bank.count()) ? bank : roll).click();
    }
  }
}

for (const [kind, options] of [['desk', {}], ['phone', PHONE]]) {
  test(`kcd is played to its end: dice are clicked, and each choice is reviewed: ${kind}`, async () => {
    const page = await open({ ...options, bypassCSP: true, reducedMotion: 'reduce' });
    const kept = await playsToTheEnd(page, `${url}play/kcd?seed=7&goal=500`, kind);
    check(kept > 0, 'dice were chosen');
    await seeText(page, 'The costliest choices');
    // A costly turn says what was kept and what was best; its table has the rate of every choice.
    const costly = page.locator('.review li', { hasText: /keep [\d ]+ gave away [\d.]+ percentage points, best: keep/ }).first();
    await costly.getByRole('button').click();
    await page.locator('.review table tbody tr').nth(1).waitFor();
    await fits(page, 'review kcd');
    await shot(page, `play-${kind}-review`);
    await page.getByRole('button', { name: 'Play on from here' }).click();
    await page.getByRole('button', { name: /^Roll \d/ }).waitFor();
  });
}

test('a choice of dice is taken back, refused if it may not be, and shared by its address', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/kcd?seed=7&goal=500`);
  await page.getByRole('button', { name: 'Roll 6 dice' }).click();
  await page.getByRole('group', { name: 'Dice to keep' }).waitFor();
  await until(page, () => /^Rolled \d(, \d){5}: /.test(document.getElementById('said').textContent));
  const faces = await page.locator('.keeping .dice button').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label').at(-1)));
  const game = { question: 'play', rules: 'kcd', goal: 500, seed: 7, players: ['person', 'optimal'] };
  check(`${faces}` === `${answered({ ...game, rolls: [1] }).roll}`, `${faces}`);
  const bad = faces.find((face) => !['1', '5'].includes(face));
  await page.getByRole('button', { name: `Keep the ${bad}` }).first().click();
  await seeText(page, `${bad}: no score yet`);
  await page.getByRole('button', { name: `Keep the ${bad}` }).first().click();
  const good = faces.find((face) => ['1', '5'].includes(face));
  await page.getByRole('button', { name: `Keep the ${good}` }).first().click();
  const keep = page.getByRole('button', { name: /^Keep \d: \d+ points$/ });
  await until(page, (words) => document.getElementById('said').textContent === words, await keep.textContent());
  await keep.press('Enter');
  await page.getByRole('button', { name: 'Roll 5 dice' }).waitFor();
  await until(page, () => document.activeElement.textContent.startsWith('Roll 5 dice'));
  await until(page, () => /keep \d of (\d, ){5}\d; dice to roll 5, points at risk \d+;/.test(document.getElementById('said').textContent));
  check(/rolls=1\.k[\d-]+$/.test(page.url()), page.url());
  const link = page.url();
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('group', { name: 'Dice to keep' }).waitFor();
  await page.goto(link);
  await page.getByRole('button', { name: 'Roll 5 dice' }).waitFor();
});

test('dice of two kinds are typed kind by kind, and kept', async () => {
  const path = join(SCRATCH, 'two-kinds.toml');
  const kinds = '[[dice]]\nname = "plain"\ncount = 2\n\n[[dice]]\nname = "heavenly"\ncount = 2\nweights = [7, 2, 2, 2, 2, 4]';
  writeFileSync(path, KCD.split('[[example]]')[0].replace('[[dice]]\ncount = 6', kinds).replace('goal = 500', 'goal = 300'));
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'worked examples hold');
  await page.getByLabel('A rule file', { exact: true }).setInputFiles(path);
  await seeText(page, 'Dice are kept after the roll');
  await page.getByRole('link', { name: 'Explore these rules' }).click();
  await seeText(page, 'kind by kind (plain, heavenly)');
  for (const face of [3, 1, 1, 2]) await page.getByRole('button', { name: `Add a ${face}` }).click();
  await page.getByRole('button', { name: 'Keep the 1' }).last().click();
  await page.getByRole('button', { name: 'Keep 1: 100 points' }).click();
  await until(page, () => /plain=1/.test(location.search) && !/heavenly=1/.test(location.search));
});

test('rules of a game in which dice are kept are edited, with its figures and without a map', async () => {
  const page = await open({ bypassCSP: true });
  await page.goto(`${url}rules/kcd?goal=500`);
  await seeText(page, 'worked examples hold');
  await seeText(page, 'who moves first wins');
  await seeText(page, '71.57 %');
  check(await page.getByRole('button', { name: 'Save map as PNG' }).isHidden(), 'there is no map');
  await page.getByText('What a number changes').click();
  await page.locator('.more figure svg').waitFor();
  await fits(page, 'rules kcd');
  await shot(page, 'rules-kcd');
  await page.getByRole('spinbutton', { name: 'Goal' }).fill('400');
  await page.getByRole('spinbutton', { name: 'Goal' }).press('Enter');
  await page.getByRole('link', { name: 'Play these rules' }).click();
  await seeText(page, 'First to 400 points');
});

const score = (page, name) => page.getByRole('spinbutton', { name, exact: true });

/** Goes from the field that has the focus to another one. */
const WAYS = {
  tap: (field) => field.tap(),
  click: (field) => field.click(),
  Tab: (field, page) => page.keyboard.press('Tab'),
};

for (const [way, reach] of Object.entries(WAYS)) {
  test(`a score is typed after another, and no digit becomes a die: ${way}`, async () => {
    const page = await open(way === 'tap' ? PHONE : {});
    for (const [view, path] of [
      ['explore/kcd', '/1200/1500'],
      ['explore/fa21/20/36', '/12/15'],
    ]) {
      const [, own, other] = path.split('/');
      await page.goto(`${url}${view}`);
      await page.locator('.answer').first().waitFor();
      await score(page, 'You').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(own);
      await reach(score(page, 'Opponent'), page);
      if (way !== 'Tab' && view.endsWith('36')) await page.keyboard.press('Control+a');
      await page.keyboard.type(other);
      await page.keyboard.press('Tab');
      await until(page, (wanted) => location.pathname.endsWith(wanted), path);
      check(!page.url().includes('roll='), page.url());
      check(await page.evaluate(() => document.activeElement !== document.body), 'the focus is kept');
    }
  });
}

test('the goal is chosen where dice are kept, and the focus goes on to the next field', async () => {
  const page = await open({ ...PHONE, bypassCSP: true });
  await page.goto(`${url}explore/kcd?goal=500`);
  await page.locator('.answer').waitFor();
  await page.getByRole('button', { name: 'Add a 5' }).tap();
  await seeText(page, '5 more dice to come.');
  await score(page, 'Goal').fill('450');
  await score(page, 'You').tap();
  await until(page, () => /goal=450.*roll=5|roll=5.*goal=450/.test(location.search) && document.querySelector('[data-key=score]').max === '400');
  await until(page, () => document.activeElement.dataset.key === 'score');
  await page.keyboard.type('100');
  await page.keyboard.press('Tab');
  await until(page, () => location.pathname.endsWith('/100/0'));
  await score(page, 'Goal').fill('475');
  await page.keyboard.press('Tab');
  await seeText(page, 'in steps of 50, and not 475');
  check(page.url().includes('goal=450'), page.url());
  await score(page, 'Points at risk').fill('600');
  await page.keyboard.press('Tab');
  await seeText(page, 'Points at risk: 0 to 450');
  await score(page, 'Points at risk').fill('70');
  await page.keyboard.press('Tab');
  await page.locator('[role=alert]', { hasText: 'Points at risk: 0 to 450 in steps of 50, and not 70.' }).waitFor();
  const low = await page.locator('.by-dice button:visible').evaluateAll((all) => all.map((one) => one.offsetHeight).filter((height) => height < 40));
  check(low.length === 0, `heights of buttons: ${low}`);
  await fits(page, 'explore kcd, with a fault');
});

test('a line of the choices is tapped to go on from it', async () => {
  const page = await open(PHONE);
  await page.goto(`${url}explore/kcd/0/0?goal=500&roll=1.1.5.2.3.3`);
  const lines = page.locator('.keeps tbody tr');
  await lines.nth(1).waitFor();
  const [kept, points] = await lines.nth(1).locator('th, td').allTextContents();
  await shot(page, 'keep-lines');
  await lines.nth(1).locator('td').nth(1).tap();
  const left = 6 - kept.split(' ').length;
  await until(page, (wanted) => location.search.includes(wanted), `dice=${left}&pot=${points}`);
});
