// The help of each command: every option of its table, in lines of at most 80 columns; and each of its lines runs.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { helpText } from '../../../web/lib/command/help_text.js';
import * as model from '../../../web/lib/command/model.js';
import { optionsOf } from '../../../web/lib/command/shell_options.js';
import * as translate from '../../../web/lib/command/translate.js';
import * as words from '../../../web/lib/command/words.js';
import { columnsOf, printed, withoutModule } from '../../support/js/command.js';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';
import { promptedFiles } from '../../support/js/prompted_encoder.js';
import { fillingFiles } from '../../support/js/whole_models.js';

const commands = { words: [], translate: ['translate'], model: ['model'] };
const tables = { words: words.table, translate: translate.table, model: model.table };

/** Byte pairs that make a word with a space before it one token. */
const mergesOf = (word) => Array.from(word, (letter, at) => [`Ġ${word.slice(0, at)}`, letter]);

describe('the help of each command', () => {
  let folder;
  const at = (name) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-help-'));
    const merges = [...mergesOf('Mary'), ...mergesOf('John')];
    const filesOf = (name) => {
      const { config, weights, tokenizer } = withTokens(
        name,
        257 + merges.length,
        byteLevel(merges),
      );
      return {
        'config.json': JSON.stringify(config),
        'tokenizer.json': JSON.stringify(tokenizer),
        'model.safetensors': writeSafetensors(weights),
      };
    };
    const folders = {
      gpt2: filesOf('gpt2'),
      'opus-mt-en-de': filesOf('t5'),
      'my-bert': fillingFiles(),
      prompted: promptedFiles('query'),
    };
    for (const [name, files] of Object.entries(folders)) {
      await mkdir(join(at(name), '1_Pooling'), { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        await writeFile(join(at(name), file), content);
      }
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [name, table] of Object.entries(tables)) {
    const options = optionsOf(table);

    it(`${name}: names all options and their texts, within 80 columns`, () => {
      const help = printed([...commands[name], '--help'], { first: withoutModule });
      assert.equal(help, `${helpText(table)}\n`);
      for (const line of help.split('\n')) assert.ok(columnsOf(line) <= 80, line);
      const text = help.replace(/\s+/g, ' ');
      const said = [...table.about, ...table.examples, ...table.groups.map(({ title }) => title)];
      for (const one of said) assert.ok(text.includes(one), one);
      for (const line of table.usage) assert.ok(help.includes(` ${line}\n`), line);
      for (const [option, { short, value, text: own, default: usual }] of Object.entries(options)) {
        const begin = `${short ? `-${short}, ` : ''}--${option}${value ? ` ${value}` : ''} ${own}`;
        const end = usual === undefined ? '' : ` (default ${usual})`;
        assert.ok(text.includes(` ${begin}${end}`), option);
      }
    });

    it(`${name}: has examples that run`, () => {
      assert.ok(table.examples.length >= 4);
      for (const line of table.examples) {
        // Models of the examples are small; they have two layers and two heads.
        const [written] = line.replace('9.9,9.6', '1.1,1.0').split(/ [<>] /);
        const [, ...args] = [...written.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, bare]) => quoted ?? bare.replace(/^\.\//, `${folder}/`),
        );
        assert.notEqual(printed(args, { input: 'I am here.' }), '', line);
      }
    });
  }

  const tea = 'made tea';
  const onWords = {
    context: [tea, '-c', 'tea'],
    causal: [tea, '--causal'],
    scale: [tea, '--scale', 'default'],
    heads: [tea, '--heads', '2'],
    average: [tea, '--heads', '2', '--average'],
    dim: [tea, '--dim', '64'],
    seed: [tea, '--seed', '1'],
    kernels: [tea, '--kernels', 'reference'],
    json: [tea, '--json'],
    csv: [tea, '--csv'],
    svg: [tea, '--svg'],
    color: [tea, '--color', 'always'],
    help: ['-h'],
    version: ['-V'],
  };
  const car = ['translate', 'The red car'];
  const onTranslations = {
    beam: [...car, '--beam', '1'],
    target: [...car, '--target', 'La voiture'],
    ablate: [...car, '--ablate', 'encoder:4.0'],
    knockout: [...car, '--knockout', 'cross:<-red'],
    layer: [...car, '--layer', '1'],
    head: [...car, '--head', 'all'],
    pieces: [...car, '--pieces'],
    kernels: [...car, '--kernels', 'fused'],
    'text-only': [...car, '--text-only'],
    picture: [...car, '--picture', 'FOLDER/translation.svg'],
    json: [...car, '--json'],
    csv: [...car, '--csv'],
    color: [...car, '--color', 'always'],
    help: ['translate', '-h'],
    version: ['translate', '-V'],
  };
  const builtIn = ['model', '--built-in', 'The red car'];
  const gpt2 = ['model', 'FOLDER/gpt2', 'give John'];
  const prompted = ['model', 'FOLDER/prompted', 'cats sleep'];
  const onModels = {
    'built-in': builtIn,
    weights: [...gpt2, '--weights', 'int8'],
    stack: [...builtIn, '--stack', 'decoder'],
    layer: [...builtIn, '--layer', '1'],
    head: [...gpt2, '--head', '2'],
    generate: [...gpt2, '--generate', '2'],
    prompt: [...prompted, '--prompt', 'document'],
    'no-prompt': [...prompted, '--no-prompt'],
    ablate: [...gpt2, '--ablate', '0.1'],
    knockout: [...gpt2, '--knockout', 'John<-give'],
    lens: [...gpt2, '--lens'],
    attribute: [...gpt2, '--attribute', 'Mary'],
    against: [...gpt2, '--attribute', 'Mary', '--against', 'John'],
    position: [...gpt2, '--lens', '--position', '1'],
    'head-scores': [...gpt2, '--head-scores', 'induction'],
    kernels: [...gpt2, '--kernels', 'reference'],
    picture: [...builtIn, '--picture', 'FOLDER/weights.svg'],
    json: [...gpt2, '--json'],
    csv: [...builtIn, '--csv'],
    color: [...gpt2, '--color', 'never'],
    help: ['model', '-h'],
    version: ['model', '-V'],
  };
  const runs = { words: onWords, translate: onTranslations, model: onModels };
  for (const [name, args] of Object.entries(runs)) {
    it(`${name}: has options that run`, () => {
      assert.deepEqual(Object.keys(args).sort(), Object.keys(optionsOf(tables[name])).sort());
      for (const [option, list] of Object.entries(args)) {
        const out = printed(list.map((one) => one.replace('FOLDER', folder)));
        assert.notEqual(out, '', option);
      }
    });
  }
});
