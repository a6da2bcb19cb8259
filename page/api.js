// Requests to the engine: to the server or, on a static site, to the answers computed in advance.

/** The refusal of a request: a message, and the faults of a rule file with their locations. */
export class Refused extends Error {
  constructor(error) {
    super(error.message);
    this.faults = error.faults ?? [];
  }
}

/** True if the page is a static site. */
export const isStatic = document.documentElement.dataset.site === 'static';

/** Sends a request and returns its result; `name` is an endpoint, `request` its parameters. */
export async function ask(name, request = {}, { signal, onProgress } = {}) {
  if (isStatic) return (await import('./static.js')).answer(name, request);
  let response;
  try {
    response = await fetch(`/api/v1/${name}`, {
      method: 'POST',
      // In this format refusals have status 200 too, so the browser does not log them as errors.
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
      body: JSON.stringify(request),
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
    const { value, done } = await reader.read().catch((error) => {
      if (error.name === 'AbortError') throw error;
      return { done: true };
    });
    if (done) return last.result || last.error ? last : { error: { message: 'hog broke the connection: is `hog serve` still running?' } };
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      if (last.progress) onProgress?.(last.progress);
    }
  }
}

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
