// URLs of files of the package, relative to web/built, where this module is bundled.
import { messageOf } from '../arguments/message_of.js';
import { nodeProcess } from '../module/node_process.js';

// Bundlers recognize only a literal `new URL(…, import.meta.url)`, and Nitro's file tracer only in a return statement.
// Evaluated lazily, because classic scripts have no import.meta.url.
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

/** The bytes at an address; `onChunk(loaded, total)` is called after each chunk, `total` being null if it is unknown. */
export async function fetchFile(url, onChunk) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} was answered with status ${response.status}`);
  return onChunk ? readChunks(response, onChunk) : response.arrayBuffer();
}

/** Reads the body twice: Chromium calls a request aborted whose body only a script has read. */
async function readChunks(response, onChunk) {
  const counted = countChunks(response.clone(), onChunk);
  const [bytes] = await Promise.all([response.arrayBuffer(), counted]);
  return bytes;
}

async function countChunks({ headers, body }, onChunk) {
  // The length of a compressed body is not that of the file.
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const total = length === null ? null : Number(length);
  const reader = body.getReader();
  for (let loaded = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    loaded += value.byteLength;
    onChunk(loaded, total);
  }
}

/** read(url) of a file of the package; adds advice to errors, because bundlers may move or omit the file. */
export async function readPackageFile(name, read) {
  try {
    return await read(addresses[name]());
  } catch (cause) {
    const advice = nodeProcess() ? onServers : onPages;
    throw new Error(
      `the package's file of ${name} could not be read: ${messageOf(cause)}. If it is missing, ${advice}`,
      {
        cause,
      },
    );
  }
}
