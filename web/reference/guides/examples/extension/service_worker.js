// The folders attention-wasm, a copy of web/built, and model are parts of the extension. A service worker forbids import(), which
// attention-wasm/models uses; models_static.js does without.
import { loadModel } from './attention-wasm/models_static.js';

const open = (name) => fetch(chrome.runtime.getURL(`model/${name}`));
const json = async (name) => (await open(name)).json();

// By name, because a file that an extension has not is a network error there.
async function load() {
  const [config, tokenizer] = await Promise.all([json('config.json'), json('tokenizer.json')]);
  return loadModel({ config, tokenizer, weights: await (await open('model.safetensors')).blob() });
}
let loading;

// A content script or a page of the extension asks: await chrome.runtime.sendMessage('the cat sat')
chrome.runtime.onMessage.addListener((text, _sender, answer) => {
  loading ??= load();
  loading.then((model) => {
    const { tokens, attentions } = model.run(text, { attentions: true });
    const weights = attentions.self.at(-1); // of the last layer: heads × tokens × tokens
    answer({ tokens, dims: weights.dims, weights: Array.from(weights.data) }); // JSON
  });
  return true; // the answer comes later
});
