// Tests of pictures: colours that everybody can tell apart, and what can be taken away.

import { readFileSync } from 'node:fs';
import { VIEWS, check, hog, open, seeText, shot, test, until, url } from './harness.mjs';

/** How colours look to people without one kind of cones: Machado, Oliveira, Fernandes 2009, table 1. */
const SIGHTS = {
  usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const linear = (part) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** CIELAB of linear red, green and blue, by D65. */
function lab([red, green, blue]) {
  const white = [0.95047, 1, 1.08883];
  const xyz = [
    0.4124 * red + 0.3576 * green + 0.1805 * blue,
    0.2126 * red + 0.7152 * green + 0.0722 * blue,
    0.0193 * red + 0.1192 * green + 0.9505 * blue,
  ].map((value, at) => Math.max(value, 0) / white[at]);
  const [x, y, z] = xyz.map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** A colour as seen, in CIELAB. */
const seen = (rgb, matrix) => {
  const given = rgb.map(linear);
  return lab(matrix.map((row) => row.reduce((sum, weight, at) => sum + weight * given[at], 0)));
};

/** The least difference of two colours of the map: twice what is just seen side by side is 2 to 3. */
const APART = 10;

test('every eye tells the numbers of dice apart, and more dice are darker', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21`);
  const colours = await page.evaluate(async () => {
    const { diceColour } = await import('/page/map.js');
    return Array.from({ length: 12 }, (_, at) => diceColour(at - 1, 10));
  });
  for (const [name, matrix] of Object.entries(SIGHTS)) {
    const all = colours.map((rgb) => seen(rgb, matrix));
    const [, , ...rolls] = all;
    check(rolls.every(([light], at) => at === 0 || light < rolls[at - 1][0]), `${name}: darker with each die`);
    all.forEach((one, a) => all.slice(0, a).forEach((other, b) => {
      const apart = Math.hypot(...one.map((part, at) => part - other[at]));
      check(apart > APART, `${name}: ${a - 1} and ${b - 1} dice differ by ${apart.toFixed(1)}`);
    }));
  }
});

/** The columns that say what the numbers of a table are from. */
const FROM = 'game,fingerprint,program';

async function saved(page, name) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).first().click(),
  ]);
  return readFileSync(await file.path());
}

/** The width of a picture in PNG, and how many colours it has. */
const looked = (page, bytes) =>
  page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const data = window.pixels(image);
    const colours = new Set();
    for (let at = 0; at < data.length; at += 4) colours.add(data.slice(at, at + 3).join());
    return { width: image.width, colours: colours.size };
  }, bytes.toString('base64'));

test('maps, charts and tables can be taken away with all digits', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21/26/47?layer=rate`);
  await seeText(page, 'What follows');
  const { win_rate: rate } = JSON.parse(hog('best', 'fa21', '26', '47', '--format', 'json'));
  const map = `${await saved(page, 'Save map as CSV')}`;
  const [head, ...lines] = map.trimEnd().split('\n');
  const { fingerprint } = JSON.parse(hog('rules', 'show', 'fa21', '--format', 'json'));
  const from = `"fa21, goal 100, max_dice 10",${fingerprint},${hog('--version').trim()}`;
  check(head === `score,opponent,win_rate,dice,best,error_bound,${FROM}`, head);
  check(lines.length === 10_000 && lines.every((line) => line.endsWith(from)), lines[0]);
  const cell = lines.find((line) => line.startsWith('26,47,')).split(',')[2];
  check(cell === `${rate}`, `${cell} instead of ${rate}`);
  // Exact ties: all best rolls are listed.
  check(lines.find((line) => line.startsWith('0,99,')).includes(',0,0 1 2 3 4 5 6 7 8 9 10,'), 'ties');
  const picture = await looked(page, await saved(page, 'Save map as PNG'));
  check(picture.width > 1500 && picture.colours > 100, `the picture has ${picture.colours} colours`);
  check(JSON.parse(`${await saved(page, 'Save map as JSON')}`).win_rate.length === 10_000, 'the answer');
  const chart = await looked(page, await saved(page, 'Save outcomes-26-47 as PNG'));
  check(chart.colours > 5, 'the chart is no empty picture');
  const drawn = `${await saved(page, 'Save outcomes-26-47 as SVG')}`;
  const below = ['fa21, goal 100, max_dice 10', `${hog('--version').trim()}; rules ${fingerprint}`];
  for (const words of ['26 to 47', '(above)', '% or more', ...below])
    check(drawn.includes(words), `the chart says ${words}`);
  // Numbers with all digits and plain signs, below a heading each.
  const rolls = `${await saved(page, 'Save rolls-26-47 as CSV')}`;
  check(rolls.startsWith(`score,opponent,dice,win_rate,error_bound,${FROM}\n26,47,`) && rolls.includes(`,${rate},`), rolls);
  check(!/[%−]/.test(rolls), rolls);
  const why = `${await saved(page, 'Save why-26-47 as CSV')}`;
  check(/^score,opponent,kind,.*share,.*chance_with_\d+,chance_with_\d+,/.test(why) && !/[%−]/.test(why), why);
  // What a browser saves as the image is what lies on top.
  await page.locator('.marks').dispatchEvent('contextmenu');
  const inked = await page.locator('.marks').evaluate((canvas) => {
    const data = window.pixels(canvas);
    return data.filter((part, at) => at % 4 === 3 && part > 0).length / (data.length / 4);
  });
  check(inked > 0.99, `${inked} of the image is drawn`);
  // What is copied has all digits.
  const copied = await page.evaluate(() => {
    getSelection().selectAllChildren(document.querySelector('table.choices'));
    const clipboardData = new DataTransfer();
    document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true }));
    return clipboardData.getData('text/plain');
  });
  check(copied.includes(`\t${rate}\t`), copied.slice(0, 300));
});

test('a saved map is a drawing with a key, which says what it is of, as its name does', async () => {
  const page = await open();
  const layers = {
    'explore/fa21?layer=rate&against=always_roll:4': ['fa21-against-always_roll-4-rate', 'Win rate of best play against always_roll:4'],
    'explore/fa21?layer=strategy&strategy=always_roll:3': ['fa21-strategy-always_roll-3', 'How many dice always_roll:3 rolls'],
    'explore/fa21?layer=differs&strategy=always_roll:3': ['fa21-differs-always_roll-3', 'optimal and always_roll:3'],
    'explore/fa21?layer=spread': ['fa21-spread', 'What is at stake in fa21'],
    'coach/fa21?strategy=always_roll:3&against=optimal': ['fa21-always_roll-3-against-optimal-loss', 'What always_roll:3 gives away against optimal'],
    'coach/fa21?strategy=always_roll:3': ['fa21-always_roll-3-loss', 'What always_roll:3 gives away'],
  };
  for (const [view, [name, told]] of Object.entries(layers)) {
    await page.goto(url + view);
    const button = page.getByRole('button', { name: 'Save map as SVG' }).first();
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    check(file.suggestedFilename() === `${name}.svg`, file.suggestedFilename());
    const drawn = readFileSync(await file.path(), 'utf8');
    check(drawn.includes(told) && drawn.includes('fa21'), `${view} says ${told}`);
    check(/<path/.test(drawn) && !/<image/.test(drawn) && drawn.length < 200_000, `${view}: ${drawn.length} bytes`);
    check(await page.locator('.legend, .scale').first().isVisible(), 'the page keeps its key');
  }
  // The command has no such picture.
  await page.goto(`${url}explore/pig?goal=30&layer=differs&strategy=hold_at:10`);
  const map = `${await saved(page, 'Save map as SVG')}`;
  check(['at which hold_at:10 holds is from', 'or more earlier', 'the same ('].every((one) => map.includes(one)), map.slice(0, 500));
});

test('what a strategy rolls is told above the map, with the key, and the foot how to cite', async () => {
  const page = await open({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${url}explore/fa21?layer=strategy`);
  await page.getByRole('button', { name: '20 to 36: it rolls 6; best: roll 8. Why?' }).waitFor();
  const { y } = await page.getByText('The rolls of always_roll:6.').boundingBox();
  const key = await page.locator('.legend').boundingBox();
  const hint = await page.locator('.hint').boundingBox();
  check(y < key.y && hint.y + hint.height <= 800, `${y}, ${key.y}, ${hint.y}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('The numbers, files and citing them').click();
  await page.getByRole('button', { name: 'Copy BibTeX' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const entry = await page.evaluate(() => navigator.clipboard.readText());
  check(/^@misc\{hog_fa21_\w{6},\n( {2}\w+ = \{.*\},\n)+\}$/.test(entry), entry);
  await seeText(page, 'hog 0.');
  const [answer] = await Promise.all([page.waitForResponse((one) => one.url().endsWith('/openapi.json')), page.getByRole('link', { name: 'its interface' }).click()]);
  check(answer.ok(), 'the interface is there');
});

test('a hand points at one position, and zoomed cells tell their number', async () => {
  const page = await open();
  await page.goto(`${url}explore/fa21`);
  await page.getByRole('button', { name: '20 to 36: roll 8. Why?' }).waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).click({ clickCount: 2 });
  const shades = () =>
    page.locator('.picture').evaluate((canvas) => {
      const data = window.pixels(canvas);
      const found = new Set();
      for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join());
      return found.size;
    });
  check((await shades()) > 50, 'digits are drawn');
  await shot(page, 'explore-zoomed');
  await page.getByRole('button', { name: 'Zoom out' }).click({ clickCount: 3 });
  await page.getByRole('button', { name: '20 to 36: roll 8. Why?' }).click();
  await until(page, () => location.pathname.endsWith('/20/36'));
  await seeText(page, 'more points if no 1 shows, 23% of the time');
});

test('a bar tells who is winning, and the way of a game is drawn over the map', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  await page.goto(`${url}play/fa21?seed=7&goal=30`);
  await seeText(page, 'You against the best player');
  const bar = page.getByRole('meter', { name: 'You win, if both play best from here' });
  const { win_rate: rate } = JSON.parse(hog('best', 'fa21', '0', '0', '--goal', '30', '--format', 'json'));
  const told = `${(rate * 100).toFixed(1)} %`;
  await until(page, (text) => document.querySelector('[role=meter]').getAttribute('aria-valuetext') === text, told);
  await page.goto(`${url}play/fa21?seed=7&goal=30&rolls=6.6`);
  await seeText(page, 'Review');
  check(['0.0 %', '100.0 %'].includes(await bar.getAttribute('aria-valuetext')), 'the game is over');
  await page.getByText('The way of the game on the map').click();
  const map = page.getByRole('application', { name: 'The way of the game' });
  await map.waitFor();
  await until(page, () => {
    const canvas = document.querySelector('.review .marks');
    return canvas.width > 0 && window.pixels(canvas).some((part) => part > 0);
  });
  await shot(page, 'play-way');
  const picture = await looked(page, await saved(page, 'Save map as PNG'));
  check(picture.width > 1000 && picture.colours > 20, JSON.stringify(picture));
});

test('every table and chart of every view can be taken away', async () => {
  const page = await open({ reducedMotion: 'reduce' });
  const views = {
    ...VIEWS,
    'play/fa21?goal=40&players=optimal~baseline&seed=1': 'Review',
    'play/kcd?goal=500&players=optimal~baseline&seed=1': 'Review',
    'explore/kcd?roll=1.1.4.5.2.2': 'then roll 5 dice',
  };
  for (const [view, text] of Object.entries(views)) {
    await page.goto(url + view);
    await seeText(page, text);
    // What has been folded away is drawn when it is opened.
    const without = await page.locator('main table, main figure').evaluateAll((all) =>
      all
        .filter((one) => one.hasChildNodes() && one.checkVisibility() && !one.closest('.map'))
        .filter((one) => !one.closest('figure, section, .card, .told').querySelector('.saves'))
        .map((one) => one.outerHTML.slice(0, 200)),
    );
    check(without.length === 0, `${view}: ${without.join(' ')}`);
  }
  const loaded = page.waitForEvent('download');
  await page.goto(`${url}play/fa21?goal=40&players=optimal~baseline&seed=1`);
  await seeText(page, 'Review');
  await page.getByRole('button', { name: 'Save game-turns as CSV' }).click();
  const [head, ...rows] = readFileSync(await (await loaded).path(), 'utf8').trim().split('\n');
  check(/^player,name,.*dice,faces,/.test(head) && rows.length > 1, head);
});
