// What the views ask of the engine: with a cache, or only the latest question.

import { ask } from './engine.js';

export { Refused, ask, inTab } from './engine.js';

/** True if a request was aborted: by the user, or because a later one replaced it. */
export const isAbort = (error) => error.name === 'AbortError';

/** Returns a function like `ask` that aborts its previous request when it is called again; `stop` aborts it too. */
export function lastOnly() {
  let current;
  const last = async (name, request, options = {}) => {
    current?.abort();
    current = new AbortController();
    const { signal } = current;
    const answer = await ask(name, request, { ...options, signal });
    if (signal.aborted) throw new DOMException('', 'AbortError');
    return answer;
  };
  last.stop = () => current?.abort();
  return last;
}

const kept = new Map();

/** As `ask`, with a cache: the same request again returns the same answer. */
export function askOnce(name, request = {}) {
  const key = JSON.stringify([name, request]);
  if (!kept.has(key)) {
    if (kept.size > 60) kept.delete(kept.keys().next().value);
    const answer = ask(name, request);
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return kept.get(key);
}
