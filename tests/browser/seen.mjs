// Tests of what a visitor sees first, and of the map and the answer beside it, on a desk and on a phone.

import { readFileSync, readdirSync } from 'node:fs';
import {
  PHONE,
  VIEWS,
  check,
  open,
  seeText,
  shifts,
  shot,
  test,
  until,
  url,
} from './harness.mjs';

test('the first screen says what Hog is, has three doors, and lists the current semesters first', async () => {
  for (const options of [{}, PHONE]) {
    const page = await open(options);
    await page.goto(url);
    await seeText(page, 'Whoever moves first wins');
    const first = await page.locator('#game option').first().innerText();
    check(first === 'su26 · Summer 2026, CS 61A', first);
    check((await page.locator('#game').inputValue()) === 'su26', 'the latest semester is shown');
    await seeText(page, 'Hog is a race to 100 points.');
    check(await page.getByRole('link', { name: 'which dice to keep' }).getAttribute('href') === '/explore/kcd', 'the other game');
    const listed = await page.locator('#game option').evaluateAll((all) => all.findIndex((one) => one.textContent.includes('Farkle')));
    check(listed < 10, `Farkle is number ${listed}`);
    for (const [door, place] of [
      ['Play', 'play'],
      ['Rate my strategy', 'coach'],
      ['Run my contest', 'contest'],
    ]) {
      const link = page.locator('.welcome').getByRole('link', { name: door, exact: true });
      check((await link.getAttribute('href')) === `/${place}/su26`, door);
      const box = await link.boundingBox();
      check(box.y + box.height < page.viewportSize().height, `${door} is on the first screen`);
    }
    await shot(page, options.isMobile ? 'first-phone' : 'first');
  }
});

test('on a phone the map can be zoomed and says what is best without scrolling', async () => {
  const page = await open(PHONE);
  await page.goto(`${url}explore/fa21`);
  await seeText(page, 'Whoever moves first');
  // What is touched stays where it is, with its answer.
  await page.evaluate(() => scrollTo(0, 650));
  const marks = page.locator('.marks');
  const { y } = await marks.boundingBox();
  await marks.tap({ position: { x: 100, y: 150 } });
  await seeText(page, 'What follows');
  check(Math.abs((await marks.boundingBox()).y - y) < 2, 'the map has moved');
  await page.getByRole('button', { name: 'Why', exact: true }).tap();
  await until(page, () => {
    const { top } = document.querySelector('.verdict').getBoundingClientRect();
    return top > 0 && top < innerHeight / 2;
  });
  await page.goto(`${url}explore/fa21/20/36`);
  await seeText(page, 'What follows');
  const hint = page.locator('.hint');
  const isSeen = async () => {
    const box = await hint.boundingBox();
    return box.y >= 0 && box.y + box.height <= page.viewportSize().height + 1;
  };
  check(await isSeen(), 'the answer is in view');
  check(
    (await hint.innerText()).includes('20 to 36: roll 8, win rate 39.66 %'),
    await hint.innerText(),
  );
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.evaluate(() => {
    window.written = [];
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function told(text, ...place) {
      window.written.push(text);
      return fillText.call(this, text, ...place);
    };
  });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  // The axes are those of the part around 20 to 36.
  await until(page, () => ['20', '35', '40'].every((tick) => window.written.includes(tick)));
  await page.evaluate(() => {
    window.written = [];
    document.querySelector('.pane').scrollTop = 0;
  });
  await until(page, () => window.written.includes('95') && !window.written.includes('35'));
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const [inner, outer] = await page
    .locator('.pane')
    .evaluate((pane) => [pane.scrollWidth, pane.clientWidth]);
  check(inner > 3.9 * outer, `${inner} of ${outer}`);
  // The selected cell is in the middle, and a tap there finds it.
  const pane = await page.locator('.pane').boundingBox();
  await page.touchscreen.tap(pane.x + pane.width / 2 + 15, pane.y + pane.height / 2);
  await until(page, () => location.pathname.endsWith('/21/36'));
  check(await isSeen(), 'the answer is in view after the tap');
  await shot(page, 'zoomed-phone');
});

test('on a desk the map stays in view beside a long answer', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21/20/36`);
  await seeText(page, 'What follows');
  await page.getByText('The rules of fa21').click();
  await page.evaluate(() => scrollTo(0, 500));
  await until(page, () => scrollY > 100);
  const box = await page.locator('.pane').boundingBox();
  check(box.y >= 0 && box.y < 200, `the map is at ${box.y}`);
});

test('near the goal the chart draws the roll that wins, and has axes', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21/95/90`);
  await seeText(page, 'What follows');
  const texts = await page.locator('.follows text').allTextContents();
  for (const text of ['win', '50 %', 'points of this turn'])
    check(texts.includes(text), `${text}: ${texts}`);
  const titles = await page.locator('.follows rect title').allTextContents();
  check(
    titles.some((title) => /^you win with 2 dice: 66.67 %/.test(title)),
    titles.join('\n'),
  );
  await seeText(page, /Bars begin at [\d.]+ %, not at 0/);
  await shot(page, 'near-the-goal');
});

test('no dice hold in every sentence of a game with a pot, and points are those of the game', async () => {
  const page = await open();
  await page.goto(`${url}explore/pig/20/30?goal=60&pot=40`);
  await seeText(page, 'Hold: you win');
  await page.getByRole('button', { name: '1 die', exact: true }).waitFor();
  await seeText(page, 'Why hold rather than 1');
  await page.getByRole('button', { name: 'Best dice' }).click();
  await seeText(page, '20 to 30: hold, win rate');
  const text = await page.locator('main').innerText();
  check(!/roll 0|0 dice/i.test(text), text);
  check(!/points of win rate/.test(text.replaceAll('percentage points', '')), text);
});

test('the colours of neighbouring numbers stay apart, up to 30 dice', async () => {
  const page = await open();
  await page.goto(url);
  await seeText(page, 'Whoever moves first wins');
  const closest = await page.evaluate(async () => {
    const { diceColour } = await import('/page/map.js');
    const found = [];
    for (let most = 1; most <= 30; most += 1) {
      for (let dice = 1; dice < most; dice += 1) {
        const [one, other] = [diceColour(dice, most), diceColour(dice + 1, most)];
        found.push([Math.hypot(...one.map((value, i) => value - other[i])), most, dice]);
      }
    }
    return found.sort((a, b) => a[0] - b[0])[0];
  });
  check(closest[0] > 30, `too close: ${closest}`);
});

test('the layout of no view shifts on a phone', async () => {
  const moved = [];
  for (const [view, text] of Object.entries({ '': 'Whoever moves first wins', ...VIEWS })) {
    const page = await open(PHONE);
    await page.goto(url + view);
    await seeText(page, text);
    await page.waitForTimeout(300);
    const sum = await shifts(page);
    if (sum >= 0.1) moved.push(`${view || 'the first screen'} shifts by ${sum}`);
  }
  check(moved.length === 0, moved.join('; '));
});

test('blocked storage, a part that cannot be loaded and a server that is gone are told', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
    }
  });
  for (const [view, told] of [
    ['explore/fa21/20/36', 'What follows'],
    ['play/fa21?seed=7', 'How many dice will you roll?'],
    ['rules/fa21', 'worked examples hold'],
    ['contest/fa21', 'Start the contest'],
    ['coach/fa21', 'Drop your hog.py'],
  ]) {
    await page.goto(url + view);
    await seeText(page, told);
  }
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'five.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from(`${'5 '.repeat(100)}\n`.repeat(100)),
    });
  await seeText(page, 'five.txt against baseline');
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await page.getByRole('button', { name: 'Use light colours' }).waitFor();
  const other = await open();
  await other.route('**/page/coach.js', (route) => route.abort());
  await other.goto(`${url}explore/fa21`);
  await seeText(other, 'Whoever moves first wins');
  await other.getByRole('link', { name: 'Coach', exact: true }).click();
  await seeText(other, 'This part of the page could not be loaded');
  await other.route('**/api/v1/**', (route) => route.abort());
  await other.goBack();
  await other.locator('.map').waitFor();
  await other.goto(`${url}play/fa21?seed=7`);
  await seeText(other, 'The server has stopped');
  other.faults = other.faults.filter((fault) => !fault.includes('ERR_FAILED'));
});

test('an impossible position in the address of a game is told', async () => {
  const page = await open();
  await page.goto(`${url}play/fa21?from=200-36`);
  await seeText(page, 'The address has from=200-36, but scores must be 0 to 99 here.');
  await page.goto(`${url}explore/fa21?goal=-5`);
  await seeText(page, 'The address has goal=-5, but goal must be a whole number');
});

test('the lines of the page are short', () => {
  const folder = new URL('../../page/', import.meta.url);
  const own = readdirSync(folder).filter(
    (name) => /\.(js|css)$/.test(name) && !/^(wasi-|toml-)/.test(name),
  );
  check(own.length > 20, `${own}`);
  for (const name of own) {
    readFileSync(new URL(name, folder), 'utf8')
      .split('\n')
      .forEach((line, place) => {
        check([...line].length <= 100, `${name}, line ${place + 1}: ${line.length} characters`);
      });
  }
});
