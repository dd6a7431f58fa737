// Origin of an export: the model or the files, the layer and the head. Each export has it in its name and in its content.

import { readIdentity } from '../../model_identity.js';
import { currentPart } from '../../state/derived.js';
import { viewNamed } from '../../view_list.js';

/** @import { State } from '../../state/types' */
/** @import { Facts, Picture } from '../../types' */

/**
 * The part of what is shown that an export reads.
 * @typedef {object} Shown
 * @property {Pick<State, 'source' | 'model' | 'file'>} state
 * @property {Pick<Facts, 'part' | 'parts'>} facts
 * @property {Pick<Picture, 'average' | 'heads'>} picture
 * @property {{ head: number }} selection
 * @property {{ view: string }} settings
 */

/** The source of the weights as a name; '' for those of the page. */
export function sourceName({ source, model, file }) {
  if (source === 'own') return readIdentity(model)?.name ?? '';
  return source === 'files' ? file.replaceAll('/', ', ') : '';
}

/**
 * { model } or { files }, { part }, and { head } from 1 on, where one head is shown.
 * @param {Shown} shown
 */
export function originOf({ state, facts, picture, selection, settings }) {
  const { source, model, file } = state;
  const identity = source === 'own' ? readIdentity(model) : null;
  const { name } = currentPart(facts);
  const isOne = viewNamed(settings.view).shows === 'head' && !picture.average;
  return {
    ...(identity && {
      model: {
        name: identity.name,
        type: identity.type,
        bytes: identity.bytes,
        hash: identity.hash,
      },
    }),
    ...(source === 'model' && { model: { name: 'English–French model of attention-wasm' } }),
    ...(source === 'files' && { files: file.split('/') }),
    ...(viewNamed(settings.view).shows !== 'all' && { part: name }),
    ...(isOne && picture.heads > 1 && { head: selection.head + 1 }),
  };
}

/** The same as a text, without commas, which CSV would quote: “gpt2 · layer 2 · head 1”. */
export function originText(shown) {
  const { model, files, part, head } = originOf(shown);
  const name = model?.name ?? files?.join(', ');
  // A file with one layer is the part.
  const layer = part !== name && part?.replaceAll(', ', ' · ');
  return [name, layer, head && `head ${head}`].filter(Boolean).join(' · ');
}

/** A text as part of a file's name. */
const inName = (text) =>
  [...text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}.-]+/gu, '-')]
    .slice(0, 60)
    .join('')
    .replace(/^[-.]+|[-.]+$/g, '');

/**
 * Name of an exported file, such as attention_gpt2_layer-2_head-1.csv; `what` it is, besides the picture.
 * @param {Shown} shown
 * @param {{ what?: string, ending: string }} file
 */
export function fileName(shown, { what = '', ending }) {
  const { part, head } = originOf(shown);
  const source = sourceName(shown.state);
  const layer = part === source || !part ? '' : part[0].toLowerCase() + part.slice(1);
  const plain = source.replaceAll(/\.(?:json|npy|npz|safetensors)\b/g, '');
  const named = ['attention', plain, layer, head && `head ${head}`, what]
    .filter(Boolean)
    .map(inName)
    .filter(Boolean);
  return `${named.join('_')}.${ending}`;
}
