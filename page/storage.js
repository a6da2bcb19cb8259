// The browser's storage, where it is not blocked; otherwise what is stored lives as long as the
// page.

function memory() {
  const values = new Map();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
    key: (place) => [...values.keys()][place] ?? null,
    get length() {
      return values.size;
    },
  };
}

/**
 * Returns a store of the window if it can be used; reading the property may already be refused.
 * @param {'localStorage' | 'sessionStorage'} name
 */
function usable(name) {
  try {
    const store = window[name];
    store.getItem('hog');
    return store;
  } catch {
    return memory();
  }
}

/** What stays in this browser: edited rules, light or dark, the user's choices. */
export const local = usable('localStorage');

/** What stays until the tab is closed. */
export const session = usable('sessionStorage');

/** Returns the keys of a store that begin with a prefix, without it, in order. */
export function keysOf(store, prefix) {
  const keys = Array.from({ length: store.length }, (_, place) => store.key(place));
  return keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .sort();
}

/** Stores a value; returns false if the storage is full or blocked. */
export function store(where, key, value) {
  try {
    where.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
