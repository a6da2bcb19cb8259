// Tests of games in which dice are kept after the roll: the dice are typed, the choice is seen.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { PHONE, SCRATCH, check, fits, hog, open, seeText, shot, test, until, url } from './harness.mjs';

const KCD = readFileSync(new URL('../../crates/rules/games/kcd.toml', import.meta.url), 'utf8').replace(/^goal = .*$/m, 'goal = 500');

for (const [kind, options] of [['desk', {}], ['phone', PHONE]]) {
  test(`dice are typed, the best keep is seen, and the game goes on: ${kind}`, async () => {
    const path = join(SCRATCH, 'kcd.toml');
    writeFileSync(path, KCD);
    const asked = (...words) => JSON.parse(hog('best', path, ...words, '--format', 'json'));
    const page = await open({ ...options, bypassCSP: true });
    await page.goto(`${url}rules/fa21`);
    await seeText(page, 'worked examples hold');
    await page.getByLabel('A rule file').setInputFiles(path);
    await seeText(page, 'Dice are kept after the roll');
    await page.getByRole('link', { name: 'Explore these rules' }).click();
    await page.getByText(`${(asked('0', '0').win_rate * 100).toFixed(2)} %`).first().waitFor();
    await page.getByRole('table', { name: 'Points at risk by dice left' }).waitFor();
    for (const face of [1, 1, 4, 5, 2]) await page.getByRole('button', { name: `Add a ${face}` }).click();
    await seeText(page, '1 more die to come.');
    await page.keyboard.press('2');
    const [best] = asked('0', '0', '--roll', '1,1,4,5,2,2').keeps;
    await seeText(page, `Keep ${best.keep.join(' ')}, then ${best.then[0]}`);
    await seeText(page, `${(best.win_rate * 100).toFixed(2)} %`);
    check((await page.locator('.die.kept').count()) === best.keep.length, 'what is kept is marked');
    await fits(page, 'explore kcd');
    await shot(page, `keep-${kind}`);
    await page.getByRole('button', { name: 'I keep these' }).click();
    const left = 6 - best.keep.length;
    await until(page, (wanted) => location.search.includes(wanted), `pot=${best.points}&dice=${left}`);
    const now = asked('0', '0', '--memory', `pot=${best.points}`, '--memory', `dice=${left}`);
    await page.locator('.answer', { hasText: `${(now.win_rate * 100).toFixed(2)} %` }).waitFor();
    await page.getByRole('button', { name: 'I bank: the other one moves' }).click();
    await until(page, (points) => location.pathname.endsWith(`/0/${points}`), best.points);
  });
}
