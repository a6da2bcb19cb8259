// Drawings of dice.

import { h, put, still, svg } from './dom.js';

const PIPS = {
  1: [[50, 50]],
  2: [
    [27, 27],
    [73, 73],
  ],
  3: [
    [25, 25],
    [50, 50],
    [75, 75],
  ],
  4: [
    [27, 27],
    [73, 27],
    [27, 73],
    [73, 73],
  ],
  5: [
    [26, 26],
    [74, 26],
    [50, 50],
    [26, 74],
    [74, 74],
  ],
  6: [
    [27, 23],
    [73, 23],
    [27, 50],
    [73, 50],
    [27, 77],
    [73, 77],
  ],
};

/** Draws one die; faces above 6 are drawn as numbers. */
export function die(face, rolling = false) {
  const drawn =
    PIPS[face]?.map(([cx, cy]) => svg('circle', { cx, cy, r: 9.5, fill: 'currentColor' })) ??
    svg('text', { x: 50, y: 66, 'text-anchor': 'middle' }, face);
  return svg(
    'svg',
    {
      class: `die${face === 1 && !rolling ? ' one' : ''}${rolling ? ' rolling' : ''}`,
      viewBox: '0 0 100 100',
      role: 'img',
      'aria-label': rolling ? 'rolling' : `${face}`,
    },
    drawn,
  );
}

export const wait = (milliseconds) =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

/** Shows faces in a tray; `kept` has a 0 for each die that is not kept, if some are. */
export function lay(tray, faces, kept = []) {
  const one = (face, at) => {
    const drawn = die(face);
    drawn.classList.toggle('kept', Boolean(kept[at]));
    return drawn;
  };
  put(tray, faces.length ? faces.map(one) : h('span', { class: 'note' }, 'No dice are rolled.'));
}

/** Animates dice in a tray, then shows their faces. */
export async function roll(tray, faces) {
  if (faces.length && !still()) {
    for (let tick = 0; tick < 4; tick += 1) {
      put(
        tray,
        faces.map(() => die(1 + Math.floor(Math.random() * 6), true)),
      );
      await wait(95);
    }
  }
  lay(tray, faces);
}

/** Faces as characters in a line of text. */
export const small = (faces) =>
  faces.map((face) => (face <= 6 ? String.fromCodePoint(0x267f + face) : `[${face}]`)).join('');
