// The address is the state of the page: /VIEW/GAME/SCORE/OPPONENT?params. A static site has it
// after a #.

import { Refused, inTab } from './api.js';
import { keysOf, local, store } from './storage.js';

export const VIEWS = [
  ['explore', 'Explore'],
  ['play', 'Play'],
  ['rules', 'Rules'],
  ['coach', 'Coach'],
  ['contest', 'Contest'],
];

/** The parameters of an address that are not memories, those of the game and its players first. */
export const NOT_MEMORIES = [
  'goal',
  'max_dice',
  'against',
  'layer',
  'compare',
  'strategy',
  'seed',
  'rolls',
  'roll',
  'players',
  'hints',
  'from',
  'open',
];

/** The edited rules of fa21 are the game mine.fa21; this browser keeps their text. */
const DRAFT = 'mine.';
const draftKey = (base) => `hog.${DRAFT}${base}`;

export const draftName = (base) => `${DRAFT}${base}`;

/** Returns the game whose edited rules a game is, or null. */
export const draftBase = (game) => (game.startsWith(DRAFT) ? game.slice(DRAFT.length) : null);

export const draft = (base) => local.getItem(draftKey(base));

export function keepDraft(base, text) {
  if (text === null) local.removeItem(draftKey(base));
  else store(local, draftKey(base), text);
}

export const drafts = () => keysOf(local, draftKey(''));

/** The parameters that another view of the same game keeps. */
const SHARED = {
  explore: ['goal', 'max_dice', 'against'],
  play: ['goal', 'max_dice', 'against'],
  rules: ['goal', 'max_dice'],
  coach: ['goal', 'max_dice', 'against'],
  contest: ['goal', 'max_dice'],
};

/** The game that is shown if none is named or was chosen before: the course's latest. */
export const HOME = 'su26';

const CHOSEN = 'hog.game';

/** Keeps the game that is chosen in this browser, for addresses that name none. */
export const keepChosen = (game) => draftBase(game) === null && store(local, CHOSEN, game);

/** The game whose dice are kept that the first page names. */
export const KEPT_DICE = 'kcd';

export function read() {
  const address = inTab
    ? new URL(location.hash.slice(1) || '/', 'http://x/')
    : new URL(location.href);
  const [view, game, score, opponent] = address.pathname.split('/').filter(Boolean).map(decoded);
  const number = (text) => (text === undefined ? null : /^\d+$/.test(text) ? Number(text) : NaN);
  return {
    view: view ?? 'explore',
    game: game ?? local.getItem(CHOSEN) ?? HOME,
    score: number(score),
    opponent: number(opponent),
    params: address.searchParams,
    hash: inTab ? '' : address.hash.slice(1),
  };
}

/** Decodes a part of an address; one that is malformed stays as it is. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function address({
  view,
  game,
  score = null,
  opponent = null,
  params = new URLSearchParams(),
}) {
  const scores =
    Number.isInteger(score) && Number.isInteger(opponent) ? `/${score}/${opponent}` : '';
  const query = params.toString();
  const path = `/${view}/${encodeURIComponent(game)}${scores}${query && `?${query}`}`;
  return inTab ? `#${path}` : path;
}

export const fullAddress = (route) => new URL(address(route), location.href).href;

/** The game that is shown: in Rules, what this browser keeps as edited, unless a link has it. */
function gameOf({ view, game, hash }) {
  const isEdited = view === 'rules' && !hash?.startsWith('z=') && draft(game) !== null;
  return isEdited ? draftName(game) : game;
}

/**
 * Returns the address of another view of the same game with the same rules; `params` are added or
 * changed.
 */
export function linked(route, view, { score = null, opponent = null, params = {} } = {}) {
  const shared = SHARED[view].map((name) => [name, route.params.get(name)]);
  const game = view === 'rules' ? (draftBase(route.game) ?? route.game) : gameOf(route);
  return address({
    view,
    game,
    score,
    opponent,
    params: withParams(new URLSearchParams(), { ...Object.fromEntries(shared), ...params }),
  });
}

/** Returns the address of a game that is played from a position, with other parameters for it. */
export function playedFrom(route, position, against = route.params.get('against'), params = {}) {
  const { score, opponent, memory = {} } = position;
  const from = `${score}-${opponent}`;
  return linked(route, 'play', { params: { against, from, ...memory, ...params } });
}

/**
 * Goes to a route, with a new entry in the browser's history or, with `replace`, in place of the
 * current one; `state` is what the entry holds besides the address.
 */
export function go(route, { replace = false, state = null } = {}) {
  const same =
    fullAddress(route) === location.href && JSON.stringify(history.state) === JSON.stringify(state);
  history[replace || same ? 'replaceState' : 'pushState'](state, '', address(route));
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

/**
 * Returns the parameters of a request that name the game of a route.
 * @returns {import('./api.js').Request}
 */
export function gameParams(route) {
  const base = draftBase(route.game);
  const params = base === null ? { rules: route.game } : { file: draft(base) };
  if (params.file === null)
    throw new Refused({
      message:
        `This browser has no edited rules of ${base}. Whoever sent this address has them: ask ` +
        'for the link that “Copy link” in Rules makes.',
    });
  for (const name of ['goal', 'max_dice']) {
    const number = wellFormed(route, name, /^\d+$/, `a whole number, as in ${name}=10`);
    if (number !== null) params[name] = Number(number);
  }
  return params;
}

/**
 * Returns a parameter of the address, or null if it is absent or empty; refuses one that does not
 * match.
 */
export function wellFormed(route, name, pattern, needed) {
  const text = route.params.get(name) || null;
  if (text !== null && !pattern.test(text))
    throw new Refused({
      message: `The address has ${name}=${text}, but ${name} must be ${needed}.`,
    });
  return text;
}

export function memoryParams(route) {
  const memory = {};
  for (const [name, value] of route.params) {
    if (!NOT_MEMORIES.includes(name) && /^\d+$/.test(value)) memory[name] = Number(value);
  }
  return memory;
}
