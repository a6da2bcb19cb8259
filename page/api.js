// What the views ask of the engine: with a cache, or only the latest question.

import { Refused, ask as send } from './engine.js';
import { fileIn, filesOf } from './kept.js';

export { Refused, expectPython, inTab, keepEngine } from './engine.js';

/**
 * @typedef {import('answers').Answers} Answers
 * @typedef {Record<string, any>} Request
 * @typedef {{ signal?: AbortSignal, onProgress?: (progress: any) => void }} Options
 */

/** Returns a request with the user's own files that it names, unless it has files already. */
function withFiles(request) {
  if (request.files) return request;
  const { strategy, against, first, second, players = [] } = request;
  const named = [strategy, against, first, second, ...players].filter(Boolean);
  const files = new Map();
  for (const name of named.map(fileIn).filter(Boolean)) {
    const own = filesOf(name);
    if (!own) {
      throw new Refused({ message: `${name} is not in this browser: drop it in the coach first.` });
    }
    for (const file of own) files.set(file.name, file);
  }
  return files.size ? { ...request, files: [...files.values()] } : request;
}

/**
 * Asks the engine.
 * @template {keyof Answers} Name
 * @param {Name} name
 * @param {Request} request
 * @param {Options} options
 * @returns {Promise<Answers[Name]>}
 */
export const ask = async (name, request = {}, options = {}) =>
  send(name, withFiles(request), options);

/** True if a request was aborted: by the user, or because a later one replaced it. */
export const isAbort = (error) => error.name === 'AbortError';

/**
 * Returns a function like `ask` that aborts its previous request when it is called again; `stop`
 * aborts it too.
 */
export function lastOnly() {
  /** @type {AbortController} */
  let current;
  /** @type {typeof ask} */
  const last = async (name, request, options = {}) => {
    current?.abort();
    current = new AbortController();
    const { signal } = current;
    const answer = await ask(name, request, { ...options, signal });
    if (signal.aborted) throw new DOMException('', 'AbortError');
    return answer;
  };
  return Object.assign(last, { stop: () => current?.abort() });
}

const kept = new Map();

/**
 * As `ask`, with a cache: the same request again returns the same answer.
 * @template {keyof Answers} Name
 * @param {Name} name
 * @param {Request} asked
 * @param {Options} options
 * @returns {Promise<Answers[Name]>}
 */
export async function askOnce(name, asked = {}, options = {}) {
  const request = withFiles(asked);
  const key = JSON.stringify([name, request]);
  if (!kept.has(key)) {
    if (kept.size > 60) kept.delete(kept.keys().next().value);
    const answer = ask(name, request, options);
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return kept.get(key);
}
