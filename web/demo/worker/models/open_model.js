// The open model. A newly loaded one replaces it; a failed load leaves it open.

import { loadModel } from 'attention-wasm/models';
import { bytesAs } from '../../byte_count.js';
import { readIdentity } from '../../model_identity.js';
import { kernelsOf } from '../kernels.js';
import { keepModel, keptModel, keptModels, placeOf, removeModel } from './kept_models.js';
import { identityOf } from './identity.js';
import { cardOf } from './model_card.js';
import { addressedFolder, chosenFolder, keptFolder } from './model_folder.js';
import { rulesOf as picturesOf, seePicture } from './image_input.js';
import { createVocabularyTexts } from './vocabulary_texts.js';

/** @import { Keeping, ModelFrom, OpenModel } from '../messages' */
/** @import { OpeningContext } from '../types' */

let current = null;
const pools = new Map(); // by their kernels; each computes one model after another
let changing = null; // promise of the open model with other kernels
let last = 0;
let working = null; // AbortController of the current load

/** { id, name, model, description, … } or null. */
export const openModel = () => current;

/** The open model, loaded again if it was loaded for another API's kernels. */
export async function openModelFor({ api, report }) {
  while (current && current.kernels !== api.kernels) {
    changing ??= change(api, report).finally(() => (changing = null));
    await changing;
  }
  return current;
}

async function change(api, report) {
  const before = current;
  const { folder, weights } = before;
  const signal = begin();
  const opened = await load(folder, { api, weights, signal, report }).catch((error) => {
    throw canceledOr(signal, error);
  });
  const { id, isKept, pixels } = before;
  if (current === before) replace({ ...opened, id, isKept, pixels });
  else opened.free(); // it was closed, or another was opened
}

/** Opens a loaded model in place of the current one; workers with other kernels end. */
function replace(opened) {
  current?.free();
  current = opened;
  for (const [kernels, pool] of pools) {
    if (kernels === opened.kernels) continue;
    pools.delete(kernels);
    pool.close();
  }
}

function begin() {
  working?.abort();
  working = new AbortController();
  return working.signal;
}

/** The error of a load, or that it was canceled. */
const canceledOr = (signal, error) => (signal.aborted ? new Error('Opening was canceled') : error);

/** Cancels the current load. */
export function cancel() {
  working?.abort();
}

/**
 * @param {ModelFrom} from
 * @param {AbortSignal} signal
 */
async function folderFor({ files, address, kept }, signal) {
  if (files) return chosenFolder(files);
  if (address) return addressedFolder(address, signal);
  if (kept === undefined) throw new Error('there are no files');
  const { name, handle } = await keptModel(kept);
  return keptFolder(name, handle);
}

/** Runs the model on an image. */
async function look(file) {
  if (!current?.rules) throw new Error('the model that is open reads texts');
  const { pixels, bitmap } = await seePicture(file, current.rules);
  current.pixels = pixels;
  return { ...(await answer(`The model has looked at ${file.name}`)), bitmap };
}

/** Progress callback: text and fraction for the file being read. */
const progressOf =
  (report, doing) =>
  ({ loaded, total, file }) =>
    report({
      text: `${doing} ${file}: ${bytesAs(loaded)} of ${bytesAs(total)}`,
      fraction: total > 0 ? loaded / total : 1,
    });

/**
 * Runs the open model on { picture: a file }, or opens { files: [{ path, file }] }, { address } or { kept: a name };
 * `weights` as in loadModel(). Resolves to an answer for the page, or rejects with a message.
 * @param {ModelFrom} model
 * @param {OpeningContext} context
 */
export async function open({ weights, picture, ...from }, { api, report }) {
  if (picture) return look(picture);
  const signal = begin();
  try {
    const folder = await folderFor(from, signal);
    const opened = await load(folder, { api, weights, signal, report });
    replace({ ...opened, id: ++last, isKept: from.kept !== undefined });
    return await answer(`${current.name} is open`, current);
  } catch (error) {
    throw canceledOr(signal, error);
  }
}

/** A pool with the API's kernels, or the API if there is one core or workers cannot start workers. */
async function computing(api) {
  const { navigator, Worker } = globalThis;
  if (!(navigator?.hardwareConcurrency > 1 && Worker)) return { api };
  const { loadAttentionPool } = await import('attention-wasm/pool');
  const { kernels } = api;
  if (!pools.has(kernels)) {
    pools.set(kernels, await loadAttentionPool({ kernels: await kernelsOf(api) }));
  }
  return { pool: pools.get(kernels) };
}

async function load(folder, { api, weights, signal, report }) {
  const model = await loadModel(folder.source, {
    ...(await computing(api)),
    signal,
    weights,
    onProgress: progressOf(report, 'Reading'),
  });
  try {
    const { description } = model;
    const patches = description.self?.patches;
    if (patches && patches.channels !== 3) {
      throw new Error(
        `its images have ${patches.channels} channels, expected 3 (red, green, blue)`,
      );
    }
    const card = await cardOf({ model, folder, weights });
    const generation = await configOf(folder, 'generation_config.json');
    const start = (name) => generation[name] ?? model.config[name] ?? undefined;
    const name = await nameOf(folder, model);
    const identity = await identityOf(folder, { type: model.type, name });
    signal.throwIfAborted();
    const opened = {
      ...{ name, identity, folder, weights, model, description, card },
      kernels: api.kernels,
      free: () => model.delete(),
      modes: description.self ? ['self'] : ['cross', 'self'],
      ...(patches && {
        rules: picturesOf(await configOf(folder, 'preprocessor_config.json'), patches),
      }),
      decoderStart: start('decoder_start_token_id'),
      ends: [start('eos_token_id')].flat(),
      isNaming: await namesWords(model),
      isClassifier: /ForSequenceClassification/.test(model.config.architectures?.[0]),
      mask: maskOf(model),
    };
    return { ...opened, texts: createVocabularyTexts(opened) };
  } catch (error) {
    model.delete();
    throw error;
  }
}

/** Name of the folder, else the name in the config, else that of the weights' file, unless it is the usual one. */
async function nameOf(folder, { config, type }) {
  const { _name_or_path: saved } = config;
  const last = typeof saved === 'string' ? saved.split('/').filter(Boolean).at(-1) : undefined;
  return folder.name || last || (await folder.weightsName()) || type;
}

/** True if its logits are over the vocabulary: of the next token, or of a masked one. */
async function namesWords(model) {
  const { description, vocabularySize, canGenerate } = model;
  if (canGenerate || !description.self || description.self.patches) return canGenerate;
  const { logits } = await model.run({ ids: [0] });
  return logits?.dims.length === 2 && logits.dims[1] === vocabularySize;
}

/** Mask token of its vocabulary, or undefined. */
const maskOf = ({ tokenizer }) =>
  ['[MASK]', '<mask>'].find((mask) => {
    const ids = tokenizer?.encodePlain(mask) ?? [];
    return ids.length === 1 && tokenizer.tokenOf(ids[0]) === mask;
  });

/** An optional JSON file, {} if missing. */
async function configOf(folder, path) {
  try {
    return Object(JSON.parse((await folder.text(path)) ?? '{}'));
  } catch {
    return {};
  }
}

export async function close() {
  const { name, free } = current;
  current = null;
  free();
  return answer(`${name} is closed`);
}

/**
 * Lists what is kept, keeps the open model, or removes one.
 * @param {Keeping} what
 * @param {OpeningContext} context
 */
export async function keep(what, { report }) {
  if (what.act === 'remove') {
    const { place, name } = what;
    await removeModel(place);
    if (current && placeOf(current) === place) current.isKept = false;
    return answer(`${name} is kept no more`);
  }
  if (what.act === 'list') return answer('');
  const signal = begin();
  try {
    await keepModel(current, { signal, report: progressOf(report, 'Keeping') });
  } catch (error) {
    throw signal.aborted ? new Error('Keeping was canceled') : error;
  }
  current.isKept = true;
  return answer(`${current.name} is kept for your next visit`);
}

/**
 * Answer for the page; `opened`: a newly opened model, whose modes and stacks it has.
 * @returns {Promise<OpenModel>}
 */
async function answer(text, opened) {
  const kept = await keptModels();
  return {
    ...{ text, model: current && pickCard(current) },
    ...(opened && { modes: opened.modes, stacks: stacksOf(opened.description) }),
    kept: kept.map(keptLine),
  };
}

/** A kept model in the list; one of several with the same name has its hash too. */
function keptLine({ name, bytes, place, identity = '' }, at, all) {
  const { type, hash } = readIdentity(identity) ?? {};
  const isAlone = all.filter((other) => other.name === name).length === 1;
  return {
    ...{ place, identity, name: isAlone || !hash ? name : `${name} (${hash})` },
    size: [type, bytesAs(bytes)].filter(Boolean).join(', '),
  };
}

/** { layers, heads } of each stack as parts name it. */
function stacksOf({ self, encoder, decoder }) {
  const sizeOf = ({ layers, heads }) => ({ layers: layers.length, heads });
  if (self) return { self: sizeOf(self) };
  return { cross: sizeOf(decoder), decoder: sizeOf(decoder), encoder: sizeOf(encoder) };
}

const pickCard = ({ id, name, identity, card, isKept, rules }) => {
  return { id, name, identity, card, isKept, seesPictures: rules !== undefined };
};
