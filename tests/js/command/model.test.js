// The command `attention-wasm model`, run in a shell and compared with the library for the same model and text.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { command, parseCsv, printed, refusing, withoutModule } from '../../support/js/command.js';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';
import { promptedFiles } from '../../support/js/prompted_encoder.js';
import { decoderFiles, fillingFiles } from '../../support/js/whole_models.js';

const text = 'two cats';
const merges = [
  ['a', 't'],
  ['Ġ', 'c'],
  ['Ġc', 'at'],
];

const nestedOf = ({ data, dims }) => {
  let all = [...data];
  for (const size of dims.slice(1).reverse()) {
    all = Array.from({ length: all.length / size }, (_, n) => all.slice(n * size, (n + 1) * size));
  }
  return all;
};
const singles = (numbers) => (Array.isArray(numbers) ? numbers.map(singles) : Math.fround(numbers));

describe('attention-wasm model', () => {
  let folder;
  const at = (name) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-own-'));
    for (const name of ['gpt2', 't5']) {
      const { config, weights, tokenizer } = withTokens(name, 260, byteLevel(merges));
      await mkdir(at(name));
      await writeFile(join(at(name), 'config.json'), JSON.stringify(config));
      await writeFile(join(at(name), 'tokenizer.json'), JSON.stringify(tokenizer));
      await writeFile(join(at(name), 'model.safetensors'), writeSafetensors(weights));
    }
    const { 'config.json': config, ...others } = decoderFiles();
    const newer = {
      ...others,
      'config.json': JSON.stringify({ ...JSON.parse(config), option: 1 }),
    };
    const { 'tokenizer.json': _, ...withIds } = decoderFiles();
    const prompted = promptedFiles('query');
    const folders = { ids: withIds, newer, unknown: fillingFiles(), prompted };
    for (const [name, files] of Object.entries(folders)) {
      await mkdir(join(at(name), '1_Pooling'), { recursive: true });
      for (const [file, content] of Object.entries(files)) {
        await writeFile(join(at(name), file), content);
      }
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('prints warnings of the model on standard error, and has them in JSON', () => {
    const run = (name, ...options) => command(['model', at(name), text, ...options]);
    const { out, err } = run('newer');
    assert.match(err, /^attention-wasm: warning: config\.json has fields that .*: option; .*\n$/);
    assert.doesNotMatch(out, /option/);
    const { unknownFields, warnings } = JSON.parse(run('newer', '--json').out);
    assert.deepEqual(unknownFields, ['option']);
    assert.equal(`attention-wasm: warning: ${warnings.join()}\n`, err);
    assert.equal(run('gpt2').err, '');
    const inOrder = JSON.parse(run('gpt2', '--json').out);
    assert.equal('unknownFields' in inOrder || 'warnings' in inOrder, false);
  });

  async function withModel(name, use) {
    const model = await loadModel(at(name));
    try {
      return await use(model);
    } finally {
      model.delete();
    }
  }

  it('reads a sentence encoder’s prompt: the default, --prompt or --no-prompt', () =>
    withModel('prompted', (model) => {
      const run = (...options) =>
        JSON.parse(printed(['model', at('prompted'), 'cats sleep', ...options, '--json']));
      for (const [options, prompt, tokens] of [
        [[], undefined, ['[CLS]', 'query:', 'cats', 'sleep', '[SEP]']],
        [['--prompt', 'document'], 'document', ['[CLS]', 'title:', 'cats', 'sleep', '[SEP]']],
        [['--no-prompt'], false, ['[CLS]', 'cats', 'sleep', '[SEP]']],
      ]) {
        const want = model.run('cats sleep', { attentions: true, prompt });
        const got = run(...options);
        assert.deepEqual([got.tokens, got.rows, got.columns], [tokens, tokens, tokens]);
        assert.deepEqual(singles(got.attention.self), want.attentions.self.map(nestedOf));
      }
      // Words are found where the model reads them.
      const { edits } = run('--knockout', 'sleep<-cats');
      assert.deepEqual([edits[0].query, edits[0].key], [[3], [2]]);
      assert.deepEqual(run('--knockout', 'sleep<-query:').edits[0].key, [1]);
    }));

  it('refuses prompts that the model has not', () => {
    const refuse = refusing("Try 'attention-wasm model --help'.");
    refuse(
      ['model', at('prompted'), 'cats', '--prompt', 'x'],
      "prompt must be 'query', 'document' or false, found 'x'",
    );
    refuse(
      ['model', at('prompted'), 'cats', '--prompt', 'query', '--no-prompt'],
      '--no-prompt leaves it out and cannot be combined with --prompt',
    );
    const { code, err } = command(['model', at('ids'), '5 3', '--prompt', 'query']);
    assert.equal(code, 2);
    assert.match(err, /^attention-wasm: the option prompt needs a text, but the input is ids$/m);
  });

  it('writes the tokens and all weights as JSON', () =>
    withModel('gpt2', (model) => {
      const want = model.run(text, { attentions: true });
      const got = JSON.parse(printed(['model', at('gpt2'), text, '--json']));
      const { type, layers, heads, rows, attention, written } = got;
      assert.deepEqual([type, layers, heads, written], ['gpt2', 2, 2, '']);
      assert.deepEqual(rows, ['t', 'w', 'o', 'cat', 's']);
      assert.deepEqual(singles(attention.self), want.attentions.self.map(nestedOf));
    }));

  it('continues the text, and shows the generated tokens with it', () =>
    withModel('gpt2', async (model) => {
      const ids = [];
      for await (const { id } of model.generate(text, { maxTokens: 3 })) ids.push(id);
      const whole = model.run(
        { ids: [...model.tokenizer.encode(text).ids, ...ids] },
        { attentions: true },
      );
      const got = JSON.parse(printed(['model', at('gpt2'), text, '--generate', '3', '--json']));
      assert.deepEqual(got.ids, ids);
      assert.equal(got.rows.length, 5 + ids.length);
      assert.deepEqual(singles(got.attention.self), whole.attentions.self.map(nestedOf));
    }));

  it('shows the attention of a decoder while it generates', () =>
    withModel('t5', async (model) => {
      const ids = [];
      for await (const { id } of model.generate(text, { maxTokens: 4 })) ids.push(id);
      const { ids: source } = model.tokenizer.encode(text);
      const decoderIds = [0, ...ids.slice(0, -1)];
      const { attentions } = model.run({ ids: source, decoderIds }, { attentions: true });
      const args = ['model', at('t5'), text, '--generate', '4'];
      const got = JSON.parse(printed([...args, '--json']));
      assert.deepEqual([got.rows.length, got.columns.length], [ids.length, source.length]);
      assert.deepEqual(singles(got.attention.cross), attentions.cross.map(nestedOf));
      assert.match(
        printed(args),
        /^Cross-attention, decoder layer 2 of 2, mean of 2 heads: \d tokens? attending to 5 tokens$/m,
      );
    }));

  it('shows the requested layer and head, as a table and as CSV', () =>
    withModel('gpt2', (model) => {
      const [first] = model.run(text, { attentions: [0] }).attentions.self;
      const [, second] = nestedOf(first);
      const args = ['model', at('gpt2'), 'two', 'cats', '--layer', '1', '--head', '2'];
      const [header, ...records] = parseCsv(printed([...args, '--csv']));
      assert.deepEqual(header, ['token', 't', 'w', 'o', 'cat', 's']);
      assert.deepEqual(
        records.map(([, ...numbers]) => numbers.map((x) => Math.fround(Number(x)))),
        second,
      );
      const table = printed(args);
      assert.match(table, /^Self-attention, model layer 1 of 2, head 2 of 2: 5 tokens$/m);
      assert.match(
        table,
        new RegExp(`^ *s +${second[4].map((x) => x.toFixed(2)).join(' +')}$`, 'm'),
      );
    }));

  it('reads ids instead of text without a tokenizer, and says how to make one', () =>
    withModel('ids', async (model) => {
      const ids = [];
      for await (const { id } of model.generate({ ids: [5, 3] }, { maxTokens: 2 })) ids.push(id);
      const printedIds = command(['model', at('ids'), '5 3', '--generate', '2', '--json']);
      assert.match(
        printedIds.err,
        /^attention-wasm: warning: the model has no tokenizer, so .*\n$/,
      );
      const got = JSON.parse(printedIds.out);
      assert.deepEqual(got.rows, ['5', '3', ...ids.map(String)]);
      assert.equal(got.written, ids.join(' '));
      const run = model.run({ ids: [5, 3, ...ids] }, { attentions: true });
      assert.deepEqual(singles(got.attention.self), run.attentions.self.map(nestedOf));
      const { code, out, err } = command(['model', at('ids'), 'two cats']);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /has no tokenizer\.json: write token ids .*save_pretrained\(folder\)/);
    }));

  it('labels adjacent unknown words by their text', () => {
    const got = JSON.parse(printed(['model', at('unknown'), 'xx yy the', '--json']));
    assert.deepEqual(got.rows, ['[CLS]', 'xx', 'yy', 'the', '[SEP]']);
  });

  it('reads the text from standard input, and stores weights as requested', () =>
    withModel('gpt2', async () => {
      const model = await loadModel(at('gpt2'), { weights: 'int8' });
      const want = model.run(text, { attentions: true }).attentions.self.map(nestedOf);
      model.delete();
      const { out } = command(['model', at('gpt2'), '--json', '--weights', 'int8'], {
        input: `${text}\n`,
      });
      assert.deepEqual(singles(JSON.parse(out).attention.self), want);
    }));

  it('has a plain message for each error', () => {
    const usage = refusing("Try 'attention-wasm model --help'.");
    usage(['model'], 'missing folder');
    usage(['model', at('gpt2'), ' '], 'the text is empty');
    usage(
      ['model', at('gpt2'), text, '--layer', '3'],
      '--layer is "3"; expected an integer from 1 to 2, or "all"',
    );
    usage(
      ['model', at('gpt2'), text, '--generate', '0'],
      '--generate is "0"; expected an integer from 1 to 4096',
    );
    usage(
      ['model', at('gpt2'), text, '--weights', 'int4'],
      '--weights is "int4"; expected stored, float32 or int8',
    );
    usage(['model', at('gpt2'), text, '--picture', ''], '--picture is ""; expected a file');
    const fails = (args, sentence) => {
      const expected = { code: 1, out: '', err: `attention-wasm: ${sentence}\n` };
      assert.deepEqual(command(['model', ...args]), expected);
    };
    fails([at('nothing'), text], `missing file config.json of ${at('nothing')}`);
    const picture = join(at('nothing'), 'picture.svg');
    fails([at('gpt2'), text, '--picture', picture], `${picture}: no such file or directory`);
  });

  it('does not wait for the writer of a pipe', { timeout: 60_000 }, () => {
    for (const name of ['config.json', 'model.safetensors']) {
      const folder = at(`pipe for ${name}`);
      cpSync(at('gpt2'), folder, { recursive: true });
      rmSync(join(folder, name));
      execFileSync('mkfifo', [join(folder, name)]);
      const { code, err } = command(['model', folder, text]);
      assert.equal(code, 1);
      const sentence = `${join(folder, name)} is a device or a pipe, not a file`;
      assert.equal(err, `attention-wasm: ${sentence}\n`);
    }
  });

  it('explains itself by --help, within 80 columns, without loading anything', () => {
    const help = printed(['model', '--help'], { first: withoutModule });
    assert.match(help, /^Usage: attention-wasm model \[options\] FOLDER TEXT$/m);
    for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
  });
});
