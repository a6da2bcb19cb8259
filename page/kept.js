// Files that the user handed in: kept for Back, and for a reload while the tab is open.

const here = new Map();
const key = (name) => `hog.files.${name}`;

/** Keeps files under a name; those too large for the browser's storage only until a reload. */
export function keep(name, files) {
  here.set(name, files);
  try {
    sessionStorage.setItem(key(name), JSON.stringify(files));
  } catch {
    sessionStorage.removeItem(key(name));
  }
}

/** Returns the files kept under a name; none if they are lost. */
export const kept = (name) =>
  here.get(name) ?? JSON.parse(sessionStorage.getItem(key(name)) ?? '[]');
