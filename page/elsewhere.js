// The views that a static site lacks, with directions to them.

import { h, put } from './dom.js';
import { linked } from './route.js';

const TEXT = {
  rules: 'To change rules a solver is needed',
  coach: 'To analyse a strategy a solver is needed',
  contest: 'For a contest a solver is needed',
};

export function show(root, route) {
  put(root, h('section', { class: 'card' }, h('h1', {}, TEXT[route.view]),
    h('p', {}, 'This is a static site. The program that made it has all views: install hog and start ', h('code', {}, 'hog serve'), '.'),
    h('p', {}, h('a', { href: linked(route, 'explore') }, 'To the map'), ' · ', h('a', { href: linked(route, 'play') }, 'Play'))));
}
