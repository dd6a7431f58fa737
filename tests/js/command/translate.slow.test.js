// The command `attention-wasm translate`, run in a shell and compared with the results of the library for the same sentence.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import {
  blocksOf,
  columnsOf,
  command,
  invoke,
  parseCsv,
  printed,
  refusing,
  stripped,
  terminal,
  withoutModule,
} from '../../support/js/command.js';

const elephant = 'The pink elephant tried to get into the car';
const numbersOf = (line) => line.match(/\d\.\d+/g).map(Number);
const inShell = (line) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, text, bare]) => text ?? bare);

/** Nested arrays of a tensor's numbers. */
function nested({ data, dims }) {
  let all = [...data];
  for (const size of dims.slice(1).reverse()) {
    all = Array.from({ length: all.length / size }, (_, n) => all.slice(n * size, (n + 1) * size));
  }
  return all;
}

const singles = (numbers) => (Array.isArray(numbers) ? numbers.map(singles) : Math.fround(numbers));
const sum = (list) => list.reduce((total, x) => total + x, 0);
const meanOfHeads = (heads) =>
  heads[0].map((row, i) => row.map((_, j) => sum(heads.map((head) => head[i][j])) / heads.length));

/** Weights between words by the definition, rows × columns: summed over a word's column tokens, averaged over its row tokens. */
function betweenWords(matrix, rows, columns) {
  const pieces = ({ tokens }, word) =>
    tokens.flatMap((token, at) => (token.word === word ? [at] : []));
  const words = ({ tokens }) => [...new Set(tokens.map(({ word }) => word))];
  return words(rows).map((row) => {
    const attending = pieces(rows, row);
    return words(columns).map((column) => {
      const read = pieces(columns, column);
      const sums = attending.map((i) => sum(read.map((j) => matrix[i][j])));
      return sum(sums) / attending.length;
    });
  });
}

/** Words as spelled in the text, from the start of their first token to the end of their last. */
function wordsOf({ tokens, text }) {
  return [...new Set(tokens.map(({ word }) => word))].map((word) => {
    const pieces = tokens.filter((token) => token.word === word);
    return pieces[0].special ? pieces[0].text : text.slice(pieces[0].start, pieces.at(-1).end);
  });
}

/** Rows of a table as it is printed: [label, ...numbers]. */
const rowsOf = (table) =>
  table.map((line) => [line.trim().split(/ {2}/)[0].trim(), ...numbersOf(line)]);

function assertClose(rows, expected, within = 1e-6) {
  assert.equal(rows.length, expected.length);
  rows.forEach((row, i) => {
    assert.equal(row.length, expected[i].length);
    row.forEach((x, j) =>
      assert.ok(Math.abs(x - expected[i][j]) <= within, `${i}, ${j}: ${x}, ${expected[i][j]}`),
    );
  });
}

describe('attention-wasm translate', () => {
  let translator, translation;
  before(async () => {
    translator = await loadTranslator();
    translation = translator.translate(elephant);
  });

  /** Matrices between tokens of one kind of attention, and the texts of their rows and columns. */
  const crossOf = ({ attention, target, source }) => ({
    layers: attention.cross.map(nested),
    rows: target,
    columns: source,
  });

  it('translate prints the translation, then its alignment between words', () => {
    const [first, heading, table, notes] = blocksOf(printed(['translate', elephant]));
    const { layers, rows, columns } = crossOf(translation);
    const [own, read] = [rows, columns].map((text) => wordsOf(text).length - 1);
    assert.deepEqual(first, [translation.text]);
    assert.deepEqual(heading, [
      `Cross-attention, decoder layer ${layers.length} of ${layers.length}, ` +
        `mean of ${translator.heads} heads: ${own} words attending to ${read} words`,
    ]);
    assert.deepEqual(table[0].trim().split(/ +/), [...elephant.split(' '), '</s>']);
    const shown = rowsOf(table.slice(1));
    assert.deepEqual(
      shown.map(([label]) => label),
      wordsOf(rows),
    );
    const expected = betweenWords(meanOfHeads(layers.at(-1)), rows, columns);
    assertClose(
      shown.map(([, ...numbers]) => numbers),
      expected,
      0.00501,
    );
    assert.match(notes[0], /^Each row is a word of the translation, .* each row sums to 1\./);
    const likelihood = /probability of .*: (\S+) \(geometric mean\)\.$/.exec(notes[1])[1];
    const { logProbabilities } = translation;
    const mean = Math.exp(sum(logProbabilities) / logProbabilities.length);
    assert.ok(Math.abs(likelihood - mean) <= 0.05 * mean, `${likelihood}, ${mean}`);
  });

  describe('its options', () => {
    const csv = (...args) => parseCsv(printed(['translate', elephant, '--csv', ...args]));
    const float = (records, from) =>
      singles(records.map((record) => record.slice(from).map(Number)));
    // The matrix, without the translation above it.
    const picture = (...args) => blocksOf(printed(['translate', elephant, ...args])).slice(1);

    it('--csv: the displayed matrix', () => {
      const { layers, rows, columns } = crossOf(translation);
      const [header, ...records] = csv();
      assert.deepEqual(header, ['word', ...wordsOf(columns)]);
      assert.deepEqual(
        records.map(([word]) => word),
        wordsOf(rows),
      );
      const expected = betweenWords(meanOfHeads(layers.at(-1)), rows, columns);
      assertClose(float(records, 1), expected);
    });

    it('--layer and --head: the requested matrix', () => {
      const { layers, rows, columns } = crossOf(translation);
      for (const [layer, head] of [
        [1, 1],
        [layers.length, translator.heads],
      ]) {
        const args = ['--layer', `${layer}`, '--head', `${head}`];
        const expected = betweenWords(layers[layer - 1][head - 1], rows, columns);
        assertClose(float(csv(...args).slice(1), 1), expected);
        const of = `layer ${layer} of ${layers.length}, head ${head} of ${translator.heads}: `;
        assert.ok(picture(...args)[0][0].includes(of));
      }
      const mean = betweenWords(meanOfHeads(layers[0]), rows, columns);
      assertClose(float(csv('--layer', '1').slice(1), 1), mean);
    });

    it('--pieces: between the tokens of the model', () => {
      const { layers, rows, columns } = crossOf(translation);
      const labels = ({ tokens }) => tokens.map(({ text }) => text);
      const [header, ...records] = csv('--pieces', '--head', '2');
      assert.deepEqual(header, ['piece', ...labels(columns)]);
      assert.deepEqual(
        records.map(([piece]) => piece),
        labels(rows),
      );
      assertClose(float(records, 1), layers.at(-1)[1], 0);
      const pieces = picture('--pieces')[0][0]
        .match(/\d+(?= pieces)/g)
        .map(Number);
      const expected = new Set([rows, columns]);
      assert.deepEqual(
        pieces,
        [...expected].map(({ tokens }) => tokens.length - 1),
      );
    });

    it('all layers, all heads: a table for each, with layer and head in its heading', () => {
      const { layers, rows, columns } = crossOf(translation);
      const { heads } = translator;
      const numbers = (count) => Array.from({ length: count }, (_, n) => n + 1);
      const keys = numbers(layers.length).flatMap((l) => numbers(heads).map((h) => [l, h]));
      const [header, ...records] = csv('--layer', 'all', '--head', 'all');
      const count = wordsOf(rows).length;
      assert.deepEqual(header.slice(0, 3), ['layer', 'head', 'word']);
      assert.equal(records.length, keys.length * count);
      keys.forEach(([layer, head], n) => {
        const own = records.slice(n * count, (n + 1) * count);
        for (const record of own) assert.deepEqual(record.slice(0, 2).map(Number), [layer, head]);
        const expected = betweenWords(layers[layer - 1][head - 1], rows, columns);
        assertClose(float(own, 3), expected);
      });
      const titles = (...args) => {
        const [[heading], ...blocks] = picture(...args);
        return [heading.split(':')[0], ...blocks.slice(0, -1).map(([title]) => title)];
      };
      const kind = 'Cross-attention';
      assert.deepEqual(titles('--layer', 'all', '--head', 'all'), [
        kind,
        ...keys.map(([l, h]) => `Decoder layer ${l} of ${layers.length}, head ${h} of ${heads}`),
      ]);
      assert.deepEqual(titles('--layer', 'all'), [
        `${kind}, mean of ${heads} heads`,
        ...numbers(layers.length).map((l) => `Decoder layer ${l} of ${layers.length}`),
      ]);
      assert.deepEqual(titles('--head', 'all', '--layer', '1'), [
        `${kind}, decoder layer 1 of ${layers.length}`,
        ...numbers(heads).map((h) => `Head ${h} of ${heads}`),
      ]);
    });

    it('names the range of --layer and --head', () => {
      const { length } = crossOf(translation).layers;
      const counts = { layer: length, head: translator.heads };
      for (const [option, count] of Object.entries(counts)) {
        for (const requested of [0, count + 1]) {
          const { code, err } = command(['translate', 'I am', `--${option}`, `${requested}`]);
          assert.equal(code, 2);
          assert.match(err, RegExp(`--${option} is "${requested}".* ${count}\\b`));
        }
      }
    });

    it('explains itself by --help and -h, within 80 columns', () => {
      const help = printed(['translate', '--help'], { first: withoutModule });
      assert.equal(printed(['translate', 'x', '-h']), help);
      assert.ok(help.startsWith('Usage: attention-wasm translate [options] TEXT\n'));
      for (const line of help.split('\n')) assert.ok(columnsOf(line) <= 80, line);
      const options = 'layer head pieces json csv color help version beam target text-only';
      for (const option of options.split(' ')) assert.match(help, RegExp(`--${option}\\b`));
      assert.match(printed(['--help']), /^ +translate /m);
      assert.equal(printed(['translate', '-V']), printed(['-V']));
    });

    it('with examples that run', () => {
      const [, examples] = printed(['translate', '--help']).split('Examples:\n');
      const lines = examples.trim().split('\n');
      assert.ok(lines.length >= 3);
      for (const line of lines) {
        assert.ok(line.trim().startsWith('attention-wasm translate '));
        const [, ...args] = inShell(line.split(' < ')[0]);
        assert.notEqual(printed(args, { input: 'I am here.' }), '');
      }
    });

    it('refuses with exit code 2, without loading the model', () => {
      // The message names the last argument of each list.
      const cases = [
        ['a', '--foo'],
        ['a', '--layer'],
        ['a', '--layer', 'top'],
        ['a', '--head=-1'],
        ['a', '--pieces=yes'],
        ['a', '--json', '--csv'],
        ...['layer=1', 'head=1', 'pieces'].map((option) => ['a', '--json', `--${option}`]),
      ];
      cases.push(
        ...['0', '33', '1.5'].map((beam) => ['a', '--beam', beam]),
        ...['layer=1', 'pieces', 'target=b'].map((option) => ['a', '--text-only', `--${option}`]),
        ['a', '--json', '--text-only'],
        ['a', '--beam', '2', '--target=b'],
        ['a\nb', '--target=c'],
      );
      for (const args of cases) {
        const { code, out, err } = command(['translate', ...args], { first: withoutModule });
        assert.deepEqual([code, out], [2, ''], args.join(' '));
        const [option] = args.findLast((one) => one.startsWith('--')).split('=');
        assert.ok(err.startsWith('attention-wasm: ') && err.includes(option), err);
      }
      const refused = refusing("Try 'attention-wasm translate --help'.");
      const first = withoutModule;
      refused(['translate', ' \n\u200b'], 'the text has no words', { first });
      refused(['translate', 'a', '--target', ' '], 'the target has no words', { first });
      refused(['translate'], 'missing text', { first: terminal(80) });
    });
  });

  describe('its output', () => {
    it('fits the terminal, in color as in plain', () => {
      const env = { NO_COLOR: '1' };
      for (const width of [120, 30]) {
        const out = printed(['translate', elephant, '--pieces'], { first: terminal(width), env });
        for (const line of out.split('\n')) assert.ok(columnsOf(line) <= width, line);
        if (width === 30) assert.match(out, /^Pieces \d+–\d+ of \d+$/m);
      }
      const colored = printed(['translate', elephant], { env: { FORCE_COLOR: '3' } });
      assert.match(colored, /\x1b\[48;2;/); // eslint-disable-line no-control-regex
      const plain = stripped(colored).replace(/ +$/gm, '');
      assert.equal(plain, printed(['translate', elephant]));
      for (const format of ['--csv', '--json']) {
        const out = printed(['translate', 'I am', format, '--color', 'always']);
        assert.equal(out, printed(['translate', 'I am', format]));
      }
    });

    it('reads sentences, one on each line', () => {
      const sentences = ['I am here.', 'Where are you?'];
      const each = sentences.map((sentence) => printed(['translate', sentence]));
      const both = each.join('\n');
      assert.equal(printed(['translate'], { input: 'I am here.\r\n \n\nWhere are you?' }), both);
      assert.equal(printed(['translate', '-'], { input: `${sentences.join('\n')}\n` }), both);
      assert.equal(printed(['translate', sentences.join('\n')]), both);
      assert.equal(printed(['translate', 'I', 'am', 'here.'], { input: 'not this' }), each[0]);
      const lines = printed(['translate', '--json'], { input: `\n${sentences.join('\n')}\n` });
      assert.equal(lines, sentences.map((text) => printed(['translate', '--json', text])).join(''));
      const { code, err } = command(['translate', '--csv'], { input: sentences.join('\n') });
      assert.equal(code, 2);
      assert.match(err, /--csv/);
      assert.equal(
        printed(['translate', '--csv'], { input: '\nI am here.\n\n' }),
        printed(['translate', '--csv', 'I am here.']),
      );
    });

    it('lets no control character through', () => {
      const controls = /[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/; // eslint-disable-line no-control-regex
      const nasty = 'a \x1b[31mred\x07 \x9b2J \u202eb \x7f c\x1b\u0301 \x85\u0301 \x00d';
      const formats = [[], ['--pieces'], ['--json'], ['--csv'], ['--text-only']];
      formats.push(['--target', nasty.slice(0, -2)]);
      for (const args of formats) {
        assert.doesNotMatch(printed(['translate', ...args], { input: nasty }), controls);
      }
    });

    it('refuses a sentence that is too long, and names its line', () => {
      const long = 'no '.repeat(600);
      const { code, err } = command(['translate', '--json'], { input: `I am.\n\n${long}\n` });
      assert.equal(code, 2);
      assert.match(err, /^attention-wasm: line 3: text has 600 tokens; the limit is 512\n/);
    });

    const options = [
      [[], {}, { beam: 4, target: null }],
      [['--beam', '1'], { beam: 1 }, { beam: 1, target: null }],
      [
        ['--target', 'Le chat dort!'],
        { target: 'Le chat dort!' },
        { beam: null, target: 'Le chat dort!' },
      ],
    ];
    for (const [args, asked, said] of options) {
      it(`${args.join(' ')} --json: the library's answer, to the bit`, () => {
        const text = 'The "pink" cat isn’t here\u200b';
        const out = printed(['translate', text, '--json', ...args]);
        const result = JSON.parse(out);
        const expected = translator.translate(text, asked);
        assert.equal(out.trimEnd().split('\n').length, 1);
        assert.deepEqual(result.options, said);
        for (const key of ['text', 'source', 'target', 'inputs', 'logProbabilities']) {
          assert.deepEqual(result[key], expected[key], key);
        }
        assert.deepEqual(Object.keys(result.attention), ['encoder', 'decoder', 'cross']);
        for (const [stack, layers] of Object.entries(expected.attention)) {
          assert.deepEqual(singles(result.attention[stack]), layers.map(nested), stack);
        }
      });
    }

    it('--target: weights for the reader’s own translation', () => {
      const target = 'Le chat dort !';
      const out = printed(['translate', 'The cat sleeps', '--target', 'Le  chat dort!']);
      const [first, heading, table] = blocksOf(out);
      assert.deepEqual(first, [target]);
      assert.match(heading[0], /: 4 words attending to 3 words$/);
      const labels = rowsOf(table.slice(1)).map(([label]) => label);
      assert.deepEqual(labels, [...target.split(' '), '</s>']);
    });

    it('--text-only: line n is the translation of line n', () => {
      const sentences = ['I am here.', '', 'Where are you?'];
      const expected = sentences.map((text) => (text ? translator.translate(text).text : ''));
      const input = sentences.join('\n');
      const out = printed(['translate', '--text-only'], { input });
      assert.equal(out, `${expected.join('\n')}\n`);
      assert.equal(printed(['translate', '--text-only', '-'], { input: `${input}\n` }), out);
    });

    it('answers each line before reading the next one', { timeout: 60_000 }, async ({ signal }) => {
      const [node, args, settings] = invoke(['translate', '--text-only']);
      const child = spawn(node, args, { ...settings, signal });
      const closed = once(child, 'close');
      const answers = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
      for (const text of ['I am here.', 'Where are you?']) {
        child.stdin.write(`${text}\n`);
        const { value } = await answers.next();
        assert.equal(value, `${translator.translate(text).text}\n`);
      }
      child.stdin.end();
      assert.ok((await answers.next()).done);
      assert.deepEqual(await closed, [0, null]);
    });

    it('is a command only as the first argument', () => {
      for (const args of [['translate this'], ['--', 'translate', 'this'], ['encode', 'this']]) {
        assert.match(printed(args), /^Self-attention: 2 words, scale 4\n/);
      }
    });
  });
});
