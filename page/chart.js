// A curve: values by a whole number.

import { drawingWidth, svg } from './dom.js';

const HEIGHT = 190;
const BOX = { left: 56, right: 12, top: 12, bottom: 34 };

/** How wide the thumb of a slider is, in pixels. */
const THUMB = 16;

/** Makes a slider as wide as the axis of the curve above it: its thumb is below the point. */
export function align(slider) {
  const width = drawingWidth();
  const share = (part) => `${(100 * part) / width}%`;
  slider.style.width = `calc(${share(width - BOX.left - BOX.right)} + ${THUMB}px)`;
  slider.style.marginLeft = `calc(${share(BOX.left)} - ${THUMB / 2}px)`;
}

/** About so many round values from one to another, the lowest first, at least `least` apart. */
function roundValues(low, high, about, least = 0) {
  if (!(high > low)) return [low];
  const rough = (high - low) / about;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const nearest = [1, 2, 5, 10].map((one) => one * ten).find((one) => one >= 0.7 * rough);
  const step = Math.max(nearest, least);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/**
 * Draws `points`, each `[x, y]`, in ascending order of x; `label` says what they are, `across` what
 * x is, `format` writes a y, and `now` is the x that is marked. `beside` are the points of another
 * curve, `range` is that of y if it is not that of the points, `dotOf(x)` returns the class and the
 * radius of a dot, or null, and `cursor` is where a line is. `onPick(x)` is called for a point.
 * @param {Record<string, any>} drawn
 */
export function curve({
  points,
  beside = [],
  label,
  across,
  format,
  now,
  range,
  cursor,
  onPick,
  dotOf = (value) => (value === now ? ['costly', 5] : ['own', 3.5]),
}) {
  const width = drawingWidth();
  const wide = width - BOX.left - BOX.right;
  const tall = HEIGHT - BOX.top - BOX.bottom;
  const all = [...points, ...beside];
  const places = all.map(([x]) => x);
  const least = Math.min(...places);
  const most = Math.max(...places);
  const rates = all.map(([, y]) => y);
  const [low, high] = range ?? [Math.min(...rates), Math.max(...rates)];
  const x = (value) => BOX.left + (wide * (value - least)) / Math.max(most - least, 1);
  const y = (value) => BOX.top + tall * (1 - (value - low) / (high - low || 1));
  const isNew = (value, at, all) => at === 0 || format(value) !== format(all[at - 1]);
  const levels = roundValues(low, high, 5)
    .filter(isNew)
    .map((value) => [
      svg('line', {
        class: 'grid',
        x1: BOX.left,
        x2: width - BOX.right,
        y1: y(value),
        y2: y(value),
      }),
      svg('text', { x: BOX.left - 6, y: y(value) + 4, 'text-anchor': 'end' }, format(value)),
    ]);
  const ticks = roundValues(least, most, 10, 1).map((value) =>
    svg('text', { x: x(value), y: HEIGHT - 18, 'text-anchor': 'middle' }, value),
  );
  const line = (list, kind) =>
    svg('polyline', {
      class: kind,
      points: list.map(([value, rate]) => `${x(value)},${y(rate)}`).join(' '),
    });
  const dot = ([value, rate]) => {
    const [kind, r] = dotOf(value) ?? [];
    if (!kind) return null;
    return svg(
      'circle',
      {
        class: kind,
        cx: x(value),
        cy: y(rate),
        r,
        onclick: () => onPick?.(value),
      },
      svg('title', {}, `${across} ${value}: ${format(rate)}`),
    );
  };
  return svg(
    'svg',
    { class: 'follows', viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': label },
    levels,
    ticks,
    svg('text', { x: width / 2, y: HEIGHT - 3, 'text-anchor': 'middle' }, across),
    cursor &&
      svg('line', {
        class: 'now',
        x1: x(cursor),
        x2: x(cursor),
        y1: BOX.top,
        y2: BOX.top + tall,
      }),
    beside.length > 0 && line(beside, 'rate beside'),
    line(points, 'rate'),
    points.map(dot),
  );
}
