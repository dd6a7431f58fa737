// The model that is open. One takes the place of another once it is there; what cannot be opened leaves all as it was.

import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { ConfigFields } from '../../../../lib/models/config_fields.js';
import { describeModel } from '../../../../lib/models/families.js';
import { readDistances } from './distance_bias.js';
import { keepModel, keptModel, keptModels, removeModel } from './kept_models.js';
import { bytesAs, cardOf } from './model_card.js';
import { addressedFolder, chosenFolder, keptFolder } from './model_folder.js';
import { rulesOf as picturesOf, seePicture } from './seen_picture.js';

let current = null;
let last = 0;
let working = null; // the AbortController of what is being opened or kept

/** { id, name, model, description, … } or null. */
export const openModel = () => current;

function begin() {
  working?.abort();
  working = new AbortController();
  return working.signal;
}

/** Gives up what is being opened or kept. */
export function cancel() {
  working?.abort();
}

async function folderFor({ files, address, kept }, signal) {
  if (files) return chosenFolder(files);
  if (address) return addressedFolder(address, signal);
  return keptFolder(kept, await keptModel(kept));
}

/** Has the model look at a picture. */
async function look(file) {
  if (!current?.rules) throw new Error('the model that is open reads texts');
  const { pixels, bitmap } = await seePicture(file, current.rules);
  current.pixels = pixels;
  return { ...(await answer(`${file.name} is looked at`)), bitmap };
}

/** What says how far it is; of files of several parts the part that is being read. */
const progressOf =
  (report, doing) =>
  ({ loaded, total, file }) =>
    report({
      text: `${doing} ${file}: ${bytesAs(loaded)} of ${bytesAs(total)}`,
      fraction: total > 0 ? loaded / total : 1,
    });

/**
 * Has the model that is open look at { picture: a file }, or opens { files: [{ path, file }] }, { address } or { kept: a name }; `weights` as loadModel() takes them. Resolves to
 * what the page is told, or rejects with a sentence.
 */
export async function open({ weights, picture, ...from }, { report }) {
  if (picture) return look(picture);
  const signal = begin();
  try {
    const folder = await folderFor(from, signal);
    const opened = await load(folder, { weights, signal, report });
    current?.model.delete();
    current = { ...opened, id: ++last, isKept: from.kept !== undefined };
    return await answer(`${current.name} is open`, current.modes);
  } catch (error) {
    throw signal.aborted ? new Error('Opening was cancelled') : error;
  }
}

async function load(folder, { weights, signal, report }) {
  const model = await loadModel(folder.source, {
    api: await loadAttention(),
    signal,
    weights,
    onProgress: progressOf(report, 'Reading'),
  });
  try {
    const description = describeModel(model.type, new ConfigFields(model.config));
    const patches = description.self?.patches;
    if (patches && patches.channels !== 3) {
      throw new Error(`it looks at pictures of ${patches.channels} colours, which are none`);
    }
    await readDistances(description, folder);
    const card = await cardOf({ model, description, folder, weights });
    const generation = await configOf(folder, 'generation_config.json');
    const start = (name) => generation[name] ?? model.config[name] ?? undefined;
    signal.throwIfAborted();
    return {
      ...{ name: nameOf(folder, model), folder, model, description, card },
      modes: description.self ? ['self'] : ['cross', 'self'],
      ...(patches && {
        rules: picturesOf(await configOf(folder, 'preprocessor_config.json'), patches),
      }),
      decoderStart: start('decoder_start_token_id'),
      ends: [start('eos_token_id')].flat(),
      isNaming: namesWords(model, description),
      mask: maskOf(model),
    };
  } catch (error) {
    model.delete();
    throw error;
  }
}

/** Its folder's, or what its config says it was saved as. */
function nameOf(folder, { config, type }) {
  const { _name_or_path: saved } = config;
  const last = typeof saved === 'string' ? saved.split('/').filter(Boolean).at(-1) : undefined;
  return folder.name || last || type;
}

/** Whether its head tells words: which follows, or which stands there. */
function namesWords(model, { self, vocabulary }) {
  if (!self) return canWrite(model);
  if (self.patches) return false;
  const { logits } = model.run({ ids: [0] });
  return logits?.dims.length === 2 && logits.dims[1] === vocabulary;
}

function canWrite(model) {
  try {
    model.generate({ ids: [0] }); // which begins when it is asked for a token
    return true;
  } catch {
    return false;
  }
}

/** How its vocabulary spells a word that is left out; undefined where it has none. */
const maskOf = ({ tokenizer }) =>
  ['[MASK]', '<mask>'].find((mask) => {
    const ids = tokenizer?.encodePlain(mask) ?? [];
    return ids.length === 1 && tokenizer.tokenOf(ids[0]) === mask;
  });

/** What a file that need not be there says. */
async function configOf(folder, path) {
  try {
    return Object(JSON.parse((await folder.text(path)) ?? '{}'));
  } catch {
    return {};
  }
}

export async function close() {
  const { name, model } = current;
  current = null;
  model.delete();
  return answer(`${name} is closed`);
}

/** { act: 'list' }, { act: 'keep' } the one that is open, or { act: 'remove', name }. */
export async function keep({ act, name }, { report }) {
  if (act === 'remove') {
    await removeModel(name);
    if (current?.name === name) current.isKept = false;
    return answer(`${name} is kept no more`);
  }
  if (act === 'list') return answer('');
  const signal = begin();
  try {
    await keepModel(current, { signal, report: progressOf(report, 'Keeping') });
  } catch (error) {
    throw signal.aborted ? new Error('Keeping was cancelled') : error;
  }
  current.isKept = true;
  return answer(`${current.name} is kept for your next visit`);
}

/** All that the page has to know; `modes`: of a model that has just been opened. */
async function answer(text, modes) {
  const kept = await keptModels();
  return {
    ...{ text, modes, model: current && pickCard(current) },
    kept: kept.map(({ name, bytes }) => ({ name, size: bytesAs(bytes) })),
  };
}
const pickCard = ({ id, name, card, isKept, rules }) => {
  return { id, name, card, isKept, seesPictures: rules !== undefined };
};
