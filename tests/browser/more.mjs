// Tests of the rules: files that are opened and dropped, names that are offered, and what more is
// asked about an edited game.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, SCRATCH, check, fits, hog, open, seeText, shot, test, until, url } from './harness.mjs';

const RACE = "id = 'race'\ngoal = 12\nmax_dice = 2\n";

/** The answer of the command about that file. */
function asked(command, ...words) {
  const path = join(SCRATCH, 'race.toml');
  writeFileSync(path, RACE);
  return JSON.parse(hog(command, path, ...words, '--format', 'json'));
}

test('a rule file is opened, or dropped on any view, and asked everything', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21`);
  await seeText(page, 'Whoever moves first');
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'race.toml'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, RACE);
  await seeText(page, 'The goal is 12 instead of 100');
  check(new URL(page.url()).pathname === '/rules/fa21', page.url());
  const part = (name) => page.locator('.more details', { hasText: name });
  await page.getByText('A fair start', { exact: true }).click();
  const { first_player: rate } = asked('fair');
  await part('A fair start').getByText(`${(rate * 100).toFixed(2)} %`).first().waitFor();
  await page.getByText('A simple strategy', { exact: true }).click();
  const simple = asked('simplify', '--lines', '5').strategies.at(-1).sentences[0];
  await part('A simple strategy').getByText(simple).waitFor();
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('The number').selectOption({ label: 'max_dice = 2' });
  await page.getByText('How often who moves first wins, by max_dice: ').waitFor();
  await page.getByText('What the game is like', { exact: true }).click();
  await page.getByLabel('Compared with').selectOption('pig');
  await page.getByRole('columnheader', { name: 'pig', exact: true }).waitFor();
  await shot(page, 'rules-more');
  await page.goto(`${url}rules/fa18`);
  await seeText(page, 'The best rolls are those of fa18');
  await page.getByLabel('A rule file', { exact: true }).setInputFiles(join(SCRATCH, 'race.toml'));
  await seeText(page, 'The goal is 12 instead of 100');
});

test('names are offered while a rule is typed, and a fault is told at its line', async () => {
  const page = await open({ ...PHONE, bypassCSP: true });
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  const area = page.locator('textarea');
  const at = (await area.inputValue()).indexOf('2 * score') + 4;
  await area.focus();
  await area.evaluate((field, place) => field.setSelectionRange(place, place + 5), at);
  await page.keyboard.type('oppo');
  await until(page, () => document.querySelector('.notes').textContent.includes('←'));
  await page.getByRole('button', { name: 'opponent', exact: true }).waitFor();
  await shot(page, 'rules-names-phone');
  await fits(page, 'rules');
  await page.keyboard.press('Control+Space');
  await until(page, () => /2 \* opponent\w*/.test(document.querySelector('textarea').value));
});

/** Replaces the text of the rules by what `change` makes of it. */
async function edit(page, change) {
  const area = page.locator('.editor textarea');
  await area.fill(change(await area.inputValue()));
  await page.locator('.more:not(.stale)').waitFor();
}

/** Writes numbers with names into a rule file, before its first table. */
const withNumbers = (numbers) => (text) => text.replace(/^\[\[/m, `[numbers]\n${numbers}\n\n[[`);

const boardOf = (page) =>
  page.locator('.board .score').evaluateAll((all) => all.map((one) => one.lastChild.textContent).join(' '));

test('a game that starts with points does so in every view, and a fair start is written by a click', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await edit(page, withNumbers('second_start = 8'));
  const rate = async () => {
    const path = join(SCRATCH, 'start.toml');
    writeFileSync(path, await page.locator('.editor textarea').inputValue());
    const { win_rate: wins } = JSON.parse(hog('solve', path, '--format', 'json'));
    return `${(100 * wins.first).toFixed(2)} %`;
  };
  await seeText(page, `Who moves first wins ${await rate()}`);
  await page.locator('.figures', { hasText: await rate() }).waitFor();
  await page.getByText('What the game is like', { exact: true }).click();
  await seeText(page, 'the other starts with 8 instead of 0.');
  await page.getByText('A fair start', { exact: true }).click();
  await seeText(page, 'From 0 to 0, who moves first wins 53.44 %');
  const use = page.getByRole('button', { name: /start at 0 to / }).first();
  const [, fairest] = /to (\d+)$/.exec(await use.getAttribute('aria-label'));
  await use.click();
  await until(page, (score) => document.querySelector('.editor textarea').value.includes(`second_start = ${score}`), fairest);
  await page.getByText('as now').waitFor();
  check(await page.locator('summary', { hasText: 'A fair start' }).evaluate((one) => one === document.activeElement), 'the focus stays');
  await seeText(page, `Who moves first wins ${await rate()}`);
  const shown = await rate();
  await shot(page, 'rules-start');
  await page.getByRole('link', { name: 'Explore these rules' }).click();
  await page.locator('.edge', { hasText: `Whoever moves first wins ${shown}` }).waitFor();
  check(!(await page.locator('.welcome').innerText()).includes('every semester'), 'that is no game of a course');
  await seeText(page, `who moves first has 0 and the other ${fairest}`);
  await page.getByRole('link', { name: 'Play', exact: true }).last().click();
  await seeText(page, 'How many dice will you roll?');
  check(await boardOf(page) === `0 ${fairest}`, await boardOf(page));
  // From 0 to 0 is another game there.
  await page.goto(`${url}explore/mine.fa21/0/0`);
  await page.getByRole('link', { name: 'Play from here' }).click();
  await seeText(page, 'How many dice will you roll?');
  check(await boardOf(page) === '0 0', await boardOf(page));
});

test('where dice are kept, a game that starts with points does so too', async () => {
  const page = await open();
  await page.goto(`${url}rules/kcd?goal=1000`);
  await seeText(page, 'explore it by the dice');
  await edit(page, withNumbers('second_start = 350'));
  await page.getByRole('link', { name: 'Explore these rules' }).click();
  const scores = async () => [await page.getByLabel('You', { exact: true }).inputValue(), await page.getByLabel('Opponent', { exact: true }).inputValue()].join(' ');
  await page.getByRole('button', { name: 'The opponent begins' }).waitFor();
  check(await scores() === '0 350', await scores());
  await page.getByRole('button', { name: 'The opponent begins' }).click();
  await seeText(page, 'and has 0.');
  check(await scores() === '350 0', await scores());
  await page.goto(`${url}play/mine.kcd`);
  await seeText(page, 'Roll the dice');
  check(await boardOf(page) === '0 350', await boardOf(page));
  await page.keyboard.press('6');
  await seeText(page, 'Roll first: then a face marks a die.');
});

test('what each rule does is told on the scale of the sentence, and what a rule is that is off', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=30`);
  await seeText(page, 'who moves first wins');
  await page.getByText('What each rule does').click();
  await seeText(page, 'Without Sow Sad, a 1 is a face like any other here');
  await page.getByText('a roll that shows a 1 scores 1 point').first().waitFor();
  const cells = page.locator('.more tr', { hasText: 'Picky Piggy' }).locator('td');
  const told = await cells.first().innerText();
  const before = parseFloat(await page.locator('.figures b').first().innerText());
  await page.getByLabel('Picky Piggy').uncheck();
  await until(page, (old) => parseFloat(document.querySelector('.figures b').textContent) !== old && !document.querySelector('.figures.stale'), before);
  const after = parseFloat(await page.locator('.figures b').first().innerText());
  const change = parseFloat(told.replace('−', '-'));
  check(Math.abs(after - before - change) < 0.011, `${before} to ${after}, and ${told}`);
  // Worked examples that no longer hold do not hide what is left.
  await seeText(page, 'worked examples no longer hold');
  await seeText(page, 'By default, rolling no dice scores 0 points.');
  await page.getByLabel('Sow Sad').uncheck();
  await seeText(page, 'scores 0 points; a roll that shows a 1 scores 1 point');
  await page.getByRole('button', { name: 'Make a 1 a face like any other' }).click();
  await until(page, () => document.querySelector('.editor textarea').value.includes('bust = "sum"'));
  await until(page, () => !document.querySelector('.warned button, .figures.stale'));
  const path = join(SCRATCH, 'like-others.toml');
  writeFileSync(path, await page.locator('textarea').inputValue());
  const { win_rate: wins } = JSON.parse(hog('solve', path, '--format', 'json'));
  await seeText(page, `Who moves first wins ${(wins.first * 100).toFixed(2)} %`);
});

test('a version is found by ranges of numbers and of what is wished', async () => {
  const page = await open({ bypassCSP: true });
  await page.goto(`${url}rules/fa21?goal=20`);
  await seeText(page, 'who moves first wins');
  await page.getByText('Find a version', { exact: true }).click();
  const fill = (field, value) => page.getByLabel(field, { exact: true }).fill(value);
  await fill('goal, from', '18');
  await fill('goal, to', '24');
  await fill('max_dice, from', '9');
  await fill('Turns of a game, to', '4.5');
  await fill('How often who moves first wins, to', '60');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const command = ['vary', 'fa21', 'goal=18..24', 'max_dice=9..10', '--where', 'edge=..0.2', '--where', 'turns=..4.5'];
  const { rows: found } = JSON.parse(hog(...command, '--format', 'json'));
  await seeText(page, `${found.length} games of 14 have all that is wished, the fairest first:`);
  const far = ({ figures: { win_rate: wins } }) => Math.abs(wins.first - 0.5);
  const wanted = [...found].sort((a, b) => far(a) - far(b)).map(({ values, where }) => [...values, where[1].toFixed(1)]);
  const lines = page.getByLabel('Games that were found').locator('tbody tr');
  const told = await lines.evaluateAll((all) => all.map(({ children: [goal, , , turns, dice] }) => [goal, dice, turns].map((one) => one.textContent)));
  check(`${told}` === `${wanted}`, `${told} instead of ${wanted}`);
  await page.setViewportSize({ width: 390, height: 740 });
  await shot(page, 'rules-search');
  await fits(page, 'rules-search');
  const [[goal, dice]] = wanted;
  await page.getByRole('button', { name: `Use it: goal = ${goal}, max_dice = ${dice}` }).click();
  await until(page, ([goal, dice]) => [`goal = ${goal}`, `max_dice = ${dice}`].every((line) => document.querySelector('.editor textarea').value.includes(line)), [goal, dice]);
  check(await page.getByLabel('Turns of a game, to').inputValue() === '4.5', 'what is wished stays');
  await seeText(page, 'Found with the rules as they were then:');
  check(await lines.count() === wanted.length, 'the others can be tried, too');
  // Nothing has it all.
  await fill('Turns of a game, to', '1');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await seeText(page, 'None of 14 games has all that is wished. The nearest:');
  await seeText(page, /Turns of a game: [\d.]+ to [\d.]+ in all; as wished in 0 of 14\./);
  // A range that nobody has typed follows the text.
  await page.reload();
  // Until all figures are there, what is below them moves.
  await seeText(page, 'exact ties');
  await page.getByText('Find a version', { exact: true }).click();
  const from = page.getByLabel('goal, from', { exact: true });
  const before = await from.inputValue();
  await page.getByRole('spinbutton', { name: 'Goal', exact: true }).fill('40');
  await until(page, (known) => ![known, ''].includes(document.querySelector('.search input').value), before);
});

test('a rule is added by a click, and examples of a rule that is off are folded and removed', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=20`);
  await seeText(page, 'All 51 worked examples hold');
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await until(page, () => document.querySelector('.editor textarea').value.includes('points >= 20 ? points + 5 : points'));
  // The menu goes on with the rules that are shown.
  const menu = page.locator('#views').getByRole('link', { name: 'Contest' });
  check((await menu.getAttribute('href')).includes('/contest/mine.fa21'), await menu.getAttribute('href'));
  await page.getByLabel('A good turn').uncheck();
  await page.getByLabel('Picky Piggy').uncheck();
  const folded = page.locator('details', { hasText: 'worked examples no longer hold' });
  await folded.waitFor();
  check(!(await folded.evaluate((one) => one.open)), 'they are folded');
  await folded.locator('summary').click();
  await folded.getByRole('button', { name: 'Remove them' }).click();
  await page.getByText(/^All \d+ worked examples hold\./).waitFor();
});

test('the figure that a number changes is chosen, ties are told, and numbers may be negative', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=20`);
  await seeText(page, 'who moves first wins');
  const tax = "points = 'points + tax < 0 ? 0 : points + tax'";
  await edit(page, (text) => `${withNumbers('tax = -2')(text)}\n[[rule]]\nname = "Tax"\n${tax}\n`);
  await page.getByText('What a number changes', { exact: true }).click();
  const pick = (label) => page.getByLabel('The number').selectOption({ label });
  await pick('tax = -2');
  await seeText(page, 'The fairest is tax = ');
  const [from, to, by] = ['From', 'To', 'In steps of'].map((label) => page.getByLabel(label, { exact: true }));
  check(await from.inputValue() === '-12', `${await from.inputValue()}: what it is now is offered`);
  await to.fill('-1');
  await to.press('Enter');
  await until(page, () => document.querySelectorAll('.more circle').length === 12);
  await by.fill('0');
  await by.press('Enter');
  await seeText(page, 'has the step 0');
  await by.fill('4');
  await by.press('Enter');
  await page.getByLabel('Figure').selectOption({ label: 'Turns of a game' });
  const caption = page.locator('.more figcaption');
  await caption.getByText(/^Turns of a game, by tax: [0-9.]+ to [0-9.]+\.$/).waitFor();
  await page.getByLabel('Figure').selectOption({ label: 'Tax acts, times a game, counted' });
  await caption.getByText(/^Tax acts, times a game, counted, by tax: ≈ /).waitFor();
  await page.getByLabel('Figure').selectOption({ index: 0 });
  await page.setViewportSize({ width: 390, height: 740 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wide <= 0, `${wide} pixels too wide`);
  await shot(page, 'rules-figures');
  // More dice than anybody rolls.
  await pick('max_dice = 10');
  await from.fill('9');
  await from.press('Enter');
  await seeText(page, 'it changes nothing here');
});

test('values that are as fair as the fairest are told together', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=25`);
  await seeText(page, 'who moves first wins');
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('The number').selectOption({ label: 'max_dice = 10' });
  await page.getByLabel('From', { exact: true }).fill('4');
  await page.getByLabel('To', { exact: true }).fill('14');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await seeText(page, 'The fairest is max_dice = 7 to 14, with 57.89 %.');
  check(!(await page.getByText('try further').count()), 'further it would be the same');
});

test('a game that never ends is not the fairest', async () => {
  const page = await open();
  await page.goto(`${url}rules/pig?goal=10`);
  await seeText(page, 'When to hold');
  const die = '[[rule]]\nname = "Sides"\ndie = "sides"\n\n[[rule]]';
  await edit(page, (text) => withNumbers('sides = 3')(text).replace('[[rule]]', die));
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('The number').selectOption({ label: 'sides = 3' });
  await page.getByLabel('To', { exact: true }).fill('4');
  await page.getByLabel('To', { exact: true }).press('Enter');
  // With one side every roll is a 1.
  const told = page.locator('.more figcaption').filter({ hasText: 'The fairest is sides = 2, with ' });
  await told.waitFor();
  const text = await told.innerText();
  check(!text.includes('try further'), 'one side is less, and was tried');
  check(/turns instead of \d/.test(text) && /No game with sides = 0: a die of 0 sides/.test(text), text);
});

test('a misfit value is told without a place in a text that nobody has seen', async () => {
  const page = await open();
  await page.goto(`${url}rules/kcd?goal=500`);
  await seeText(page, 'explore it by the dice');
  await edit(page, withNumbers('second_start = 100'));
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('The number').selectOption({ label: 'second_start = 100' });
  await seeText(page, 'How often who moves first wins, by second_start');
  const by = page.getByLabel('In steps of');
  await by.fill('20');
  await by.press('Enter');
  const told = page.locator('.more figcaption').filter({ hasText: 'No game with second_start = ' });
  await told.waitFor();
  const text = await told.innerText();
  check(/second_start = 20, 40, 60, 80, 120.*: \w.*\.$/.test(text) && !text.includes('rules:'), text);
});

test('when to hold is compared for all pots, a version is renamed, and its name outlives a reload', async () => {
  const page = await open();
  await page.goto(`${url}rules/pig?goal=50`);
  await seeText(page, 'When to hold');
  await page.getByRole('button', { name: 'Keep to compare' }).click();
  page.once('dialog', (dialog) => dialog.accept('Plain pig'));
  await page.getByRole('button', { name: 'Rename it' }).click();
  await seeText(page, 'When to hold is as in Plain pig.');
  await edit(page, (text) => text.replace(/zero_dice = "(.*)"/, 'zero_dice = "pot >= 10 ? pot + 5 : pot"'));
  await page.getByText(/When to hold differs from Plain pig in [\d,]+ positions of 2,500/).waitFor();
  await page.getByRole('button', { name: 'What changes' }).click();
  const save = page.getByRole('button', { name: 'Save map as SVG' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  check(/changes-from-Plain-pig-\w{6}\.svg$/.test(file.suggestedFilename()), file.suggestedFilename());
  check(readFileSync(await file.path(), 'utf8').includes('What changes from Plain pig'), 'the picture says what it is');
  await shot(page, 'rules-hold');
  await page.reload();
  await page.getByText(/When to hold differs from Plain pig in/).waitFor();
  await page.getByRole('button', { name: 'Edit this one' }).click();
  await page.getByRole('heading', { name: 'Plain pig' }).waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  // Memories' limits are numbers, and no formulas.
  await edit(page, (text) => text.replace('goal = 50', 'goal = 40'));
  await page.getByText('What the game is like', { exact: true }).click();
  await page.locator('.more li', { hasText: 'pot: max 39 instead of 49' }).waitFor();
  await page.locator('.more table', { hasText: 'Both play optimally' }).waitFor();
});

test('where dice are kept, the rate is beside that of the other game, and a game of another kind is told', async () => {
  const page = await open();
  await page.goto(`${url}rules/kcd?goal=300`);
  await seeText(page, 'who moves first wins');
  await page.getByText(/Who moves first wins .* percentage points beside kcd\)/).waitFor();
  await page.getByLabel('Compared with').selectOption('fa21');
  await page.getByText('What the game is like', { exact: true }).click();
  await seeText(page, 'The choices of both are of different kinds');
});

test('a file that is compared with may have a fault, which is its own', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=20`);
  await seeText(page, 'who moves first wins');
  const path = join(SCRATCH, 'broken.toml');
  writeFileSync(path, 'id = "broken"\ngoal = 20\nmax_dice = 3\n\n[[rule]]\nname = "A"\npoints = "totl"\n');
  await page.getByLabel('A rule file to compare with').setInputFiles(path);
  await page.getByText(/^broken.toml has a fault in line 7: /).waitFor();
  // Worked examples that do not hold with this goal are in a list of their own.
  const faults = page.getByRole('list', { name: 'Faults' });
  check((await faults.locator('li').count()) === 0, 'the text has none');
  await page.getByText('What the game is like', { exact: true }).click();
  await page.locator('.more .note', { hasText: 'totl' }).waitFor();
});

test('two versions tell the formulas that differ, go by names of their own, and so does a picture', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21?goal=30`);
  await seeText(page, 'who moves first wins');
  await edit(page, (text) => text.replace(/^title.*$/m, 'title = "Vault"'));
  await page.getByRole('button', { name: 'Keep to compare' }).click();
  await page.getByText('What the game is like', { exact: true }).click();
  await edit(page, (text) => text.replace('bust = "1"', 'bust = "2"'));
  await page.locator('.more li', { hasText: 'Sow Sad: 2 instead of 1' }).waitFor();
  await page.locator('.keys', { hasText: 'Vault' }).first().waitFor();
  await page.goto(`${url}rules/sp22?goal=30`);
  await seeText(page, 'who moves first wins');
  await edit(page, (text) => text.replace(/^title.*$/m, 'title = "Vault"'));
  await page.getByText('What the game is like', { exact: true }).click();
  const names = await page.getByLabel('Compared with').locator('option').allInnerTexts();
  check(new Set([...names, 'Vault']).size === names.length + 1, `${names.slice(0, 6)}`);
  await page.getByText('Only now: ').waitFor({ state: 'hidden' });
  await page.getByLabel('Compared with').selectOption('fa21');
  await page.getByText(/^Only now: .*Only in fa21: /).waitFor();
  // A picture says the name once.
  await page.goto(`${url}explore/mine.sp22`);
  const save = page.getByRole('button', { name: 'Save map as SVG' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const drawn = readFileSync(await file.path(), 'utf8');
  check(drawn.includes('in Vault<') && !drawn.includes('Vault (Vault)'), drawn.slice(0, 600));
});
