// The post-processors of tokenizer.json: functions from a list of encodings, one for each text, to another list. They add
// special tokens and set token types.
//
// An encoding is { ids, typeIds, spans, texts }: spans has undefined for special tokens; texts has [number, index], the
// first token of each text.
import { spend } from './budget.js';
import { readComponent } from './components.js';
import { id, isObject, listOf, oneOf, optional, readFields, refuse, string } from './fields.js';

const maxItems = 100; // of a template

const special = (ids, type) => ({
  ids,
  typeIds: ids.map(() => type),
  spans: ids.map(() => undefined),
  texts: [],
});

const withType = (encoding, type) => ({ ...encoding, typeIds: encoding.ids.map(() => type) });

/** One encoding of several. */
export function joinedEncodings(encodings) {
  if (encodings.length === 1) return encodings[0];
  let start = 0;
  const texts = encodings.flatMap((one) => {
    const moved = one.texts.map(([number, index]) => [number, index + start]);
    start += one.ids.length;
    return moved;
  });
  const all = (name) => encodings.flatMap((one) => one[name]);
  return { ids: all('ids'), typeIds: all('typeIds'), spans: all('spans'), texts };
}

/** [CLS] first [SEP], second [SEP]. */
function bert({ cls, sep }) {
  return (encodings) =>
    encodings.map((encoding, n) => {
      const end = special([sep], n === 0 ? 0 : 1);
      return joinedEncodings(n === 0 ? [special([cls], 0), encoding, end] : [encoding, end]);
    });
}

/** <s> first </s>, </s> second </s>, all of type 0. */
function roberta({ cls, sep }) {
  return (encodings) =>
    encodings.map((encoding, n) =>
      joinedEncodings([
        special([n === 0 ? cls : sep], 0),
        withType(encoding, 0),
        special([sep], 0),
      ]),
    );
}

/** The id of a [token, id] pair. */
function tokenAndId(value, label) {
  if (!Array.isArray(value) || value.length !== 2) refuse(label, '[token, id]', value);
  string(value[0], `${label}[0]`);
  return id(value[1], `${label}[1]`);
}

const itemFields = {
  Sequence: { id: oneOf(['A', 'B']), type_id: optional(id, 0) },
  SpecialToken: { id: string, type_id: optional(id, 0) },
};

/** An item of a template: { Sequence: { id, type_id } } or { SpecialToken: { id, type_id } }. */
function templateItem(value, label) {
  const [kind, ...others] = isObject(value) ? Object.keys(value) : [];
  if (others.length > 0 || !Object.hasOwn(itemFields, kind ?? '')) {
    refuse(label, '{ Sequence } or { SpecialToken }', value);
  }
  const { id: name, type_id: type } = readFields(value[kind], itemFields[kind], label);
  return { kind, name, type };
}

/** Ids by name of a template's special tokens. */
function specialTokens(value, label) {
  if (!isObject(value)) refuse(label, 'an object', value);
  /** @type {(entry: [name: string, token: unknown]) => [name: string, ids: number[]]} */
  const read = ([name, token]) => {
    const fields = { id: optional(string, name), ids: listOf(id), tokens: listOf(string) };
    const { ids, tokens } = readFields(token, fields, `'${name}' in ${label}`);
    if (ids.length === tokens.length) return [name, ids];
    return refuse(
      `'${name}' in ${label}`,
      'of as many ids as tokens',
      `${ids.length} ids and ${tokens.length} tokens`,
    );
  };
  return new Map(Object.entries(value).map(read));
}

function template({ single, pair, special_tokens: idsByName }) {
  for (const [name, items] of Object.entries({ single, pair })) {
    for (const one of items) {
      if (one.kind === 'SpecialToken' && !idsByName.has(one.name)) {
        throw new RangeError(
          `${name} of TemplateProcessing has the token '${one.name}', which special_tokens has not`,
        );
      }
      if (name === 'single' && one.name === 'B' && one.kind === 'Sequence') {
        throw new RangeError('single of TemplateProcessing has the second text, B');
      }
    }
  }
  return (encodings) => {
    if (encodings.length > 2) {
      throw new RangeError(
        `TemplateProcessing takes one or two texts, found ${encodings.length} results of the step before it`,
      );
    }
    return (encodings.length === 1 ? single : pair).map(({ kind, name, type }) => {
      if (kind === 'SpecialToken') return special(idsByName.get(name), type);
      const text = encodings[name === 'A' ? 0 : 1];
      spend(text.ids.length);
      return withType(text, type);
    });
  };
}

/** By type. */
export const postProcessors = {
  BertProcessing: { fields: () => ({ cls: tokenAndId, sep: tokenAndId }), create: bert },
  // Trims spans, which are trimmed here in any case.
  ByteLevel: { fields: () => ({}), create: () => (encodings) => encodings },
  RobertaProcessing: { fields: () => ({ cls: tokenAndId, sep: tokenAndId }), create: roberta },
  Sequence: {
    fields: (read) => ({ processors: listOf(read) }),
    create:
      ({ processors: steps }) =>
      (encodings) =>
        steps.reduce((result, step) => step(result), encodings),
  },
  TemplateProcessing: {
    fields: () => ({
      single: listOf(templateItem, maxItems),
      pair: listOf(templateItem, maxItems),
      special_tokens: specialTokens,
    }),
    create: template,
  },
};

const unchanged = (encodings) => encodings;
const sizeOf = (encodings) => encodings.reduce((sum, { ids }) => sum + ids.length, 0);

/** The function of the field `post_processor`. */
export const readPostProcessor = (description) =>
  readComponent(description, 'post_processor', postProcessors, sizeOf) ?? unchanged;
