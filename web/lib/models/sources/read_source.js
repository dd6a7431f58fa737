// Whatever a model may come from, as one thing: its config, its weights, and what else is beside them.
import { describe } from '../../arguments/describe.js';
import { typedArrayName } from '../../arguments/typed_array.js';
import { givenWeights } from '../given_weights.js';
import { spell } from '../../safetensors/malformed.js';
import { openWeights } from '../stored_weights.js';
import { chosenFiles } from './chosen_files.js';
import { directoryHandle } from './directory_handle.js';
import { readJson } from './file_text.js';
import { isInnerPath } from './inner_path.js';

const accepted =
  'the address of a folder, files, a FileSystemDirectoryHandle or { config, weights, tokenizer }';

const isObject = (value) => typeof value === 'object' && value !== null;
const isFileList = (value) =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object FileList]';
const isBlob = (value) => typeof value?.slice === 'function' && Number.isSafeInteger(value.size);

function folderOf(source, openAddress) {
  if (typeof source === 'string' || source instanceof URL) return openAddress(source);
  if (isFileList(source)) {
    const files = Array.from(source);
    const stranger = files.find((file) => !isBlob(file) || typeof file.text !== 'function');
    if (files.length > 0 && stranger === undefined) return chosenFiles(files);
    const found = files.length === 0 ? 'none' : describe(stranger);
    throw new TypeError(`the files of a model must be Files, found ${found}`);
  }
  if (isObject(source) && typeof source.getFileHandle === 'function')
    return directoryHandle(source);
  return undefined;
}

/** The files of weights: one, or the shards that an index names. */
async function weightFiles(folder) {
  const name = 'model.safetensors';
  const source = await folder.bytes(name);
  if (source) return [{ name, source }];
  const index = await readJson(folder, 'model.safetensors.index.json', { optional: true });
  if (index === undefined) {
    throw new Error(
      `there is no model.safetensors of ${folder.place}, nor an index of shards; weights in other files ` +
        '(.bin, .pt, .h5, .onnx) are not read: save_pretrained() writes safetensors',
    );
  }
  const places = isObject(index?.weight_map) ? Object.values(index.weight_map) : [];
  const names = [...new Set(places)].sort();
  const stranger = names.findIndex((name) => !isInnerPath(name));
  if (names.length === 0 || stranger >= 0) {
    const found = stranger < 0 ? 'none' : spell(names[stranger]);
    throw new RangeError(
      `model.safetensors.index.json of ${folder.place} must name its files in 'weight_map', found ${found}`,
    );
  }
  const files = [];
  for (const name of names) {
    const source = await folder.bytes(name);
    if (!source) throw new Error(`there is no ${name} of ${folder.place}, which its index names`);
    files.push({ name, source });
  }
  return files;
}

async function fromFolder(folder, report, signal) {
  const config = await readJson(folder, 'config.json');
  const weights = await openWeights(await weightFiles(folder), report, signal);
  return {
    config,
    weights,
    json: (name) => readJson(folder, name, { optional: true }),
    text: (name) => folder.text(name),
    close: async () => folder.close?.(),
  };
}

/** Bytes in memory as a file: copied when they are read, because what is made of them may outlive them. */
function asFile(bytes) {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  const slice = (begin, end) => ({ arrayBuffer: async () => view.slice(begin, end).buffer });
  return { size: view.length, slice };
}

function weightsOf(given, report, signal) {
  const kind = Object.prototype.toString.call(given);
  const isBytes = ArrayBuffer.isView(given) || /^\[object (Shared)?ArrayBuffer\]$/.test(kind);
  const isHandle = typeof given?.read === 'function' && typeof given.stat === 'function';
  if (isBytes || isHandle || isBlob(given)) {
    const source = isBytes ? asFile(given) : given;
    return openWeights([{ name: given.name ?? 'weights', source }], report, signal);
  }
  if (typeof given === 'function' || (isObject(given) && typedArrayName(given) === undefined)) {
    return givenWeights(given);
  }
  throw new TypeError(
    `weights must be bytes, a Blob, a FileHandle or tensors by their names, found ${describe(given)}`,
  );
}

/**
 * { config, weights, json(name), text(name), close() }.
 *
 * @param {(address: string | URL) => object} openAddress a folder for an address
 */
export async function readSource(source, { openAddress, report, signal }) {
  const folder = folderOf(source, openAddress);
  if (folder) {
    try {
      return await fromFolder(folder, report, signal);
    } catch (error) {
      await folder.close?.();
      throw error;
    }
  }
  if (!isObject(source) || !Object.hasOwn(source, 'config')) {
    throw new TypeError(`a model is loaded from ${accepted}, found ${describe(source)}`);
  }
  const { config, weights, tokenizer } = source;
  const given = new Map([['tokenizer.json', tokenizer]]);
  return {
    config,
    weights: await weightsOf(weights, report, signal),
    json: async (name) => given.get(name) ?? undefined,
    text: async () => undefined,
    close: async () => {},
  };
}
