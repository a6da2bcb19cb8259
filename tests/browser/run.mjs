// Tests of the page in a real browser.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  PHONE,
  SCRATCH,
  VIEWS,
  check,
  fits,
  hog,
  open,
  runAll,
  seeText,
  shot,
  test,
  until,
  url,
} from './harness.mjs';
import './class.mjs';
import './coach.mjs';
import './desk.mjs';
import './firefox.mjs';
import './gone.mjs';
import './heard.mjs';
import './hostile.mjs';
import './keep.mjs';
import './more.mjs';
import './own.mjs';
import './seen.mjs';
import './shown.mjs';
import './tab.mjs';
import './taken.mjs';

/** Returns the centre of a cell of the map, in pixels. */
async function cell(page, score, opponent, goal = 100) {
  const box = await page.locator('.marks').boundingBox();
  const side = box.width - 40;
  return [box.x + 34 + ((score + 0.5) * side) / goal, box.y + 6 + side - ((opponent + 0.5) * side) / goal];
}

const answer = (page) => page.locator('.answer').first();

test('the map can be explored by mouse, keyboard and address', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21`);
  await seeText(page, 'Whoever moves first wins');
  await page.mouse.move(...await cell(page, 20, 36));
  await seeText(page, '20 to 36: roll 8');
  await page.mouse.click(...await cell(page, 20, 36));
  await seeText(page, 'Why 8 dice rather than 7');
  check((await answer(page).textContent()).includes('39.66 %'), 'the win rate is shown');
  check(page.url().endsWith('/explore/fa21/20/36'), page.url());
  await shot(page, 'explore');
  await page.waitForTimeout(800);
  await page.locator('.marks').focus();
  await page.keyboard.press('ArrowRight');
  await until(page, () => location.pathname.endsWith('/21/36'));
  await page.goBack();
  await until(page, () => location.pathname.endsWith('/20/36') && document.querySelector('.answer')?.textContent.includes('Roll 8'));
  await page.goForward();
  await until(page, () => location.pathname.endsWith('/21/36') && !document.querySelector('.answer').textContent.includes('39.66'));
  await page.getByRole('button', { name: '3 dice', exact: true }).click();
  await seeText(page, 'rather than 3');
  await page.getByText('As a table').click();
  await page.getByRole('rowheader', { name: '99', exact: true }).waitFor();
});

test('the keyboard goes as the eyes do, from the map to the answer and back, and the map shows its whole focus ring', async () => {
  for (const options of [{}, PHONE]) {
    const page = await open(options);
    await page.goto(`${url}explore/fa21`);
    await seeText(page, 'Whoever moves first wins');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    const reached = [];
    for (let tabs = 0; tabs < 3; tabs += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate(() => document.activeElement.textContent));
    }
    const first = options === PHONE ? 'Play,Rate my strategy,Run my contest' : 'Best dice,Win rate,What is at stake';
    check(`${reached}` === first, `${reached}`);
    const marks = page.locator('.marks');
    const told = await marks.evaluate((one) => one.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent).join(''));
    check(/arrow keys/.test(told), told);
    await page.getByRole('button', { name: 'Win rate', exact: true }).focus();
    await until(page, () => document.activeElement.compareDocumentPosition(document.querySelector('.marks')) & Node.DOCUMENT_POSITION_FOLLOWING);
    await marks.focus();
    await page.keyboard.press('ArrowUp');
    check(await marks.evaluate((one) => Number.parseFloat(getComputedStyle(one).outlineOffset) < 0), 'the ring is inside');
    await page.locator('.choices').waitFor();
    await page.keyboard.press('Enter');
    check(await page.evaluate(() => document.activeElement.contains(document.querySelector('.verdict'))), 'the answer has the focus');
    check(await page.getByRole('group', { name: /^Position \d+ to \d+$/ }).evaluate((one) => one === document.activeElement), 'it has a name');
    await page.keyboard.press('Escape');
    check(await marks.evaluate((one) => one === document.activeElement), 'the map has it again');
    await shot(page, options === PHONE ? 'map-ring-phone' : 'map-ring');
  }
});

test('each turn is announced with the totals, and a result stays while the opponent moves', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7`);
  await seeText(page, 'How many dice');
  await page.keyboard.press('4');
  await until(page, () => /^You: 4 dice: \d, \d, \d, \d; \d+ points?(; [^;]+)*; \d+ to \d+\. The best player: .*; \d+ to \d+\. Your turn\.$/.test(document.getElementById('said').textContent));
  await page.locator('.told .before', { hasText: 'You: 4 dice' }).waitFor();
  await page.locator('.told .points:not(.before)', { hasText: 'The best player' }).waitFor();
});

test('if the opponent ends the game, the focus waits for the result, which is told after the turn', async () => {
  const page = await open();
  await page.goto(`${url}play/su26?from=90-88&seed=3`);
  await page.evaluate(() => addEventListener('focusin', ({ target }) => { if (!target.textContent) document.title = 'lost'; }));
  await page.getByRole('button', { name: 'Roll 1 die', exact: true }).press('Enter');
  await page.locator('.ended:focus', { hasText: 'You lose' }).waitFor();
  check(await page.title() !== 'lost', 'the focus was in an empty part');
  await until(page, () => /^The best player: .*; \d+ to \d+\. You lose: \d+ to \d+\.$/.test(document.getElementById('said').textContent));
});

test('the slider of a review can be dragged on', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?players=optimal~baseline&seed=3`);
  const slider = page.getByRole('slider', { name: 'Turn' });
  await slider.waitFor();
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const middle = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, middle);
  await page.mouse.down();
  const seen = new Set();
  for (const share of [0.7, 0.5, 0.3, 0.1]) {
    await page.mouse.move(box.x + share * box.width, middle);
    seen.add(await slider.inputValue());
  }
  await page.mouse.up();
  check(seen.size === 4, `${[...seen]}`);
});

test('every layer is drawn, and a link opens the same view', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa19/20/36?last_dice=4`);
  await seeText(page, 'last dice 4');
  for (const layer of ['Win rate', 'What is at stake', 'How often met', 'A strategy', 'Where it differs']) {
    await page.getByRole('button', { name: layer, exact: true }).click();
    await page.locator(`button[aria-pressed=true]:text-is("${layer}")`).waitFor();
    await until(page, () => !document.querySelector('.stale'));
    await shot(page, `layer-${layer.toLowerCase().replaceAll(' ', '-')}`);
  }
  const other = await open();
  await other.goto(page.url());
  await seeText(other, 'the same or tied (');
  check(await answer(other).textContent() === await answer(page).textContent(), 'a link opens the same view');
});

test('the first map of Pig shows when to hold', async () => {
  const page = await open();
  await page.goto(`${url}explore/pig?goal=60`);
  await seeText(page, 'The smallest pot at which to roll no more dice');
  await seeText(page, 'roll on to the goal');
  check(await page.getByRole('button', { name: 'When to hold' }).getAttribute('aria-pressed') === 'true', 'it is the first layer');
  await page.mouse.move(...await cell(page, 5, 5, 60));
  await seeText(page, '5 to 5: hold at a pot of 21');
  // A pot with what is missing is scored at once.
  await page.mouse.move(...await cell(page, 55, 5, 60));
  await seeText(page, '55 to 5: roll on to the goal');
  await shot(page, 'pig-hold');
  // A strategy is beside the best one by when both hold, and not by what they do without a pot.
  await page.goto(`${url}explore/pig?goal=60&layer=differs&strategy=hold_at:20`);
  await seeText(page, 'How far the pot at which hold_at:20 holds is from the best one');
  await page.mouse.move(...await cell(page, 5, 5, 60));
  await seeText(page, '5 to 5: hold_at:20: hold at a pot of 20; best: hold at a pot of 21');
  await page.mouse.move(...await cell(page, 55, 5, 60));
  await seeText(page, '55 to 5: hold_at:20: roll on to the goal; best: roll on to the goal');
  await shot(page, 'pig-differs');
  // What is heard is what is seen.
  await page.locator('.marks').focus();
  await page.keyboard.press('ArrowRight');
  await until(page, () => /^1 to 0: hold_at:20: hold at a pot of 20; best: /.test(document.getElementById('said').textContent));
  await page.getByRole('button', { name: 'Best dice' }).click();
  await seeText(page, 'The best number of dice');
  check(page.url().includes('layer=best'), page.url());
  // The answer for a layer that is no longer shown changes nothing.
  await page.route('**/api/v1/map', async (request) => {
    if (request.request().postData().includes('met')) await new Promise((resolve) => { setTimeout(resolve, 700); });
    await request.continue();
  });
  await page.goto(`${url}explore/pig?goal=30`);
  await seeText(page, 'roll on to the goal');
  const late = page.waitForResponse((response) => response.request().postData()?.includes('met'));
  await page.getByRole('button', { name: 'How often met' }).click();
  await page.getByRole('button', { name: 'When to hold' }).click();
  await (await late).finished();
  await page.waitForTimeout(200);
  await seeText(page, 'roll on to the goal');
  check(await page.getByText('No answer').count() === 0 && await page.locator('.map').count() === 1, 'the map is still shown');
  // fa20c remembers whether a turn is an extra one, which is no pot.
  for (const game of ['fa21', 'fa20c']) {
    await page.goto(`${url}explore/${game}?layer=hold&goal=20`);
    await seeText(page, 'The best number of dice');
    check(await page.getByRole('button', { name: 'When to hold' }).count() === 0, `${game} has no such layer`);
  }
});

test('a complete game can be played by keyboard, with hints, undo and a summary', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7`);
  await seeText(page, 'How many dice will you roll?');
  await page.keyboard.press('h');
  await page.locator('.top-roll').waitFor();
  const ready = () => [...document.querySelectorAll('.rolls button')].some((button) => !button.ariaDisabled) || document.querySelector('.ended');
  await page.keyboard.press('6');
  await page.locator('.told .points').first().waitFor();
  await until(page, ready);
  await shot(page, 'play');
  const before = page.url();
  await page.keyboard.press('u');
  await until(page, () => !location.search.includes('rolls'));
  await page.keyboard.press('6');
  await until(page, (address) => location.href === address, before);
  for (let turn = 0; turn < 80 && !await page.locator('.ended .answer').count(); turn += 1) {
    await until(page, ready);
    await page.keyboard.press('5');
    await page.waitForTimeout(60);
  }
  await seeText(page, 'of win rate in all');
  await shot(page, 'play-ended');
  const shared = await open({ reducedMotion: 'reduce' });
  await shared.goto(page.url());
  await seeText(shared, 'of win rate in all');
  check(await shared.locator('.ended .answer').textContent() === await page.locator('.ended .answer').textContent(), 'a link opens the same game');
});

test('dice roll, rules are explained, and two people can play on one screen', async () => {
  const page = await open();
  await page.goto(`${url}play/su15?seed=3&players=person~person`);
  await page.getByRole('button', { name: 'Roll 4 dice', exact: true }).click();
  await page.locator('.die.rolling').first().waitFor();
  await page.locator('.told .points').waitFor();
  await until(page, () => document.querySelectorAll('.die').length === 4 && !document.querySelector('.die.rolling'));
  await until(page, () => document.querySelectorAll('.player')[1].classList.contains('moves'));
});

const edit = (page, from, to) => page.locator('textarea').evaluate((area, [old, text]) => {
  area.value = area.value.replace(old, text);
  area.dispatchEvent(new Event('input'));
}, [from, to]);

test('editing rules underlines faults, solves the map again and shows differences', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await edit(page, '2 * score', '2 * scor');
  await seeText(page, 'did you mean');
  check(await page.locator('.editor mark').textContent() === 'scor', 'the fault is underlined');
  check(await page.locator('.map.stale').count() === 1, 'the old map is greyed');
  await shot(page, 'rules-fault');
  await edit(page, '2 * scor ', '3 * score ');
  await seeText(page, 'The best roll differs from fa21 in');
  check(await page.locator('.editor mark').count() === 0, 'no fault is left');
  await page.getByRole('button', { name: 'What changes' }).click();
  await seeText(page, 'no longer hold');
  await page.getByText('What the game is like').click();
  await seeText(page, 'Hog Pile acts');
  await shot(page, 'rules');
  await page.getByLabel('Sow Sad').uncheck();
  await until(page, () => document.querySelector('textarea').value.includes('#off [[rule]]'));
  await page.getByLabel('Goal').fill('40');
  await page.getByLabel('Goal').blur();
  await seeText(page, 'The goal is 40 instead of 100');
  await page.getByRole('link', { name: 'Explore these rules' }).click();
  await seeText(page, 'Whoever moves first wins');
});

test('the coach rates an uploaded strategy', async () => {
  const page = await open();
  const rows = Array.from({ length: 10_000 }, (_, i) => `${Math.floor(i / 100)},${i % 100},${Math.floor(i / 100) > 90 ? 2 : 5}`);
  writeFileSync(join(SCRATCH, 'five.csv'), `score,opponent,dice\n${rows.join('\n')}\n`);
  await page.goto(`${url}coach/fa21`);
  await page.setInputFiles('.drop input', join(SCRATCH, 'five.csv'));
  await seeText(page, 'five.csv against baseline');
  await seeText(page, 'Misses zero dice');
  await shot(page, 'coach');
  await page.getByRole('link', { name: /^Play against it from/ }).first().click();
  await seeText(page, 'History');
  await page.goBack();
  await seeText(page, 'five.csv against baseline');
  await page.reload();
  await seeText(page, 'five.csv against baseline');
  await page.getByLabel('Against', { exact: true }).fill('always_roll:3');
  await page.getByRole('button', { name: 'Analyse' }).click();
  await seeText(page, 'five.csv against always_roll:3');
  await page.goBack();
  await seeText(page, 'five.csv against baseline');
  writeFileSync(join(SCRATCH, 'broken.csv'), 'score,opponent,dice\n0,0,99\n');
  await page.goto(`${url}coach/fa21`);
  await page.setInputFiles('.drop input', join(SCRATCH, 'broken.csv'));
  await seeText(page, 'broken.csv');
});

test('a file that was changed and is chosen again is read again', async () => {
  const page = await open();
  const file = join(SCRATCH, 'changing.txt');
  const rate = async (number) => {
    writeFileSync(file, `${Array(30).fill(number).join(' ')}\n`.repeat(30));
    await page.setInputFiles('.drop input', file);
    const { win_rate: rate } = JSON.parse(hog('rate', 'fa21', `always_roll:${number}`, '--goal', '30', '--format', 'json'));
    await seeText(page, `${(rate.average * 100).toFixed(2)} %`);
  };
  await page.goto(`${url}coach/fa21?goal=30`);
  await rate(4);
  await rate(2);
  check(await page.locator('.drop input').first().inputValue() === '', 'a browser tells nothing if the same file is chosen again, unless the field was emptied');
});

test('what is typed before the rules are loaded does not replace the edited ones, and a damaged link is told', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await edit(page, 'goal = 100', 'goal = 40');
  await seeText(page, 'The goal is 40 instead of 100');
  let [asked, release] = [];
  const waiting = new Promise((done) => { asked = done; });
  const released = new Promise((done) => { release = done; });
  await page.route('**/api/v1/rules/text', async (route) => {
    asked();
    await released;
    await route.continue();
  });
  await page.reload();
  await waiting;
  await page.locator('textarea').pressSequentially(' ');
  release();
  await seeText(page, 'These are your edited rules of fa21');
  check((await page.locator('textarea').inputValue()).includes('goal = 40'), 'the draft is kept');
  await page.unroute('**/api/v1/rules/text');
  await page.goto(`${url}explore/fa21`);
  await page.goto(`${url}rules/fa21#z=H4sIAAAA`);
  await seeText(page, 'The link is damaged');
});

test('links keep memories of value 0', async () => {
  const page = await open();
  await page.goto(`${url}play/fa19?from=20-30&last_dice=0&opponent_last_dice=3`);
  const link = await page.getByRole('link', { name: 'On the map' }).getAttribute('href');
  check(link.includes('last_dice=0') && link.includes('opponent_last_dice=3'), link);
});

test('a contest of ten entrants shows every pair and offers downloads', async () => {
  const page = await open();
  const files = Array.from({ length: 6 }, (_, i) => join(SCRATCH, `team${i}.csv`));
  files.forEach((file, i) => writeFileSync(file, `score,opponent,dice\n${Array.from({ length: 10_000 }, (_, j) => `${Math.floor(j / 100)},${j % 100},${(j % 100) % 10 < i ? 0 : 3 + i}`).join('\n')}\n`));
  await page.goto(`${url}contest/fa21`);
  await page.setInputFiles('.drop input[multiple]', files);
  await seeText(page, '6 files');
  writeFileSync(join(SCRATCH, 'late.docx'), 'not a strategy');
  await page.setInputFiles('.drop input[multiple]', join(SCRATCH, 'late.docx'));
  await seeText(page, 'are read: late.docx.');
  await page.reload();
  await seeText(page, '6 files');
  await page.getByLabel('Strategies by name').fill('optimal, baseline, beat:baseline always_roll:4');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '45 pairs;');
  check(await page.locator('.matrix button').count() === 90, 'every pair has a cell in both directions');
  await page.locator('.matrix button').first().click();
  await seeText(page, 'The best possible against');
  const heading = page.getByRole('heading', { name: / against / });
  await until(page, () => document.querySelector('.matrix [aria-current]') !== null);
  const { y } = await heading.boundingBox();
  check(y > 0 && y < page.viewportSize().height, `the pair is seen, not at ${y}`);
  // The matrix is one tab stop, and arrow keys go from cell to cell, over the diagonal.
  check((await page.locator('.matrix [tabindex="0"]').count()) === 1, 'one tab stop');
  const at = () =>
    page.evaluate(() => {
      const { cellIndex, parentElement } = document.activeElement.closest('td');
      return `${parentElement.sectionRowIndex} ${cellIndex - 1}`;
    });
  const places = {
    ArrowDown: '2 1',
    ArrowRight: '2 3',
    Home: '2 0',
    ArrowLeft: '2 0',
    'Control+End': '9 8',
    ArrowUp: '7 8',
  };
  for (const [key, place] of Object.entries(places)) {
    await page.keyboard.press(key);
    check((await at()) === place, `${key}: ${await at()}, not ${place}`);
  }
  check((await page.locator('.matrix [tabindex="0"]').count()) === 1, 'still one tab stop');
  await page.getByRole('button', { name: 'team3', exact: true }).click();
  check(await page.locator('.matrix button').count() === 9, 'its results against all others');
  await page.getByRole('button', { name: 'team3', exact: true }).click();
  check(await page.locator('.matrix button').count() === 90, 'all again');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Ranking (.csv)' }).click()]);
  check(file.suggestedFilename() === 'contest-fa21-ranking.csv', 'the ranking can be downloaded');
  const [reports] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Reports (.zip)' }).click()]);
  check(reports.suggestedFilename() === 'contest-fa21.zip', reports.suggestedFilename());
  const zip = readFileSync(await reports.path(), 'latin1');
  check(zip.startsWith('PK') && zip.includes('index.html') && zip.includes('team3.html'), 'the archive has the ranking and a page for each entrant');
  await shot(page, 'contest');
});

test('details of a pair are about the files of the contest', async () => {
  const page = await open();
  const folder = join(SCRATCH, 'class');
  const write = (name, dice) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `def final_strategy(score, opponent_score):\n    return ${dice}\n`);
  };
  write('alice/hog.py', 4);
  write('baseline.py', 5);
  await page.goto(`${url}contest/fa21?goal=30`);
  await page.setInputFiles('.drop input[webkitdirectory]', folder);
  await seeText(page, '2 files');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '6 pairs;');
  const best = (against) => JSON.parse(hog('try', 'fa21', 'always_roll:4', '--against', against, '--goal', '30', '--format', 'json')).best_response.average;
  for (const [other, against] of [['baseline', 'baseline'], ['baseline.py', 'always_roll:5']]) {
    await page.getByRole('button', { name: new RegExp(`: alice against ${other.replace('.', '\\.')}$`) }).click();
    await page.getByRole('heading', { name: `alice against ${other}`, exact: true }).waitFor();
    await seeText(page, `The best possible against ${other} is ${(best(against) * 100).toFixed(2)} %`);
  }
});

test('keys that the game does not allow are answered and change nothing', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  for (const [game, key, told] of [['pig?seed=3&goal=20&players=person~always_roll:0', '5', '5 dice: this game allows 0 to 1.'], ['fa21?seed=3&goal=20&max_dice=6', 't', '10 dice: this game allows 0 to 6.']]) {
    await page.goto(`${url}play/${game}`);
    await seeText(page, 'How many dice will you roll?');
    const before = page.url();
    await page.keyboard.press(key);
    await seeText(page, told);
    check(page.url() === before, page.url());
    await page.keyboard.press('1');
    await page.locator('.told .points').first().waitFor();
  }
});

test('a contest can be cancelled and started again', async () => {
  const page = await open();
  await page.goto(`${url}contest/pig`);
  const names = page.getByLabel('Strategies by name');
  await names.fill('optimal beat:hold_at:20 beat:hold_at:21 beat:hold_at:22');
  await page.getByRole('button', { name: 'Start the contest' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await seeText(page, 'Cancelled.');
  await page.goto(`${url}contest/fa21?goal=20`);
  await names.fill('optimal baseline');
  await page.getByRole('button', { name: 'Start the contest' }).click();
  await seeText(page, '1 pair;');
});

test('links to other views keep the rules and the opponent', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=3&goal=40&max_dice=6&rolls=6`);
  await page.locator('.history a').first().waitFor();
  const turn = await page.locator('.history a').last().getAttribute('href');
  check(turn === '/explore/fa21/0/0?goal=40&max_dice=6', turn);
  await page.goto(`${url}explore/fa21/20/30?goal=40&against=always_roll:3`);
  await seeText(page, 'Play from here');
  const from = await page.getByRole('link', { name: 'Play from here' }).getAttribute('href');
  check(from === '/play/fa21?goal=40&against=always_roll%3A3&from=20-30', from);
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'First to 40 points');
  await seeText(page, 'You against always_roll:3');
  await page.goto(`${url}coach/fa21?goal=30&strategy=always_roll:5&against=always_roll:3`);
  await seeText(page, 'always_roll:5 against always_roll:3');
  const worst = await page.locator('.scroll.wide a').first().getAttribute('href');
  check(worst.includes('goal=30&against=always_roll%3A3'), worst);
});

test('a wrong name is refused beside its field', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}explore/fa21?layer=strategy&goal=20`);
  await seeText(page, '4 to 7: it rolls 6; best: roll');
  await page.getByLabel('Strategy to show').fill('nosuch');
  await page.getByLabel('Strategy to show').press('Enter');
  await seeText(page, 'unknown strategy nosuch');
  check(await page.locator('[role=alert] code').first().innerText() === 'nosuch', 'the name is shown as code');
  check(await page.locator('.map').count() === 1 && !page.url().includes('nosuch'), 'the map is still shown');
  await page.goto(`${url}explore/fa21/3/4?layer=differs&strategy=nosuch&goal=20`);
  await seeText(page, 'unknown strategy nosuch');
  await seeText(page, 'The best number of dice');
  check((await answer(page).textContent()).includes('Roll'), 'the position is answered beside the map');
  await page.getByLabel('Strategy to show').fill('always_roll:5');
  await page.getByLabel('Strategy to show').press('Enter');
  await seeText(page, 'does not roll a best number of dice');
  check(await page.getByText('unknown strategy').count() === 0, 'the message is gone');
  await page.goto(`${url}play/fa21?seed=3&goal=20`);
  await page.getByText('You against the best player').click();
  await page.getByLabel('Moves second').fill('nosuch');
  await page.getByRole('button', { name: 'Start' }).click();
  await seeText(page, 'unknown strategy nosuch');
  check(await page.locator('.board').count() === 1 && !page.url().includes('nosuch'), 'the game is still shown');
});

test('an address that is malformed or out of range gets a message', async () => {
  const page = await open();
  for (const [place, told] of [['explore/%E0%A4%A', 'no game and no rule file is called'], ['explore/fa21/20', 'needs two scores from 0 to 99'], ['explore/fa21/100/3', 'needs two scores from 0 to 99']]) {
    await page.goto(url + place);
    await seeText(page, told);
  }
  await page.goto(`${url}nosuch/fa21`);
  await seeText(page, 'There is no view called nosuch');
  page.faults = page.faults.filter((fault) => !fault.includes('404'));
  for (const [place, told] of [['explore/fa21?goal=abc', 'goal must be a whole number'], ['play/fa21?max_dice=x', 'max_dice must be a whole number'],
    ['play/fa21?seed=abc', 'seed must be a whole number'], ['play/fa21?players=xyz', 'players must be two'],
    ['play/fa21?seed=1&rolls=4.x', 'rolls must be numbers of dice'], ['play/fa21?from=20', 'from must be two scores']]) {
    await page.goto(url + place);
    await seeText(page, told);
  }
  for (const [place, shown] of [['explore/', '.map'], ['play/', '.board']]) {
    check((await page.goto(url + place)).status() === 200, `${place} is answered as without the slash`);
    await page.locator(shown).waitFor();
  }
  await page.goto(`${url}explore/FA24`);
  await until(page, () => document.getElementById('game').value === 'fa24');
});

test('the best roll stands out, and a score that cannot be replaces the answer', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21/20/36?compare=3`);
  await seeText(page, 'rather than 3');
  const ground = (row) =>
    page.locator(`.choices tr.${row}`).evaluate((one) => getComputedStyle(one).backgroundColor);
  check((await ground('best')) !== (await ground('compare')), 'the best row has a colour');
  check((await ground('compare')) === 'rgba(0, 0, 0, 0)', 'the compared one has none');
  const you = page.getByLabel('You', { exact: true });
  await you.fill('150');
  await you.press('Enter');
  await seeText(page, 'You: 0 to 99, and not 150.');
  check((await page.locator('.choices').count()) === 0, 'the old table is gone');
  await you.fill('20');
  await you.press('Enter');
  await seeText(page, 'rather than 3');
  // What the engine refuses: scores of this game are multiples of 50.
  await page.goto(`${url}explore/kcd/100/100`);
  await page.locator('.matrix.field').waitFor();
  await you.fill('30');
  await you.press('Enter');
  await page.locator('[role=alert].loss:not(:empty)').waitFor();
  check(!(await page.locator('.matrix.field').isVisible()), 'its table is gone');
});

test('the coach keeps its strategy in the address', async () => {
  const page = await open();
  await page.goto(`${url}coach/pig?goal=15`);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await seeText(page, 'Enter the name of a strategy, for example hold_at:20');
  for (const target of [3, 5]) {
    // The accessible name is the label that is seen, as speech control needs.
    await page.getByLabel('Or a strategy by name', { exact: true }).fill(`hold_at:${target}`);
    await page.getByLabel('Or a strategy by name', { exact: true }).press('Enter');
    await seeText(page, `hold_at:${target} against optimal`);
  }
  await page.goBack();
  await seeText(page, 'hold_at:3 against optimal');
  await page.reload();
  await seeText(page, 'hold_at:3 against optimal');
});

test('each game keeps its own edited rules', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await edit(page, '2 * score', '3 * score');
  await seeText(page, 'The best roll differs from fa21 in');
  await page.goto(`${url}rules/fa18`);
  await seeText(page, 'The best rolls are those of fa18');
  await edit(page, 'goal = 100', 'goal = 50');
  await seeText(page, 'The goal is 50 instead of 100');
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'These are your edited rules of fa21');
  check((await page.locator('textarea').inputValue()).includes('3 * score'), 'the edit is restored');
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await seeText(page, 'The best rolls are those of fa21');
  await page.goto(`${url}explore/mine.fa18`);
  await seeText(page, '10 to 18: roll');
});

test('the focus stays on the button that was pressed', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  const pressed = async (button) => {
    await button.press('Enter');
    await page.waitForTimeout(500);
    check(await button.evaluate((element) => element === document.activeElement), `the focus is on ${button}`);
  };
  await page.goto(`${url}explore/fa21?goal=20`);
  await pressed(page.getByRole('button', { name: 'Win rate', exact: true }));
  await page.goto(`${url}play/fa21?seed=3&goal=100`);
  await pressed(page.getByRole('button', { name: 'Hints' }));
  await pressed(page.locator('.rolls button').nth(3));
  // At the end the result has it: a further Enter begins no game.
  await page.goto(`${url}play/fa21?seed=3&goal=8&from=7-7`);
  await page.getByRole('button', { name: 'Roll 1 die' }).press('Enter');
  await until(page, () => document.activeElement.matches('.ended'));
  const address = page.url();
  await page.keyboard.press('Enter');
  check(page.url() === address, 'nothing begins');
  await page.goto(`${url}explore/fa21/5/7?goal=20`);
  await page.getByLabel('You', { exact: true }).fill('');
  await page.getByLabel('You', { exact: true }).blur();
  await until(page, () => document.querySelector('[data-key=score]').value === '5');
});

for (const [kind, options] of [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', PHONE],
  ['dark phone', { ...PHONE, colorScheme: 'dark' }],
]) {
  test(`every view fits the screen and is accessible: ${kind}`, async () => {
    for (const [view, text] of Object.entries(VIEWS)) {
      const page = await open({ reducedMotion: 'reduce', bypassCSP: true, ...options });
      await page.goto(url + view);
      await seeText(page, text);
      await shot(page, `${kind}-${view.split('/')[0]}`);
      await fits(page, view);
    }
  });
}

test('the first paint and hovering are fast', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21`);
  await seeText(page, 'Whoever moves first wins');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  await page.mouse.move(...await cell(page, 5, 5));
  const hover = await page.evaluate(async () => {
    const marks = document.querySelector('.marks');
    const { left, top, width } = marks.getBoundingClientRect();
    const began = performance.now();
    for (let i = 0; i < 100; i += 1) marks.dispatchEvent(new PointerEvent('pointermove', { clientX: left + 50 + (i * (width - 100)) / 100, clientY: top + 100 }));
    return (performance.now() - began) / 100;
  });
  console.log(`      first paint after ${Math.round(paint)} ms, a hover takes ${hover.toFixed(2)} ms`);
});

await runAll();
