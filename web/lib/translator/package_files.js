// The files that come with the package, seen from web/built, where this ends up.

// Each spelled out in one expression, as bundlers want to see it, and not before it is asked for: a classic
// script has no address of its own to start from.
const addresses = {
  weights: () => new URL('../model/english_french.safetensors', import.meta.url),
  tokenizer: () => new URL('../model/tokenizer.json', import.meta.url),
};

const advice =
  'pass loadTranslator({ weights, tokenizer }): bytes, and parsed JSON, or URLs of ' +
  "'attention-wasm/english_french.safetensors' and 'attention-wasm/tokenizer.json'";

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
    throw new Error(
      `the file of ${name} was not found beside the package's code: ${advice} (${cause.message})`,
      { cause },
    );
  }
}
