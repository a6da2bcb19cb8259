// Keeps the site in the browser, so that it works offline. scripts/site writes the build and its
// files into the next two lines: another build is another script, which browsers look for on every
// visit.
const BUILD = 'none';
const FILES = [];

/** What the names of this site's caches begin with: an origin may have several sites. */
const SITE = `hog ${registration.scope} `;
const NAME = `${SITE}${BUILD}`;

addEventListener('install', (event) =>
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      await cache.addAll(FILES.map((name) => new Request(name, { cache: 'no-cache' })));
    })(),
  ),
);

addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (name.startsWith(SITE) && name !== NAME) await caches.delete(name);
      await clients.claim();
    })(),
  ),
);

/**
 * The policy of the frame for Python files where it comes from here (python.js): without an origin,
 * and without connections, as python.html says. Its script is in it: nothing is loaded from here
 * for what has no origin.
 */
const POLICY =
  "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' blob: 'unsafe-eval' " +
  "'wasm-unsafe-eval'; worker-src blob:";

async function pythonFrame(cache) {
  const script = await cache.match(new URL('page/python-frame.js', registration.scope));
  const head = '<!doctype html><meta charset="utf-8"><title>Python</title>';
  const text = `${head}<script>${await script.text()}</script>`;
  return new Response(text, {
    headers: { 'content-type': 'text/html', 'content-security-policy': POLICY },
  });
}

addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(NAME);
      if (url.pathname.endsWith('/page/python-offline.html')) return pythonFrame(cache);
      const known = await cache.match(event.request, { ignoreSearch: true });
      if (known) return known;
      const response = await fetch(event.request);
      // What is loaded when it is first needed: tables and answers of games, and Python.
      if (response.ok && /\/(tables|answers|python)\//.test(url.pathname))
        await cache.put(event.request, response.clone());
      return response;
    })(),
  );
});

// The page's answer to "there is a new version".
addEventListener('message', (event) => {
  if (event.data === 'take over') skipWaiting();
});
