// Tests of a contest of a class: what is shown is what is handed out, and nothing is lost by the way.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCRATCH, SITE, check, open, plainServer, seeText, shot, test, until, url } from './harness.mjs';
import { drop, rolls, zip } from './own.mjs';
import { inflateRawSync } from 'node:zlib';

/** The text of a file that rolls a number, after computing for a while. */
const strategy = (dice, loops = 0) =>
  `for _ in range(${loops}): pass\n` +
  `def final_strategy(score, opponent_score):\n    return ${dice}\n`;

/** Writes files into a folder of their own. */
function folderOf(name, files) {
  for (const [path, text] of files) {
    mkdirSync(join(SCRATCH, name, path, '..'), { recursive: true });
    writeFileSync(join(SCRATCH, name, path), text);
  }
  return join(SCRATCH, name);
}

const start = (page) => page.getByRole('button', { name: 'Start the contest' });

/** Presses a button and returns what is downloaded, with its name. */
async function downloaded(page, button) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return [file.suggestedFilename(), readFileSync(await file.path(), 'latin1')];
}

/** The texts of an archive, `[path, text]`, by its list. */
function unzip(bytes) {
  const data = Buffer.from(bytes);
  const found = [];
  for (let at = data.indexOf('PK\u0001\u0002'); at >= 0 && data.readUInt32LE(at) === 0x02014b50; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => data.readUInt16LE(at + field));
    const from = data.readUInt32LE(at + 42);
    const start = from + 30 + data.readUInt16LE(from + 26) + data.readUInt16LE(from + 28);
    const packed = data.subarray(start, start + data.readUInt32LE(at + 20));
    const isPacked = data.readUInt16LE(at + 10) === 8;
    found.push([`${data.subarray(at + 46, at + 46 + name)}`, `${isPacked ? inflateRawSync(packed) : packed}`]);
    at += 46 + name + extra + comment;
  }
  return found;
}

/** Returns an answer of a contest without an entrant, who could not be read in time. */
function without(view, name) {
  const place = view.entrants.indexOf(name);
  const { file } = view.ranking.find((row) => row.name === name);
  const others = (list) => list.filter((_, at) => at !== place);
  return {
    ...view,
    entrants: others(view.entrants),
    ranking: view.ranking.filter((row) => row.name !== name),
    matrix: others(view.matrix).map(others),
    first: others(view.first).map(others),
    rejected: [
      { name, file, reason: 'it was not read', may_hold_several: false, unread: true, submission: null, late: null },
    ],
  };
}

/** Lets the server's answers to a contest be changed: by `change(answer, number)`. */
async function changing(page, change) {
  let number = 0;
  await page.route('**/api/v1/contest', async (route) => {
    const response = await route.fetch();
    const lines = (await response.text()).trimEnd().split('\n');
    const last = JSON.parse(lines.pop());
    if (last.result) last.result = change(last.result, (number += 1));
    await route.fulfill({ response, body: `${JSON.stringify(last)}\n` });
  });
}

test('reports, tables and gradebook are of the contest that is shown', async () => {
  const page = await open();
  const folder = folderOf('shown', [
    ['ada/hog.py', strategy(4)],
    ['bob/hog.py', strategy(5)],
    ['eve/hog.py', strategy(6)],
  ]);
  await page.goto(`${url}contest/fa21?goal=20`);
  await page.setInputFiles('.drop input[webkitdirectory]', folder);
  await drop(page, 'roster.csv', 'Name,SID,Username\nAda,0017,ada\nBob,18,bob\nEve,19,eve\n');
  await seeText(page, '4 files, with a roster');
  await page.getByText('Scoring, points and deadline').click();
  await page.getByLabel('Points, as in').fill('plays=1,baseline:0.1=2,mean:0.5=3');
  await page.getByLabel('Points, as in').blur();
  await changing(page, (view) => without(view, 'Eve'));
  await start(page).click();
  await page.getByRole('button', { name: 'Read the rest (1)' }).waitFor();
  const below = page.getByRole('region', { name: /Ranking|Rejected/ });
  check((await below.first().textContent()).startsWith('Ranking'), 'the ranking comes first');
  await page.getByRole('columnheader', { name: 'Points' }).waitFor();
  await shot(page, 'contest-points');
  const unknown = page.getByText('The roster knows none');
  check((await unknown.count()) === 0, 'it knows two');
  const [, pages] = await downloaded(page, 'Reports (.zip)');
  check(pages.includes('bob.html') && pages.includes('eve.html'), 'all have pages, also who was not read');
  const [, students] = await downloaded(page, 'Reports for students (.zip)');
  check(/bob--[0-9a-f]{32}\.html/.test(students), 'names that cannot be guessed');
  check(!students.includes('gradebook.csv'), 'students see no gradebook');
  const [, ranking] = await downloaded(page, 'Ranking (.csv)');
  const [heads, first] = ranking.split('\n').map((line) => line.split(','));
  const rate = Number(first[heads.indexOf('baseline')]);
  await page.getByRole('columnheader', { name: 'Baseline' }).waitFor();
  const shown = page.locator('.ranking tbody tr').first();
  check(rate > 0 && (await shown.textContent()).includes(`${(rate * 100).toFixed(2)} %`), first);
  const [name, book] = await downloaded(page, 'Gradebook (.csv)');
  check(name === 'contest-fa21-gradebook.csv', name);
  check(/^Ada,0017,ada,.*,[123],/m.test(book), book);
  check(/^Eve,19,eve,.*it was not read/m.test(book), book);
  await page.getByLabel('Points, as in').fill('plays=2');
  await page.getByLabel('Points, as in').blur();
  await seeText(page, 'the contest before this change');
  // Refused: told beside the field, and what there is stays.
  await page.getByLabel('Points, as in').fill('plays=5, beats baseline=5');
  await page.getByLabel('Points, as in').blur();
  await start(page).click();
  const fault = page.getByRole('alert');
  await fault.getByText('beats baseline').waitFor();
  const [told, field] = await Promise.all([fault.boundingBox(), page.getByLabel('Points, as in').boundingBox()]);
  check(Math.abs(told.y - field.y) < 60, 'beside the field');
  check(await page.getByLabel('Points, as in').evaluate((one) => one === document.activeElement), 'which has the focus');
  check(await page.locator('.ranking tbody tr').count() === 2, 'the ranking is still there');
  await seeText(page, 'the contest before this change');
  await page.getByLabel('Points, as in').fill('plays=2');
  await page.getByLabel('Points, as in').blur();
  check(await fault.count() === 0, 'the message goes with what it is about');
  page.faults = page.faults.filter((one) => !one.includes('400 (Bad Request)'));
  await drop(page, 'roster.csv', 'Name,Username\nZoe,zoe\n');
  await page.unroute('**/api/v1/contest');
  await start(page).click();
  await unknown.waitFor();
});

/** Starts a contest of a class with its roster, and waits for the ranking. */
async function contestOf(page, game, name, files, roster, points) {
  await page.goto(`${url}contest/${game}?goal=20`);
  await page.setInputFiles('.drop input[webkitdirectory]', folderOf(name, files));
  await drop(page, 'roster.csv', roster);
  await seeText(page, 'with a roster');
  if (points) {
    await page.getByText('Scoring, points and deadline').click();
    await page.getByLabel('Points, as in').fill(points);
    await page.getByLabel('Points, as in').blur();
  }
  await start(page).click();
  await page.locator('.ranking tbody tr').first().waitFor();
}

test('the gradebook of a contest goes back into Canvas as it came', async () => {
  const page = await open();
  const canvas =
    'Student,ID,SIS Login ID,Section,Homework 1 (8812300),Hog Contest (8812345)\n' +
    '    Points Possible,,,,10,3\n"Lovelace, Ada",41,ada,1,7,\n"Small, Eve",42,eve,1,,\n';
  const files = [['ada/hog.py', strategy(4)], ['eve/hog.py', 'def final_strategy(:\n']];
  await contestOf(page, 'fa24', 'canvas', files, canvas, 'plays=3');
  const column = page.getByLabel('Points go into the column');
  check(await column.inputValue() === 'Hog Contest (8812345)', 'the likely one is chosen');
  check((await column.locator('option').allTextContents()).every((one) => !/Student|ID|Section/.test(one)), 'not who it is');
  const [name, book] = await downloaded(page, 'Gradebook for Canvas (.csv)');
  check(name === 'contest-fa24-for-canvas.csv', name);
  check(book === canvas.replace('1,7,\n', '1,7,3\n').replace('1,,\n', '1,,0\n'), book);
  const [students] = await downloaded(page, 'Reports for students (.zip)');
  check(students === 'contest-fa24-students.zip', students);
  await shot(page, 'contest-downloads');
  await page.setViewportSize({ width: 390, height: 740 });
  await shot(page, 'contest-downloads-phone');
  // The heading of Moodle; and without points, where they would go.
  const moodle = 'Identifier,Full name,Email address,Status,Grade,Maximum Grade\nParticipant 41,ada,ada@x.edu,,,3\n';
  const other = await open();
  await contestOf(other, 'fa24', 'moodle', [['ada/hog.py', strategy(4)]], moodle, '');
  await seeText(other, 'its column “Grade”');
});

test('a drop means the same alone and beside others, and grades that are there are replaced only by choice', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  const list = 'submission_7:\n  :submitters:\n  - :name: Ada Lovelace\nsubmission_9:\n  :submitters:\n  - :name: Zoe Pdf\n';
  const parts = [
    ['export.zip', zip([['export/submission_metadata.yml', list], ['export/submission_7/hog.py', strategy(4)]])],
    ['bob.zip', zip([['hog.py', strategy(5)]])],
    ['roster.csv', 'Name,Username\nAda Lovelace,x\nBob,bob\nZoe Pdf,y\nEve Away,z\n'],
  ];
  const paths = parts.map(([name, bytes]) => join(folderOf('drops', [[name, bytes]]), name));
  await page.locator('input[type=file]').first().setInputFiles(paths);
  await seeText(page, '4 files, with a roster');
  await drop(page, 'bob.zip', zip([['hog.py', strategy(6)]]));
  await seeText(page, 'Replaced: bob/hog.py.');
  await drop(page, 'canvas.csv', 'Student,ID,SIS Login ID,Hog (1),Current Score\n    Points Possible,,,3,(read only)\n"Lovelace, Ada",1,x,2,1\n"Both, Bob",2,bob,,\n"Pdf, Zoe",3,y,,\n"Away, Eve",4,z,,\n');
  await seeText(page, 'roster.csv is left out: canvas.csv is the roster.');
  await page.getByText('Scoring, points and deadline').click();
  await page.getByLabel('Points, as in').fill('plays=1,mean:0.9=2');
  await page.getByLabel('Points, as in').blur();
  await start(page).click();
  await page.locator('.ranking tbody tr').nth(1).waitFor();
  await seeText(page, 'Handed in nothing: Away, Eve');
  const search = page.getByLabel('Search for a name');
  await search.fill('zoe');
  await seeText(page, 'no file that can be a strategy');
  await search.fill('eve');
  await seeText(page, 'Away, Eve: handed in nothing');
  await search.fill('bob/hog.py');
  await seeText(page, '0 of 2, not reached: It wins at least 0.9 of its games on average');
  const column = page.getByLabel('Points go into the column');
  check(await column.inputValue() === '', 'a column with grades is not chosen');
  check(await column.locator('option').count() === 2, 'and none that is only read');
  await column.selectOption('Hog (1)');
  await seeText(page, 'Hog (1) has grades in 1 line: points replace them');
  const students = async () =>
    unzip(Buffer.from((await downloaded(page, 'Reports for students (.zip)'))[1], 'latin1')).map(([path]) => path).sort();
  const pages = await students();
  check(`${await students()}` === `${pages}`, 'made again, they are called the same');
  const [, book] = await downloaded(page, 'Gradebook (.csv)');
  check(pages.filter((one) => one !== 'index.html').every((one) => book.includes(one)), book);
  await shot(page, 'contest-drops');
  // The roster's own words, in any order and without accents.
  await search.fill('LOVELACE Ádà');
  await until(page, () => document.querySelectorAll('.ranking tbody tr').length === 1);
  await page.locator('.matrix tbody button').first().click();
  await seeText(page, 'The best possible against');
  await page.evaluate(() => { Element.prototype.requestFullscreen = () => {}; });
  await page.getByRole('checkbox', { name: 'names', exact: true }).uncheck();
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  const cards = () => page.locator('[aria-label=Ranking], [aria-label=Matrix]').allInnerTexts();
  const told = (await cards()).join();
  check(told.includes('rank 1') && !/Ada|Bob|Lovelace|Both/.test(told.split('Points go into')[0]), told);
  check(await page.getByRole('columnheader', { name: 'Points' }).count() === 0, 'no points');
  check(await page.getByText('The best possible against').count() === 0, 'nor what was looked at');
  await page.evaluate(() => document.dispatchEvent(new Event('fullscreenchange')));
  await page.getByRole('columnheader', { name: 'Points' }).waitFor();
  // Somebody's file is another one: whose points change is told.
  await drop(page, 'bob.zip', zip([['hog.py', 'x = 1\n']]));
  await start(page).click();
  await seeText(page, 'Bob');
  await drop(page, 'mail.zip', zip([['class/mail/bob/hog.py', strategy(6)], ['class/mail/new/hog.py', strategy(5)], ['class/notes.txt', 'x']]));
  await seeText(page, 'Replaced: bob/hog.py.');
  // The folder of one person, beside a file that was in the same one.
  await drop(page, 'late.zip', zip([['zed/mine.py', strategy(5)], ['notes.txt', 'x']]));
  await seeText(page, 'zed/mine.py');
});

test('students see what the instructor has chosen, and names only if they are wanted', async () => {
  const page = await open();
  const files = [['ada/hog.py', strategy(4)], ['bob/hog.py', strategy(9)], ['eve/hog.py', 'def final_strategy(:\n']];
  await contestOf(page, 'fa21', 'levels', files, 'Name,Username\nAda Lovelace,ada\nBob Both,bob\nEve Small,eve\n', '');
  const pagesOf = async () => {
    const [link] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Reports for students (.zip)' }).click(),
    ]);
    const found = await unzip(new Uint8Array(readFileSync(await link.path())));
    return (begins) => found.find(([path]) => path.startsWith(begins))[1];
  };
  const level = page.getByLabel('Students see');
  check(await level.inputValue() === 'rates', 'as the command does');
  await seeText(page, 'without the best rolls');
  let pages = await pagesOf();
  check(!pages('ada').includes('cost most') && !pages('ada').includes('Bob'), 'neither best rolls nor names');
  check(!/Lovelace|Both/.test(pages('index')) && pages('index').includes('rank 1'), 'ranks alone');
  check(pages('eve').includes('could not take part'), 'a broken file has a page');
  check(/\d\d\.\d\d %/.test(pages('ada')) && !/0\.\d{6}</.test(pages('ada')), 'percent, as on the page');
  await level.selectOption('costs');
  await seeText(page, 'with the best rolls there');
  await page.getByLabel('and the names of all').check();
  pages = await pagesOf();
  check(pages('ada').includes('cost most') && pages('ada').includes('Bob Both'), 'both');
  check(pages('index').includes('Ada Lovelace'), 'the names');
});

test('exports are one class, a second submission is left out, and a file is given to its author', async () => {
  const page = await open();
  const listed = (folder, name) => `${folder}:\n  :created_at: 2026-07-1${folder.at(-1)} 06:59:29.812 Z\n  :submitters:\n  - :name: ${name}\n    :email: ${name[0]}@x.edu\n`;
  const exported = (all) =>
    zip([
      ['export/submission_metadata.yml', `---\n${all.map(([folder, name]) => listed(folder, name)).join('')}`],
      ...all.map(([folder, , dice]) => [`export/${folder}/hog.txt`, rolls(dice, 20)]),
    ]);
  await page.goto(`${url}contest/fa21?goal=20`);
  await drop(page, 'export.zip', exported([['submission_6', 'Bob Both', 4], ['submission_7', 'Ada Bell', 5], ['submission_8', 'Ada Bell', 6]]));
  await seeText(page, '4 files');
  check((await page.getByLabel('Strategies by name').inputValue()) === '', 'a class is for grades');
  await drop(page, 'late.zip', exported([['submission_9', "'Grace O''Hara'", 3]]));
  await seeText(page, 'submission_9/hog.txt (Grace O’Hara)'.replace('’', "'"));
  await seeText(page, 'submission_6/hog.txt (Bob Both)');
  await drop(page, 'canvas.csv', 'Student,ID,SIS Login ID,Section,Hog Contest (12)\nPoints Possible,,,,5\n"Both, Bob",1,bob,A,\n"Bell, Ada",2,ada,A,\n"O\'Hara, Grace",3,grace,A,\n"Chen, Nora",4,nora,A,\n');
  await drop(page, 'Nora_Chen_hog.txt', rolls(2, 20));
  await page.getByText('Scoring, points and deadline').click();
  await page.getByLabel('Points, as in').fill('plays=7');
  await page.getByLabel('Points, as in').blur();
  await page.getByLabel('Deadline').fill('2026-07-16T00:00');
  await start(page).click();
  const roster = page.getByRole('region', { name: 'Roster' });
  await roster.getByText('Not on it: Nora_Chen_hog').waitFor();
  await seeText(page, 'It is out of 5, and these points go up to 7.');
  check(await roster.getByRole('button', { name: 'Leave it out' }).count() === 2, 'both of Ada');
  await shot(page, 'contest-whose');
  await roster.getByText(/Handed in late: .*\((3|2) days\)/).waitFor();
  const ada = roster.getByRole('listitem').first();
  await ada.getByText('; it came ').waitFor();
  await ada.getByRole('button').click();
  await seeText(page, 'the contest before this change');
  await ada.getByRole('button', { name: 'Take it back' }).click();
  check((await page.getByText('the contest before this change').count()) === 0, 'all is as it was');
  await ada.getByRole('button', { name: 'Leave it out' }).click();
  await page.getByRole('link', { name: 'Play', exact: true }).click();
  await seeText(page, 'How many dice will you roll?');
  await page.goBack();
  await seeText(page, 'the contest before this change');
  await page.getByLabel('Search for a name').fill('B@x.edu');
  check(await page.locator('.ranking tbody tr').count() === 1, 'the address in the list is known');
  await page.getByLabel('Search for a name').fill('');
  await roster.getByText('Say whose these are').click();
  const whose = roster.getByLabel('Nora_Chen_hog.txt is');
  check((await whose.locator('option').nth(1).textContent()) === 'Chen, Nora', 'the nearest name comes first');
  await whose.selectOption({ label: 'Chen, Nora' });
  await seeText(page, 'Nora_Chen_hog.txt is that of Chen, Nora now.');
  await start(page).click();
  await page.getByText('Other points than before: 3 people').click();
  await seeText(page, /Bell, Ada none → 7.*Chen, Nora none → 7.*Nora_Chen_hog 7 → none/);
  check(!/Handed in nothing|Not on it/.test(await roster.textContent()), 'everybody handed something in');
  const [, book] = await downloaded(page, 'Gradebook for Canvas (.csv)');
  check((book.match(/,7$/gm) ?? []).length === 4, book);
});

test('an e-mailed zip keeps its name, and the latest of two submissions is kept at once', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  for (const name of ['Oz Judd', 'Quin Lowe']) {
    await drop(page, `${name}.zip`, zip([['hog/hog.py', strategy(name.length)]]));
    await seeText(page, `${name}/hog/hog.py`);
  }
  const of = (folder) => `${folder}:\n  :created_at: 2026-07-1${folder.at(-1)} 06:59:29 Z\n  :submitters:\n  - :name: Oz Judd\n`;
  await drop(page, 'export.zip', zip([
    ['e/submission_metadata.yml', of('submission_1') + of('submission_2')],
    ['e/submission_1/hog.txt', rolls(4, 20)],
    ['e/submission_2/hog.txt', rolls(5, 20)],
  ]));
  await drop(page, 'roster.csv', 'Name,Email\nOz Judd,oz@x.edu\nQuin Lowe,q@x.edu\n');
  await drop(page, 'other.csv', 'Name,Email\nOz Judd,oz@x.edu\n');
  await seeText(page, 'roster.csv is left out: other.csv is the roster.');
  await page.getByRole('button', { name: 'Remove Oz Judd/hog/hog.py' }).click();
  await start(page).click();
  await page.getByRole('button', { name: 'Keep the latest of each, leave out submission_1, and start again' }).click();
  await seeText(page, '1 pair;');
  check((await page.locator('.ranking').textContent()).includes('Oz Judd'), 'one is left');
});

test('a report has its address again when a second submission is left out', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  const of = (folder) => `${folder}:\n  :created_at: 2026-07-1${folder.at(-1)} 06:59:29 Z\n  :submitters:\n  - :name: Oz Judd\n`;
  const exported = (folders) =>
    zip([
      ['e/submission_metadata.yml', folders.map(of).join('')],
      ...folders.map((folder, at) => [`e/${folder}/hog.txt`, rolls(4 + at, 20)]),
    ]);
  const address = async () => {
    await page.locator('.columns, .view').first().waitFor();
    const [, reports] = await downloaded(page, 'Reports for students (.zip)');
    return /oz-judd--[0-9a-f]{32}/.exec(reports)?.[0];
  };
  await drop(page, 'roster.csv', 'Name,Email,Role\nOz Judd,oz@x.edu,Student\nTess Hall,tess@x.edu,TA\n');
  await drop(page, 'export.zip', exported(['submission_1']));
  await page.getByLabel('Strategies by name').fill('baseline');
  await page.getByText('Scoring, points and deadline').click();
  await page.getByLabel('Points, as in').fill('plays=1');
  await start(page).click();
  await seeText(page, '1 pair;');
  const first = await address();
  check(first, 'it has one');
  check(await page.getByText('No points in it for').count() === 0, 'nothing is expected of the staff');
  await drop(page, 'export.zip', exported(['submission_1', 'submission_2']));
  await start(page).click();
  await seeText(page, '3 pairs;');
  check(await address() === undefined, 'both are there');
  await page.getByRole('button', { name: 'Keep the latest of each' }).click();
  await seeText(page, '1 pair;');
  check(await address() === first, 'its address is another one');
});

test('a file of Canvas that comes again is the newer one, and goes to the coach', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await drop(page, 'chenada_12_345_hog.py', strategy(4));
  await drop(page, 'hog.py', strategy(5));
  await drop(page, 'chenada_12_345_hog.py', strategy(6));
  await seeText(page, 'Replaced: chenada_12_345_hog.py.');
  // Files of one name alone may be those of two people.
  await drop(page, 'hog.py', strategy(3));
  await seeText(page, 'this one is called hog (2).py');
  await start(page).click();
  await page.getByRole('columnheader', { name: 'Rank' }).waitFor();
  await page.getByLabel('Search for a name').fill('chenada');
  await page.getByRole('link', { name: 'Where it loses, in the coach' }).click();
  await page.locator('.answer', { hasText: 'It wins' }).waitFor();
  check(await page.locator('.editor textarea').inputValue() === strategy(6), 'the newer file is rated');
});

test('a long ranking says how many are below', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  const files = Array.from({ length: 26 }, (_, i) => [`s${i}/hog.py`, strategy(i % 10)]);
  await page.setInputFiles('.drop input[webkitdirectory]', folderOf('long', files));
  await start(page).click();
  const below = page.locator('.below');
  await below.filter({ hasText: 'more below' }).waitFor();
  const [, many] = /(\d+) more below/.exec(await below.textContent());
  const seen = await page.locator('.ranking tbody tr').evaluateAll((rows) => {
    const edge = rows[0].closest('.tall').getBoundingClientRect().bottom;
    return rows.filter((row) => row.getBoundingClientRect().bottom <= edge + 2).length;
  });
  check(seen + Number(many) === 28, `${seen} and ${many}`);
  await page.locator('.tall').first().evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await until(page, () => !document.querySelector('.below').textContent);
});

test('a server for many is asked again for those that it has not read', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await page.setInputFiles('.drop input[webkitdirectory]', folderOf('rest', [
    ['a/hog.py', strategy(4)],
    ['b/hog.py', strategy(5)],
  ]));
  let asked = 0;
  await changing(page, (view, number) => {
    asked = number;
    return number === 1 ? without(view, 'b') : view;
  });
  await start(page).click();
  await seeText(page, '6 pairs;');
  check(asked === 2, `asked ${asked} times`);
});

for (const how of ['after a reload', 'in a new tab'])
  test(`a contest that was stopped in the middle goes on ${how}`, async () => {
    let page = await open();
    const address = `${url}contest/fa21?goal=20`;
    await page.goto(address);
    const loops = 4_000_000 + how.length;
    const files = Array.from({ length: 12 }, (_, i) => [`s${i}/hog.py`, strategy(i % 10, loops + i)]);
    await page.setInputFiles('.drop input[webkitdirectory]', folderOf('stopped', files));
    await start(page).click();
    await until(page, () => /^[4-9] of 14 strategies read/.test(document.querySelector('.setup ~ [role=status]').textContent));
    if (how === 'after a reload') await page.reload();
    else {
      const context = page.context();
      await page.close();
      page = await context.newPage();
      await page.goto(address);
      await page.getByRole('button', { name: 'Go on with it' }).click();
    }
    await seeText(page, '91 pairs;');
  });

test('a new tab offers the contest of a tab that was closed, with its results', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await drop(page, 'three.txt', '3\n');
  await page.getByLabel('Strategies by name').fill('optimal always_roll:4');
  await start(page).click();
  await seeText(page, 'could not take part: see below');
  const context = page.context();
  await page.close();
  let other = await context.newPage();
  await other.goto(`${url}contest/fa21?goal=30`);
  await seeText(other, 'keeps a contest in fa21 to 20, 1 file, since');
  check(await other.getByText('a contest of another tab').count() === 0, 'it is of another game');
  await other.getByRole('button', { name: 'Take the 1 file along' }).click();
  await seeText(other, 'three.txt');
  check(await other.locator('.ranking').count() === 0, 'the results are of another game');
  // What was only set in a tab does not hide the files of another one.
  await other.goto(`${url}contest/fa21?goal=20`);
  await other.getByText('Scoring, points and deadline').click();
  await other.getByLabel('Points, as in').fill('plays=1');
  await other.getByLabel('Points, as in').blur();
  await other.close();
  other = await context.newPage();
  await other.goto(`${url}contest/fa21?goal=20`);
  await other.getByRole('button', { name: 'Go on with it' }).click();
  await seeText(other, 'could not take part: see below');
  check(await other.locator('.ranking tbody tr').count() === 2, 'its results');
  check(await other.getByLabel('Strategies by name').inputValue() === 'optimal always_roll:4', 'its names');
  check(await other.getByText('a contest of another tab').count() === 0, 'the offer is taken');
  check(await other.getByText('the contest before this change').count() === 0, 'nothing was changed');
});

test('a contest that ends the page each time does not go on by itself for ever', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21?goal=20`);
  await drop(page, 'hog.py', 'def final_strategy(score, opponent_score):\n    while True: pass\n');
  await start(page).click();
  for (let time = 0; time < 4; time += 1) {
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.reload();
  }
  await seeText(page, 'This contest was stopped several times');
  await start(page).click();
  await seeText(page, /it was stopped after 10 s|it never ends/);
});

test('two strategies of a contest are compared on one map', async () => {
  const page = await open();
  await page.goto(`${url}contest/fa21`);
  await drop(page, 'three.txt', rolls(3));
  await start(page).click();
  await page.getByRole('button', { name: /: three against optimal$/ }).click();
  const line = page.getByLabel('Where the two maps meet');
  await line.fill('80');
  check((await line.getAttribute('aria-valuetext')) === '80 % three, 20 % optimal', 'told');
  await shot(page, 'contest-pair');
  await page.getByRole('button', { name: 'Show on a projector' }).click();
  await until(page, () => document.fullscreenElement !== null);
  check(await page.locator('.ranking').isVisible(), 'the ranking is shown');
  check(!(await page.getByRole('button', { name: 'Reports (.zip)' }).isVisible()), 'no buttons');
});

if (SITE) {
  // The first run is cut as other files could: they take the processor or the memory, or end the frame.
  const CUTS = {
    'the clock has ended': [
      'python-frame.js',
      ['seconds * 1000)', 'self.wasCut ? seconds * 1000 : (self.wasCut = 1))'],
    ],
    'the memory has ended': [
      'python-frame.js',
      ["port.onmessage = () => end('');", 'if (!self.wasCut) { self.wasCut = 1; end("no more memory"); return; }'],
    ],
    'has lost the frame': [
      'python.js',
      ['PATIENCE + run.seconds * 1000', 'self.wasCut ? PATIENCE + run.seconds * 1000 : 3000'],
      ['port.postMessage({ run }, [port2]);', 'if (self.wasCut) port.postMessage({ run }, [port2]); self.wasCut = 1;'],
    ],
  };

  for (const [how, [path, ...changes]] of Object.entries(CUTS)) {
    test(`in the tab whom ${how} is asked again, alone`, async () => {
      const server = await plainServer(SITE);
      const page = await open();
      await page.route(`**/${path}`, async (route) => {
        const response = await route.fetch();
        let body = await response.text();
        for (const [from, to] of changes) {
          check(body.includes(from), `${from} is where it was`);
          body = body.replace(from, to);
        }
        await route.fulfill({ response, body });
      });
      await page.goto(`${server.url}#/contest/fa21?goal=20`);
      const files = [3, 4, 5].map((dice) => [`s${dice}/hog.py`, strategy(dice, 3_000_000)]);
      await page.setInputFiles('.drop input[webkitdirectory]', folderOf('cut', files));
      await start(page).click();
      await seeText(page, '10 pairs;');
      server.close();
    });
  }

  test('a contest in the tab goes on after a reload, and each file sees its own folder', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/contest/fa21?goal=20`);
    const spy = `import os
def final_strategy(score, opponent_score):
    return 5 if sorted(os.listdir('/sent/files')) == ['spy'] else 6
`;
    const files = Array.from({ length: 6 }, (_, i) => [`s${i}/hog.py`, strategy(i, 30_000_000)]);
    files.push(['spy/hog.py', spy]);
    await page.setInputFiles('.drop input[webkitdirectory]', folderOf('tab', files));
    await start(page).click();
    await until(page, () => /^[3-9] of 14 runs/.test(document.querySelector('.setup ~ [role=status]').textContent));
    await page.reload();
    await seeText(page, '36 pairs;');
    await page.getByRole('button', { name: /: spy against s5$/ }).click();
    await seeText(page, '50.00 % on average');
    server.close();
  });

  test('Python files are rated in the tab without a network after the first use', async () => {
    const server = await plainServer(SITE);
    const page = await open();
    await page.goto(`${server.url}#/coach/fa21`);
    await until(page, () => navigator.serviceWorker.controller !== null);
    await page.reload();
    await drop(page, 'hog.py', strategy(6));
    await seeText(page, '50.00 %');
    await page.context().setOffline(true);
    await page.reload();
    await drop(page, 'hog.py', strategy(5));
    await seeText(page, 'positions reached');
    const isApart = await page.evaluate(() => {
      try {
        return document.querySelector('iframe').contentDocument === null;
      } catch {
        return true;
      }
    });
    check(isApart, 'the frame has no origin');
    page.faults = page.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|Failed to load/.test(fault));
    server.close();
  });
}
