// The translator that ships, or one of other weights of the same vocabulary, and its parts for measuring.
import { readFileSync } from 'node:fs';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { parseSafetensors } from '../lib/safetensors.js';
import { Model } from '../lib/translator/model.js';

const shippedFile = new URL('english_french.safetensors', import.meta.url);

export async function loadShipped(file = shippedFile) {
  const weights = readFileSync(file);
  const translator = await loadTranslator({ weights });
  return {
    translator,
    model: async () => new Model(await loadAttention(), parseSafetensors(weights)),
  };
}
