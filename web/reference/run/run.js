// Runs the code of an example as a module with the package's files beside this folder: in a worker, or
// in a frame if it has HTML. Output, errors and its `weights` are sent through the port that came
// with the code.

import { printed } from './printed.js';

const files = {
  '': 'index.js',
  '/pool-worker': 'pool_worker.js',
  '/attention.wasm': 'attention.wasm',
};

/** Names of the package as addresses of its files. */
function withAddresses(code) {
  return code.replaceAll(/(['"])attention-wasm(\/[\w.-]+)?\1/g, (_, quote, entry = '') => {
    const file = files[entry] ?? `${entry.slice(1)}.js`;
    return JSON.stringify(new URL(`../modules/${file}`, location.href).href);
  });
}

// A module's variables are readable at its end.
const atTheEnd = `
const __atTheEnd = {
  weights: typeof weights === 'undefined' ? null : weights,
  tokens: typeof tokens === 'undefined' ? null : tokens,
};
export { __atTheEnd };`;

const refused =
  'The policy (CSP) of this server lets no typed code run: for the folder run/ its script-src needs blob:';

const sentenceOf = (error) =>
  error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${printed(error)}`;

/** Whether a value is a matrix, or several, that can be drawn. */
function matrixOf(tensor) {
  const { data, dims } = tensor ?? {};
  if (!(data instanceof Float32Array && Array.isArray(dims) && dims.length >= 2)) return null;
  const [rows, columns] = dims.slice(-2);
  const fits = rows > 0 && columns > 0 && rows <= 512 && columns <= 512;
  return fits ? { data: data.slice(0, rows * columns), dims: [rows, columns] } : null;
}

const namesOf = (tokens) =>
  Array.isArray(tokens) && tokens.every((token) => typeof token === 'string') ? tokens : null;

async function run(code, port) {
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) {
    console[name] = (...values) => port.postMessage({ print: printed(...values) });
  }
  const fail = (error) => port.postMessage({ error: sentenceOf(error) });
  addEventListener('error', ({ error, message }) => fail(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => fail(reason));
  addEventListener('securitypolicyviolation', ({ blockedURI }) => {
    if (blockedURI.startsWith('blob')) fail(new Error(refused));
  });
  const source = new Blob([withAddresses(code) + atTheEnd], { type: 'text/javascript' });
  const address = URL.createObjectURL(source);
  let shown = {};
  try {
    ({ __atTheEnd: shown } = await import(/* @vite-ignore */ address));
  } catch (error) {
    fail(error);
  } finally {
    URL.revokeObjectURL(address);
  }
  port.postMessage({
    done: true,
    weights: matrixOf(shown.weights),
    tokens: namesOf(shown.tokens),
    height: globalThis.document?.documentElement.offsetHeight,
  });
}

/** HTML of an example: its module script is the code, the rest is inserted into the page. */
function place(markup) {
  const code = [];
  const rest = markup.replaceAll(/<script type="module">([^]*?)<\/script>/g, (_, text) => {
    code.push(text);
    return '';
  });
  document.body.innerHTML = rest;
  return code.join('\n');
}

addEventListener('message', ({ data, origin, ports: [port] }) => {
  const inFrame = 'document' in globalThis;
  // A frame accepts code from its own page only.
  if (!port || (inFrame && origin !== location.origin)) return;
  run(inFrame ? place(data) : data, port);
});
