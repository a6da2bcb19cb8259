// A table of buttons as one tab stop, after the pattern "grid" of the ARIA Authoring Practices: the
// arrow keys go from one to the next, Home and End to the ends of a row, with Ctrl of the table.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Makes a table one tab stop, and returns it; a cell may have no button. */
export function grid(table) {
  table.setAttribute('role', 'grid');
  const buttons = [...table.querySelectorAll('td button')];
  for (const button of buttons) button.tabIndex = -1;
  if (buttons.length) buttons[0].tabIndex = 0;
  table.addEventListener('focusin', ({ target }) => {
    for (const button of buttons) button.tabIndex = button === target ? 0 : -1;
  });
  table.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    const next = reached(table, event);
    if (next === undefined) return;
    event.preventDefault();
    next?.focus();
  });
  return table;
}

/** The button that a key leads to; null if there is none, undefined for other keys. */
function reached(table, { key, ctrlKey, target }) {
  const row = target.closest('tr');
  if (key === 'Home' || key === 'End') {
    const all = [...(ctrlKey ? table : row).querySelectorAll('td button')];
    return all.at(key === 'Home' ? 0 : -1);
  }
  const step = STEPS[key];
  if (!step || ctrlKey) return undefined;
  let line = row.sectionRowIndex;
  let column = target.closest('td').cellIndex;
  for (;;) {
    line += step[0];
    column += step[1];
    const cell = table.tBodies[0].rows[line]?.cells[column];
    if (!cell || cell.tagName === 'TH') return null;
    const button = cell.querySelector('button');
    if (button) return button;
  }
}
