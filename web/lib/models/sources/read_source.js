// Opens the source of a model: a folder, files, or an object with config and weights.
import { describe } from '../../arguments/describe.js';
import { isUrl } from '../../arguments/is_url.js';
import { typedArrayName } from '../../arguments/typed_array.js';
import { memoryWeights } from './memory_weights.js';
import { spell } from '../../safetensors/malformed.js';
import { openWeights } from './weight_files.js';
import { chosenFiles } from './chosen_files.js';
import { directoryHandle } from './directory_handle.js';
import { isInnerPath, readJson, textOf } from './file_text.js';

const accepted =
  'the address of a folder, a result of openFolder(), files, a FileSystemDirectoryHandle or { config, weights, tokenizer }';

const isObject = (value) => typeof value === 'object' && value !== null;
const isFileList = (value) =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object FileList]';
const isBlob = (value) => typeof value?.slice === 'function' && Number.isSafeInteger(value.size);

/** Whether a value is a string or a URL. */
export const isAddress = (value) => typeof value === 'string' || isUrl(value);

/** Whether a value has the members of a folder; Blobs, too, have text() and bytes(). */
const isFolder = (value) =>
  typeof value.location === 'string' &&
  typeof value.text === 'function' &&
  typeof value.bytes === 'function';

function folderOf(source, openAddress) {
  if (isAddress(source)) return openAddress(source);
  if (isFileList(source)) {
    const files = Array.from(source);
    const notFile = files.find((file) => !isBlob(file) || typeof file.text !== 'function');
    if (files.length > 0 && notFile === undefined) return chosenFiles(files);
    const found = files.length === 0 ? 'none' : describe(notFile);
    throw new TypeError(`the files of a model must be Files, found ${found}`);
  }
  if (isObject(source) && typeof source.getFileHandle === 'function')
    return directoryHandle(source);
  if (isObject(source) && isFolder(source)) {
    const { location } = source;
    // Without close(), which is the caller's.
    return { location, text: (name) => source.text(name), bytes: (name) => source.bytes(name) };
  }
  return undefined;
}

/** The tensors of a module, which are in a folder inside that of the model. */
async function openModule(folder, path, signal) {
  const name = `${path}/model.safetensors`;
  const source = await required(folder.bytes, name, folder);
  if (source) return openWeights([{ name, source }], () => {}, signal);
  throw new Error(
    `missing ${name} of ${folder.location}; weights in other formats (.bin) are not supported`,
  );
}

// A server answers 403 for a missing file where its folder may not be listed, and 401 if it asks for a login.
const refusals = [401, 403];

const isRefusal = (error) => refusals.includes(error?.status);
const refusalOf = (name, { status }) =>
  `${name} was not read: the server returned status ${status}`;

/** read(name) of an optional file: one that a server refuses counts as missing, after refused(name, error). */
const optional = (read, refused) => async (name) => {
  try {
    return await read(name);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refused(name, error);
    return undefined;
  }
};

const accessError = (name, folder, cause) =>
  new Error(
    `no access to ${name} of ${folder.location}: the server returned status ${cause.status}, ` +
      'as for a folder that needs a login, or for a missing file in one that cannot be listed',
    { cause },
  );

/** read(name) of a required file. */
async function required(read, name, folder) {
  try {
    return await read(name);
  } catch (error) {
    throw isRefusal(error) ? accessError(name, folder, error) : error;
  }
}

/** A path without './' in front. */
const withoutDot = (path) => (typeof path === 'string' ? path.replace(/^(\.\/)+/, '') : path);

/** The weight files: model.safetensors, or the shards of an index. */
async function weightFiles(folder, warnings) {
  const name = 'model.safetensors';
  const indexName = 'model.safetensors.index.json';
  const refused = [];
  const read = (readFile) => optional(readFile, (...refusal) => refused.push(refusal));
  const source = await read(folder.bytes)(name);
  if (source) {
    if (await folder.has?.(indexName)) {
      warnings.push(`${indexName} was ignored: the folder has ${name}`);
    }
    return [{ name, source }];
  }
  const index = await read((file) => readJson(folder, file, { optional: true }))(indexName);
  if (index === undefined) {
    if (refused[0]) throw accessError(`${name} and ${indexName}`, folder, refused[0][1]);
    throw new Error(
      `missing model.safetensors or model.safetensors.index.json of ${folder.location}; weights in other formats ` +
        '(.bin, .pt, .h5, .onnx) are not supported; save_pretrained() writes safetensors',
    );
  }
  const paths = isObject(index?.weight_map) ? Object.values(index.weight_map) : [];
  const names = [...new Set(paths.map(withoutDot))].sort();
  const invalid = names.findIndex((name) => !isInnerPath(name));
  if (names.length === 0 || invalid >= 0) {
    const found = invalid < 0 ? 'none' : spell(names[invalid]);
    throw new RangeError(
      `model.safetensors.index.json of ${folder.location} must name its files in 'weight_map', found ${found}`,
    );
  }
  warnings.push(...refused.map((refusal) => refusalOf(...refusal)));
  const files = [];
  for (const name of names) {
    const source = await required(folder.bytes, name, folder);
    if (!source)
      throw new Error(`missing shard ${name} of ${folder.location}, which its index lists`);
    files.push({ name, source });
  }
  return files;
}

async function fromFolder(folder, report, signal) {
  const warnings = [];
  const warn = (...refusal) => warnings.push(refusalOf(...refusal));
  const config = await required((name) => readJson(folder, name), 'config.json', folder);
  const weights = await openWeights(await weightFiles(folder, warnings), report, signal);
  return {
    isFolder: true,
    config,
    weights,
    warnings,
    weightsIn: (path) => openModule(folder, path, signal),
    json: optional((name) => readJson(folder, name, { optional: true }), warn),
    text: optional((name) => textOf(folder, name), warn),
    bytes: optional(folder.bytes, warn),
    close: async () => folder.close?.(),
  };
}

/** Bytes in memory with the interface of a Blob. slice() copies, because tensors may outlive the caller's buffer. */
function asFile(bytes) {
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  const slice = (begin, end) => ({ arrayBuffer: async () => view.slice(begin, end).buffer });
  return { size: view.length, slice };
}

function openAnyWeights(weights, report, signal) {
  const kind = Object.prototype.toString.call(weights);
  const isBytes = ArrayBuffer.isView(weights) || /^\[object (Shared)?ArrayBuffer\]$/.test(kind);
  const isHandle = typeof weights?.read === 'function' && typeof weights.stat === 'function';
  if (isBytes || isHandle || isBlob(weights)) {
    const source = isBytes ? asFile(weights) : weights;
    return openWeights([{ name: weights.name ?? 'weights', source }], report, signal);
  }
  if (
    typeof weights === 'function' ||
    (isObject(weights) && typedArrayName(weights) === undefined)
  ) {
    return memoryWeights(weights);
  }
  throw new TypeError(
    `weights must be bytes, a Blob, a FileHandle or tensors by their names, found ${describe(weights)}`,
  );
}

/**
 * { isFolder, config, weights, warnings, json(name), text(name), bytes(name), close() }. warnings: sentences about what was found,
 * for model.warnings, also from later reads.
 *
 * @param {object | string | URL} source
 * @param {{ openAddress: (address: string | URL) => object, report?: Function, signal?: AbortSignal }} context openAddress
 *   returns the folder at an address
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
    throw new TypeError(`the source of a model must be ${accepted}, found ${describe(source)}`);
  }
  /** @type {{ config?: object, weights?: object, tokenizer?: object }} */
  const { config, weights, tokenizer } = source;
  const files = new Map([['tokenizer.json', tokenizer]]);
  return {
    isFolder: false,
    config,
    weights: await openAnyWeights(weights, report, signal),
    warnings: [],
    json: async (name) => files.get(name) ?? undefined,
    text: async () => undefined,
    bytes: async () => undefined,
    close: async () => {},
  };
}
