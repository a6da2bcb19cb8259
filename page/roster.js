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

/** The headings of a text, with what the engine takes as separators. */
function headingsOf(text) {
  const line = text.replace(/^\ufeff/, '').split(/\r?\n/, 1)[0];
  const times = (separator) => line.split(separator).length;
  const separator = [';', '\t'].find((other) => times(other) > times(',')) ?? ',';
  const cells = [''];
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) cells.push('');
    else cells[cells.length - 1] += letter;
  }
  return cells.map((cell) => cell.trim());
}

/** Returns the columns that may take points, the likely one, and whose file it is, if known. */
export function columnsFor(text) {
  const headings = headingsOf(text);
  const columns = headings.filter((heading) => heading && !IDENTIFY.test(heading));
  if (headings.includes('Identifier') && headings.includes('Grade')) {
    return { columns, likely: 'Grade', system: 'Moodle' };
  }
  const assignments = columns.filter((heading) => ASSIGNMENT.test(heading));
  if (headings.includes('Student') && headings.includes('ID')) {
    const ofHog = assignments.find((heading) => /\bhog\b/i.test(heading));
    return { columns, likely: ofHog ?? assignments.at(-1) ?? null, system: 'Canvas' };
  }
  const likely = columns.find((heading) => /^(grade|points|score)$/i.test(heading)) ?? null;
  return { columns, likely, system: null };
}
