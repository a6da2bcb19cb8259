// Helpers to make and fill elements, and to announce changes to screen readers.

import { begun, scored } from './words.js';

/**
 * Makes an element: `h('p', { class: 'a', onclick }, 'text', child)`. No text is parsed as HTML.
 */
export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** Makes a button that does something when it is pressed. */
export const button = (label, onclick, more = {}) =>
  h('button', { type: 'button', onclick, ...more }, label);

export function svg(name, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), properties, children);
}

function fill(element, properties, children) {
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style')
      for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
    else if (key === 'value' || key === 'checked' || key === 'selected') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...given(children));
  return element;
}

/** The children that are there, of lists in lists. */
const given = (children) =>
  children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);

/** A message of the engine: what is between backticks is code. */
export const withCode = (message) =>
  begun(scored(message))
    .split(/`([^`]+)`/)
    .map((part, place) => (place % 2 ? h('code', {}, part) : part));

/** A number with its label, as in the coach's rates. */
export const figure = (value, label) => h('div', {}, h('b', {}, value), h('span', {}, label));

/** The head of a table; a column without a name has an empty cell. */
export const headed = (names) =>
  h(
    'thead',
    {},
    h(
      'tr',
      {},
      names.map((name) => (name ? h('th', { scope: 'col' }, name) : h('td'))),
    ),
  );

/** A row of a table: its head, and its cells, which are elements or what is in them. */
export const row = (head, cells, more = {}) =>
  h(
    'tr',
    more,
    h('th', { scope: 'row' }, head),
    cells.map((cell) => (cell?.tagName === 'TD' ? cell : h('td', {}, cell))),
  );

export const table = (heads, rows, more = {}) =>
  h('table', more, headed(heads), h('tbody', {}, rows));

export function put(element, ...children) {
  element.replaceChildren(...given(children));
  return element;
}

const HEARD_AGAIN = 20_000;

/** As `put`, of how far work is: in a live region it is heard at first, and then now and then. */
export function putProgress(region, words) {
  const shown = region.firstElementChild;
  const now = performance.now();
  if (shown?.matches('.progress') && now - shown.getAttribute('data-since') < HEARD_AGAIN)
    shown.textContent = words;
  else put(region, h('span', { class: 'progress', 'aria-live': 'off', 'data-since': now }, words));
}

/**
 * Shows a value in a field; what the user is typing there stays.
 * @param {HTMLInputElement} field
 */
export function showValue(field, value) {
  const isTyped = document.activeElement === field && field.value !== field.dataset.shown;
  field.dataset.shown = value;
  if (!isTyped) field.value = value;
}

/**
 * As `put`; the focus stays on the element with the same `data-key` or, if there is none, goes to
 * the one in its place, or to the first button.
 */
export function refresh(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.getAttribute('data-key') ?? null;
  const place = [...element.querySelectorAll('[data-key]')].indexOf(focused);
  put(element, ...children);
  if (key === null) return;
  const same = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const all = [...element.querySelectorAll('[data-key]')];
  const next = /** @type {HTMLElement} */ (same ?? all[Math.min(place, all.length - 1)]);
  (next ?? element.querySelector('button'))?.focus();
}

let speaking;

/** Announces a text to screen readers, unless another one follows within some milliseconds. */
export function say(text, within = 120) {
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    document.getElementById('said').textContent = text;
  }, within);
}

const colours = new Map();
addEventListener('hog:theme', () => colours.clear());

/** Returns a colour of the style sheet; to ask the browser would compute the styles of the page. */
export function colour(name) {
  if (!colours.has(name)) {
    const style = getComputedStyle(document.documentElement);
    colours.set(name, style.getPropertyValue(name).trim());
  }
  return colours.get(name);
}

/** The width of a drawing: about that of the screen, so that its texts have their size. */
export const drawingWidth = () => (innerWidth <= 560 ? 340 : 560);

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export function download(name, contents, kind = 'text/plain') {
  const link = h('a', {
    href: URL.createObjectURL(new Blob([contents], { type: kind })),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Makes a button that copies a text, as an address, and confirms it. */
export function shareButton(textOf, label = 'Copy link', what = 'Link') {
  const button = h(
    'button',
    {
      type: 'button',
      onclick: async () => {
        const text = await textOf();
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = 'Copied';
          say(`${what} copied`);
        } catch {
          // Without permission to write to the clipboard, it is shown to be copied by hand.
          const field = h('input', {
            class: 'copied',
            value: text,
            readonly: true,
            'aria-label': what,
          });
          button.replaceWith(field);
          field.select();
        }
        setTimeout(() => {
          button.textContent = label;
        }, 1600);
      },
    },
    label,
  );
  return button;
}
