// The main way in Firefox, on the site without a server: explore, play, and drop a hog.py to get its rate.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { SCRATCH, SHOTS, SITE, check, plainServer, test } from './harness.mjs';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

if (!SITE || !existsSync(FIREFOX)) {
  const what = SITE ? `there is no ${FIREFOX}` : 'there is no site';
  console.log(`skipped: the test in Firefox (${what})`);
} else {
  test('the main way works in Firefox', async () => {
    const server = await plainServer(SITE);
    const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX });
    try {
      const page = await browser.newPage();
      await page.setViewport({ width: 1280, height: 900 });
      const errors = [];
      // Pyodide tries an import that the policy of its frame refuses, as it should.
      const isPolicy = (message) => /Content-Security-Policy/.test(message);
      page.on('pageerror', ({ message }) => isPolicy(message) || errors.push(message));
      const see = (text) =>
        page.waitForFunction(
          (wanted) => document.body.innerText.includes(wanted),
          { timeout: 180_000 },
          text,
        );
      const shot = (name) => page.screenshot({ path: join(SHOTS, `firefox-${name}.png`) });
      await page.goto(`${server.url}#/explore/fa21/20/36`);
      await see('39.66 %');
      await see('What follows');
      await shot('explore');
      await page.goto(`${server.url}#/play/fa21?seed=7`);
      await see('How many dice will you roll?');
      await page.keyboard.press('6');
      await see('You: 6 dice');
      await shot('play');
      await page.goto(`${server.url}#/coach/fa21`);
      await see('Drop your hog.py');
      const file = join(SCRATCH, 'hog.py');
      const rated = async (text, told) => {
        writeFileSync(file, text);
        await (await page.$('input[type=file]')).uploadFile(file);
        await see(told);
      };
      await rated('def final_strategy(score, opponent_score):\n    return 6\n', '50.00 %');
      await rated(
        'def final_strategy(score, opponent_score):\n    return 4 if score > 50 else 6\n',
        '49.22 %',
      );
      await rated('def final_strategy(score, opponent_score):\n    while True: pass\n', 'it never ends');
      await shot('coach');
      check(errors.length === 0, errors.join('\n'));
    } finally {
      await browser.close();
      server.close();
    }
  });
}
