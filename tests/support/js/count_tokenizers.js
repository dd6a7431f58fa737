// Counts the work of tokenizers on texts of n, 2n and 4n units; a program of its own, because it replaces builtins:
//   node tests/support/js/count_tokenizers.js [part of a name]
// Prints JSON: { name, blocks: [of n, 2n, 4n], elements: [the same] } of each tokenizer and text. blocks: how often functions
// and blocks of web/lib/models/tokenizer ran, by V8's precise coverage; elements: of counted_builtins.js.
import { Session } from 'node:inspector';
import { countBuiltins, takeElements } from './counted_builtins.js';
import { seeded } from './random_tensors.js';

const session = new Session();
session.connect();
function post(method, parameters) {
  /** @type {ReturnType<typeof JSON.parse>} */
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const { decoders, encoders, ids, texts } = await import('./hostile_tokenizers.js');
const { TextTokens } = await import('../../../web/lib/models/tokenizer/text_tokens.js');
const { kinds } =
  await import('../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/sentence_piece_tokens.js');

/** Blocks that ran since the last call. */
function takeBlocks() {
  let sum = 0;
  for (const { url, functions } of post('Profiler.takePreciseCoverage').result) {
    if (!url.includes('/web/lib/models/tokenizer/')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) sum += count;
  }
  return sum;
}

/** { blocks, elements } of use(input); a refusal of the budget ends it. */
function counted(use, input) {
  takeElements();
  try {
    use(input);
  } catch (error) {
    if (!(error instanceof RangeError) || !/produce more than/.test(error.message)) throw error;
  }
  const elements = takeElements();
  return { blocks: takeBlocks(), elements };
}

// Heaps take n log n, which is nearer to twice as much for long texts.
const sizesOf = (name) =>
  [1, 2, 4].map((factor) => factor * (name.startsWith('model BPE') ? 1500 : 600));
const [part = ''] = process.argv.slice(2);

function compare(tokenizers, inputs, use) {
  return tokenizers
    .filter(({ name }) => name.includes(part))
    .flatMap(({ name, description, components }) => {
      const made = new TextTokens(description, {}, { components });
      return Object.entries(inputs).map(([input, make]) => {
        use(made, make(sizesOf(name)[2])); // what is made at the first use
        takeBlocks();
        const counts = sizesOf(name).map((n) => counted((one) => use(made, one), make(n)));
        const of = (kind) => counts.map((one) => one[kind]);
        return { name: `${name}: ${input}`, blocks: of('blocks'), elements: of('elements') };
      });
    });
}

// Hash tables have random factors: the same ones in each run.
const random = seeded('factors of hash tables');
Math.random = () => random.uniform();
countBuiltins();
const results = [
  ...compare(encoders(Object.keys(kinds)), texts, (made, text) => made.encode(text)),
  ...compare(decoders, ids, (made, list) => made.locate(list)),
];
process.stdout.write(JSON.stringify(results));
