// Worker of pool_shares.js: computes an attention whose inputs it has, each time it is asked to.
import { loadAttention } from '../../web/built/index.js';

const port = globalThis.postMessage ? globalThis : (await import('node:worker_threads')).parentPort;
const listen = (use) =>
  port.on ? port.on('message', use) : (port.onmessage = ({ data }) => use(data));

const { attention } = await loadAttention();
let inputs;
listen((message) => {
  if (message.inputs) ({ inputs } = message);
  else attention(inputs.q, inputs.k, inputs.v, inputs.options);
  port.postMessage('done');
});
port.postMessage('ready');
