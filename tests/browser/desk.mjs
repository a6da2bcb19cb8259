// Tests of the rules: what was typed can be taken back, and no tab overwrites another's.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { RuleFile } from '../../page/rulefile.js';
import { PHONE, SCRATCH, check, fits, hog, open, seeText, shot, test, until, url } from './harness.mjs';

const text = (page) => page.locator('textarea').inputValue();

test('discarding rules asks, and Undo takes it back', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await page.getByLabel('Goal').fill('50');
  await page.getByLabel('Goal').press('Enter');
  await seeText(page, 'The goal is 50 instead of 100');
  check((await text(page)).includes('goal = 50'), 'the text has the goal');
  page.once('dialog', (dialog) => dialog.dismiss());
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  check((await text(page)).includes('goal = 50'), 'nothing is discarded');
  page.once('dialog', (dialog) => dialog.accept());
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await seeText(page, 'The best rolls are those of fa21');
  await page.locator('textarea').press('Control+z');
  await seeText(page, 'The goal is 50 instead of 100');
  await page.getByLabel('Goal').fill('-5');
  await page.getByLabel('Goal').press('Enter');
  await seeText(page, 'goal must be a whole number, not -5');
  check(
    (await page.getByLabel('Goal').inputValue()) === '50',
    'the field has the number of the text',
  );
});

test('two tabs with the same rules do not overwrite each other', async () => {
  const one = await open();
  await one.goto(`${url}rules/fa21`);
  await seeText(one, 'The best rolls are those of fa21');
  const other = await one.context().newPage();
  await other.goto(`${url}rules/fa21`);
  await seeText(other, 'The best rolls are those of fa21');
  const goal = async (page, number) => {
    await page.getByLabel('Goal').fill(`${number}`);
    await page.getByLabel('Goal').press('Enter');
    await seeText(page, `The goal is ${number} instead of 100`);
  };
  await goal(one, 40);
  await seeText(other, 'Another tab has changed your rules of fa21');
  await goal(other, 60);
  const stored = () => one.evaluate(() => localStorage.getItem('hog.mine.fa21'));
  check((await stored()).includes('goal = 40'), 'the rules of the first tab are kept');
  await other.getByRole('button', { name: 'Keep these' }).click();
  // What one tab stores reaches the other after a moment.
  await until(one, () => localStorage.getItem('hog.mine.fa21').includes('goal = 60'));
  await seeText(one, 'Another tab has changed your rules of fa21');
  await one.getByRole('button', { name: 'Show those' }).click();
  await seeText(one, 'The goal is 60 instead of 100');
});

test('a link to rules that take long starts no work that goes on', async () => {
  const page = await open();
  const packed = deflateRawSync('id = "long"\ngoal = 20\n').toString('base64url');
  const asked = page.waitForRequest((request) => request.postData()?.includes('long'));
  await page.route('**/api/v1/map', (route) => {
    if (!route.request().postData().includes('long')) route.continue();
  });
  await page.goto(`${url}rules/fa21#z=${packed}`);
  const stopped = page.waitForEvent('requestfailed');
  await asked;
  await seeText(page, 'These rules take long to solve');
  check((await stopped).url().endsWith('/map'), 'the server is asked no more');
  check((await text(page)).includes('id = "long"'), 'the rules are shown');
  await page.unroute('**/api/v1/map');
  await page.getByRole('button', { name: 'Solve them' }).click();
  await seeText(page, 'The goal is 20 instead of 100');
});

test('examples that fail are linked, lines have numbers, and a large goal shows its map', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'worked examples hold');
  await page.locator('textarea').evaluate((area) => {
    area.value = area.value.replace('2 * score', '3 * score');
    area.dispatchEvent(new Event('input'));
  });
  await seeText(page, 'no longer hold');
  const fault = page.locator('.faults button').first();
  const line = Number(/^Line (\d+)/.exec(await fault.innerText())[1]);
  await fault.click();
  const at = await page
    .locator('textarea')
    .evaluate((area) => area.value.slice(0, area.selectionStart).split('\n').length);
  check(at === line, `the cursor is in line ${at}, not ${line}`);
  const numbers = (await page.locator('.numbers').textContent()).split('\n');
  check(numbers.length === (await text(page)).split('\n').length, 'every line has a number');
  check(
    (await page.locator('.editor .is-comment, .editor .is-string').count()) > 3,
    'the text has colours',
  );
  await shot(page, 'rules-examples');
  await page.getByLabel('Goal').fill('1000');
  await page.getByLabel('Goal').press('Enter');
  await seeText(page, 'The goal is 1000 instead of 100');
  await until(page, () => !document.querySelector('.map.stale'));
  await shot(page, 'rules-1000');
  // Leaving ends what is still being computed.
  await page.getByLabel('Goal').fill('999');
  const [request] = await Promise.all([
    page.waitForRequest(
      (one) => one.url().endsWith('/map') && one.postData().includes('goal = 999'),
    ),
    page.getByLabel('Goal').press('Enter'),
  ]);
  const ended = page.waitForEvent('requestfailed', (one) => one === request);
  await page.getByRole('link', { name: 'Contest', exact: true }).click();
  await ended;
});

test('what is not changed in a rule file stays as it is, in all games', () => {
  const folder = new URL('../../crates/rules/games/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const before = new RuleFile(text);
    const names = before.rules.map((rule) => rule.name);
    check(names.length === text.split('[[rule]]').length - 1, `${name}: ${names}`);
    // One rule after the other is switched off, and on again.
    const switched = (file, place) => new RuleFile(file.switched(place));
    let all = before;
    names.forEach((_, place) => {
      all = switched(all, place);
      const { rules } = all;
      check(!rules[place].isOn && `${rules.map((rule) => rule.name)}` === `${names}`, name);
    });
    names.forEach((_, place) => {
      all = switched(all, place);
    });
    check(all.text === text, `${name} differs after all`);
    const other = new RuleFile(before.withNumbers({ goal: 77, max_dice: undefined }));
    const back = other.withNumbers({ goal: before.value('goal') });
    check(other.value('goal') === 77 && back === text, `${name}: the goal`);
  }
});

test('a rule file is read as TOML and not line by line', () => {
  const text = [
    '# goal = 1',
    'id = "odd" # the name',
    "baseline = 'always_roll:6'",
    'goal    = 1_0 # ten',
    '"max_dice"=9',
    '[[ rule ]]',
    'text = """',
    '[[rule]]',
    '',
    'goal = 5"""',
    "name = 'One # rule'",
    '',
    '# a word on what follows',
    '[[example]]',
    'name = "goal = 3"',
  ].join('\n');
  const file = new RuleFile(text);
  check(file.value('goal') === 10 && file.value('max_dice') === 9, 'numbers are read');
  const numbered = file.withNumbers({ goal: 20, max_dice: 4 });
  check(numbered === text.replace('1_0', '20').replace('=9', '=4'), numbered);
  check(`${file.rules.map((rule) => rule.name)}` === 'One # rule', 'there is one rule');
  const off = file.switched(0);
  check(off.includes('#off [[ rule ]]\n') && off.includes('\n\n# a word on what'), off);
  check(new RuleFile(off).switched(0) === text, 'the rule is back');
  check(!new RuleFile('goal = ').isReadable, 'this is no TOML');
});

test('while the text is no TOML, numbers and rules cannot be changed', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  const written = await text(page);
  await page.locator('textarea').fill(`${written}x = `);
  await page.locator('.faults li').first().waitFor();
  check((await page.getByLabel('Goal').inputValue()) === '100', 'the number stays');
  check(await page.getByLabel('Goal').isDisabled(), 'it cannot be changed');
  check(await page.getByLabel('Sow Sad').isDisabled(), 'nor can a rule');
  await page.locator('textarea').fill(written);
  await seeText(page, 'The best rolls are those of fa21');
  await page.getByLabel('Picky Piggy').uncheck();
  await seeText(page, 'The best roll differs from fa21 in');
});

/** The rows of a table of the page, as texts. */
const rows = (page, text) =>
  page
    .locator('table', { hasText: text })
    .locator('tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));

test('numbers that do not suit the baseline or the examples are solved, and what is shown says what it is of', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa24`);
  await seeText(page, 'All 11 worked examples hold.');
  await page.getByLabel('Most dice').fill('5');
  await seeText(page, 'Warning: the baseline always_roll:6 cannot be played');
  await seeText(page, 'The best roll differs from fa24 in');
  await page.getByLabel('Goal').fill('50');
  await seeText(page, 'The goal is 50 instead of 100; a turn has 0 to 5 dice instead of 0 to 10 dice.');
  await seeText(page, 'All 11 worked examples hold. They are played with the goal and the dice of fa24.');
  // As a file they would be of the goal that it has.
  const asSaved = page.locator('details', { hasText: 'With these numbers, ' });
  await asSaved.locator('summary').click();
  await seeText(page, 'is at or above the goal 50');
  // A start that is written behind the examples changes none of them.
  await page.getByText('A fair start', { exact: true }).click();
  await page.getByRole('button', { name: 'Start at 0 to' }).first().click();
  await seeText(page, 'the other starts with');
  await seeText(page, 'All 11 worked examples hold. They are played with the goal and the dice of fa24.');
  await until(page, () => document.getElementById('game').value === 'mine.fa24');
  await page.getByLabel('Sow Sad').uncheck();
  await seeText(page, 'Warning: no rule says what a 1 does: a roll that shows one scores 1 point');
  await seeText(page, 'only those of fa24 have Sow Sad');
  const title = await page.getByRole('heading', { name: 'without Sow Sad' }).textContent();
  // With a fault in the text, nothing old passes for new.
  await page.locator('textarea').evaluate((area) => {
    area.value = `title = "Gremlin"\n${area.value.replace('max(1', 'mux(1').replace(/^title.*$/m, '')}`;
    area.dispatchEvent(new Event('input'));
  });
  await seeText(page, 'The rule file has a fault: what is shown here is from before it.');
  check((await page.locator('.rules h2').first().textContent()) === title, 'the title is that of the numbers');
  await page.getByText('What the game is like').click();
  await seeText(page, 'These rules are not solved yet.');
  await page.locator('textarea').evaluate((area) => {
    area.value = area.value.replace('mux(1', 'max(1');
    area.dispatchEvent(new Event('input'));
  });
  await page.getByRole('heading', { name: 'Gremlin' }).waitFor();
  await page.getByLabel('Compared with').waitFor();
  check((await page.getByLabel('Compared with').locator('option').first().textContent()).includes('Fall 2024'), 'games have titles');
});

test('a number is varied in the range that is asked for, and what is fairest is told', async () => {
  const page = await open();
  await page.goto(`${url}rules/pig`);
  await seeText(page, 'When to hold is as in pig.');
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('To', { exact: true }).waitFor();
  await page.getByLabel('From', { exact: true }).fill('20');
  await page.getByLabel('To', { exact: true }).fill('24');
  await page.getByLabel('To', { exact: true }).press('Enter');
  // Of each point: "goal 20: 53.06 %".
  const points = () => [...document.querySelectorAll('.more circle title')].map((one) => one.textContent);
  await until(page, () => document.querySelectorAll('.more circle').length === 5);
  const told = (await page.evaluate(points)).map((one) => one.match(/goal (\d+): (.*)/).slice(1));
  check(told.map(([goal]) => goal).join() === '20,21,22,23,24', `${told}`);
  const [fair] = told.toSorted(([, a], [, b]) => Math.abs(parseFloat(a) - 50) - Math.abs(parseFloat(b) - 50));
  await seeText(page, `The fairest is goal = ${fair[0]}, with ${fair[1]}`);
  // A game without a baseline has no skill against it.
  await page.getByText('What each rule does').click();
  await seeText(page, 'turns of a game');
  check(!(await page.getByText('best play over baseline').count()), 'there is no baseline');
});

test('a rule that is off is told in the title and in what the game is like', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa21`);
  await seeText(page, 'The best rolls are those of fa21');
  await page.getByLabel('Picky Piggy').uncheck();
  const title = 'fa21, as edited, without Picky Piggy';
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByText('What the game is like without Picky Piggy').click();
  await seeText(page, 'Picky Piggy acts');
  const told = await rows(page, 'Both play optimally');
  const [, now, before] = told.find(([name]) => name === 'Picky Piggy acts, times a game');
  check(now === 'off' && /^(≈ )?[0-9.]+$/.test(before), `${now}, ${before}`);
  await seeText(page, '≈ is counted in 4,000 simulated games');
  await page.getByRole('link', { name: 'Explore these rules' }).click();
  await page.getByRole('heading', { name: title }).first().waitFor();
  // A picture of them does not pass for one of the original.
  const save = page.getByRole('button', { name: 'Save map as SVG' });
  const [file] = await Promise.all([page.waitForEvent('download'), save.click()]);
  const drawn = readFileSync(await file.path(), 'utf8');
  check(drawn.includes(`How many dice to roll in ${title}</text>`) && !drawn.includes('in fa21<'), 'the picture has its name');
});

test('two versions of a game are compared as by the command', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa24`);
  await seeText(page, 'The best rolls are those of fa24');
  await page.getByLabel('Boar Brawl').uncheck();
  await seeText(page, 'The best roll differs from fa24 in');
  const one = await text(page);
  await page.getByRole('button', { name: 'Keep to compare' }).click();
  await seeText(page, 'The best rolls are those of fa24, as edited, without Boar Brawl (1)');
  await page.getByText('What the game is like').click();
  await page.getByLabel('Goal').fill('60');
  await page.getByLabel('Goal').press('Enter');
  await seeText(page, 'Beside fa24, as edited, without Boar Brawl (1), the goal is 60 instead of 100.');
  await until(page, () => document.querySelector('.editor textarea').value.includes('goal = 60'));
  const asCommand = async (name, other) => {
    const files = [await text(page), other].map((rules, at) => join(SCRATCH, `${name}${at}.toml`));
    writeFileSync(files[0], await text(page));
    writeFileSync(files[1], other);
    const { compared, differing, positions } = JSON.parse(
      hog('compare', ...files, '--format', 'json'),
    );
    const [differ, of] = [differing, compared].map((number) => number.toLocaleString('en'));
    const told = new RegExp(`^The best roll is another one than in .* in ${differ} positions? of ${of}\\.`);
    await page.getByText(told).waitFor();
    const listed = (await rows(page, 'best there')).slice(1).map(([scores]) => scores);
    const wanted = positions.map(({ score, opponent }) => `${score} to ${opponent}`);
    check(`${listed}` === `${wanted}`, `${listed}`);
  };
  await asCommand('version', one);
  // A second file, which becomes a version too.
  const path = join(SCRATCH, 'second.toml');
  writeFileSync(path, one.replace('max_dice = 10', 'max_dice = 5').replace('_roll:6', '_roll:5'));
  await page.getByLabel('A rule file to compare with').setInputFiles(path);
  await asCommand('second', readFileSync(path, 'utf8'));
  await shot(page, 'rules-compared');
  await page.setViewportSize({ width: 390, height: 800 });
  await until(page, () => document.documentElement.scrollWidth <= innerWidth);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('button', { name: 'Edit this one' }).click();
  await page.getByRole('heading', { name: 'second.toml' }).waitFor();
  check((await text(page)) === readFileSync(path, 'utf8'), 'it is edited');
  await page.reload();
  await seeText(page, 'The best rolls are those of second.toml');
  const labels = await page.getByLabel('Compared with').locator('option').allTextContents();
  const kept = 'fa24, as edited, without Boar Brawl';
  check(`${labels.slice(1, 4)}` === `${[`${kept} (1)`, `${kept} (2)`, 'second.toml']}`, `${labels}`);
});

test('an opened file goes by its own name, and what it has replaced comes back', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa24`);
  await seeText(page, 'The best rolls are those of fa24');
  await page.getByLabel('Goal').fill('50');
  await page.getByLabel('Goal').press('Enter');
  await page.getByRole('heading', { name: 'fa24, as edited' }).waitFor();
  const edited = await text(page);
  const opened = async (name, rules, called) => {
    const path = join(SCRATCH, name);
    writeFileSync(path, rules);
    await page.getByLabel('A rule file', { exact: true }).setInputFiles(path);
    await page.getByRole('heading', { name: called, exact: true }).waitFor();
  };
  await opened('mine.toml', edited.replace('goal = 50', 'goal = 30'), 'mine.toml');
  await page.getByRole('button', { name: 'Go back' }).click();
  await page.getByRole('heading', { name: 'fa24, as edited' }).waitFor();
  check((await text(page)) === edited, 'the edited text is back');
  await opened('other.toml', 'id = "other"\ntitle = "My own"\ngoal = 20\n', 'My own');
  await page.locator('textarea').press('Control+z');
  await page.getByRole('heading', { name: 'fa24, as edited' }).waitFor();
  check((await text(page)) === edited, 'Undo brings it back too');
  await opened('other.toml', 'id = "other"\ntitle = "My own"\ngoal = 20\n', 'My own');
  await page.reload();
  await page.getByRole('heading', { name: 'My own', exact: true }).waitFor();
  const own = page.locator('#game option[value="mine.fa24"]');
  check((await own.textContent()) === 'My own', await own.textContent());
});

test('each semester has a line of its own in the list of games', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa24`);
  await until(page, () => document.getElementById('game').value === 'fa24');
  const lines = await page.locator('#game option').allInnerTexts();
  for (const line of ['fa24 · Fall 2024', 'sp25 · Spring 2025', 'sp24 · Spring 2024'])
    check(lines.filter((one) => one === line).length === 1, `${line}: ${lines}`);
  check(new Set(lines).size === lines.length, 'no line is there twice');
  await seeText(page, 'CS 61A, Fall 2024');
});

test('the game that was chosen in the list is shown to who comes back', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa24`);
  await until(page, () => document.getElementById('game').value === 'fa24');
  await page.locator('#game').selectOption('fa23');
  await seeText(page, 'CS 61A, Fall 2023');
  await page.goto(url);
  await until(page, () => document.getElementById('game').value === 'fa23');
  await page.getByRole('link', { name: 'Play', exact: true }).first().click();
  await until(page, () => location.href.includes('play/fa23'));
});

test('a number of the rules is set while it is typed, and the focus and the caret stay where they are put', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa24`);
  await seeText(page, 'The best rolls are those of fa24');
  const goal = page.getByRole('spinbutton', { name: 'Goal' });
  const most = page.getByRole('spinbutton', { name: 'Most dice' });
  const area = page.getByRole('textbox', { name: 'Rule file' });
  const focused = () => page.evaluate(() => document.activeElement.parentElement.textContent.trim());
  await goal.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('60');
  // Without Enter, and without leaving the field.
  await until(page, () => document.querySelector('textarea').value.includes('goal = 60\n'));
  check((await focused()) === 'Goal', await focused());
  await page.keyboard.type('5');
  await page.keyboard.press('Tab');
  await page.keyboard.type('6');
  await until(page, () => document.querySelector('textarea').value.includes('goal = 605\n'));
  await until(page, () => document.querySelector('textarea').value.includes('max_dice = 6\n'));
  check((await focused()) === 'Most dice' && (await most.inputValue()) === '6', await focused());
  // What is typed into the text goes where it was clicked.
  await goal.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('70');
  await area.click({ position: { x: 60, y: 10 + 17 * 20.25 } });
  await page.keyboard.press('End');
  await page.keyboard.type('XYZ');
  await until(page, () => document.querySelector('textarea').value.includes('goal = 70\n'));
  const lines = (await text(page)).split('\n');
  const [at] = [...lines.keys()].filter((line) => lines[line].includes('XYZ'));
  check(at > 12 && lines[at].endsWith('XYZ'), `${at}: ${lines[at]}`);
});

test('a message that has no room behind its line is shown whole at the caret, and [rule] twice is told apart', async () => {
  const page = await open({ ...PHONE, bypassCSP: true });
  await page.goto(`${url}rules/fa24`);
  await seeText(page, 'The best rolls are those of fa24');
  const area = page.getByRole('textbox', { name: 'Rule file' });
  await area.fill('id = "x"\ngoal = 20\nmax_dice = 3\n\n[[rule]]\nname = "A"\npoints = "count(1) + unknown_name * 2 + 1"\n');
  const whole = page.locator('.editor .whole');
  await page.locator('.faults li').first().waitFor();
  check(await whole.isHidden(), 'the caret is elsewhere');
  await area.evaluate((one) => one.setSelectionRange(60, 60));
  await area.press('ArrowRight');
  await whole.waitFor();
  const told = await page.locator('.faults li').first().innerText();
  check(told.includes(await whole.innerText()), `${await whole.innerText()}: ${told}`);
  const [box, frame] = [await whole.boundingBox(), await page.locator('.editor').boundingBox()];
  check(box.x >= frame.x && box.x + box.width <= frame.x + frame.width, 'it is in the editor');
  await shot(page, 'rules-whole-phone');
  await area.fill('id = "x"\ngoal = 20\nmax_dice = 3\n\n[rule]\nname = "A"\npoints = "total"\n\n[rule]\nname = "B"\npoints = "1"\n');
  await page.locator('.faults li', { hasText: 'write [[rule]]' }).waitFor();
  check((await page.locator('.faults li').count()) === 1, 'what follows from it is not told');
  await fits(page, 'rules with a fault');
});

test('the map is for the memories that are chosen, tables are saved as shown, and a varied number stays', async () => {
  const page = await open();
  await page.goto(`${url}rules/fa19?goal=24`);
  const memory = page.getByLabel('last dice', { exact: true });
  await memory.fill('3');
  await memory.press('Enter');
  const { win_rate: rate } = JSON.parse(hog('best', 'fa19', '1', '0', '--goal', '24', '--memory', 'last_dice=3', '--format', 'json'));
  await page.locator('.map:not(.stale)').waitFor();
  await until(page, () => document.querySelector('[data-key=last_dice]').value === '3');
  await page.getByRole('application', { name: 'Map of the rules as edited' }).press('ArrowRight');
  await seeText(page, `win rate ${(rate * 100).toFixed(2)} %`);
  check(await page.getByText(/Who moves first wins \d/).count() === 0, 'that is no start of the game');
  await page.getByText('What the game is like').click();
  await seeText(page, 'Memories have the values of the start there');
  const shown = await rows(page, 'Both play optimally');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save likeness as CSV' }).click(),
  ]);
  const saved = readFileSync(await file.path(), 'utf8').trim().split('\n');
  check(saved.length === shown.length, `${saved.length} of ${shown.length} lines`);
  const wanted = /^"?Feral Hogs acts, times a game"?(,\d+\.\d+,(,|[\d.]+,[\d.]+)){2},[\da-f]{16},"fa19,.*"/m;
  check(wanted.test(saved.join('\n')), saved.join('\n'));
  await page.getByText('What a number changes', { exact: true }).click();
  const number = page.getByLabel('The number');
  await number.selectOption({ label: 'max_dice = 10' });
  await page.getByLabel('To', { exact: true }).fill('11');
  await page.getByLabel('To', { exact: true }).press('Enter');
  await seeText(page, 'The fairest is max_dice');
  await page.locator('textarea').fill((await text(page)).replace('title = "', 'title = "My '));
  await page.locator('.more:not(.stale)').waitFor();
  check(await number.locator('option:checked').textContent() === 'max_dice = 10', 'the number stays');
  check(await page.getByLabel('To', { exact: true }).inputValue() === '11', 'and its range');
});

test('rules without which there is no game are told below the others, and the page stays as wide', async () => {
  const page = await open();
  await page.goto(`${url}rules/kcd?goal=500`);
  await page.getByText('What each rule does').click();
  await seeText(page, 'no rule says which dice may be kept');
  check(await page.getByRole('rowheader', { name: 'Roll or bank' }).count() === 1, 'a game without banking is one');
  check(await page.getByText('rules:33').count() === 0, 'no places in a text that nobody has seen');
  check(!(await page.getByLabel('Most dice').isVisible()), 'those that are left are rolled');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'as wide as the window');
  // A number of points goes in the steps of the game, and names of the file are offered.
  await page.locator('textarea').fill((await text(page)).replace('[[dice]]', '[numbers]\nentry = 300\n\n[[dice]]'));
  await page.locator('.more:not(.stale)').waitFor();
  await page.getByText('What a number changes', { exact: true }).click();
  await page.getByLabel('The number').selectOption({ label: 'entry = 300' });
  await seeText(page, 'by entry: it changes nothing here');
  check(await page.getByLabel('In steps of').inputValue() === '50', 'steps of the game');
  await page.locator('textarea').press('End');
  await page.locator('textarea').pressSequentially(' ent');
  await page.getByRole('button', { name: 'entry', exact: true }).waitFor();
});
