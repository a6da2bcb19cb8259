// Questions to the engine: the server's, or on a static site answers that were written down.

/** A question without an answer: what is wrong, and the faults of a rule file with their places. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.faults = error.faults ?? [];
  }
}

/** True if the page is a site of plain files. */
export const isStatic = document.documentElement.dataset.site === 'static';

/** Asks; `name` is a command, `question` its words. */
export async function ask(name, question = {}, { signal, onProgress } = {}) {
  if (isStatic) return (await import('./static.js')).answer(name, question);
  let response;
  try {
    response = await fetch(`/api/v1/${name}`, {
      method: 'POST',
      // In lines even a refusal is an answer like any other, and nothing for the console.
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify(question),
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused({ message: 'hog does not answer: is `hog serve` still running?' });
  }
  const last = response.ok ? await lastLine(response, onProgress) : await response.json();
  if (last.error) throw new Refused(last.error);
  return last.result;
}

async function lastLine(response, onProgress) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let last = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return last.progress ? { error: { message: 'hog broke off: ask again' } } : last;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.progress) onProgress?.(last.progress);
    }
  }
}

/** True if a question was given up because another took its place. */
export const isAbort = (error) => error.name === 'AbortError';

/** Of several questions in a row only the last counts: the earlier ones are given up. */
export function lastOnly() {
  let current;
  return async (name, question, options = {}) => {
    current?.abort();
    current = new AbortController();
    const { signal } = current;
    const answer = await ask(name, question, { ...options, signal });
    if (signal.aborted) throw new DOMException('', 'AbortError');
    return answer;
  };
}

const kept = new Map();

/** Asks once; the same question again has the same answer. */
export function askOnce(name, question = {}) {
  const key = JSON.stringify([name, question]);
  if (!kept.has(key)) {
    if (kept.size > 60) kept.delete(kept.keys().next().value);
    const answer = ask(name, question);
    answer.catch(() => kept.delete(key));
    kept.set(key, answer);
  }
  return kept.get(key);
}
