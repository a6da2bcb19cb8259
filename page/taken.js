// What is shown can be taken away: tables as CSV with all digits, charts and maps as SVG and PNG,
// and what is copied has all digits too.

import { Refused, ask } from './api.js';
import { download, h, svg, withCode } from './dom.js';
import { NOT_MEMORIES, draft, draftName, read } from './route.js';
import { nameOf } from './versions.js';

/**
 * What is shown with fewer digits than it has, or in words: `value` is what a table has in its
 * place.
 */
export const full = (value, text) =>
  h('data', { value: `${value ?? ''}`, title: Number.isInteger(value) ? null : value }, text);

/** The text of an element with all digits of its numbers. */
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

/** What of a row is data: cells of links, buttons and bars say what can be done, not what is. */
const dataOf = (row) => [...row.children].filter((cell) => !cell.matches('.acts, .fill'));

/** The fields of a cell: its numbers with all digits or, if it has none, its text. */
function fieldsOf(cell) {
  const numbers = [...cell.querySelectorAll('data')].map(({ value }) => value);
  return numbers.length ? numbers : [fullText(cell)];
}

/** The rows of a table as texts. */
const rowsOf = (table) =>
  [...table.querySelectorAll('tbody tr:not(.under)')].map((row) => dataOf(row).flatMap(fieldsOf));

/** The game of the page, or what its edited rules are called. */
function gameShown({ view, game }) {
  const isEdited = view === 'rules' && draft(game) !== null;
  return nameOf(isEdited ? draftName(game) : game);
}

/** What the page shows, in parts: the game with its numbers, the opponent and the strategy. */
function subject() {
  const route = read();
  const own = [...route.params].map(([name, value]) => {
    if (name === 'against') return `against ${value}`;
    if (name === 'strategy') return route.view === 'coach' ? value : '';
    return name.startsWith('goal') || name.startsWith('max_') || !NOT_MEMORIES.includes(name)
      ? `${name} ${value}`
      : '';
  });
  return [gameShown(route), ...own.filter(Boolean)];
}

/** The name of a file about what the page shows: "fa21-against-baseline-best.csv". */
export const fileName = (name, ending) =>
  `${[...subject(), name].join('-').replace(/[^\w.-]+/g, '-')}.${ending}`;

/** What of the style sheet a picture needs in itself. */
const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-family'];

/** Writes the styles of a drawing of the page into a copy of it. */
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

/** The parts of a text that have room in a line of so many letters. */
const lines = (text, room) => text.match(new RegExp(`\\S.{0,${room}}(?=\\s|$)`, 'g')) ?? [];

/**
 * A drawing as a document of its own: below its title and what it is of, and above what is said
 * below it on the page, `told`, with what its colours mean.
 */
function svgText(drawing, title, told) {
  const { color, backgroundColor } = getComputedStyle(document.body);
  const [, , width, height] = drawing.getAttribute('viewBox').split(' ').map(Number);
  const copy = drawing.isConnected ? styled(drawing) : drawing.cloneNode(true);
  const words = told.cloneNode(true);
  for (const part of words.querySelectorAll('.scale, .key, .legend, button')) part.remove();
  const parts = [];
  let y = 0;
  const write = (text, size, weight = 'normal') => {
    for (const line of lines(text, Math.floor((width - 20) / size / 0.62))) {
      y += size * 1.35;
      const style = { 'font-size': size, 'font-weight': weight };
      parts.push(svg('text', { x: 10, y, ...style }, line));
    }
  };
  write(title, 15, 'bold');
  write(subject().join(', '), 12);
  y += 8;
  copy.setAttribute('y', y);
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  parts.push(copy);
  y += height;
  write(words.textContent.trim(), 12);
  let x = 10;
  const box = (fill, wide) => svg('rect', { x, y, width: wide, height: 12, fill });
  const after = (mark) => mark.nextSibling.textContent.trim();
  y += 8;
  for (const mark of told.querySelectorAll('.swatch, .key')) {
    const text = after(mark);
    const wide = 30 + text.length * 7;
    if (x + wide > width) [x, y] = [10, y + 18];
    parts.push(box(getComputedStyle(mark).backgroundColor || mark.style.background, 12));
    parts.push(svg('text', { x: x + 17, y: y + 10, 'font-size': 12 }, text));
    x += wide;
  }
  if (x > 10) y += 18;
  for (const ramp of told.querySelectorAll('.ramp')) {
    const stops = ramp.style.background.match(/rgb\([^)]*\)/g);
    const wide = (width - 20) / stops.length;
    stops.forEach((fill, at) => {
      x = 10 + at * wide;
      parts.push(box(fill, wide + 0.5));
    });
    const ends = [...ramp.nextSibling.children].map((one) => one.textContent);
    ends.forEach((text, at) => {
      const anchor = !at ? 'start' : at === ends.length - 1 ? 'end' : 'middle';
      const place = 10 + ((width - 20) * at) / (ends.length - 1);
      parts.push(
        svg('text', { x: place, y: y + 25, 'text-anchor': anchor, 'font-size': 12 }, text),
      );
    });
    y += 30;
  }
  const whole = svg(
    'svg',
    { width, height: y + 8, fill: color, 'font-family': 'sans-serif' },
    svg('rect', { width: '100%', height: '100%', fill: backgroundColor }),
    parts,
  );
  return new XMLSerializer().serializeToString(whole);
}

/** How many pixels a picture has for each of the drawing's. */
const DENSITY = 3;

/** The bytes of a drawing as PNG. */
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
  h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': `Save ${called} as ${ending.toUpperCase()}`,
      onclick: async ({ target }) => {
        const bar = target.closest('.saves');
        bar.querySelector('[role=alert]')?.remove();
        target.disabled = true;
        try {
          download(fileName(name, ending), ...(await take(bar.parentElement)));
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          bar.append(h('span', { class: 'loss', role: 'alert' }, withCode(error.message)));
        }
        target.disabled = false;
      },
    },
    ending.toUpperCase(),
  );

/** The buttons that save a picture: `drawn` returns it as a text, of the part of the page around. */
const picture = (called, drawn, name) => [
  saving(called, 'png', async (around) => [await pngOf(await drawn(around)), 'image/png'], name),
  saving(called, 'svg', async (around) => [await drawn(around), 'image/svg+xml'], name),
];

const bar = (...buttons) => h('p', { class: 'saves' }, 'Save: ', buttons);

/**
 * The buttons that save the table beside them, or other `rows`; `heads` are the names of its
 * columns.
 */
export const savesTable = (name, heads, rows = null) =>
  bar(
    saving(name, 'csv', (around) => [
      csv([heads, ...(rows?.() ?? rowsOf(around.querySelector('table')))]),
      'text/csv',
    ]),
  );

/** The buttons that save the drawing of the figure that they are in, and the rows behind it. */
export const savesFigure = (name, rows) =>
  bar(
    picture(name, (around) => {
      const drawing = around.querySelector('svg');
      const told = around.querySelector('figcaption');
      return svgText(drawing, drawing.getAttribute('aria-label'), told);
    }),
    rows && saving(name, 'csv', () => [csv(rows()), 'text/csv']),
  );

/**
 * The buttons that save a map as it is shown. What its layer has for this: `called`, for the names
 * of the files; `plot`, the question of the engine whose answer is its picture, with the request;
 * `columns`, each a heading and a function of a cell; `answer`, what the engine has answered; and
 * where there is no question, `told` and `legend`, what is said and what the colours mean.
 */
export function savesMap(map) {
  const { called, plot, columns, answer, told = '', legend = [] } = map.layer;
  const copies = [legend].flat().map((part) => part && part.cloneNode(true));
  const drawn = async () =>
    plot
      ? (await ask(/** @type {'plot/best'} */ (plot[0]), plot[1])).svg
      : svgText(map.svg(), map.layer.title, h('div', {}, told, copies));
  return bar(
    picture('map', drawn, called),
    columns && saving('map', 'csv', () => [csv(map.rows()), 'text/csv'], called),
    answer &&
      saving('map', 'json', () => [`${JSON.stringify(answer)}\n`, 'application/json'], called),
  );
}
