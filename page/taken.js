// What is shown can be taken away: tables as CSV with all digits, charts and maps as SVG and PNG,
// and what is copied has all digits too.

import { Refused, ask, askOnce } from './api.js';
import { button, download, h, svg, withCode } from './dom.js';
import { NOT_MEMORIES, draft, draftBase, draftName, gameParams, read } from './route.js';
import { nameOf } from './versions.js';
import { bound } from './words.js';

/**
 * What is shown with fewer digits than it has, or in words: `value` is what a table has in its
 * place.
 */
export const full = (value, text) =>
  h('data', { value: `${value ?? ''}`, title: Number.isInteger(value) ? null : value }, text);

function fullText(element) {
  const copy = element.cloneNode(true);
  for (const number of copy.querySelectorAll('data')) number.textContent = number.value;
  for (const hidden of copy.querySelectorAll('.under, .sr')) hidden.remove();
  return copy.textContent.trim();
}

addEventListener('copy', (event) => {
  const chosen = getSelection();
  const { activeElement } = document;
  if (chosen.isCollapsed || activeElement?.matches('input, textarea')) return;
  const part = h('div', {}, chosen.getRangeAt(0).cloneContents());
  if (!part.querySelector('data')) return;
  const cells = (row) => dataOf(row).map(fullText).join('\t');
  const rows = [...part.querySelectorAll('tr:not(.under)')].map(cells);
  event.clipboardData.setData('text/plain', rows.length ? rows.join('\n') : fullText(part));
  event.preventDefault();
});

/** A field of CSV; what a spreadsheet would read as a formula gets an apostrophe in front. */
function field(value) {
  const isFormula = /^[=+\-@\t\r]/.test(value) && !/^-?[\d.]+(e-?\d+)?$/.test(value);
  const text = isFormula ? `'${value}` : `${value ?? ''}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csv = (rows) => `${rows.map((row) => row.map(field).join(',')).join('\n')}\n`;

/**
 * A file of rows below their heads; each row says what it is from, so that files can be joined. The
 * number `varied` has other values in the rows than in the game.
 */
async function csvOf([heads, ...rows], varied = null) {
  const from = await origin(varied);
  const own = Object.values(from);
  return [
    csv([[...heads, ...Object.keys(from)], ...rows.map((row) => [...row, ...own])]),
    'text/csv',
  ];
}

/** A file of rows that the engine has made, each of which says what it is from, and its bound. */
export async function withOrigin(text, error_bound) {
  const from = { error_bound, ...(await origin()) };
  const [heads, own] = [Object.keys(from), Object.values(from)].map((one) => one.map(field));
  // A field may have lines.
  const lines = text.match(/("[^"]*"|[^"\n])+/g);
  return `${lines.map((line, at) => [line, ...(at ? own : heads)].join(',')).join('\n')}\n`;
}

/** What of a row is data: cells of links and bars are not. */
const dataOf = (row) => [...row.children].filter((cell) => !cell.matches('.acts, .fill'));

/** The fields of what the engine has answered, those of objects in it too, each with its name. */
function fieldsOf(answer, before = '') {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (Array.isArray(value)) {
      const isPlain = value.every((one) => typeof one !== 'object');
      return isPlain ? [[before + name, value.join(' ')]] : [];
    }
    return value !== null && typeof value === 'object'
      ? fieldsOf(value, `${before}${name}_`)
      : [[before + name, value]];
  });
}

/** A list of the engine's answers as rows below their fields' names. */
function rowsOf(list) {
  const rows = list.map((one) => new Map(fieldsOf(one)));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  return [names, ...rows.map((row) => names.map((name) => row.get(name)))];
}

/** Whether the page shows edited rules. */
const isOfDraft = ({ view, game }) =>
  view === 'rules' ? draft(game) !== null : draftBase(game) !== null;

/** The game of the page, or what its edited rules are called. */
const gameShown = ({ view, game }) =>
  nameOf(view === 'rules' && draft(game) !== null ? draftName(game) : game);

/** The parameters of an address that do not say what is shown. */
const NOT_SUBJECT = NOT_MEMORIES.slice(3);

/** What the page shows, in parts: the game with its numbers, the opponent and the strategy. */
function subject() {
  const route = read();
  const isOfStrategy = route.view === 'coach';
  const own = [...route.params]
    .filter(([name]) => !NOT_SUBJECT.includes(name) || (name === 'strategy' && isOfStrategy))
    .map(([name, value]) => (name === 'strategy' ? value : `${name} ${value}`));
  return [gameShown(route), ...own];
}

/** The name of a file about what the page shows: "fa21-against-baseline-best.csv". */
export const fileName = (name, ending) =>
  `${[...subject(), name].join('-').replace(/[^\w.-]+/g, '-')}.${ending}`;

/** That of the pictures of the command. */
const FONT = "Inter,'Helvetica Neue',Arial,'Liberation Sans',sans-serif";

const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size'];

/** A picture is light, as those of the command are, whatever the page is. */
function inLight(work) {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  try {
    return work();
  } finally {
    if (theme) dataset.theme = theme;
    else delete dataset.theme;
  }
}

function styled(drawing) {
  const copy = drawing.cloneNode(true);
  const own = [drawing, ...drawing.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, at) => {
    const style = getComputedStyle(own[at]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  });
  return copy;
}

/** What the engine tells of the game that the page shows. */
function askShown() {
  const route = read();
  const own = route.view === 'rules' ? draft(route.game) : null;
  return askOnce('rules/show', own === null ? gameParams(route) : { file: own });
}

/** An entry for a list of literature, about the program and the game that the page shows. */
export async function bibtex() {
  const { goal, max_dice: most, hand, fingerprint, source } = await askShown();
  const route = read();
  const isEdited = isOfDraft(route);
  const program = document.getElementById('version').textContent;
  const dice = hand ? '' : ` with at most ${most} dice`;
  const plain = (text) => text.replace(/[\\{}$&#^_%~]/g, '\\$&');
  const game = `${plain(gameShown(route))} to ${goal} points${dice}`;
  const from = source ? `; ${isEdited ? 'edited, ' : ''}from: ${plain(source)}` : '';
  return [
    `@misc{hog_${gameShown(route).replace(/\W+/g, '_')}_${fingerprint.slice(0, 6)},`,
    '  author = {{the hog developers}},',
    `  title = {${document.querySelector('footer cite').textContent}},`,
    '  year = {2026},',
    `  note = {${program}; the game ${game}, fingerprint of its rules ${fingerprint}${from}},`,
    '}',
  ].join('\n');
}

/**
 * What the numbers are from: the game that the page shows, with all that it is shown for; its
 * rules; the program.
 */
export async function origin(varied = null) {
  const shown = await askShown();
  const { fingerprint, goal, hand, max_dice: most, numbers: given = [] } = shown;
  const [called, ...rest] = subject();
  const named = given.map(({ name, value }) => `${name} ${value}`);
  const numbers = [`goal ${goal}`, !hand && `max_dice ${most}`, ...named];
  const but = varied && `but for ${varied}`;
  const others = rest.filter((part) => !/^(goal|max_dice) /.test(part));
  const game = [called, ...numbers, but, ...others].filter(Boolean).join(', ');
  return { game, fingerprint, program: document.getElementById('version').textContent };
}

/** What tells files of edited rules apart: a part of their fingerprint; empty for other games. */
async function edition() {
  return isOfDraft(read()) ? `-${(await origin()).fingerprint.slice(0, 6)}` : '';
}

/** How wide a letter is for its size, at most in the mean. */
const LETTER = 0.56;

/** The parts of a text that have room in a line of so many letters; a number keeps its unit. */
const lines = (text, room) =>
  text.replaceAll(' %', '\u00a0%').match(new RegExp(`\\S.{0,${room}}(?= |$)`, 'g')) ?? [];

/** What colours mean, each with its text; between the ends of a scale they have none. */
function coloursIn(told) {
  const keys = [...told.querySelectorAll('.key, .swatch')].map((key) => [
    getComputedStyle(key).backgroundColor,
    key.nextSibling.textContent.trim(),
  ]);
  const scales = [...told.querySelectorAll('.ramp')].flatMap((ramp) => {
    const stops = ramp.style.background.match(/rgb\([^)]*\)/g);
    const ends = [...ramp.nextSibling.children].map((one) => one.textContent);
    const labels = new Map([
      [0, ends[0]],
      [stops.length - 1, ends.at(-1)],
    ]);
    if (ends.length === 3) labels.set((stops.length - 1) / 2, ends[1]);
    return stops.map((fill, at) => [fill, labels.get(at) ?? '']);
  });
  return [...keys, ...scales];
}

/**
 * A drawing as a document of its own: below its title, and above what it is `about`, what is said
 * below it on the page, `told`, with what its colours mean, and what it is from.
 */
function documentOf(drawing, title, told, from, paper = '#fff', about = '') {
  const { game, fingerprint, program, within } = from;
  const { color } = getComputedStyle(document.body);
  const [, , width, height] = drawing.getAttribute('viewBox').split(' ').map(Number);
  const copy = styled(drawing);
  const words = told.cloneNode(true);
  for (const part of words.querySelectorAll('.scale, .keys, .key, .legend, .unsaved, button'))
    part.remove();
  const parts = [];
  let y = 6;
  const write = (text, size, weight = 'normal') => {
    for (const line of lines(text, Math.floor((width - 20) / size / LETTER))) {
      y += size * 1.35;
      const style = { 'font-size': size, 'font-weight': weight };
      parts.push(svg('text', { x: 10, y, ...style }, line));
    }
  };
  write(title, 16, '600');
  y += 8;
  copy.setAttribute('y', `${y}`);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  parts.push(copy);
  y += height;
  if (about) write(`${about}.`, 12);
  write(words.textContent.trim(), 12);
  let x = 10;
  const colours = coloursIn(told);
  if (colours.length) y += 8;
  for (const [fill, text] of colours) {
    const wide = text ? 30 + text.length * 7 : 13;
    if (x + wide > width) [x, y] = [10, y + 18];
    parts.push(svg('rect', { x, y, width: 13, height: 12, fill }));
    parts.push(svg('text', { x: x + 18, y: y + 10, 'font-size': 12 }, text));
    x += wide;
  }
  y += colours.length ? 18 : 6;
  write(game, 11);
  write(`${program}; rules ${fingerprint}${within}`, 11);
  const whole = svg(
    'svg',
    { width, height: y + 12, fill: color, 'font-family': FONT },
    svg('rect', { width: '100%', height: '100%', fill: paper }),
    parts,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** How many pixels a picture has for each of the drawing's. */
const DENSITY = 3;

async function pngOf(text) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = failed;
    image.src = address;
  });
  const canvas = h('canvas');
  canvas.width = image.width * DENSITY;
  canvas.height = image.height * DENSITY;
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => {
    canvas.toBlob(done, 'image/png');
  });
}

/**
 * A button that saves something: `take` returns its contents, and its kind. `called` says what it
 * is; files are called by `name` if it has another one.
 */
const saving = (called, ending, take, name = called) =>
  button(
    ending.toUpperCase(),
    async ({ target }) => {
      const bar = target.closest('.saves');
      if (target.matches('[aria-disabled]')) return;
      bar.querySelector('[role=alert]')?.remove();
      // A disabled button would lose the focus.
      target.setAttribute('aria-disabled', 'true');
      try {
        const contents = await take(bar.parentElement);
        download(fileName(name + (await edition()), ending), ...contents);
      } catch (error) {
        const isRefused = error instanceof Refused;
        const told = isRefused ? error.message : 'It cannot be saved: it is a fault of the page.';
        bar.append(h('span', { class: 'loss', role: 'alert' }, withCode(told)));
        if (!isRefused) throw error;
      } finally {
        target.removeAttribute('aria-disabled');
      }
    },
    { class: 'quiet', 'aria-label': `Save ${called} as ${ending.toUpperCase()}` },
  );

/** The buttons of a picture: `drawn` returns it as a text, for the part of the page around. */
const picture = (called, drawn, name) => [
  saving(called, 'png', async (around) => [await pngOf(await drawn(around)), 'image/png'], name),
  saving(called, 'svg', async (around) => [await drawn(around), 'image/svg+xml'], name),
];

const bar = (...buttons) => h('p', { class: 'saves' }, 'Save: ', buttons);

/** The button that saves a table: its rows, each a list of cells. */
export const savesRows = (name, rows, varied = null) =>
  bar(saving(name, 'csv', () => csvOf(rows(), varied)));

/** Parts of an answer about a position, each with the position and the bound of its numbers. */
const atPosition = ({ score, opponent, memory, error_bound }, list) =>
  list.map((one) => ({ score, opponent, ...memory, ...one, error_bound }));

/**
 * The button that saves a table: the parts of the engine's answer that it shows; `answer` if that
 * is about a position.
 */
export const savesTable = (name, list, answer = null) =>
  savesRows(name, () => rowsOf(answer ? atPosition(answer, list) : list));

/** What numbers are from, with the bound on their error if there is one. */
const withBound = (from, error) => ({
  ...from,
  within: error ? `; every win rate within ${bound(error)} of the exact one` : '',
});

/** The largest bound in the rows of a file, if they have some. */
function boundIn([heads, ...rows]) {
  const at = heads.indexOf('error_bound');
  return Math.max(0, ...rows.map((row) => Number(row[at] ?? 0)));
}

/**
 * The buttons that save the drawing of the figure that they are in, and the rows behind it, of
 * which each may have another value of the number `varied`.
 */
export const savesFigure = (name, rows, varied = null) =>
  bar(
    picture(name, async (around) => {
      const drawing = around.querySelector('svg');
      const told = around.querySelector('figcaption');
      const from = withBound(await origin(varied), rows && boundIn(rows()));
      const title = `${gameShown(read())}: ${drawing.getAttribute('aria-label')}`;
      return inLight(() => documentOf(drawing, title, told, from));
    }),
    rows && saving(name, 'csv', () => csvOf(rows(), varied)),
  );

/** A map that the engine has no picture of, as the page shows it, with its key and its theme. */
async function mapText(map) {
  const { width, height } = map.box();
  const image = svg('image', { width, height, href: map.flat(DENSITY) });
  const drawing = svg('svg', { viewBox: `0 0 ${width + 10} ${height}` }, image);
  const { backgroundColor } = getComputedStyle(document.body);
  const { legend, pictured, title, about, answer } = map.layer;
  const from = withBound(await origin(), answer?.error_bound);
  const heading = `${gameShown(read())}: ${pictured ?? title}`;
  return documentOf(drawing, heading, legend.parentElement, from, backgroundColor, about);
}

/**
 * The buttons that save a map. What its layer has for this: `called`, for the names of the files;
 * `plot`, the question of the engine whose answer is its picture, with the request, if there is
 * one, and else its title if it is not the layer's, `pictured`; `columns`, each a heading and a
 * function of a cell; `answer`, what the engine has answered.
 */
export function savesMap(map) {
  const { called, plot, columns, answer } = map.layer;
  const draw = async () => {
    if (!plot) return mapText(map);
    const { svg: text } = await ask(/** @type {'plot/best'} */ (plot[0]), plot[1]);
    if (!plot[1].file) return text;
    // Edited rules have the id of those that they come from, and their title is a part of the name.
    const { title } = await askOnce('rules/show', { file: plot[1].file });
    const id = new RegExp(`( in |\\()${answer.rules}(?=[<),])`, 'g');
    const [name, named] = [gameShown(read()), title].map((one) => new Option(one).innerHTML);
    const drawn = text.replace(id, (_, before) => before + name);
    return name.startsWith(named) ? drawn.replaceAll(`${named} (${name})`, name) : drawn;
  };
  const whole = async () => {
    const from = await origin();
    // Edited rules have the id of those that they come from.
    const rules = (await edition()) ? gameShown(read()) : answer.rules;
    return [JSON.stringify({ ...answer, rules, from }), 'application/json'];
  };
  return bar(
    picture('map', draw, called),
    columns && saving('map', 'csv', () => csvOf(map.rows()), called),
    answer && saving('map', 'json', whole, called),
  );
}
