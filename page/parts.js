// Parts that several views have: the button that copies the address, and the rules of the game.

import { h, shareButton } from './dom.js';
import { draftBase, fullAddress, read } from './route.js';

/** A button that copies the address; nothing for edited rules, which only this browser has. */
export const shareView = (route, label) =>
  draftBase(route.game) === null && shareButton(() => fullAddress(read()), label);

/** The rules of a game, each with its text or else its formulas. */
export const rulesOf = ({ rules }) =>
  h(
    'dl',
    {},
    rules.map(({ name, text, hooks }) => [
      h('dt', {}, name),
      h('dd', {}, text ?? hooks.map(([hook, formula]) => `${hook} = ${formula}`).join('; ')),
    ]),
  );
