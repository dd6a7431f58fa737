// The files that come with the package, seen from web/built, where this ends up.
import { nodeProcess } from '../module/node_process.js';

// Each spelled out in one expression, as bundlers want to see it, and returned by a statement, as the file tracers of
// servers do (Nitro's finds none in the body of an arrow function). Not before it is asked for: a classic script has no
// address of its own to start from.
const addresses = {
  weights() {
    return new URL('../model/english_french.safetensors', import.meta.url);
  },
  tokenizer() {
    return new URL('../model/tokenizer.json', import.meta.url);
  },
};

const onPages =
  'pass loadTranslator({ weights, tokenizer }): bytes, and parsed JSON, or URLs of ' +
  "'attention-wasm/english_french.safetensors' and 'attention-wasm/tokenizer.json'";

const onServers =
  'pass loadTranslator({ weights, tokenizer }): the bytes of english_french.safetensors, and tokenizer.json parsed; ' +
  "or leave the package out of the bundle (Next.js: serverExternalPackages: ['attention-wasm'])";

export async function fetchFile(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} was answered with status ${response.status}`);
  return response.arrayBuffer();
}

/** What `read` makes of the package's file of weights, or of its vocabulary: it may be elsewhere after bundling. */
export async function readPackageFile(name, read) {
  try {
    return await read(addresses[name]());
  } catch (cause) {
    const advice = nodeProcess() ? onServers : onPages;
    throw new Error(
      `the file of ${name} was not found beside the package's code: ${advice} (${cause.message})`,
      { cause },
    );
  }
}
