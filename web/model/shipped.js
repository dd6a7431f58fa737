// The shipped translator, or one with other weights and the same vocabulary, and its model.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** { translator, model() }: the second as loadModel() gives it. config.json of other sizes lies beside the weights. */
export async function loadShipped(file = pathOf('english_french.safetensors')) {
  const weights = readFileSync(file);
  const ownConfig = join(dirname(file), 'config.json');
  const config = readJson(existsSync(ownConfig) ? ownConfig : pathOf('config.json'));
  const tokenizer = readJson(pathOf('tokenizer.json'));
  return {
    translator: await loadTranslator({ weights, config }),
    model: () => loadModel({ config, weights, tokenizer }),
  };
}
