// Converts a model of SentencePiece to a tokenizer.json. Its normalizer and its model are components of their own, because
// those of tokenizer.json differ in rare cases: keys of the map are searched by grapheme, sums are float64, ties are broken
// otherwise, and user-defined symbols are found before spaces are removed.
import { flag } from '../../fields.js';
import { SpecialTokens } from '../special_tokens.js';
import { checkTokens, tokenTypes, readModelFile } from './model_file.js';
import { sentencePieceNormalizer } from './normalizer.js';
import { SentencePieceTokens } from './sentence_piece_tokens.js';

const any = (value) => value;

/** Components beside those of tokenizer.json. */
export const sentencePieceComponents = {
  normalizers: {
    SentencePiece: {
      fields: () => ({ options: any, symbols: any }),
      create: ({ options, symbols }) => sentencePieceNormalizer({ ...options, symbols }),
    },
  },
  models: {
    SentencePiece: {
      fields: { kind: any, pieces: any, hasBytes: flag },
      Model: SentencePieceTokens,
    },
  },
};

/** How tokens become text: ▁ is a space, byte tokens their characters; the space that was added is dropped. */
function decoderOf({ escapesSpaces, addsPrefix, isSuffix }) {
  /** @type {object[]} */
  const decoders = [
    ...(escapesSpaces ? [{ type: 'Replace', pattern: { String: '\u2581' }, content: ' ' }] : []),
    ...[{ type: 'ByteFallback' }, { type: 'Fuse' }],
  ];
  const sides = isSuffix ? { start: 0, stop: 1 } : { start: 1, stop: 0 };
  if (addsPrefix) decoders.push({ type: 'Strip', content: ' ', ...sides });
  return { type: 'Sequence', decoders };
}

/** bytes: of the file; form: of sentencePieceForms; files: of SpecialTokens. */
export function sentencePieceTokenizer(bytes, form, files) {
  const { type, pieces: own, hasBytes, normalizer } = readModelFile(bytes);
  const { config } = files;
  const pieces = form.pieces?.(own, files) ?? own;
  checkTokens(pieces, hasBytes);
  const ids = new Map(pieces.map(({ text }, id) => [text, id]));
  const special = new SpecialTokens(form.tokens, files, ids);
  for (const token of pieces) {
    const isListed = special.has(token.text);
    if (token.type === tokenTypes.control && !isListed) special.add({ content: token.text });
  }
  const options = {
    ...normalizer,
    addsPrefix: normalizer.addsPrefix && (config.add_prefix_space ?? true),
    scheme: (config.legacy ?? true) ? 'always' : 'first',
  };
  const symbols = pieces.filter((one) => one.type === tokenTypes.userDefined);
  return {
    // Found as they are written, whatever their files say: the normalizer puts a space before a text.
    added_tokens: special.added.map((one) => ({ ...one, normalized: false })),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        ...(form.steps?.(config) ?? []),
        { type: 'SentencePiece', options, symbols: symbols.map(({ text }) => text) },
      ],
    },
    post_processor: special.template(...form.template(files)),
    decoder: decoderOf(options),
    model: { type: 'SentencePiece', kind: type, pieces, hasBytes },
  };
}
