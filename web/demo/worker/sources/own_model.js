// A trained model of the reader's own, from the files it was published as: they stay on the machine. How it is opened
// and what it makes of texts is in own_model/, which is fetched with attention-wasm/models when one is asked for:
//   model_folder   where its files are, as loadModel() takes a folder, and which of them were read
//   open_model     the one that is open: opened, taken away, kept for the next visit
//   model_reading  a text, or two, → Reading; model_parts: q, k, v of a run → Parts; token_labels: tokens → Labels
//   likeliest      logits → the words that may stand somewhere

export const id = 'own';
export const name = 'Your model';
export const says =
  'A trained model of your own, from its files: config.json, model.safetensors, tokenizer.json.';
export const meaning = 'Your model knows what whoever trained it put in.';
export const settings = ['model'];
export const fields = {
  cross: ['What it writes: yours, or its own', 'What it reads'],
  encoder: ['What it reads: each word', 'What it reads: what a word looks at'],
  decoder: ['What it writes: each word', 'What it writes: what a word looks back at'],
};
export const examples = [];

const room = () => import('./own_model/open_model.js');

export const open = async (...given) => (await room()).open(...given);
export const close = async () => (await room()).close();
export const cancel = async () => (await room()).cancel();
export const keep = async (...given) => (await room()).keep(...given);
export const read = async (...given) =>
  (await import('./own_model/model_reading.js')).read(...given);
