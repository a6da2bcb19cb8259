// Tests of the rules: what was typed can be taken back, and no tab overwrites another's.

import { readFileSync, readdirSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { RuleFile } from '../../page/rulefile.js';
import { check, open, seeText, shot, test, until, url } from './harness.mjs';

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
  check((await stored()).includes('goal = 60'), 'the rules that were chosen are kept');
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
  const limited = file.limited({ goal: 20, max_dice: 4 });
  const expected = text
    .replace('1_0', '20')
    .replace('=9', '=4')
    .replace("'always_roll:6'", '"always_roll:4"');
  check(limited === expected, limited);
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
