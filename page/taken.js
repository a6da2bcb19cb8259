// What is shown can be taken away: tables as CSV with all digits, charts and maps as SVG and PNG,
// and what is copied has all digits too.

import { download, h } from './dom.js';

/** A number that is shown with fewer digits than it has. */
export const full = (value, text) => h('data', { value: `${value}` }, text);

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
  const text = isFormula ? `'${value}` : `${value}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csv = (rows) => `${rows.map((row) => row.map(field).join(',')).join('\n')}\n`;

/** What of a row is data: cells of links and buttons say what can be done, not what is. */
const dataOf = (row) => [...row.children].filter((cell) => !cell.matches('.acts'));

/** The rows of a table as texts. */
const rowsOf = (table) =>
  [...table.querySelectorAll('tr:not(.under)')].map((row) => dataOf(row).map(fullText));

/** What of the style sheet a picture needs in itself. */
const STYLES = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-family'];

/** A drawing of the page as a document of its own. */
function svgText(drawing) {
  const copy = drawing.cloneNode(true);
  const own = [drawing, ...drawing.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, at) => {
    const style = getComputedStyle(own[at]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  });
  const [, , width, height] = drawing.getAttribute('viewBox').split(' ');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  copy.insertAdjacentHTML('afterbegin', '<rect width="100%" height="100%"/>');
  copy.firstChild.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  return new XMLSerializer().serializeToString(copy);
}

/** How many pixels a picture has for each of the drawing's. */
const DENSITY = 3;

/** The bytes of a drawing as PNG. */
export async function pngOf(text) {
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

/** A button that saves something: `take` returns its contents and their kind. */
const saving = (name, ending, take) =>
  h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': `Save ${name} as ${ending.toUpperCase()}`,
      onclick: async (event) =>
        download(
          `${name}.${ending}`,
          ...(await take(event.target.closest('.saves').parentElement)),
        ),
    },
    ending.toUpperCase(),
  );

/** The buttons that save a picture: `svg` returns it as a text, of the part of the page around. */
function picture(name, svg) {
  return [
    saving(name, 'png', async (around) => [await pngOf(svg(around)), 'image/png']),
    saving(name, 'svg', (around) => [svg(around), 'image/svg+xml']),
  ];
}

const bar = (...buttons) => h('p', { class: 'saves' }, 'Save: ', buttons);

/** The buttons that save the table beside them. */
export const savesTable = (name) =>
  bar(saving(name, 'csv', (around) => [csv(rowsOf(around.querySelector('table'))), 'text/csv']));

/** The buttons that save the drawing of the figure that they are in, and the rows behind it. */
export const savesFigure = (name, rows) =>
  bar(
    picture(name, (around) => svgText(around.querySelector('svg'))),
    rows && saving(name, 'csv', () => [csv(rows()), 'text/csv']),
  );

/** The buttons that save a map. */
export const savesMap = (map) =>
  bar(
    picture('map', () => map.svg()),
    saving('map', 'csv', () => [csv(map.rows()), 'text/csv']),
  );
