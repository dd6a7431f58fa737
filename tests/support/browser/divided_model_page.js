// A model on a pool of two workers in this page; the test calls globalThis.runDivided(name).
import { loadModel } from '/web/built/models.js';
import { loadAttentionPool } from '/web/built/pool.js';
import { dividing } from '../js/dividing.js';
import { runModelCases } from './models_cases.js';

const fixture = new URL('../../vectors/models.json', import.meta.url);

let shared; // of the last task of a run
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function watch(message, transfer) {
  if (message.task === 'run') shared = message.shared !== undefined;
  postMessage.call(this, message, transfer);
};

globalThis.runDivided = async (name) => {
  const cases = await (await fetch(fixture)).json();
  const pool = await loadAttentionPool({ workers: 2 });
  const load = (source) => loadModel(source, { pool: dividing(pool) });
  const fingerprints = await runModelCases(load, { [name]: cases[name] });
  await pool.close();
  return { shared, fingerprints };
};
