// A module service worker, which has no import(): models by attention-wasm/models-static, and by attention-wasm/models.
import { loadModel } from '/web/built/models.js';
import { loadModel as loadStatically } from '/web/built/models_static.js';
import { runModelCases, runText } from './models_cases.js';

const casesIn = async (name) =>
  (await fetch(new URL(`../../vectors/${name}`, import.meta.url))).json();

const answers = {
  runCases: async () =>
    runModelCases(loadStatically, {
      ...(await casesIn('models.json')),
      ...(await casesIn('model_families.json')),
    }),
  runSources: async () => [
    await runText(loadStatically, new URL('/model/', self.location.href).href),
  ],
  refusal: () =>
    loadModel('/model/').then(
      () => '',
      (error) => error.message,
    ),
};

// The library of types for pages does not have the scope of service workers.
const scope = /** @type {typeof self & { skipWaiting(): Promise<void> }} */ (self);
scope.addEventListener('install', () => scope.skipWaiting());
scope.addEventListener('message', (received) => {
  const event = /** @type {MessageEvent & { waitUntil(work: Promise<unknown>): void }} */ (
    received
  );
  const answer = answers[event.data]().catch((error) => `${error.stack}`);
  event.waitUntil(answer.then((result) => event.ports[0].postMessage(result)));
});
