// The semesters of courses, as the names of games say them.

const SEASONS = { sp: 'Spring', nju: 'Nanjing', su: 'Summer', fa: 'Fall' };

/** The semester of a game's name as a number to sort by, and in words; null if it has none. */
export function semester(name) {
  const [, place, year, contest] = /^(sp|su|fa|nju)(\d\d)(c?)/.exec(name) ?? [];
  if (!place) return null;
  const words = `${SEASONS[place]} 20${year}${contest && ', contest'}`;
  return { name, words, at: Number(year) * 4 + Object.keys(SEASONS).indexOf(place) };
}

/** The title of a game, with the semester that was asked for if others had the same rules. */
export function titleOf({ title, aliases = [] }, asked) {
  const found = aliases.includes(asked) && semester(asked);
  return found ? title.replace(/,.*/, `, ${found.words}`) : title;
}
