// The frame of the page: the current view, the choice of game, light and dark.

import { Refused, askOnce, inTab, keepEngine } from './api.js';
import { ready } from './kept.js';
import { described } from './load.js';
import { local, store } from './storage.js';
import { takeDrops } from './upload.js';
import { calledOf, nameOf } from './versions.js';
import { semester } from './words.js';
import { h, put, refresh, say, shareButton, withCode } from './dom.js';
import { bibtex } from './taken.js';
import {
  HOME,
  VIEWS,
  address,
  draftBase,
  draftName,
  drafts,
  gameParams,
  go,
  keepChosen,
  linked,
  read,
} from './route.js';

const main = document.getElementById('main');
const picker = /** @type {HTMLSelectElement} */ (document.getElementById('game'));
const edited = h('optgroup', { label: 'Edited in this browser' });
let shown = null;
const begun = performance.now();

/**
 * The module of each view: its `enter(root, route)` returns an object that shows a game, whose
 * `update(route)` shows what an address says, then and whenever it changes, and whose `leave()`
 * ends it.
 */
const MODULES = {
  explore: () => import('./explore.js'),
  play: () => import('./play.js'),
  rules: () => import('./desk.js'),
  coach: () => import('./coach.js'),
  contest: () => import('./contest.js'),
};

/** The views that show a game, each anew for another game or other rules. */
function keyOf(route) {
  if (!Object.hasOwn(MODULES, route.view)) {
    throw new Refused({ message: `There is no view called ${route.view}: choose one above.` });
  }
  return JSON.stringify([route.view, gameParams(route)]);
}

function head(route) {
  const link = ([name, label]) =>
    h(
      'a',
      { href: linked(route, name), 'aria-current': name === route.view ? 'page' : null },
      label,
    );
  put(document.getElementById('views'), VIEWS.map(link));
  pick(route);
  const [, label] = VIEWS.find(([name]) => name === route.view) ?? [];
  document.title = `${label ?? 'No view'} ${nameOf(route.game)}: hog`;
}

const focusable = () => /** @type {HTMLElement[]} */ ([...main.querySelectorAll('a, button')]);

/** Keeps in the history where the user is on the page, before a link is followed. */
function keepPlace() {
  const open = [...main.querySelectorAll('details')].map((one) => one.open);
  const boxes = [...main.querySelectorAll('.scroll')].map((one) => one.scrollTop);
  const at = focusable().findIndex((one) => one === document.activeElement);
  const place = { open, boxes, top: scrollY, at, words: focusable()[at]?.textContent };
  history.replaceState({ ...history.state, place }, '');
}

/** Shows the view of an entry of the history, and the place there. */
async function comeBack() {
  await follow();
  const { place } = history.state ?? {};
  if (!place) return;
  main.querySelectorAll('details').forEach((one, at) => {
    one.open = place.open[at] ?? one.open;
  });
  main.querySelectorAll('.scroll').forEach((one, at) => {
    one.scrollTop = place.boxes[at];
  });
  scrollTo(0, place.top);
  const left = focusable()[place.at];
  if (left && left.textContent === place.words) left.focus({ preventScroll: true });
  else if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

async function follow() {
  const route = read();
  let entry;
  head(route);
  try {
    await ready;
    const key = keyOf(route);
    if (shown?.key !== key) {
      shown?.view?.leave();
      // The same game with another number: its fields are there until the new ones are.
      const isSame =
        shown?.view && shown.route.view === route.view && shown.route.game === route.game;
      entry = { key, route, view: null };
      shown = entry;
      const { enter } = await loaded(route.view);
      if (shown !== entry) return;
      const root = h('div', { class: `view ${route.view}` });
      if (!isSame) put(main, root);
      entry.view = await enter(root, route);
      if (isSame && shown === entry) refresh(main, root);
      // Another view may have been opened while this one was loading.
      if (shown !== entry) {
        entry.view.leave();
        return;
      }
    }
    entry = shown;
    await entry.view?.update(read());
  } catch (error) {
    if (entry && shown !== entry) return;
    shown?.view?.leave();
    shown = null;
    const message = await trouble(error, route);
    // Another view may have been opened in the meantime.
    if (!shown) put(main, message);
    if (!(error instanceof Refused)) throw error;
  }
}

async function loaded(name) {
  try {
    return await MODULES[name]();
  } catch {
    const why = inTab ? 'the network, or a newer version on the host' : 'the server has stopped';
    throw new Refused({
      message: `This part of the page could not be loaded (${why}): reload the page.`,
    });
  }
}

async function trouble(error, route) {
  await filled();
  const base = draftBase(route.game);
  const isThere = route.view === 'explore' && !route.params.toString();
  const game = base ?? (listed(route.game) && !isThere ? route.game : HOME);
  return h(
    'section',
    { class: 'card trouble', role: 'alert' },
    h('h1', {}, 'No answer'),
    h('p', {}, withCode(error.message)),
    h(
      'p',
      {},
      h(
        'a',
        { href: address({ view: base === null ? 'explore' : 'rules', game }) },
        base === null ? `To the map of ${game}` : `To the rules of ${game}`,
      ),
    ),
  );
}

const listed = (game) => [...picker.options].some((option) => option.value === game);

/** The lines of a game in the list: one for each semester in which it was played. */
function linesOf({ id, aliases, group, title }) {
  const short = title.replace(`${group}, `, '');
  const own = { name: id, at: 0, ...semester(id), group, words: short };
  const others = aliases.map((alias) => ({ ...semester(alias), group })).filter(({ name }) => name);
  if (others.length && semester(id)) own.words = semester(id).words;
  return [own, ...others];
}

const LATEST = 4;

async function fillPicker() {
  const { games } = await askOnce('rules/list');
  const lines = games.flatMap(linesOf).sort((a, b) => b.at - a.at);
  const latest = lines.filter((line) => !/contest/.test(line.group)).slice(0, LATEST);
  const groups = new Map();
  for (const { group } of lines) groups.set(group, []);
  for (const line of lines) if (!latest.includes(line)) groups.get(line.group).push(line);
  const option = (value, text) => h('option', { value }, `${value} · ${text}`);
  const group = (label, options) => h('optgroup', { label }, options);
  if (inTab) {
    // Rule files that the host has besides.
    const own = await fetch('games/index.json')
      .then((response) => response.json())
      .catch(() => []);
    const options = own.map((name) => h('option', { value: name }, name));
    if (own.length) picker.append(group('Of this site', options));
  }
  // A phone cuts the end off.
  const now = latest.map((line) => option(line.name, `${line.words}, ${line.group}`));
  picker.append(group('Current', now));
  // The long lists are those of semesters: what is below them is not found.
  for (const [label, members] of [...groups].sort(([, a], [, b]) => a.length - b.length))
    picker.append(
      group(
        label,
        members.map(({ name, words }) => option(name, words)),
      ),
    );
}

let filling = null;
/** Fills the list of games; after a failure, the next call tries again. */
function filled() {
  filling ??= fillPicker().catch(() => {
    filling = null;
  });
  return filling;
}

/** Selects the game of the address in the list, also if it is written in another way there. */
async function pick(route) {
  await filled();
  put(
    edited,
    drafts().map((base) => h('option', { value: draftName(base) }, calledOf(base))),
  );
  if (edited.children.length) picker.prepend(edited);
  else edited.remove();
  // The view of rules shows the edited ones, if there are any.
  const own = route.view === 'rules' && draftBase(route.game) === null && draftName(route.game);
  picker.value = own && listed(own) ? own : route.game;
  if (!listed(route.game) && draftBase(route.game) === null) {
    const rules = await askOnce('rules/show', { rules: route.game }).catch(() => null);
    if (!rules || read().game !== route.game) return;
    const written = route.game.toLowerCase();
    picker.value = listed(written) ? written : rules.id;
  }
}

picker.addEventListener('change', () => {
  keepChosen(picker.value);
  go({ view: VIEWS.find(([name]) => name === read().view)?.[0] ?? 'explore', game: picker.value });
});

const button = document.getElementById('theme');
function theme() {
  return (
    document.documentElement.dataset.theme ??
    (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  );
}
function labelTheme() {
  button.textContent = theme() === 'dark' ? '☀' : '☾';
  button.setAttribute('aria-label', theme() === 'dark' ? 'Use light colours' : 'Use dark colours');
}
button.addEventListener('click', () => {
  document.documentElement.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
  store(local, 'hog.theme', document.documentElement.dataset.theme);
  labelTheme();
  dispatchEvent(new Event('hog:theme'));
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  labelTheme();
  dispatchEvent(new Event('hog:theme'));
});

// Links within the page change the address without loading a document.
document.addEventListener('click', (event) => {
  const link = /** @type {any} */ (event.target).closest?.('a[href]');
  if (
    !link ||
    event.defaultPrevented ||
    event.button ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey
  )
    return;
  keepPlace();
  const target = new URL(link.href);
  if (
    inTab ||
    target.origin !== location.origin ||
    link.download ||
    link.getAttribute('href').startsWith('#')
  )
    return;
  if (target.pathname.startsWith('/api/') || target.pathname.startsWith('/page/')) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  dispatchEvent(new Event('hog:route'));
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
addEventListener('popstate', () => inTab || comeBack());
addEventListener('hashchange', () => inTab && comeBack());
addEventListener('hog:route', follow);
addEventListener('hog:drafts', () => head(read()));

// In the tab the part of the address after the # is the route, so this link must not change it.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});
if (inTab) document.querySelector('.brand').setAttribute('href', '#/');

/**
 * Lets the browser keep the site, and tells about a new version; only where the site is all there
 * is.
 */
async function keepSite() {
  if (!inTab) return;
  const { version, build } = await described();
  const told = document.getElementById('version');
  put(told, `hog ${version} (${build})`);
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.register('service.js');
  const offer = () => {
    const { waiting } = registration;
    if (!waiting || !navigator.serviceWorker.controller) return;
    put(
      told,
      'There is a new version. ',
      h('button', { type: 'button', onclick: () => waiting.postMessage('take over') }, 'Use it'),
    );
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    });
  };
  offer();
  registration.addEventListener('updatefound', () =>
    registration.installing.addEventListener('statechange', offer),
  );
}

/** Tells that the server has gone, until it is back. */
addEventListener('hog:server', (/** @type {CustomEvent} */ { detail: { isThere, goesOn } }) => {
  const gone = document.getElementById('gone');
  if (isThere) {
    put(gone);
    say('The server is back');
    return;
  }
  const command = h('code', {}, 'hog serve');
  const [before, after] = goesOn
    ? ['The server has stopped: this page goes on without it. Python files wait until ', ' runs.']
    : ['The server has stopped. Start ', ' again: this page keeps all, and goes on.'];
  put(gone, before, command, after);
});

/** A shorter wait for the engine is not told, in milliseconds. */
const SHORT = 500;

/** Tells how far the engine is while a question waits for it, in steps of a tenth. */
addEventListener('hog:loading', (/** @type {CustomEvent} */ { detail: progress }) => {
  if (!inTab) return;
  const gone = document.getElementById('gone');
  const isLong = progress?.of && performance.now() - begun > SHORT;
  const share = isLong && 10 * Math.floor((10 * progress.done) / progress.of);
  const text = isLong ? `Loading the engine: ${share} %` : '';
  if (gone.textContent !== text) put(gone, text);
});

/** Shows the coach of the game that is shown: it takes what is dropped on another view. */
async function openCoach() {
  history.pushState(null, '', linked(read(), 'coach'));
  await follow();
}

/** Shows a rule file that was dropped, in the view of rules. */
async function openRules(text, name) {
  if (read().view !== 'rules') {
    history.pushState(null, '', linked(read(), 'rules'));
    await follow();
  }
  shown?.view?.open?.(text, name);
}

function keepViews() {
  if (!inTab) for (const load of Object.values(MODULES)) load().catch(() => {});
}

/** What there is to copy if there is no game. */
const without = (error) => {
  if (!(error instanceof Refused)) throw error;
  return `% ${error.message}`;
};

labelTheme();
put(
  document.getElementById('bibtex'),
  shareButton(() => bibtex().catch(without), 'Copy BibTeX', 'BibTeX'),
);
takeDrops(openCoach, openRules);
// One after the other, so that they do not share a slow line: the first answer, the engine, and the
// copy of the site. Blocked storage or an old browser only costs the copy.
follow().finally(() => {
  keepViews();
  // Safari has no such call.
  (window.requestIdleCallback ?? setTimeout)(async () => {
    await keepEngine();
    await keepSite().catch(() => {});
  });
});
