// Random descriptions of tokenizers (tokenizer.json), and texts for them.
import { RandomComponents } from './random_components.js';
import { RandomModels, tokensOf } from './random_models.js';
import { RandomTexts } from './random_texts.js';
import { seeded } from './random_tensors.js';

const contents = [
  '<mask>',
  '<s>',
  '</s>',
  'ab',
  'an',
  ' ',
  '  ',
  '中',
  '😀',
  'É',
  'A',
  'a b',
  '\n',
  '<extra>',
  'é',
  "n't",
  '▁a',
];

function addedTokens({ pick, chance, list, flag }, model) {
  const ids = new Map(tokensOf(model).map((token, id) => [token, id]));
  const { size } = ids;
  const known = ['<unk>', '<s>', '</s>', '<pad>', ...pickSome(tokensOf(model), pick)];
  const tokens = new Map();
  for (const content of list(0, 6, () => pick([...contents, ...known]))) {
    if (!ids.has(content)) ids.set(content, ids.size);
    tokens.set(content, {
      ...{ id: ids.get(content), content },
      ...{ single_word: chance(25), lstrip: chance(25), rstrip: chance(25) },
      ...{ normalized: flag(), special: flag() },
    });
  }
  // Some ids are not those of the vocabulary, which are valid.
  return [...tokens.values()]
    .sort((a, b) => a.id - b.id)
    .map((one) => (one.id < size && chance(30) ? { ...one, id: pick([0, 1, 7, 99]) } : one));
}

const pickSome = (tokens, pick) => Array.from({ length: 3 }, () => pick(tokens));

const emptyMatches = [{ Regex: 'a*' }, { Regex: String.raw`\b` }, { String: '' }];

/** Whether ByteLevel sees characters that a normalizer inserts: the Rust library keeps them beside their bytes. */
function insertsBeforeByteLevel({ normalizer, pre_tokenizer: split }) {
  const isReplaced = (pattern) => JSON.stringify(normalizer).includes(JSON.stringify(pattern));
  return JSON.stringify(split).includes('"ByteLevel"') && emptyMatches.some(isReplaced);
}

/** Whether a text can begin behind a character that Precompiled removed: the Rust library loses that it does. */
const losesBeginning = ({ normalizer, pre_tokenizer: split }) =>
  JSON.stringify(normalizer).includes('"Precompiled"') &&
  JSON.stringify(split).includes('"prepend_scheme":"first"');

/** { description, texts, pairs, ids }: texts as strings or pairs, and lists of ids to decode. */
export function randomTokenizer(seed, { texts = 24, pairs = 6 } = {}) {
  const random = seeded(`tokenizer ${seed}`);
  const components = new RandomComponents(random, [
    ['<s>', 1],
    ['</s>', 2],
    ['<pad>', 3],
  ]);
  const { chance, pick } = components;
  const model = new RandomModels(components).model();
  const description = {
    ...{ version: '1.0', truncation: null, padding: null },
    added_tokens: addedTokens(components, model),
    normalizer: chance(60) ? components.normalizer() : null,
    pre_tokenizer: chance(75) ? components.preTokenizer() : null,
    post_processor: chance(60) ? components.postProcessor() : null,
    decoder: chance(70) ? components.decoder() : null,
    model,
  };
  if (insertsBeforeByteLevel(description) || losesBeginning(description)) {
    description.normalizer = null;
  }
  const own = [
    ...description.added_tokens.map(({ content }) => content),
    ...tokensOf(model).filter((one) => !/^<0x/.test(one)),
  ];
  const writer = new RandomTexts(random, own);
  const size = tokensOf(model).length + description.added_tokens.length;
  return {
    description,
    texts: [
      ...Array.from({ length: texts }, () => [writer.text()]),
      ...Array.from({ length: pairs }, () => [writer.text(8), writer.text(8)]),
    ],
    ids: Array.from({ length: 4 }, () =>
      Array.from({ length: random.integer(0, 12) }, () =>
        pick([random.integer(0, size - 1), random.integer(0, Math.min(40, size - 1))]),
      ),
    ),
  };
}
