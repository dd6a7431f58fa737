// What a model is run on: a text, two of them, ids, or a picture; and what of it is wanted.
import { describe } from '../arguments/describe.js';
import { boolean, isList, number, readOptions, string } from '../arguments/options.js';

const most = 2 ** 31;

/** Whole numbers of an array, a typed array or a tensor. */
function readIds(name, given) {
  const list = isList(given) ? given : given?.data;
  if (!isList(list)) {
    throw new TypeError(`${name} must be an array of whole numbers, found ${describe(given)}`);
  }
  if (list.length === 0) throw new RangeError(`${name} must be at least one token, found none`);
  return Array.from(list, (id, at) => {
    const number = typeof id === 'bigint' ? Number(id) : id;
    if (Number.isInteger(number) && number >= 0 && number < most) return number;
    const Problem = typeof number === 'number' ? RangeError : TypeError;
    throw new Problem(`${name}[${at}] must be a whole number of at least 0, found ${describe(id)}`);
  });
}

// Of a token, more than any text needs: of a longer one it would take long to find the tokens that are too many.
const mostLetters = 64;

function ofText(tokenizer, most, text, second) {
  const letters = text.length + (second?.length ?? 0);
  if (letters > mostLetters * most) {
    throw new RangeError(`the text has ${letters} letters, which is no text of ${most} tokens`);
  }
  if (tokenizer) {
    const read = tokenizer.encode(text, second);
    if (read.ids.length > 0) return read;
    throw new RangeError('the text has no tokens');
  }
  throw new TypeError(
    'the model came without a tokenizer: give { ids } instead of a text, or make tokenizer.json: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)',
  );
}

function ofIds(input, tokenizer) {
  const accepted = ['ids', 'typeIds', 'decoderIds'];
  const stranger = Object.keys(input).find((name) => !accepted.includes(name));
  if (stranger !== undefined) {
    throw new TypeError(`an input of ids has no '${stranger}'; it has ${accepted.join(', ')}`);
  }
  const ids = readIds('ids', input.ids);
  const optional = (name) => {
    const value = input[name] ?? undefined;
    return value === undefined ? undefined : readIds(name, value);
  };
  const typeIds = optional('typeIds');
  if (typeIds && typeIds.length !== ids.length) {
    throw new RangeError(`typeIds are ${typeIds.length} but ids are ${ids.length}`);
  }
  return {
    ...{ ids, typeIds, decoderIds: optional('decoderIds') },
    ...(tokenizer && { tokens: ids.map((id) => tokenizer.tokenOf(id)) }),
  };
}

/** { ids, typeIds?, decoderIds?, tokens?, spans?, parts? } or { pixels }; most: tokens that there may be. */
export function readInput(input, { tokenizer, isImage, most }) {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  if (isImage) {
    const pixels = isObject ? input.pixels : undefined;
    if (pixels !== undefined && pixels !== null) return { pixels };
    throw new TypeError(`the model looks at pictures: give { pixels }, found ${describe(input)}`);
  }
  if (typeof input === 'string') return ofText(tokenizer, most, input);
  const isPair = Array.isArray(input) && input.length === 2;
  if (isPair && input.every((text) => typeof text === 'string')) {
    return ofText(tokenizer, most, ...input);
  }
  if (isObject && Object.hasOwn(input, 'ids')) return ofIds(input, tokenizer);
  throw new TypeError(
    `the input must be a text, [text, text] or { ids }, found ${describe(input)}`,
  );
}

/** true, 'average', or numbers of layers. */
export function layersWanted(value) {
  if (typeof value === 'boolean' || value === 'average') return value;
  if (isList(value)) {
    return Array.from(value, (layer, at) => {
      if (Number.isInteger(layer) && layer >= 0) return layer;
      throw new RangeError(
        `attentions[${at}] must be the number of a layer, found ${describe(layer)}`,
      );
    });
  }
  throw new TypeError(
    `attentions must be true, 'average' or an array of layers, found ${describe(value)}`,
  );
}

/** n → what layer n is asked for: true, 'average' or false. */
export function ofEachLayer(attentions = false, count) {
  if (!Array.isArray(attentions)) return () => attentions;
  const beyond = attentions.find((layer) => layer >= count);
  if (beyond !== undefined) {
    throw new RangeError(
      `attentions name layer ${beyond}, but the model has layers 0 to ${count - 1}`,
    );
  }
  return (n) => attentions.includes(n);
}

/** A whole number of at least `least` and at most `most`, or undefined. */
export function whole(name, value, least, most = Infinity) {
  if (value === undefined) return value;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new RangeError(`${name} must be a whole number ${range}, found ${value}`);
}

/** How many tokens a stack may read: as many as it has positions, or fewer. */
export function requireRoom({ longest }, { maxInput = Infinity }, count) {
  if (count > longest) {
    throw new RangeError(`there are ${count} tokens, but the model has positions for ${longest}`);
  }
  if (count > maxInput) {
    throw new RangeError(`there are ${count} tokens, but maxInput is ${maxInput}`);
  }
}

const kinds = {
  attentions: layersWanted,
  hiddenStates: boolean,
  projections: boolean,
  logits: boolean,
  decoder: string,
  maxInput: number,
};

export function readRunOptions(options) {
  const read = readOptions('run', options, kinds);
  whole('maxInput', read.maxInput, 1);
  return read;
}
