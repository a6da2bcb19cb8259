// A map with a colour and a text for every pair of scores, for pointer, arrow keys and screen
// readers.

import { button, colour, h, headed, put, row } from './dom.js';
import { savesMap } from './taken.js';

const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

/**
 * Gold for no dice; from pale green over blue to dark red for 1 to 10, each darker than the one
 * before, so that colour-blind eyes tell all of them apart; orange for negative moves. Saved
 * pictures have the same (`crates/plot/src/theme.rs`).
 */
const NONE = hex('#ffc200');
const BELOW = hex('#e8590c');
const ROLLS = [
  '#defcad',
  '#96e3aa',
  '#0ed3b6',
  '#11b1bc',
  '#0093b6',
  '#0373ad',
  '#1753b1',
  '#5b287d',
  '#5b0040',
  '#3d0010',
].map(hex);

/** Up to this number of dice, the gradient alone keeps neighbours apart. */
const PLAIN = 10;

/**
 * How much neighbours differ in lightness beyond that: every third is darker, every third lighter.
 */
const SHADES = [0, -0.42, 0.45];

const diceColours = new Map();

/** Returns the colour of a number of dice of which `most` are allowed; a map asks for each cell. */
export function diceColour(dice, most) {
  const key = dice * 1000 + most;
  if (!diceColours.has(key)) diceColours.set(key, colourOfDice(dice, most));
  return diceColours.get(key);
}

function colourOfDice(dice, most) {
  if (dice === 0) return NONE;
  if (dice < 0) return BELOW;
  const rgb = between(ROLLS, (dice - 1) / (Math.max(most, 10) - 1));
  const shade = most > PLAIN ? SHADES[dice % SHADES.length] : 0;
  const end = shade < 0 ? 0 : 255;
  return rgb.map((value) => Math.round(value + (end - value) * Math.abs(shade)));
}

/** What is written on a colour: black or white, whichever is seen better (WCAG's contrast). */
export function inkOn(rgb) {
  const [red, green, blue] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179 ? '#fff' : '#000';
}

const RATES = [
  '#7a3203',
  '#b2560e',
  '#df8a3c',
  '#f6c48f',
  '#f7f5f2',
  '#b4d2ea',
  '#6ba5d3',
  '#2f74b0',
  '#0f437c',
].map(hex);

/** From nothing lost to much, on the way of a game. */
const COSTS = ['#f4f1ea', '#b3262e'].map(hex);

export const rateColour = (rate) => between(RATES, rate);

/** Returns the colour of an amount from 0 to 1; 0 is close to the background, light or dark. */
export function amountColour(share) {
  amounts ??= [0, 1, 2, 3].map((step) => hex(colour(`--amount-${step}`)));
  return between(amounts, share);
}

let amounts = null;
addEventListener('hog:theme', () => {
  amounts = null;
});

function between(stops, share) {
  const place = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(place), stops.length - 2);
  const rest = place - index;
  return stops[index].map((value, i) => Math.round(value + (stops[index + 1][i] - value) * rest));
}

export const css = (rgb) => `rgb(${rgb.join(' ')})`;

/** The most pixels along a side of a canvas, unless the map is larger on the page. */
const LARGEST = 2400;

const HOW = matchMedia('(hover: none)').matches
  ? 'Touch a position.'
  : 'Point at a position, or use the arrow keys (with Shift, in tens).';

const KEYS =
  'The arrow keys choose a position: left and right your score, up and down the opponent’s; ' +
  'with Shift, in tens; Enter leads to the answer, and Escape back.';

let made = 0;

/** The smallest side of a cell, in pixels, into which something can be written. */
const ROOM_FOR_DIGITS = 14;

function paint(canvas, goal, colourOf) {
  canvas.width = goal;
  canvas.height = goal;
  const context = canvas.getContext('2d');
  const data = context.createImageData(goal, goal);
  for (let score = 0; score < goal; score += 1) {
    for (let opponent = 0; opponent < goal; opponent += 1) {
      const rgb = colourOf(score * goal + opponent);
      const at = ((goal - 1 - opponent) * goal + score) * 4;
      for (let part = 0; part < 3; part += 1) data.data[at + part] = rgb[part];
      data.data[at + 3] = 255;
    }
  }
  context.putImageData(data, 0, 0);
}

/** How many scores the ticks of an axis may be apart. */
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000];

const MOST_TICKS = 6;

const MARGIN = { bottom: 30, top: 6, right: 6 };

/**
 * The map. `onPick(score, opponent)` is called with the cell that the user selects; `answer` shows
 * what there is to say of it.
 * `show({ goal, colour, text, title })` fills it: for cell `score * goal + opponent`, `colour`
 * returns `[red, green, blue]` and `text` a description. What a layer may have besides: `other`,
 * the colours at the right of a line (see `divide`); `digit`, what is written into cells that are
 * large enough; `rings`, cells to be marked; `path`, positions `{ score, opponent, cost }` of a
 * game in order; and what `savesMap` needs.
 */
export class ScoreMap {
  constructor({ name, onPick = null, answer = null }) {
    this.answer = answer;
    this.onPick = onPick;
    this.picture = h('canvas', { class: 'picture', 'aria-hidden': 'true' });
    made += 1;
    this.here = h('span', { class: 'sr', id: `map-here-${made}` });
    const keys = h('span', { class: 'sr', id: `map-keys-${made}` }, KEYS);
    this.marks = h('canvas', {
      class: 'marks',
      'aria-describedby': `${this.here.id} ${keys.id}`,
      tabindex: '0',
      role: 'application',
      'aria-roledescription': 'map',
      'aria-label': name,
    });
    this.hint = h('span');
    const why = button('Why', () => this.toAnswer());
    const hint = h('p', { class: 'hint' }, this.hint, answer && why);
    this.stage = h('div', { class: 'stage' }, this.picture, this.marks);
    this.zoom = 1;
    this.pane = h('div', { class: 'pane', onscroll: () => this.drawAxes() }, this.stage);
    // Beside the pane, so that the axes stay where they are while the map is scrolled under them.
    this.axes = h('canvas', { class: 'axes', 'aria-hidden': 'true' });
    const zoom = (label, text, factor) =>
      button(text, () => this.zoomBy(factor), { 'aria-label': label });
    this.zooms = h(
      'div',
      { class: 'zooms', role: 'group', 'aria-label': 'Zoom' },
      zoom('Zoom in', '+', 2),
      zoom('Zoom out', '−', 0.5),
    );
    this.saves = h('span');
    this.body = h('tbody');
    this.caption = h('caption');
    this.table = h(
      'details',
      { class: 'behind', ontoggle: () => this.fillTable() },
      h('summary', {}, 'As a table'),
      h(
        'div',
        { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': `${name}, as a table` },
        h('table', {}, this.caption, headed(['Opponent', 'At this position']), this.body),
      ),
    );
    this.element = h(
      'div',
      { class: 'map' },
      h('div', { class: 'frame' }, this.pane, this.axes),
      this.here,
      keys,
      hint,
      h('div', { class: 'bar between' }, this.zooms, this.saves),
      this.table,
    );
    this.name = name;
    // What a browser saves as the image is what lies on top.
    this.marks.addEventListener('contextmenu', () => this.layFlat());
    this.hand = h('button', { type: 'button', class: 'hand', hidden: true });
    this.stage.append(this.hand);
    this.selected = null;
    this.hovered = null;
    this.density = null;
    this.image = document.createElement('canvas');
    this.otherImage = document.createElement('canvas');
    this.split = 0.5;
    this.marks.addEventListener('pointermove', (event) => this.hover(this.cellAt(event)));
    this.marks.addEventListener('pointerleave', () => this.hover(null));
    this.marks.addEventListener('click', (event) => {
      const cell = this.cellAt(event);
      if (cell) this.pick(cell);
    });
    this.marks.addEventListener('keydown', (event) => this.key(event));
    answer?.setAttribute('tabindex', '-1');
    answer?.setAttribute('role', 'group');
    answer?.addEventListener('keydown', ({ key }) => key === 'Escape' && this.marks.focus());
    this.width = 0;
    const sizes = new ResizeObserver(() => {
      this.measure();
      this.draw();
    });
    sizes.observe(this.stage);
    sizes.observe(this.pane);
  }

  /** Keeps the sizes: to ask for them while a map is drawn would lay the page out twice. */
  measure() {
    this.width = this.stage.clientWidth;
    this.paneWidth = this.pane.clientWidth;
    this.paneHeight = this.pane.clientHeight;
  }

  show(layer) {
    this.layer = layer;
    put(this.saves, savesMap(this));
    const { goal } = layer;
    if (this.selected && Math.max(...this.selected) >= goal) this.selected = null;
    paint(this.image, goal, layer.colour);
    if (layer.other) paint(this.otherImage, goal, layer.other);
    this.draw();
    this.updateHint();
    this.fillTable();
  }

  /** Sets where the other colours begin: at this share of the width. */
  divide(share) {
    this.split = share;
    this.draw();
  }

  /** Makes the map larger or smaller in its pane, around the selected cell. */
  zoomBy(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 1), 8);
    this.stage.style.width = `${this.zoom * 100}%`;
    this.pane.classList.toggle('zoomed', this.zoom > 1);
    this.measure();
    this.draw();
    this.reveal();
  }

  reveal() {
    if (this.zoom === 1 || !this.layer) return;
    const { goal } = this.layer;
    const [score, opponent] = this.selected ?? [goal / 2, goal / 2];
    const { side } = this.box();
    const below = side - ((opponent + 0.5) * side) / goal;
    this.pane.scrollLeft = this.left + ((score + 0.5) * side) / goal - this.paneWidth / 2;
    this.pane.scrollTop = MARGIN.top + below - this.paneHeight / 2;
  }

  stale(yes) {
    this.element.classList.toggle('stale', yes);
    // It is not the layer that is chosen.
    for (const one of this.saves.querySelectorAll('button')) one.disabled = yes;
  }

  select(score, opponent) {
    this.selected = score === null ? null : [score, opponent];
    const place = score === null ? 'Position' : `Position ${score} to ${opponent}`;
    this.answer?.setAttribute('aria-label', place);
    this.drawMarks();
    this.updateHint();
    this.fillTable();
  }

  pick(cell) {
    this.select(...cell);
    this.onPick?.(...cell);
  }

  hover(cell) {
    this.hovered = cell;
    this.drawMarks();
    this.updateHint();
  }

  updateHint() {
    const cell = this.hovered ?? this.selected;
    if (!this.layer || !cell) {
      this.hint.textContent = HOW;
      return;
    }
    const text = this.told(...cell);
    this.hint.textContent = text;
    if (!this.hovered) this.here.textContent = `${text}. `;
  }

  /** What the layer says of a position. */
  told(score, opponent) {
    return `${score} to ${opponent}: ${this.layer.text(score * this.layer.goal + opponent)}`;
  }

  toAnswer() {
    this.answer?.focus({ preventScroll: true });
    this.answer?.scrollIntoView();
  }

  key(event) {
    if (event.key === 'Enter' && this.selected) this.toAnswer();
    if (!this.layer || event.altKey || event.metaKey || event.ctrlKey) return;
    const { goal } = this.layer;
    const steps = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
      Home: [-goal, 0],
      End: [goal, 0],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    const from = this.selected ?? [0, 0];
    const within = (value) => Math.min(Math.max(value, 0), this.layer.goal - 1);
    this.hovered = null;
    this.pick(from.map((value, i) => within(value + step[i] * far)));
    this.reveal();
  }

  /** The margin at the left, with room for the ticks beside the name of the axis. */
  get left() {
    return 26 + 8 * Math.max(1, `${(this.layer?.goal ?? 100) - 1}`.length - 1);
  }

  box() {
    const { width } = this;
    const side = width - this.left - MARGIN.right;
    return { width, height: side + MARGIN.top + MARGIN.bottom, side };
  }

  /** Pixels of the canvases per pixel of the page; a large canvas takes much memory. */
  scale(width) {
    const density = this.density ?? (devicePixelRatio || 1);
    return Math.min(density, Math.max(1, LARGEST / width));
  }

  cellAt(event) {
    if (!this.layer) return null;
    const { left, top } = this.marks.getBoundingClientRect();
    const { side } = this.box();
    const step = side / this.layer.goal;
    const score = Math.floor((event.clientX - left - this.left) / step);
    const opponent = this.layer.goal - 1 - Math.floor((event.clientY - top - MARGIN.top) / step);
    const inside = (value) => value >= 0 && value < this.layer.goal;
    return inside(score) && inside(opponent) && !this.isUnderAxes(event) ? [score, opponent] : null;
  }

  view() {
    const { scrollLeft, scrollTop } = this.zoom > 1 ? this.pane : { scrollLeft: 0, scrollTop: 0 };
    const height = Math.min(this.paneHeight, this.box().height);
    return { width: this.paneWidth, height, scrollLeft, scrollTop };
  }

  isUnderAxes({ clientX, clientY }) {
    const { left, top } = this.pane.getBoundingClientRect();
    return clientX - left < this.left || clientY - top > this.view().height - MARGIN.bottom;
  }

  /**
   * Empties a canvas of this size on the page, and returns its context in pixels of the page.
   */
  emptied(canvas, width, height) {
    const scale = this.scale(width);
    const context = canvas.getContext('2d');
    const [across, down] = [width * scale, height * scale].map(Math.round);
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  draw() {
    if (!this.layer || !this.width) return;
    const { width, height, side } = this.box();
    const context = this.emptied(this.picture, width, height);
    this.stage.style.height = `${height}px`;
    context.imageSmoothingEnabled = this.layer.goal > side * this.scale(width);
    context.drawImage(this.image, this.left, MARGIN.top, side, side);
    if (this.layer.other) {
      const from = this.split * side;
      context.save();
      context.beginPath();
      context.rect(this.left + from, MARGIN.top, side - from, side);
      context.clip();
      context.drawImage(this.otherImage, this.left, MARGIN.top, side, side);
      context.restore();
      context.fillStyle = colour('--ink');
      context.fillRect(this.left + from - 1, MARGIN.top, 2, side);
    }
    this.drawDigits(context, side);
    context.strokeStyle = colour('--faint-ink');
    context.strokeRect(this.left, MARGIN.top, side, side);
    this.drawHand();
    this.drawAxes();
    this.drawMarks();
  }

  point(cell, text = '') {
    this.pointed = cell;
    this.hand.textContent = text;
    this.hand.onclick = () => this.pick(cell);
    this.drawHand();
  }

  drawHand() {
    this.hand.hidden = !this.pointed || this.selected !== null || !this.width || !this.layer;
    if (this.hand.hidden) return;
    const { side } = this.box();
    const [x, y] = this.centre(this.pointed, side / this.layer.goal, side);
    this.hand.style.left = `${x}px`;
    this.hand.style.top = `${y}px`;
  }

  /** Puts the whole map into the canvas on top, until it is drawn again. */
  layFlat() {
    const { width, height } = this.box();
    const context = this.marks.getContext('2d');
    context.globalCompositeOperation = 'destination-over';
    context.drawImage(this.axes, this.pane.scrollLeft, this.pane.scrollTop, this.paneWidth, height);
    context.drawImage(this.picture, 0, 0, width, height);
    context.fillStyle = colour('--card');
    context.fillRect(0, 0, width, height);
    context.globalCompositeOperation = 'source-over';
  }

  /** The whole map as the address of an image, with `density` pixels for each of the page. */
  flat(density) {
    this.density = density;
    this.draw();
    this.layFlat();
    const address = this.marks.toDataURL();
    this.density = null;
    this.draw();
    return address;
  }

  rows() {
    const { goal, columns } = this.layer;
    const cells = Array.from({ length: goal * goal }, (_, cell) => [
      Math.floor(cell / goal),
      cell % goal,
      ...columns.map(([, of]) => of(cell)),
    ]);
    return [['score', 'opponent', ...columns.map(([heading]) => heading)], ...cells];
  }

  drawDigits(context, side) {
    const { goal, digit, colour: colourOf } = this.layer;
    const step = side / goal;
    if (!digit || step < ROOM_FOR_DIGITS) return;
    context.font = `${Math.min(step * 0.55, 14)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let score = 0; score < goal; score += 1) {
      for (let opponent = 0; opponent < goal; opponent += 1) {
        const cell = score * goal + opponent;
        const [x, y] = this.centre([score, opponent], step, side);
        context.fillStyle = inkOn(colourOf(cell));
        context.fillText(digit(cell), x, y);
      }
    }
    context.textBaseline = 'alphabetic';
  }

  centre([score, opponent], step, side) {
    return [this.left + (score + 0.5) * step, MARGIN.top + side - (opponent + 0.5) * step];
  }

  /** Draws the axes of what is shown; not in the picture, which fades while it is stale. */
  drawAxes() {
    if (!this.layer) return;
    const { goal } = this.layer;
    const { width, height, scrollLeft, scrollTop } = this.view();
    const { left } = this;
    const { side } = this.box();
    const cell = side / goal;
    const bottom = height - MARGIN.bottom;
    const context = this.emptied(this.axes, width, height);
    if (this.zoom > 1) {
      // What is scrolled under the axes is covered.
      context.fillStyle = colour('--card');
      context.fillRect(0, 0, left, height);
      context.fillRect(0, bottom, width, MARGIN.bottom);
    }
    const shown = (width - left - MARGIN.right) / cell;
    const step = STEPS.find((size) => shown / size <= MOST_TICKS) ?? goal;
    context.fillStyle = colour('--faint-ink');
    context.font = '11px system-ui, sans-serif';
    for (let value = 0; value < goal; value += step) {
      const along = (value + 0.5) * cell;
      const x = left + along - scrollLeft;
      const y = MARGIN.top + side - along - scrollTop;
      context.textAlign = 'center';
      if (x >= left && x < width) context.fillText(`${value}`, x, bottom + 13);
      context.textAlign = 'right';
      if (y >= 0 && y < bottom) context.fillText(`${value}`, left - 5, y + 4);
    }
    context.textAlign = 'center';
    context.fillText('your score →', (left + width - MARGIN.right) / 2, bottom + 27);
    context.save();
    context.translate(10, (MARGIN.top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText('opponent’s score →', 0, 0);
    context.restore();
  }

  drawMarks() {
    if (!this.layer || !this.width) return;
    this.drawHand();
    const { width, height, side } = this.box();
    const context = this.emptied(this.marks, width, height);
    const step = side / this.layer.goal;
    const mark = (cell, strong) => {
      const x = this.left + cell[0] * step;
      const y = MARGIN.top + side - (cell[1] + 1) * step;
      const size = Math.max(step, strong ? 7 : 5);
      const shift = (size - step) / 2;
      if (strong) {
        context.fillStyle = colour('--cross');
        context.fillRect(x + step / 2 - 0.5, MARGIN.top, 1, side);
        context.fillRect(this.left, y + step / 2 - 0.5, side, 1);
      }
      context.lineWidth = 3;
      context.strokeStyle = '#fff';
      context.strokeRect(x - shift, y - shift, size, size);
      context.lineWidth = 1.5;
      context.strokeStyle = '#111';
      context.strokeRect(x - shift, y - shift, size, size);
    };
    this.drawRings(context, step, side);
    this.drawPath(context, step, side);
    // A picture to save has no cursor.
    if (this.density) return;
    if (this.selected) mark(this.selected, true);
    if (this.hovered) mark(this.hovered, false);
  }

  drawRings(context, step, side) {
    for (const cell of this.layer.rings ?? []) {
      for (const [width, style] of [
        [4, '#fff'],
        [2, '#111'],
      ]) {
        context.beginPath();
        context.arc(...this.centre(cell, step, side), Math.max(step, 7), 0, 2 * Math.PI);
        context.lineWidth = width;
        context.strokeStyle = style;
        context.stroke();
      }
    }
  }

  /** Draws the way of a game; its points are the larger and redder the more was lost there. */
  drawPath(context, step, side) {
    const path = this.layer.path ?? [];
    const places = path.map(({ score, opponent }) => this.centre([score, opponent], step, side));
    for (const [width, style] of [
      [4, '#fff'],
      [1.5, '#111'],
    ]) {
      context.beginPath();
      for (const place of places) context.lineTo(...place);
      context.lineWidth = width;
      context.strokeStyle = style;
      context.stroke();
    }
    const most = Math.max(...path.map(({ cost }) => cost), 1e-9);
    path.forEach(({ cost }, at) => {
      context.beginPath();
      context.arc(...places[at], 3 + 5 * Math.sqrt(cost / most), 0, 2 * Math.PI);
      context.fillStyle = cost > 0 ? css(between(COSTS, 0.3 + (0.7 * cost) / most)) : '#fff';
      context.strokeStyle = '#111';
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
    });
  }

  fillTable() {
    if (!this.table.open || !this.layer) return;
    const { goal } = this.layer;
    const [score] = this.selected ?? [0, 0];
    this.caption.textContent = `${this.layer.title}, at your score ${score}`;
    const rows = Array.from({ length: goal }, (_, opponent) =>
      row(opponent, [this.layer.text(score * goal + opponent)]),
    );
    put(this.body, rows);
  }
}

export function legend(entries) {
  return h(
    'ul',
    { class: 'legend', role: 'list' },
    entries.map(([rgb, label]) =>
      h('li', {}, h('span', { class: 'swatch', style: { background: css(rgb) } }), label),
    ),
  );
}

export function scale(colourAt, labels) {
  const stops = Array.from({ length: 11 }, (_, i) => css(colourAt(i / 10))).join(', ');
  return h(
    'div',
    { class: 'scale' },
    h('div', { class: 'ramp', style: { background: `linear-gradient(to right, ${stops})` } }),
    h(
      'div',
      { class: 'ends' },
      labels.map((label) => h('span', {}, label)),
    ),
  );
}
