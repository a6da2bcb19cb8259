// The address is the state of the page: /VIEW/GAME/SCORE/OPPONENT?params. A static site has it after a #.

import { isStatic } from './api.js';

export const VIEWS = [['explore', 'Explore'], ['play', 'Play'], ['rules', 'Rules'], ['coach', 'Coach'], ['contest', 'Contest']];

/** The parameters of an address that are not memories. */
const NOT_MEMORIES = ['goal', 'max_dice', 'against', 'layer', 'compare', 'strategy', 'seed', 'rolls', 'players', 'hints', 'from'];

/** The game whose rules are being edited, kept in this browser. */
export const DRAFT = 'mine';

/** The game that is shown if the address does not name one. */
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
    params: address.searchParams,
    hash: isStatic ? '' : address.hash.slice(1),
  };
}

/** Returns the address of a route. */
export function address({ view, game, score = null, opponent = null, params = new URLSearchParams() }) {
  const scores = score === null ? '' : `/${score}/${opponent}`;
  const query = params.toString();
  const path = `/${view}/${encodeURIComponent(game)}${scores}${query && `?${query}`}`;
  return isStatic ? `#${path}` : path;
}

export const fullAddress = (route) => new URL(address(route), location.href).href;

/** Goes to a route, with a new entry in the browser's history or, with `replace`, in place of the current one. */
export function go(route, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address(route));
  dispatchEvent(new Event('hog:route'));
}

/** Returns the parameters with these changes; those set to null, undefined or '' are removed. */
export function withParams(params, changes) {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the parameters of a request that name the game of a route. */
export function gameParams(route) {
  const params = route.game === DRAFT ? { file: localStorage.getItem('hog.draft') ?? '' } : { rules: route.game };
  for (const name of ['goal', 'max_dice']) {
    if (/^\d+$/.test(route.params.get(name) ?? '')) params[name] = Number(route.params.get(name));
  }
  return params;
}

/** Returns the values of memories in a route. */
export function memoryParams(route) {
  const memory = {};
  for (const [name, value] of route.params) {
    if (!NOT_MEMORIES.includes(name) && /^\d+$/.test(value)) memory[name] = Number(value);
  }
  return memory;
}
