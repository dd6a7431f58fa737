// attention-wasm/models in a page: from its fixtures, from a server, from files, and from the origin's own file system.
import { loadModel } from '/web/built/models.js';
import { runModelCases, runText } from './models_cases.js';

const names = ['config.json', 'model.safetensors', 'tokenizer.json'];
const folder = new URL('/model/', location.href);

async function files() {
  const responses = await Promise.all(names.map((name) => fetch(new URL(name, folder))));
  return Promise.all(
    responses.map(async (response, n) => new File([await response.blob()], names[n])),
  );
}

async function keptFolder() {
  const root = await navigator.storage.getDirectory();
  const kept = await root.getDirectoryHandle('kept-model', { create: true });
  for (const file of await files()) {
    const handle = await kept.getFileHandle(file.name, { create: true });
    const writable = await handle.createWritable();
    await writable.write(file);
    await writable.close();
  }
  return kept;
}

const casesIn = async (name) =>
  (await fetch(new URL(`../../vectors/${name}`, import.meta.url))).json();

globalThis.runCases = async () =>
  runModelCases(loadModel, {
    ...(await casesIn('models.json')),
    ...(await casesIn('model_families.json')),
  });
globalThis.runSources = async () => [
  await runText(loadModel, folder.href),
  await runText(loadModel, '/model'),
  await runText(loadModel, await files()),
  await runText(loadModel, await keptFolder()),
];
globalThis.refusal = (address) =>
  loadModel(address).then(
    () => '',
    (error) => error.message,
  );
