// The address is the state: /VIEW/GAME/SCORE/OPPONENT?words. A static site has it behind a #.

import { isStatic } from './api.js';

export const VIEWS = [['explore', 'Explore'], ['play', 'Play'], ['rules', 'Rules'], ['coach', 'Coach'], ['contest', 'Contest']];

/** The words of an address that are no memories. */
const WORDS = ['goal', 'max_dice', 'against', 'layer', 'compare', 'strategy', 'seed', 'rolls', 'players', 'hints', 'from'];

/** The game whose rules are being edited, kept in this browser. */
export const DRAFT = 'mine';

/** The game that is shown if the address names none. */
export const HOME = document.documentElement.dataset.home ?? 'fa21';

export function read() {
  const address = isStatic ? new URL(location.hash.slice(1) || '/', 'http://x/') : new URL(location.href);
  const [view, game, score, opponent] = address.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const number = (text) => (/^\d+$/.test(text ?? '') ? Number(text) : null);
  return {
    view: VIEWS.some(([name]) => name === view) ? view : 'explore',
    game: game ?? HOME,
    score: number(score),
    opponent: number(opponent),
    words: address.searchParams,
    hash: isStatic ? '' : address.hash.slice(1),
  };
}

/** The address of a route. */
export function address({ view, game, score = null, opponent = null, words = new URLSearchParams() }) {
  const scores = score === null ? '' : `/${score}/${opponent}`;
  const query = words.toString();
  const path = `/${view}/${encodeURIComponent(game)}${scores}${query && `?${query}`}`;
  return isStatic ? `#${path}` : path;
}

export const fullAddress = (route) => new URL(address(route), location.href).href;

/** Goes to a route: a new entry of the history, or (`replace`) in place of the current one. */
export function go(route, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address(route));
  dispatchEvent(new Event('hog:route'));
}

/** Changes words; those that are null are left out. */
export function withWords(words, changes) {
  const next = new URLSearchParams(words);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The words that a question about the game of a route begins with. */
export function gameWords(route) {
  const words = route.game === DRAFT ? { file: localStorage.getItem('hog.draft') ?? '' } : { rules: route.game };
  for (const name of ['goal', 'max_dice']) {
    if (/^\d+$/.test(route.words.get(name) ?? '')) words[name] = Number(route.words.get(name));
  }
  return words;
}

/** The memories that a route names. */
export function memoryWords(route) {
  const memory = {};
  for (const [name, value] of route.words) {
    if (!WORDS.includes(name) && /^\d+$/.test(value)) memory[name] = Number(value);
  }
  return memory;
}
