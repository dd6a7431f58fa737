// The options of `attention-wasm model` and `translate` that change and measure a model, compared with the library.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ablate, compare, headScores, knockout, loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { loadTranslator } from 'attention-wasm/translator';
import { printed, refusing, terminal } from '../../support/js/command.js';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';

const text = 'two cats two'; // t w o Ġcat s Ġ t w o
const merges = [
  ['a', 't'],
  ['Ġ', 'c'],
  ['Ġc', 'at'],
];
const positions = { two: [[0, 1, 2], [6, 7, 8]], cats: [3, 4] }; // prettier-ignore

const singles = (numbers) => (Array.isArray(numbers) ? numbers.map(singles) : Math.fround(numbers));
const nestedOf = ({ data, dims }) => {
  let all = [...data];
  for (const size of dims.slice(1).reverse()) {
    all = Array.from({ length: all.length / size }, (_, n) => all.slice(n * size, (n + 1) * size));
  }
  return all;
};

describe('attention-wasm model with edits', () => {
  let folder;
  const at = (name) => join(folder, name);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-edits-'));
    for (const name of ['gpt2', 't5']) {
      const { config, weights, tokenizer } = withTokens(name, 260, byteLevel(merges));
      await mkdir(at(name));
      await writeFile(join(at(name), 'config.json'), JSON.stringify(config));
      await writeFile(join(at(name), 'tokenizer.json'), JSON.stringify(tokenizer));
      await writeFile(join(at(name), 'model.safetensors'), writeSafetensors(weights));
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function withModel(name, use) {
    const model = await loadModel(at(name));
    try {
      return await use(model);
    } finally {
      model.delete();
    }
  }
  const json = (name, ...args) => JSON.parse(printed(['model', at(name), text, ...args, '--json']));

  it('cuts links and switches heads off, as the library does', () =>
    withModel('gpt2', (model) => {
      const [, second] = positions.two;
      const cases = [
        [['--ablate', '1.0'], ablate(1, 0)],
        [
          ['--ablate', '0, 1.1'],
          [...ablate(0), ...ablate(1, 1)],
        ],
        [
          ['--knockout', 'two#2<-cats'],
          knockout({ layers: [0, 1], query: second, key: positions.cats }),
        ],
        [['--knockout', '8<-0-1@1.1'], knockout({ layers: 1, query: 8, key: [0, 1], head: 1 })],
        [
          ['--knockout', '<-cats@0,8<-'],
          [
            ...knockout({ layers: 0, key: positions.cats }),
            ...knockout({ layers: [0, 1], query: 8 }),
          ],
        ],
      ];
      const plain = model.run(text);
      for (const [args, edits] of cases) {
        const want = model.run(text, { attentions: true, edits });
        const got = json('gpt2', ...args);
        assert.deepEqual(singles(got.attention.self), want.attentions.self.map(nestedOf), args[1]);
        const { divergence, variation } = compare(plain, want, { token: 0 });
        assert.equal(got.position, 8);
        assert.ok(Math.abs(got.effect.divergence - divergence) < 1e-12, args[1]);
        assert.ok(Math.abs(got.effect.variation - variation) < 1e-12);
        assert.ok(divergence > 0);
        const last = Array.from(want.logits.data.slice(-260));
        assert.equal(last[got.effect.with[0].id], Math.max(...last));
      }
    }));

  it('generates with the edits', () =>
    withModel('gpt2', async (model) => {
      const edits = ablate(1, [0, 1]);
      const ids = [];
      for await (const { id } of model.generate(text, { maxTokens: 3, edits })) ids.push(id);
      assert.deepEqual(json('gpt2', '--ablate', '1', '--generate', '3').ids, ids);
    }));

  it('changes every stack of an encoder–decoder', () =>
    withModel('t5', async (model) => {
      const edits = [
        ...knockout({ stack: 'cross', layers: [0, 1], key: positions.cats }),
        ...knockout({ stack: 'decoder', layers: 0, query: 1, key: 0 }),
        ...ablate(0, 1, { stack: 'encoder' }),
      ];
      const ids = [];
      for await (const { id } of model.generate(text, { maxTokens: 3, edits })) ids.push(id);
      const args = ['--knockout', 'cross:<-cats,decoder:1<-0@0', '--ablate', 'encoder:0.1'];
      const got = json('t5', ...args, '--generate', '3');
      assert.deepEqual(got.ids, ids);
      const decoderIds = [0, ...ids.slice(0, -1)];
      const { ids: source } = model.tokenizer.encode(text);
      const want = model.run({ ids: source, decoderIds }, { attentions: true, edits });
      assert.deepEqual(singles(got.attention.cross), want.attentions.cross.map(nestedOf));
    }));

  it('shows the lens, an attribution and scores of heads', () =>
    withModel('gpt2', (model) => {
      const args = ['--lens', '--attribute', 't', '--against', 'w', '--position', 'cats'];
      const got = json('gpt2', ...args, '--head-scores', 'induction');
      const options = { attentions: true, attribution: true, capture: ['resid_post'] };
      const result = model.run(text, options);
      const idOf = (token) => model.tokenizer.encodePlain(token)[0];
      const views = model.lens(result, { top: 5 });
      assert.equal(got.position, 4);
      assert.deepEqual(
        got.lens.map(({ top }) => top.map(({ id }) => id)),
        views.map(({ top }) => top[4].map(({ id }) => id)),
      );
      const chosen = { token: idOf('t'), against: idOf('w'), position: 4 };
      const { total, parts } = model.attribute(result, chosen);
      assert.equal(got.attribution.total, total);
      assert.deepEqual(got.attribution.parts, parts);
      const scores = headScores(result.attentions.self, result.ids, 'induction');
      assert.deepEqual(singles(got.headScores.scores), nestedOf(scores));

      const table = printed(['model', at('gpt2'), text, ...args, '--head-scores', 'induction']);
      assert.match(table, /^Logit lens: the likeliest tokens at position 4 after each layer$/m);
      assert.match(table, /^layer 1 {2}"[^"]+" \d+\.\d %, /m);
      assert.match(table, /^Parts of the logit of "t" minus "w" at position 4$/m);
      const sign = total < 0 ? '−' : '\\+';
      assert.match(table, new RegExp(`^ *sum {2}${sign}${Math.abs(total).toFixed(4)}$`, 'm'));
      assert.match(table, /^ *head [01]\.[01] {2}[+−]\d\.\d{4}$/m);
      assert.match(table, new RegExp(`^1 +${scores.data[2].toFixed(2)} +${scores.data[3].toFixed(2)}$`, 'm')); // prettier-ignore
    }));

  it('fits lines to the terminal', () => {
    const args = ['model', at('gpt2'), text, '--ablate', '0.0', '--lens', '--attribute', 't'];
    const lines = printed(args, { first: terminal(50) }).split('\n');
    // eslint-disable-next-line no-control-regex
    for (const line of lines) assert.ok(line.replace(/\x1b\[[\d;]*m/g, '').length <= 50, line);
  });

  it('draws the selected weights or the scores of heads', async () => {
    const file = at('picture.svg');
    printed(['model', at('gpt2'), text, '--layer', '1', '--head', '2', '--picture', file]);
    const weights = await readFile(file, 'utf8');
    assert.match(weights, /^<svg/);
    assert.match(weights, /cat/);
    printed(['model', at('gpt2'), text, '--head-scores', 'previous_token', '--picture', file]);
    assert.match(await readFile(file, 'utf8'), /layer 1/);
  });

  it('has a plain message for each error', () => {
    const usage = refusing("Try 'attention-wasm model --help'.");
    const refused = (args, message) => usage(['model', at('gpt2'), text, ...args], message);
    refused(['--ablate', 'x'], '--ablate is "x"; expected LAYER.HEAD, such as 9.6');
    refused(
      ['--knockout', 'two'],
      '--knockout is "two"; expected QUERY<-KEY, such as "it<-elephant"',
    );
    refused(
      ['--knockout', 'two<-cats'],
      '--knockout has "two", but "two" occurs 2 times: two#1 (positions 0, 1, 2), two#2 (positions 6, 7, 8)',
    );
    refused(
      ['--knockout', 'two#3<-cats'],
      '--knockout has "two#3", but "two" occurs 2 times: two#1 (positions 0, 1, 2), two#2 (positions 6, 7, 8)',
    );
    refused(
      ['--knockout', 'dog<-cats'],
      '--knockout has "dog", which is not in the text; positions 0 to 8 work as numbers',
    );
    refused(['--knockout', '9<-0'], '--knockout has position 9, but the text has positions 0 to 8');
    refused(
      ['--ablate', 'cross:0.0'],
      '--ablate has "cross:0.0"; for this model, expected no stack',
    );
    refused(['--against', 't'], '--against needs --attribute');
    refused(
      ['--attribute', 'cats two'],
      '--attribute is "cats two", which is 6 tokens: "Ġcat", "s", "Ġ", "t", "w", "o"',
    );
    refused(
      ['--head-scores', 'next'],
      '--head-scores is "next"; expected previous_token, duplicate_token or induction',
    );
    refused(['--csv', '--lens'], '--csv writes weights and cannot be combined with --lens');
    refused(
      ['--head', 'all', '--picture', at('x.svg')],
      '--picture draws one matrix and cannot be combined with "all"',
    );
    const ofT5 = (args, message) => usage(['model', at('t5'), text, ...args], message);
    ofT5(
      ['--knockout', 'cats<-two'],
      '--knockout has "cats<-two"; for this model, expected encoder:, decoder:, cross: before it',
    );
    ofT5(
      ['--knockout', 'cross:chat<-cats'],
      '--knockout has "cross:chat<-cats", but the output is not known yet: use positions, as in decoder:1<-0',
    );
  });
});

describe('attention-wasm translate with edits', () => {
  it('translates without a word, as the library does', async () => {
    const translator = await loadTranslator();
    const english = 'The pink elephant tried';
    const { tokens } = translator.encode(english, { attention: false }).source;
    const key = tokens.flatMap((token, at) =>
      !token.special && english.slice(token.start, token.end).length > 0 && token.word === 2
        ? [at]
        : [],
    );
    const edits = [
      ...knockout({ stack: 'cross', layers: [0, 1], key }),
      ...ablate(0, 1, { stack: 'encoder' }),
    ];
    const want = translator.translate(english, { edits }).text;
    translator.delete();
    const args = ['--knockout', 'cross:<-elephant', '--ablate', 'encoder:0.1'];
    const got = JSON.parse(printed(['translate', english, ...args, '--json']));
    assert.equal(got.text, want);
    assert.equal(got.options.edits.length, 2);
    refusing("Try 'attention-wasm translate --help'.")(
      ['translate', english, '--knockout', 'cross:<-dog'],
      `--knockout has "dog", which is not in the text; positions 0 to ${tokens.length - 1} work as numbers`,
    );
  });

  it('draws the selected weights', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-picture-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'translation.svg');
    printed(['translate', 'The pink elephant', '--picture', file]);
    assert.match(await readFile(file, 'utf8'), /^<svg.*elephant/s);
    const refused = refusing("Try 'attention-wasm translate --help'.");
    for (const [option, ...message] of [
      ['--layer=all', '--picture draws one matrix and cannot be combined with "all"'],
      ['--text-only', '--text-only writes translations only and cannot be combined with --picture'],
    ]) {
      refused(['translate', 'The cat', '--picture', file, option], ...message);
    }
  });
});
