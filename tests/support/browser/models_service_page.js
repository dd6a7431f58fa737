// A page that asks its module service worker.
const registered = navigator.serviceWorker.register(
  new URL('models_service_worker.js', import.meta.url),
  { type: 'module' },
);

async function activeWorker() {
  const { installing, waiting, active } = await registered;
  const worker = /** @type {ServiceWorker} */ (installing ?? waiting ?? active);
  while (worker.state !== 'activated') {
    await new Promise((resolve) => {
      worker.addEventListener('statechange', resolve, { once: true });
    });
  }
  return worker;
}

globalThis.ask = async (question) => {
  const worker = await activeWorker();
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  worker.postMessage(question, [port2]);
  return answer;
};
