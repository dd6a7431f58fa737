// Times the tokenizers of attention-wasm/models beside the Rust library on one thread; optionally in turns with those of
// another checkout, which needs its node_modules:
//   node tests/bench/tokenizers.js [--rounds 5] [a folder of another checkout]
//
// First: the first encoding after loading, without words in a cache. Again: the least of the later rounds. Loading begins
// with the text of tokenizer.json and a collected heap; the least of the rounds. Memory is what the process has more after
// loading, in a process of its own.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Tokenizer } from '../support/js/rust_tokenizers.js';
import { descriptions, texts } from './tokenizer_descriptions.js';

const here = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, memory: { type: 'string', multiple: true } },
  allowPositionals: true,
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** load(text of tokenizer.json): a function from a text to its ids. */
async function contenderOf(checkout) {
  if (checkout === 'Rust') {
    return async (json) => {
      const tokenizer = Tokenizer.fromString(json);
      return async (text) => (await tokenizer.encode(text, null)).getIds();
    };
  }
  const path = resolve(checkout, 'web/lib/models/tokenizer/text_tokens.js');
  const { TextTokens } = await import(pathToFileURL(path).href);
  return (json) => {
    const description = JSON.parse(json);
    const size = Object.keys(description.model.vocab).length;
    const tokenizer = new TextTokens(description, {}, size);
    return (text) => tokenizer.encode(text).ids;
  };
}

async function timed(use) {
  const started = performance.now();
  const value = await use();
  return { value, time: performance.now() - started };
}

/** MiB that the process has more with a loaded tokenizer; runs in a process of its own. */
async function printMemory([name, checkout]) {
  const load = await contenderOf(checkout);
  const held = { json: JSON.stringify(descriptions[name]()) };
  collectGarbage();
  const before = process.memoryUsage.rss();
  const encode = await load(held.json);
  delete held.json;
  collectGarbage();
  console.log(String(Math.round((process.memoryUsage.rss() - before) / 2 ** 20)));
  await encode('kept until here');
}

function memoryOf(name, checkout) {
  const program = fileURLToPath(import.meta.url);
  const args = [program, '--memory', name, '--memory', checkout];
  return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
}

const cell = (value) => String(value).padStart(12);
const row = (name, cells) => console.log(name.padEnd(28) + cells.map(cell).join(''));

async function compare(name, contenders) {
  const json = JSON.stringify(descriptions[name]());
  const loaded = [];
  const loading = contenders.map(() => Infinity);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [at, { load }] of contenders.entries()) {
      loaded[at] = undefined;
      collectGarbage(); // of the contender before
      loaded[at] = await timed(() => load(json));
      loading[at] = Math.min(loading[at], loaded[at].time);
    }
  }
  row(
    `${name}: load, ms`,
    loading.map((time) => Math.round(time)),
  );
  row(
    `${name}: memory, MiB`,
    contenders.map(({ checkout }) => memoryOf(name, checkout)),
  );
  for (const [language, text] of Object.entries(texts)) {
    const first = [];
    for (const { value: encode } of loaded) first.push(await timed(() => encode(text)));
    const least = first.map(() => Infinity);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [at, { value: encode }] of loaded.entries()) {
        least[at] = Math.min(least[at], (await timed(() => encode(text))).time);
      }
    }
    const isSame = first.every(({ value }) => value.join() === first.at(-1).value.join());
    row(
      `  ${language}: first, ms`,
      first.map(({ time }) => time.toFixed(1)),
    );
    row(`  ${language}: again, ms`, [
      ...least.map((time) => time.toFixed(1)),
      ...(isSame ? [] : ['other ids']),
    ]);
  }
}

if (values.memory) {
  await printMemory(values.memory);
} else {
  const checkouts = [here, ...positionals, 'Rust'];
  const contenders = [];
  for (const checkout of checkouts) {
    contenders.push({ checkout, load: await contenderOf(checkout) });
  }
  row('', ['here', ...positionals.map(() => 'other'), 'Rust']);
  for (const name of Object.keys(descriptions)) await compare(name, contenders);
}
