// The columns of a roster, and into which of them points go.

/** Headings of what identifies people: no points go there. */
const IDENTIFY = new RegExp(
  '^(students?|id|sis |section|(first |last |full |sur)?names?$|e-?mail|sid|identifier|user ?name' +
    '|login|role|integration id|root account|status|groups?$|teams?$|department|institution)',
  'i',
);

/** What Canvas adds to the name of an assignment: its number. */
const ASSIGNMENT = /\(\d+\)$/;

/**
 * Returns the roster among the files of a request; undefined if there is none.
 * @param {import('./api.js').Request} request
 */
export const rosterOf = ({ roster, files }) => roster && files.find(({ name }) => name === roster);

/** What the line with the most points of each column begins with, at Canvas. */
const POSSIBLE = /^points possible$/i;

/** The lines of a text, each with its cells, with what the engine takes as separators. */
function linesOf(text) {
  const plain = text.replace(/^\ufeff/, '').replaceAll('\r', '');
  const times = (separator) => plain.split('\n', 1)[0].split(separator).length;
  const separator = [';', '\t'].find((other) => times(other) > times(',')) ?? ',';
  const lines = [['']];
  let isQuoted = false;
  for (const letter of plain) {
    const cells = lines.at(-1);
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) cells.push('');
    else if (letter === '\n' && !isQuoted) lines.push(['']);
    else cells[cells.length - 1] += letter;
  }
  return lines.map((cells) => cells.map((cell) => cell.trim()));
}

/**
 * Returns the columns that may take points, in how many lines each has something, the most points
 * of each (NaN if nothing says so), the likely one, and whose file it is, if known.
 */
export function columnsFor(text) {
  const [headings, ...people] = linesOf(text);
  const isKnown = (cells) => !POSSIBLE.test(cells[0]) && cells.length > 1;
  const filled = (heading) => {
    const place = headings.indexOf(heading);
    return people.filter((cells) => isKnown(cells) && cells[place]).length;
  };
  // Canvas says so in the cells of its first lines.
  const isReadOnly = (heading) =>
    people.slice(0, 2).some((cells) => /read only/i.test(cells[headings.indexOf(heading)] ?? ''));
  const columns = headings.filter(
    (heading) => heading && !IDENTIFY.test(heading) && !isReadOnly(heading),
  );
  const isMoodle = headings.includes('Identifier') && headings.includes('Grade');
  const isCanvas = headings.includes('Student') && headings.includes('ID');
  const system = isMoodle ? 'Moodle' : isCanvas ? 'Canvas' : null;
  const empty = columns.filter((heading) => !filled(heading));
  const isLikely = isCanvas
    ? (heading) => ASSIGNMENT.test(heading) && /\bhog\b/i.test(heading)
    : (heading) => /^(grade|points|score)$/i.test(heading);
  const possible = people.find((cells) => POSSIBLE.test(cells[0])) ?? [];
  const most = (heading) => Number.parseFloat(possible[headings.indexOf(heading)]);
  // Points that are there are replaced only if somebody chooses so.
  return { columns, filled, most, likely: empty.find(isLikely) ?? null, system };
}
