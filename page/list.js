// Gradescope's list of submitters, a file of an export: whose each folder is.

export const LIST = 'submission_metadata.yml';

/** The part of each folder, by its name; what comes before all is under the empty name. */
function parts(text) {
  const ended = text.endsWith('\n') || !text ? text : `${text}\n`;
  const all = ended.split(/^(?=[^\s-].*:\s*$)/m);
  const nameOf = (part) => /^(['"]?)([^\s-].*?)\1:\s*$/m.exec(part.split('\n', 1)[0])?.[2] ?? '';
  return new Map(all.map((part) => [nameOf(part), part]));
}

/** The list with the folders of both; where both have one, that of `more`. */
export const together = (text, more) =>
  [...new Map([...parts(text), ...parts(more)]).values()].join('');

/** The list without a folder. */
export function without(text, folder) {
  const kept = parts(text);
  kept.delete(folder);
  return [...kept.values()].join('');
}

/** Those whose each folder is, with the names and the addresses, by the folder. */
export function people(text) {
  const plain = (cell) => cell.replace(/^(['"])(.*)\1\s*$/, '$2').replaceAll("''", "'");
  const all = (part, key) =>
    [...part.matchAll(new RegExp(`^ {2}[- ] :${key}: *(.*)$`, 'gm'))].map(([, cell]) =>
      plain(cell),
    );
  return new Map(
    [...parts(text)].map(([folder, part]) => [
      folder,
      { names: all(part, 'name'), addresses: all(part, 'email') },
    ]),
  );
}

/** The list of one folder alone. */
export const only = (text, folder) => parts(text).get(folder) ?? '';
