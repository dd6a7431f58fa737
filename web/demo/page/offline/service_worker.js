// Offline cache: network first, so that cached files are never older than necessary. The build prepends `files`, the
// list of file names.
/* global files */

/** @typedef {Event & { request: Request, respondWith(response: Promise<Response>): void }} FetchEvent */
/** @typedef {Event & { waitUntil(work: Promise<unknown>): void }} LifeEvent */

// The library of types for pages does not have the scope of service workers.
const scope =
  /** @type {EventTarget & { skipWaiting(): Promise<void>, clients: { claim(): Promise<void> } }} */ (
    /** @type {unknown} */ (self) // cast: a window to the compiler
  );

const cacheName = 'attention';

scope.addEventListener('install', (event) => {
  /** @type {LifeEvent} */ (event).waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(files))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener('activate', (event) => {
  /** @type {LifeEvent} */ (event).waitUntil(scope.clients.claim());
});

scope.addEventListener('fetch', (event) => {
  const fetched = /** @type {FetchEvent} */ (event);
  const { request } = fetched;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  // Ranges of a model's weights are not cached: the reader can keep the model instead.
  if (request.headers.has('range')) return;
  fetched.respondWith(answer(request));
});

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok && response.status === 200) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
