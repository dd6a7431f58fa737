// Results of the Rust library for a text, in the form that attention-wasm/models has: spans in UTF-16 units, without white
// space at the ends of a token unless it has nothing else, and none for special tokens.
import { Tokenizer } from './rust_tokenizers.js';
import { unitsOfCharacters } from './text_units.js';

/** A copy whose offsets are not trimmed: ours are trimmed in one way, whatever trim_offsets says. */
const untrimmed = (value) =>
  JSON.parse(
    JSON.stringify(value, (name, one) =>
      one && Object.hasOwn(one, 'trim_offsets') ? { ...one, trim_offsets: false } : one,
    ),
  );

const isSpace = (character) => /^\p{White_Space}$/u.test(character);

function trimmed(text, [start, end]) {
  let [from, to] = [start, end];
  while (from < to && isSpace(text[from])) from++;
  while (from < to && isSpace(text[to - 1])) to--;
  return from < to ? [from, to] : [start, end];
}

const isIn = (value, type) => JSON.stringify(value).includes(`"type":"${type}"`);

const stepsOf = (processor) =>
  processor?.processors ? processor.processors.flatMap(stepsOf) : [processor];

/**
 * True if the library's offsets are not those of the text: BPE with byte_fallback counts the affixes of a character as
 * text, characters that Precompiled removes can move all behind them, several post-processors lose which tokens are
 * special and to which text they belong, and so does a template of pairs that has not each text once.
 */
function hasOddOffsets({ model, normalizer, post_processor: processor }, texts) {
  const affixes = [model.continuing_subword_prefix, model.end_of_word_suffix].some(Boolean);
  const all = stepsOf(processor);
  const steps = all.filter((one) => one && one.type !== 'ByteLevel');
  const textsOf = (pair) => pair.flatMap(({ Sequence }) => Sequence?.id ?? []).sort();
  const isIncomplete = steps.some(({ pair }) => pair && textsOf(pair).join('') !== 'AB');
  const isRemoved = (text) => /\u200b/.test(text ?? '');
  return (
    (model.merges !== undefined && model.byte_fallback && affixes) ||
    steps.length > 1 ||
    ((isIncomplete || all.length > 1) && texts[1] !== undefined) ||
    (isIn(normalizer, 'Precompiled') && texts.some(isRemoved))
  );
}

/** encode(texts), decode(ids) of a description; throws where the library refuses it. */
export function rustTokenizer(description) {
  // Without trim_offsets a description means true.
  const explicit = JSON.stringify(description, (name, one) =>
    ['ByteLevel', 'RobertaProcessing'].includes(one?.type) ? { trim_offsets: true, ...one } : one,
  );
  const tokenizer = Tokenizer.fromString(JSON.stringify(untrimmed(JSON.parse(explicit))));
  const contents = new Map(
    description.added_tokens
      .filter((one) => one.special)
      .map(({ id, content }) => [tokenizer.tokenToId(content) ?? id, content]),
  );
  const units = new Map();
  const unitsOf = (text) => {
    if (!units.has(text)) units.set(text, unitsOfCharacters(text));
    return units.get(text);
  };
  return {
    async encode([text, second]) {
      const texts = [text, second];
      const encoding = await tokenizer.encode(text, second ?? null);
      const special = encoding.getSpecialTokensMask();
      const sequences = encoding.getSequenceIds();
      const ids = encoding.getIds();
      return {
        ids,
        typeIds: encoding.getTypeIds(),
        // Those of the vocabulary: for an added token, getTokens() has the text that was found, and idToToken() of a special
        // one what the normalizer makes of its content.
        tokens: ids.map((id) => contents.get(id) ?? tokenizer.idToToken(id)),
        spans: hasOddOffsets(description, texts)
          ? undefined
          : encoding.getOffsets().map((offsets, n) => {
              if (special[n] === 1) return null;
              // The library does not tell apart the two copies of a text that a template repeats.
              if (second !== undefined && typeof sequences[n] !== 'number') return undefined;
              const known = texts[sequences[n] ?? 0] ?? text;
              // Beside an empty text it takes the second for the first.
              const source = text === '' ? (second ?? text) : known;
              return trimmed(
                source,
                offsets.map((at) => unitsOf(source)[at]),
              );
            }),
      };
    },
    // A special token whose content the normalizer changes stays in the library's text, against its documentation.
    decode: (ids) =>
      tokenizer.decode(
        ids.filter((id) => !contents.has(id)),
        true,
      ),
  };
}
