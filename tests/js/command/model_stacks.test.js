// `attention-wasm model --built-in` and --stack, compared with the library for the same text.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { loadTranslator } from 'attention-wasm/translator';
import { command, parseCsv, printed, refusing, withoutModule } from '../../support/js/command.js';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';

const text = 'The red car';
const builtIn = ['model', '--built-in', text];
const stacks = ['encoder', 'decoder', 'cross'];

/** Rows of head 2 of layer 1. */
function rowsOf([{ data, dims }]) {
  const [, rows, columns] = dims;
  return Array.from({ length: rows }, (_, row) =>
    Array.from(data.subarray((rows + row) * columns, (rows + row + 1) * columns)),
  );
}
const rounded = (list) => list.map((row) => row.map((x) => x.toFixed(2)));

describe('attention-wasm model --stack', () => {
  let folder, translator, attentions, generated, labels;
  const at = (name) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-stacks-'));
    for (const name of ['gpt2', 't5']) {
      const { config, weights, tokenizer } = withTokens(name, 260, byteLevel([['a', 't']]));
      await mkdir(at(name));
      await writeFile(join(at(name), 'config.json'), JSON.stringify(config));
      await writeFile(join(at(name), 'tokenizer.json'), JSON.stringify(tokenizer));
      await writeFile(join(at(name), 'model.safetensors'), writeSafetensors(weights));
    }
    translator = await loadTranslator({ loadModel });
    generated = [];
    for await (const token of translator.model.generate(text)) generated.push(token);
    const ids = generated.map(({ id }) => id);
    const { ids: source } = translator.model.encode(text);
    const input = { ids: source, decoderIds: [1, ...ids.slice(0, -1)] };
    ({ attentions } = translator.model.run(input, { attentions: true }));
    const output = ['La', ' voiture', ' rouge', '</s>'];
    const english = ['The', 'red', 'car', '</s>'];
    labels = {
      encoder: [english, english],
      decoder: [output, ['<s>', ...output.slice(0, -1)]],
      cross: [output, english],
    };
  });
  after(async () => {
    translator.delete();
    await rm(folder, { recursive: true, force: true });
  });

  const selected = ['--layer', '1', '--head', '2'];
  for (const stack of stacks) {
    it(`${stack}: the weights of the built-in model, as CSV, table and picture`, async () => {
      const args = [...builtIn, '--stack', stack, ...selected];
      const [[unit, ...columns], ...records] = parseCsv(printed([...args, '--csv']));
      const [rowLabels, columnLabels] = labels[stack];
      assert.deepEqual([unit, columns], ['token', columnLabels]);
      assert.deepEqual(
        records.map(([label]) => label),
        rowLabels,
      );
      const expected = rowsOf(attentions[stack]);
      const numbers = records.map(([, ...cells]) => cells.map((x) => Math.fround(Number(x))));
      assert.deepEqual(numbers, expected);

      const file = at(`${stack}.svg`);
      const table = printed([...args, '--picture', file]);
      const layers = stack === 'encoder' ? 5 : 2;
      const title = stack === 'cross' ? 'Cross' : 'Self';
      const side = stack === 'encoder' ? 'encoder' : 'decoder';
      const counts = stack === 'encoder' ? '4 tokens' : '4 tokens attending to 4 tokens';
      const heading = `${title}-attention, ${side} layer 1 of ${layers}, head 2 of 4: ${counts}`;
      assert.ok(table.split('\n').includes(heading), table);
      const shown = table.split('\n').filter((line) => /\d\.\d\d/.test(line));
      assert.deepEqual(
        shown.map((line) => line.match(/\d\.\d\d/g)),
        rounded(expected),
      );
      // Only the encoder needs no output.
      assert.equal(table.startsWith('La voiture rouge\n'), stack !== 'encoder');
      const svg = await readFile(file, 'utf8');
      for (const label of columnLabels.filter((one) => /^\w/.test(one))) {
        assert.ok(svg.includes(label), label);
      }
    });

    it(`${stack} --json: rows and columns of the stack, and all weights`, () => {
      const got = JSON.parse(printed([...builtIn, '--stack', stack, '--json']));
      assert.deepEqual([got.rows, got.columns], labels[stack]);
      assert.deepEqual([got.type, got.written], ['nn_transformer', 'La voiture rouge']);
      for (const each of stacks) {
        const numbers = got.attention[each].flat(Infinity).map(Math.fround);
        assert.deepEqual(
          numbers,
          attentions[each].flatMap(({ data }) => [...data]),
        );
      }
    });

    it(`${stack}: of a model in a folder`, async () => {
      const model = await loadModel(at('t5'));
      const ids = [];
      for await (const { id } of model.generate(text, { maxTokens: 3 })) ids.push(id);
      const input = { ids: model.encode(text).ids, decoderIds: [0, ...ids.slice(0, -1)] };
      const { attentions: own } = model.run(input, { attentions: true });
      model.delete();
      const args = ['model', at('t5'), text, '--stack', stack, '--generate', '3', ...selected];
      const [, ...records] = parseCsv(printed([...args, '--csv']));
      const numbers = records.map(([, ...cells]) => cells.map((x) => Math.fround(Number(x))));
      assert.deepEqual(numbers, rowsOf(own[stack]));
    });
  }

  it('is cross by default', () => {
    assert.equal(printed(builtIn), printed([...builtIn, '--stack', 'cross']));
  });

  it('shows what encode() of the translator returns', () => {
    const args = [...builtIn, '--stack', 'encoder', ...selected, '--csv'];
    const [, ...records] = parseCsv(printed(args));
    const numbers = records.map(([, ...cells]) => cells.map((x) => Math.fround(Number(x))));
    assert.deepEqual(numbers, rowsOf(translator.encode(text).attention.encoder));
  });

  it('shows the output of an encoder–decoder where an option needs it', () => {
    const args = [...builtIn, '--stack', 'encoder'];
    for (const others of [['--generate', '2'], ['--ablate', 'encoder:4.0'], ['--lens']]) {
      assert.match(printed([...args, ...others]), /^(La|Le|Une?) /);
    }
  });

  it('hides words in all layers of the stack', () => {
    const layers = { encoder: [0, 1, 2, 3, 4], decoder: [0, 1], cross: [0, 1] };
    for (const [stack, all] of Object.entries(layers)) {
      const link = ['--knockout', `${stack}:<-1`, '--json'];
      const { edits } = JSON.parse(printed([...builtIn, ...link]));
      const { options } = JSON.parse(printed(['translate', text, ...link]));
      for (const [edit] of [edits, options.edits]) {
        assert.deepEqual([edit.stack, edit.layer, edit.key], [stack, all, [1]]);
      }
    }
  });

  it('refuses what does not fit', () => {
    const usage = refusing("Try 'attention-wasm model --help'.");
    usage(
      ['model', at('gpt2'), text, '--stack', 'encoder'],
      '--stack needs an encoder–decoder, but this gpt2 model has one stack',
    );
    const first = withoutModule;
    const refused = (args, message) => usage([...builtIn, ...args], message, { first });
    refused(['--stack', 'both'], '--stack is "both"; expected encoder, decoder or cross');
    refused(['--stack'], '--stack needs a value');
    refused(
      ['--weights', 'int8'],
      '--built-in has int8 weights and cannot be combined with --weights',
    );
    refused(['--built-in=x'], '--built-in takes no value');
    refused(['--pieces'], 'unknown option "--pieces"');
    refused(['--json', '--layer', '1'], '--json writes all weights and cannot be combined with --layer'); // prettier-ignore
    usage(
      [...builtIn, '--stack', 'encoder', '--layer', '6'],
      '--layer is "6"; expected an integer from 1 to 5, or "all"',
    );
    usage(['model', '--built-in', ' '], 'the text is empty');
    const { code, err } = command([...builtIn, '--prompt', 'x']);
    assert.equal(code, 2);
    assert.match(err, /^attention-wasm: .*prompt/);
  });

  it('reads the text of the built-in model from standard input', () => {
    const args = ['model', '--built-in', '--stack', 'encoder'];
    assert.equal(printed(args, { input: `${text}\n` }), printed([...args, text]));
  });
});
