// Tests of the rules: files that are opened and dropped, names that are offered, and what more is
// asked about an edited game.

import { writeFileSync } from 'node:fs';
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
  await page.locator('.more select').last().selectOption({ label: 'max_dice = 2' });
  await page.getByText('How often who moves first wins, by max_dice.').waitFor();
  await page.getByText('What the game is like', { exact: true }).click();
  await page.getByLabel('Beside').selectOption('pig');
  await page.getByRole('columnheader', { name: 'pig', exact: true }).waitFor();
  await shot(page, 'rules-more');
  await page.goto(`${url}rules/fa18`);
  await seeText(page, 'The best rolls are those of fa18');
  await page.getByLabel('A rule file').setInputFiles(join(SCRATCH, 'race.toml'));
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
