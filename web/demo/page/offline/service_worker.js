// Keeps the page's files, for when there is no network: the network first, so that nothing is ever
// older than it has to be. `files`, their names, are put above these lines when the page is built.
/* global files */

const cacheName = 'attention';

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  // The weights of somebody's model are read in parts: they are kept where the reader asks for it.
  if (request.headers.has('range')) return;
  event.respondWith(answer(request));
});

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
