// The command attention-wasm as a shell runs it: every option, every exit code, in colour and in
// plain, wide and narrow; and that nothing in a text reaches the terminal as more than text.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, wordVectors, words } from 'attention-wasm/text';
import { matrixTable } from '../../../web/lib/command/matrix_table.js';
import { palette } from '../../../web/lib/command/shade.js';
import { displayWidth, printable, shorten, wrap } from '../../../web/lib/command/terminal_text.js';
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
import { root } from '../../support/js/package.js';

const tea = 'Zuko made his uncle tea';
const assertRefused = refusing("Try 'attention-wasm --help'.");

// Runs before the program: an engine without WebAssembly.
const withoutWasm = 'delete globalThis.WebAssembly;';

const numbersOf = (line) => line.match(/\d\.\d+/g).map(Number);

describe('the command', () => {
  let attention, kernelAttention, linearAttention;
  before(async () => {
    ({ attention, kernelAttention, linearAttention } = await loadAttention());
  });

  // What the library says about the same words.
  function expected(text, { context, dim = 256, seed = 0, positions = false, ...options } = {}) {
    const [query, key] = [text, context ?? text].map((each) =>
      wordVectors(words(each), { dim, seed, positions }),
    );
    return attention(query, key, key, {
      scale: lexicalScale,
      weights: true,
      scores: 'biased',
      ...options,
    });
  }

  const flat = (nested) =>
    nested.flat(Infinity).map((x) => (x === null ? -Infinity : Math.fround(x)));

  describe('draws', () => {
    it('the weights between the words', () => {
      const [heading, table, notes] = blocksOf(printed([tea]));
      assert.deepEqual(heading, ['Self-attention: 5 words, scale 4']);
      assert.deepEqual(table, [
        '        Zuko   made    his  uncle    tea',
        ' Zuko   0.93   0.02   0.02   0.02   0.01',
        ' made   0.02   0.92   0.02   0.01   0.02',
        '  his   0.02   0.02   0.93   0.02   0.01',
        'uncle   0.02   0.02   0.02   0.94   0.01',
        '  tea   0.01   0.02   0.01   0.01   0.93',
      ]);
      assert.deepEqual(notes, [
        'Each row is a word reading, each column a word read; a row sums to 1.',
        'Words are compared by spelling (character n-grams), not by meaning.',
      ]);
    });

    it('the numbers of the library', () => {
      const text = 'the cat sat on the mat';
      const [, table] = blocksOf(printed([text]));
      const { weights } = expected(text);
      const shown = table.slice(1).flatMap(numbersOf);
      assert.deepEqual(
        shown,
        Array.from(weights.data, (x) => Number(x.toFixed(2))),
      );
    });

    it('words without quotes as one text', () => {
      assert.equal(printed(tea.split(' ')), printed([tea]));
    });

    it('texts that look like options, after --', () => {
      assert.match(printed(['--', '--json']), /^Self-attention: 3 words/);
    });

    it('a single word', () => {
      const [heading, table] = blocksOf(printed(['tea']));
      assert.deepEqual(
        [heading[0], ...table],
        ['Self-attention: 1 word, scale 4', '      tea', 'tea  1.00'],
      );
    });

    it('more digits for more words, so that an even share shows', () => {
      const text = (count) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
      const digits = (count) => /\d\.(\d+)/.exec(printed([text(count), '--scale', '0']))[1];
      assert.deepEqual([digits(30), digits(31), digits(300)], ['03', '032', '003']);
    });
  });

  describe('takes', () => {
    it('--context and -c: cross-attention', () => {
      const out = printed(['made tea', '--context', tea]);
      const [heading, table] = blocksOf(out);
      assert.deepEqual(heading, ['Cross-attention: 2 words reading 5 words, scale 4']);
      assert.deepEqual(
        table.map((line) => line.trim().split(/ +/)[0]),
        ['Zuko', 'made', 'tea'],
      );
      const { weights } = expected('made tea', { context: tea });
      assert.deepEqual(
        table.slice(1).flatMap(numbersOf),
        Array.from(weights.data, (x) => Number(x.toFixed(2))),
      );
      assert.equal(printed(['-c', tea, 'made tea']), out);
    });

    it('--causal: nothing is shown of the words that follow', () => {
      const [heading, table] = blocksOf(printed(['a b a', '--causal']));
      assert.deepEqual(heading, ['Causal self-attention: 3 words, scale 4']);
      assert.deepEqual(
        table.slice(1).map((line) => line.trim().split(/ +/).slice(1)),
        [
          ['1.00', '·', '·'],
          ['0.02', '0.98', '·'],
          ['0.49', '0.01', '0.49'],
        ],
      );
    });

    it('--scale, any number and default', () => {
      const heads = [
        [['--scale', '0.5'], 0.5, '0.5'],
        [['--scale=-1'], -1, '-1'],
        [['--scale', '-1e-2'], -0.01, '-0.01'],
        [['--scale', '0'], 0, '0'],
        [['--scale', 'default'], 1 / 16, '0.0625 (1/√256)'],
        [
          ['--scale', 'default', '--dim', '64', '--heads', '4', '--average'],
          0.25,
          '0.25 (1/√16), mean of 4 heads',
        ],
      ];
      for (const [args, scale, note] of heads) {
        assert.equal(
          printed([tea, ...args]).split('\n')[0],
          `Self-attention: 5 words, scale ${note}`,
        );
        assert.equal(JSON.parse(printed([tea, ...args, '--json'])).options.scale, scale);
      }
    });

    it('--heads: a matrix for each', () => {
      const blocks = blocksOf(printed([tea, '--heads', '4']));
      assert.deepEqual(blocks[0], ['Self-attention: 5 words, scale 16']);
      const { weights } = expected(tea, { heads: 4, scale: 4 * lexicalScale });
      blocks.slice(1, 5).forEach(([title, , ...rows], head) => {
        assert.equal(title, `Head ${head + 1} of 4`);
        assert.deepEqual(
          rows.flatMap(numbersOf),
          Array.from(weights.data.subarray(25 * head, 25 * head + 25), (x) => Number(x.toFixed(2))),
        );
      });
      assert.equal(blocks.length, 6);
    });

    it('--average: their mean', () => {
      const [heading, table] = blocksOf(printed([tea, '--heads', '4', '--average']));
      assert.deepEqual(heading, ['Self-attention: 5 words, scale 16, mean of 4 heads']);
      const { weights } = expected(tea, { heads: 4, scale: 16, weights: 'average' });
      assert.deepEqual(
        table.slice(1).flatMap(numbersOf),
        Array.from(weights.data, (x) => Number(x.toFixed(2))),
      );
    });

    it('--dim, --seed and --positions', () => {
      const cases = [
        [['--dim', '8'], { dim: 8 }],
        [['--seed', '4294967295'], { seed: 4294967295 }],
        [['--positions'], { positions: true }],
      ];
      for (const [args, options] of cases) {
        const json = JSON.parse(printed([tea, ...args, '--json']));
        assert.deepEqual(flat(json.weights), [...expected(tea, options).weights.data], args[0]);
        assert.notDeepEqual(flat(json.weights), [...expected(tea).weights.data], args[0]);
      }
      assert.match(
        printed([tea, '--positions']),
        /^Self-attention: 5 words, scale 4, with positions\n/,
      );
    });

    it('the last of an option given twice', () => {
      assert.match(printed([tea, '--scale', '1', '--scale', '2']), /scale 2\n/);
    });
  });

  describe('reads', () => {
    it('standard input when there is no text, or -', () => {
      const out = printed([tea]);
      assert.equal(printed([], { input: `${tea}\n` }), out);
      assert.equal(printed(['-'], { input: 'Zuko\r\nmade\this uncle\n\ntea\n' }), out);
      assert.equal(printed([tea], { input: 'not this' }), out);
    });

    it('the context from standard input', () => {
      const out = printed(['tea', '--context', tea]);
      assert.equal(printed(['tea', '--context', '-'], { input: tea }), out);
    });

    it('UTF-8 with a byte order mark, or not quite UTF-8', () => {
      const tokens = (input) => JSON.parse(printed(['--json'], { input })).tokens;
      assert.deepEqual(tokens('\ufeffçay'), ['çay']);
      assert.deepEqual(tokens(Buffer.from([0x61, 0x20, 0xff])), ['a', '\ufffd']);
    });

    it('characters that come in pieces', async () => {
      const [node, args, settings] = invoke(['--json']);
      const child = spawn(node, args, settings);
      const output = child.stdout.toArray();
      const bytes = Buffer.from('茶 tea');
      child.stdin.write(bytes.subarray(0, 1));
      await new Promise((resolve) => setTimeout(resolve, 300));
      child.stdin.end(bytes.subarray(1));
      const { tokens } = JSON.parse(Buffer.concat(await output).toString());
      assert.deepEqual(tokens, ['茶', 'tea']);
    });
  });

  describe('writes JSON', () => {
    it('that equals the library, to the bit', () => {
      const cases = [
        [[], {}],
        [['--causal'], { causal: true }],
        [['--context', 'made tea'], { context: 'made tea' }],
        [['--heads', '1'], { heads: 1 }],
        [['--heads', '4'], { heads: 4, scale: 16 }],
        [['--heads', '4', '--average'], { heads: 4, scale: 16, weights: 'average' }],
        [['--scale', 'default'], { scale: undefined }],
      ];
      for (const [args, options] of cases) {
        const json = JSON.parse(printed([tea, '--json', ...args]));
        const { weights, scores } = expected(tea, options);
        assert.deepEqual(Object.keys(json), [
          'tokens',
          'context',
          'options',
          'dims',
          'weights',
          'scores',
        ]);
        assert.deepEqual(json.tokens, words(tea));
        assert.deepEqual(json.context, options.context ? words(options.context) : null);
        assert.deepEqual(json.dims, weights.dims);
        assert.deepEqual(flat(json.weights), [...weights.data]);
        assert.deepEqual(flat(json.scores), [...scores.data]);
        const shape = (nested) =>
          Array.isArray(nested) ? [nested.length, ...shape(nested[0])] : [];
        assert.deepEqual(shape(json.weights), weights.dims);
        assert.deepEqual(shape(json.scores), scores.dims);
      }
    });

    it('in the shortest numbers that do', () => {
      const { weights } = expected(tea);
      const numbers = [...weights.data].map((x) => {
        const precise = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => Number(x.toPrecision(digits)));
        return precise.find((decimal) => Math.fround(decimal) === x);
      });
      assert.deepEqual(JSON.parse(printed([tea, '--json'])).weights.flat(), numbers);
    });

    it('with the options it was made with', () => {
      const { options } = JSON.parse(printed([tea, '--json']));
      assert.deepEqual(options, {
        kind: 'softmax',
        scale: 4,
        bandwidth: null,
        temperature: 1,
        vectorLength: 1,
        causal: false,
        heads: 1,
        average: false,
        dim: 256,
        seed: 0,
        positions: false,
      });
      const args =
        '--causal --heads=2 --average --dim=32 --seed=9 --positions --temperature 0.5'.split(' ');
      assert.deepEqual(JSON.parse(printed([tea, '--json', ...args])).options, {
        kind: 'softmax',
        scale: 8,
        bandwidth: null,
        temperature: 0.5,
        vectorLength: 1,
        causal: true,
        heads: 2,
        average: true,
        dim: 32,
        seed: 9,
        positions: true,
      });
    });

    it('one line for a row', () => {
      assert.equal(printed([tea, '--json']).split('\n').length, 6 + 5 + 2 + 5 + 3);
    });
  });

  describe('knows every kind of attention', () => {
    const long = 'similarly similar Zuko made uncle uncles tea , tea';
    const linear = (featureMap) => (q, k, options) =>
      linearAttention(q, k, k, { featureMap, ...options });
    const kernel = (similarity, chosen) => (q, k, options, heads) =>
      kernelAttention(q, k, k, { similarity, ...chosen?.(heads), ...options });
    // The library's call for every name, with what the command works with unless told otherwise.
    const kinds = {
      softmax: (q, k, options, heads) => attention(q, k, k, { scale: 4 * heads, ...options }),
      linear: linear('elu'),
      'linear:elu': linear('elu'),
      'linear:relu': linear('relu'),
      'linear:exp': linear('exp'),
      efficient: linear('efficient'),
      'kernel:exponential': kernel('exponential', (heads) => ({ scale: 4 * heads })),
      'kernel:gaussian': kernel('gaussian', (heads) => ({ bandwidth: 0.5 / Math.sqrt(heads) })),
      'kernel:laplacian': kernel('laplacian', (heads) => ({ bandwidth: 4 / heads })),
      'kernel:cosine': kernel('cosine'),
      'kernel:polynomial': kernel('polynomial', (heads) => ({ scale: 4 * heads })),
    };
    const isLinear = (kind) => /^(linear|efficient)/.test(kind);
    const vectors = (kind, text) => {
      const { data, dims } = wordVectors(words(text), { dim: 256 });
      return { data: data.map((x) => x * (isLinear(kind) ? 32 : 1)), dims };
    };
    const json = (...args) => JSON.parse(printed([...args, '--json']));

    for (const [kind, weigh] of Object.entries(kinds)) {
      it(`${kind}: the numbers of the library`, () => {
        const causal = kind !== 'efficient';
        const cases = [
          [['--context', 'uncle Zuko'], {}],
          [
            ['--heads', '4', ...(causal ? ['--causal'] : [])],
            { heads: 4, ...(causal && { causal }) },
          ],
          [['--heads', '4', '--average'], { heads: 4, weights: 'average' }],
        ];
        for (const [args, options] of cases) {
          const [query, key] = [long, args[0] === '--context' ? args[1] : long].map((text) =>
            vectors(kind, text),
          );
          const asked = { weights: true, ...options };
          const { weights } = weigh(query, key, asked, options.heads ?? 1);
          const shown = json(long, '--kind', kind, ...args);
          assert.deepEqual(flat(shown.weights), [...weights.data], args.join(' '));
          assert.deepEqual(shown.dims, weights.dims);
          assert.equal(shown.options.kind, kind === 'linear' ? 'linear:elu' : kind);
          assert.equal(shown.scores === null, kind !== 'softmax');
        }
      });
    }

    it('by their formulas', () => {
      const { data, dims } = vectors('softmax', long);
      const [n, dim] = dims;
      const rows = Array.from({ length: n }, (_, i) => data.subarray(i * dim, i * dim + dim));
      const sum = (list) => list.reduce((total, x) => total + x, 0);
      const dot = (q, k) => sum(Array.from(q, (x, c) => x * k[c]));
      const norm = (q) => Math.sqrt(dot(q, q));
      const elu = (q) => q.map((x) => (x > 0 ? 32 * x + 1 : Math.exp(32 * x)));
      const apart = (q, k, power) => sum(Array.from(q, (x, c) => Math.abs(x - k[c]) ** power));
      const bandwidth = { gaussian: 0.5, laplacian: 4 };
      const T = 0.5;
      const formulas = {
        'softmax --temperature 0.5': (q, k) => Math.exp((4 * dot(q, k)) / T),
        'kernel:exponential --temperature 0.5': (q, k) => Math.exp((4 * dot(q, k)) / T),
        'kernel:gaussian --temperature 0.5': (q, k) =>
          Math.exp(-apart(q, k, 2) / (2 * bandwidth.gaussian ** 2 * T)),
        'kernel:laplacian --temperature 0.5': (q, k) =>
          Math.exp(-apart(q, k, 1) / (bandwidth.laplacian * T)),
        'kernel:cosine': (q, k) => dot(q, k) / (norm(q) * norm(k)),
        'kernel:polynomial': (q, k) => (4 * dot(q, k) + 1) ** 2,
        'kernel:polynomial --scale -0.5': (q, k) => (-0.5 * dot(q, k) + 1) ** 2,
        linear: (q, k) => dot(elu(q), elu(k)),
        'linear:exp': (q, k) =>
          dot(
            q.map((x) => Math.exp(32 * x)),
            k.map((x) => Math.exp(32 * x)),
          ),
      };
      for (const [args, similarity] of Object.entries(formulas)) {
        const { weights } = json(long, '--kind', ...args.split(' '));
        weights.forEach((row, i) => {
          const likeness = rows.map((k) => similarity(rows[i], k));
          row.forEach((weight, j) => {
            const wanted = likeness[j] / sum(likeness);
            assert.ok(Math.abs(weight - wanted) <= 1e-5, `${args}: ${weight}, ${wanted}`);
          });
        });
      }
    });

    it('named in the heading, with what it works with', () => {
      const headings = {
        'softmax --causal': 'Causal self-attention: 5 words, scale 4',
        'softmax --temperature 0.25': 'Self-attention: 5 words, scale 4, temperature 0.25',
        'softmax --temperature 1': 'Self-attention: 5 words, scale 4',
        'linear --causal': 'Causal self-attention, linear (elu + 1): 5 words, vectors of length 32',
        'linear:relu --dim 100 --heads 2 --average':
          'Self-attention, linear (relu): 5 words, vectors of length 20, mean of 2 heads',
        'linear:exp': 'Self-attention, linear (exp): 5 words, vectors of length 32',
        'efficient -c tea':
          'Cross-attention, efficient: 5 words reading 1 word, vectors of length 32',
        'kernel:exponential --scale default':
          'Self-attention, exponential kernel: 5 words, scale 0.0625 (1/√256)',
        'kernel:gaussian --temperature 2':
          'Self-attention, Gaussian kernel: 5 words, bandwidth 0.5, temperature 2',
        'kernel:laplacian --dim 64 --heads 2 --average':
          'Self-attention, Laplacian kernel: 5 words, bandwidth 1, mean of 2 heads',
        'kernel:cosine --positions': 'Self-attention, cosine kernel: 5 words, with positions',
        'kernel:polynomial': 'Self-attention, polynomial kernel: 5 words, scale 4',
      };
      for (const [args, heading] of Object.entries(headings)) {
        assert.equal(printed([tea, '--kind', ...args.split(' ')]).split('\n')[0], heading);
      }
    });

    it('with nothing shown of the words that follow', () => {
      for (const kind of ['softmax', 'linear', 'kernel:cosine']) {
        const [, table] = blocksOf(printed(['a b c', '--causal', '--kind', kind]));
        const cells = table.slice(1).map((line) => line.trim().split(/ +/).slice(1));
        assert.deepEqual(
          cells.map((row) => row.map((cell) => cell === '·')),
          [
            [false, true, true],
            [false, false, true],
            [false, false, false],
          ],
          kind,
        );
        assert.equal(cells[0][0], '1.00', kind);
      }
    });

    it('and its options in JSON: null where they are not its own', () => {
      const { options, scores } = json(tea, '--kind', 'linear');
      assert.deepEqual(options, {
        kind: 'linear:elu',
        scale: null,
        bandwidth: null,
        temperature: null,
        vectorLength: 32,
        causal: false,
        heads: 1,
        average: false,
        dim: 256,
        seed: 0,
        positions: false,
      });
      assert.equal(scores, null);
      const own = ({ scale, bandwidth, temperature, vectorLength }) => [
        scale,
        bandwidth,
        temperature,
        vectorLength,
      ];
      const cases = {
        'kernel:exponential --temperature 2': [4, null, 2, 1],
        'kernel:gaussian --temperature 4': [null, 0.5, 4, 1],
        'kernel:laplacian': [null, 4, 1, 1],
        'kernel:cosine': [null, null, null, 1],
        'kernel:polynomial --scale 2': [2, null, null, 1],
      };
      for (const [args, values] of Object.entries(cases)) {
        assert.deepEqual(own(json(tea, '--kind', ...args.split(' ')).options), values);
      }
    });

    it('as a picture in which equal words stand out', () => {
      for (const kind of Object.keys(kinds)) {
        json(tea, '--kind', kind).weights.forEach((row, i) => {
          const others = row.filter((_, j) => j !== i);
          assert.ok(row[i] > 1.5 * Math.max(...others), `${kind}: ${row}`);
        });
      }
    });

    it('as CSV', () => {
      const key = vectors('kernel:cosine', tea);
      const { weights } = kernelAttention(key, key, key, { similarity: 'cosine', weights: true });
      const [, ...records] = parseCsv(printed([tea, '--csv', '--kind', 'kernel:cosine']));
      const numbers = records.flatMap(([, ...cells]) => cells.map((x) => Math.fround(Number(x))));
      assert.deepEqual(numbers, [...weights.data]);
    });

    it('from one-hot to uniform with the temperature', () => {
      const kindsWithTemperature = [
        'softmax',
        'kernel:exponential',
        'kernel:gaussian',
        'kernel:laplacian',
      ];
      for (const kind of kindsWithTemperature) {
        const weights = (T) => json(tea, '--kind', kind, '--temperature', T).weights;
        weights('0.000001').forEach((row, i) =>
          row.forEach((x, j) => assert.ok(Math.abs(x - (i === j)) < 1e-6, `${kind}: ${row}`)),
        );
        for (const x of weights('1e6').flat()) assert.ok(Math.abs(x - 0.2) < 1e-5, `${kind}: ${x}`);
        // In between, twice the temperature halves the difference of two logarithms.
        const [one, two] = [weights('1'), weights('2')].map(([row]) => Math.log(row[0] / row[1]));
        assert.ok(Math.abs(one / 2 - two) < 1e-5, `${kind}: ${one}, ${two}`);
        assert.deepEqual(weights('1'), json(tea, '--kind', kind).weights);
      }
    });

    it('with the scores that the temperature made', () => {
      const { scores, weights } = json(tea, '--temperature', '4');
      const { scores: cooler, weights: same } = json(tea, '--scale', '1');
      assert.deepEqual([scores, weights], [cooler, same]);
    });
  });

  describe('draws weights below 0 and above 1', () => {
    let out;
    before(() => {
      out = printed(['a b c', '-c', 'd e f', '--kind', 'kernel:cosine']);
    });

    it('in columns that line up', () => {
      const [, table] = blocksOf(out);
      assert.deepEqual(table, [
        '       d      e      f',
        'a  -3.33  -3.00   7.33',
        'b   4.00  -5.00   2.00',
        'c  -0.83   0.67   1.17',
      ]);
    });

    it('and says so', () => {
      const sentence = 'Cosines can be negative, and weights with them; others then exceed 1.';
      assert.ok(out.includes(`\n${sentence}\n`));
      assert.ok(!printed([tea]).includes(sentence));
    });

    it('but no minus before zeros', () => {
      const matrix = {
        rows: ['a'],
        columns: ['b', 'c'],
        weight: (_, j) => [-0.004, -0.006][j],
        visible: () => true,
      };
      assert.deepEqual(
        [...matrixTable(matrix, palette(0), 80)],
        ['       b      c', 'a   0.00  -0.01'],
      );
    });

    it('as pale as 0 and as deep as 1', () => {
      for (const bits of [24, 8]) {
        const { shade } = palette(bits);
        for (const [beyond, end] of [
          [-7, 0],
          [-0.01, 0],
          [1.01, 1],
          [7, 1],
        ]) {
          assert.equal(shade('', beyond), shade('', end));
        }
      }
    });
  });

  it('says why a row of zeros is one', () => {
    const sentence = /^Where a row sums to less, the similarities of its word sum to 0(.*)\.$/m;
    const relu = ['a b c d e f', '--kind', 'linear:relu'];
    assert.equal(sentence.exec(printed([...relu, '--dim', '1']))[1], '');
    const heads = ['--dim', '4', '--heads', '4'];
    assert.equal(sentence.exec(printed([...relu, ...heads]))[1], '');
    assert.equal(sentence.exec(printed([...relu, ...heads, '--average']))[1], ' in some head');
    for (const args of [[], ['--heads', '4'], ['--heads', '4', '--average', '--causal']]) {
      assert.doesNotMatch(printed([tea, ...args]), sentence);
    }
  });

  describe('writes CSV', () => {
    it('that reads back as the words and the library’s weights', () => {
      const text = 'tea, "milk" and tea';
      const [header, ...records] = parseCsv(printed([text, '--csv']));
      assert.deepEqual(header, ['word', ...words(text)]);
      assert.deepEqual(
        records.map(([word]) => word),
        words(text),
      );
      const numbers = records.flatMap(([, ...cells]) => cells.map((x) => Math.fround(Number(x))));
      assert.deepEqual(numbers, [...expected(text).weights.data]);
    });

    it('with a column for the head', () => {
      const [header, ...records] = parseCsv(printed([tea, '--csv', '--heads', '2', '-c', 'a b']));
      assert.deepEqual(header, ['head', 'word', 'a', 'b']);
      assert.deepEqual(
        records.map(([head, word]) => `${head} ${word}`),
        [1, 2].flatMap((head) => words(tea).map((word) => `${head} ${word}`)),
      );
      const numbers = records.flatMap((cells) => cells.slice(2).map((x) => Math.fround(Number(x))));
      const { weights } = expected(tea, { heads: 2, scale: 8, context: 'a b' });
      assert.deepEqual(numbers, [...weights.data]);
    });

    it('quoted as RFC 4180 wants it', () => {
      const [header] = printed(['a , "', '--csv']).split('\n');
      assert.equal(header, 'word,a,",",""""');
    });

    it('without colour', () => {
      for (const format of ['--csv', '--json']) {
        const out = printed([tea, format, '--color', 'always'], { env: { FORCE_COLOR: '3' } });
        assert.equal(out, printed([tea, format]));
      }
    });
  });

  describe('colours', () => {
    const inTerminal = terminal(80);
    const depth = (out) => (out.includes('\x1b[48;2;') ? 24 : out.includes('\x1b[48;5;') ? 8 : 0);

    it('where they are wanted and seen', () => {
      const cases = [
        // output, arguments, environment, bits of colour
        ['', [], {}, 0],
        ['', [], { COLORTERM: 'truecolor' }, 0],
        ['', ['--color', 'always'], {}, 8],
        ['', ['--color=always'], { COLORTERM: 'truecolor' }, 24],
        ['', ['--color', 'always'], { NO_COLOR: '1' }, 8],
        ['', ['--color', 'always'], { TERM: 'dumb' }, 8],
        ['', ['--color', 'auto'], { FORCE_COLOR: '1' }, 8],
        ['', [], { FORCE_COLOR: '' }, 8],
        ['', [], { FORCE_COLOR: '2', COLORTERM: 'truecolor' }, 8],
        ['', [], { FORCE_COLOR: '3' }, 24],
        ['', [], { FORCE_COLOR: '1', NO_COLOR: '1' }, 8],
        ['', ['--color', 'never'], { FORCE_COLOR: '3' }, 0],
        [inTerminal, [], {}, 8],
        [inTerminal, [], { COLORTERM: 'truecolor' }, 24],
        [inTerminal, [], { TERM: 'xterm' }, 0],
        [inTerminal, [], { TERM: 'dumb' }, 0],
        [inTerminal, [], { NO_COLOR: '1' }, 0],
        [inTerminal, [], { NO_COLOR: '' }, 8],
        [inTerminal, [], { FORCE_COLOR: '0' }, 0],
        [inTerminal, [], { FORCE_COLOR: 'false' }, 0],
        [inTerminal, ['--color', 'never'], {}, 0],
      ];
      for (const [first, args, env, bits] of cases) {
        const out = printed([tea, ...args], { env, first });
        const where = JSON.stringify([first ? 'terminal' : 'file', args, env]);
        assert.equal(depth(out), bits, where);
        assert.equal(out.includes('\x1b'), bits > 0, where);
      }
    });

    it('the same picture as without', () => {
      for (const level of ['2', '3']) {
        const plain = printed([tea, '--causal']).split('\n');
        const out = stripped(printed([tea, '--causal'], { env: { FORCE_COLOR: level } }));
        assert.deepEqual(
          out.split('\n').map((line) => line.trimEnd()),
          plain,
        );
      }
    });

    it('every line on its own', () => {
      for (const level of ['2', '3']) {
        const lines = printed([tea, '--causal'], { env: { FORCE_COLOR: level } }).split('\n');
        for (const line of lines) {
          const opened = line.match(/\x1b\[48;/g)?.length ?? 0; // eslint-disable-line no-control-regex
          assert.equal(line.match(/\x1b\[39;49m/g)?.length ?? 0, opened); // eslint-disable-line no-control-regex
        }
        assert.doesNotMatch(lines.at(-2), /\x1b\[48/); // eslint-disable-line no-control-regex
      }
    });

    // Relative luminance and contrast as WCAG 2 defines them; the 256 colours as xterm does.
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((v) => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const xterm = (index) => {
      if (index >= 232) return new Array(3).fill(8 + 10 * (index - 232));
      return [36, 6, 1].map(
        (step) => [0, 95, 135, 175, 215, 255][Math.floor((index - 16) / step) % 6],
      );
    };
    const coloursOf = (escape) =>
      [...escape.matchAll(/[43]8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))/g)].map(([, r, g, b, index]) =>
        index === undefined ? [r, g, b].map(Number) : xterm(Number(index)),
      );

    it('readable at every weight, and darker with every weight', () => {
      for (const bits of [24, 8]) {
        const { shade } = palette(bits);
        let last = Infinity;
        for (let weight = 0; weight <= 1; weight += 1 / 256) {
          const [background, foreground] = coloursOf(shade('0.50', weight)).map(luminance);
          const [dark, light] = [background, foreground].sort((a, b) => a - b);
          const contrast = (light + 0.05) / (dark + 0.05);
          assert.ok(contrast >= 4.5, `${bits} bits, weight ${weight}: contrast ${contrast}`);
          assert.ok(background <= last + 1e-3, `${bits} bits, weight ${weight}`);
          last = background;
        }
      }
    });

    it('blue', () => {
      for (const bits of [24, 8]) {
        for (const weight of [0.2, 0.5, 0.9]) {
          const [[r, g, b]] = coloursOf(palette(bits).shade('', weight));
          assert.ok(b > g && g >= r, `${bits} bits, ${weight}: ${[r, g, b]}`);
        }
      }
    });
  });

  describe('fits the terminal', () => {
    const long =
      'The attention mechanism compares every word with all words; similarly spelled words attend ' +
      'to each other internationally.';
    const widths = [200, 120, 80, 60, 40, 30, 20];

    it('in every width, without losing a cell', () => {
      const count = words(long).length;
      for (const width of widths) {
        const out = printed([long], { first: terminal(width), env: { NO_COLOR: '1' } });
        const lines = out.split('\n');
        for (const line of lines) assert.ok(columnsOf(line) <= width, `${width}: ${line}`);
        const numbers = lines.filter((line) => /\d\.\d\d\b/.test(line)).flatMap(numbersOf);
        assert.equal(numbers.length, count * count, `${width}`);
      }
    });

    it('with every cell under its word, and no line too long, in any width', () => {
      const text = 'An internationally known tea of his uncle , 喝茶';
      const labels = words(text);
      const count = labels.length;
      const matrix = {
        rows: labels,
        columns: labels,
        unit: 'Word',
        weight: (i, j) => (i * count + j) / 100,
        visible: () => true,
      };
      for (let width = 13; width <= 120; ++width) {
        const cells = Array.from(labels, () => []);
        const heads = [];
        for (const line of matrixTable(matrix, palette(0), width)) {
          assert.ok(columnsOf(line) <= width, `${width}: ${line}`);
          if (line === '' || / of \d+$/.test(line)) continue;
          const numbers = line.match(/\d\.\d+/g);
          if (numbers) cells[Math.floor((100 * Number(numbers[0]) + 0.5) / count)].push(...numbers);
          else heads.push(...line.trim().split(/ +/));
        }
        assert.deepEqual(
          cells.flat(),
          Array.from({ length: count * count }, (_, at) => (at / 100).toFixed(2)),
        );
        assert.equal(heads.length, count, `${width}`);
        heads.forEach((head, j) => {
          const start = head.replace(/…$/, '');
          assert.ok(labels[j].startsWith(start) && start !== '', `${width}: ${head}, ${labels[j]}`);
        });
      }
    });

    it('in one piece as long as it can, then in blocks that say which words they show', () => {
      const text = 'one two three four five six seven eight nine ten eleven twelve';
      const draw = (width) => printed([text], { first: terminal(width), env: { NO_COLOR: '1' } });
      assert.equal(blocksOf(draw(100)).length, 3);
      const titles = draw(40).match(/^Words .* of .*$/gm);
      assert.deepEqual(titles, ['Words 1–4 of 12', 'Words 5–8 of 12', 'Words 9–12 of 12']);
    });

    it('with shorter labels before it breaks', () => {
      const text = 'internationalisation of deinstitutionalisation';
      const out = printed([text], { first: terminal(60), env: { NO_COLOR: '1' } });
      const [, [header]] = blocksOf(out);
      assert.equal(header.trim().split(/ +/).length, 3);
      assert.match(header, /international.*… {2} {2}of {2}deinstitu.*…$/);
    });

    it('of COLUMNS when it is none', () => {
      const out = printed([long], { env: { COLUMNS: '40' } });
      for (const line of out.split('\n')) assert.ok(columnsOf(line) <= 40, line);
      for (const COLUMNS of ['', '0', 'wide', '-3']) {
        assert.equal(printed([tea], { env: { COLUMNS } }), printed([tea]));
      }
    });
  });

  describe('shows any script', () => {
    it('in columns that line up', () => {
      const text =
        '我 喜欢喝茶，ฉันชอบดื่มชา 나는 차를 👩‍👩‍👧‍👦 👍🏽 🇫🇷 ❤️ नमस्ते man\u0303ana שלום مرحبا ｔｅａ';
      const [, table] = blocksOf(printed([text]));
      assert.equal(table.length, words(text).length + 1);
      const ends = table.map((line) => columnsOf(line.replace('ｔｅａ', '######')));
      assert.deepEqual(
        new Set(ends).size,
        1,
        table.map((line, i) => `${ends[i]} ${line}`).join('\n'),
      );
    });

    it('with right-to-left words kept from turning the line', () => {
      const [, [header, ...rows]] = blocksOf(printed(['שלום עולם tea']));
      assert.match(header, /\u200eשלום\u200e +\u200eעולם\u200e +tea$/);
      assert.match(rows[0], /^\u200eשלום\u200e/);
    });

    const widthOf = {
      '': 0,
      tea: 3,
      é: 1,
      'e\u0301': 1,
      茶: 2,
      ｔｅａ: 6,
      ｱ: 1,
      한국: 4,
      [`${'한국'.normalize('NFD')}`]: 4,
      ดื่ม: 2,
      नमस्ते: 4,
      '👩‍👩‍👧‍👦': 2,
      '👍🏽': 2,
      '🇫🇷': 2,
      '❤️': 2,
      '❤': 1,
      '1️⃣': 2,
      'a\u200db': 2,
      '\ufffd': 1,
    };
    for (const [text, width] of Object.entries(widthOf)) {
      it(`knows that ${JSON.stringify(text)} takes ${width}`, () => {
        assert.equal(displayWidth(text), width);
      });
    }

    it('shortened between characters', () => {
      assert.equal(shorten('uncle', 5), 'uncle');
      assert.equal(shorten('uncles', 5), 'uncl…');
      assert.equal(shorten('喝茶茶', 5), '喝茶…');
      assert.equal(shorten('喝茶茶', 4), '喝…');
      assert.equal(shorten('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4), '👩‍👩‍👧‍👦…');
      assert.equal(shorten('e\u0301e\u0301e\u0301', 2), 'e\u0301…');
    });

    it('wrapped between words', () => {
      assert.deepEqual(wrap('one two three', 7), ['one two', 'three']);
      assert.deepEqual(wrap('one two three', 2), ['one', 'two', 'three']);
      assert.deepEqual(wrap('one two three', Infinity), ['one two three']);
    });
  });

  describe('lets no control character through', () => {
    const controls = /[\0-\t\v-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/; // eslint-disable-line no-control-regex
    const nasty =
      '\x1b[31mred\x1b]0;title\x07 \x9b2J a\u202eb c\u2066d\0e \b\b \x7f \r x\u061c \x1b\u0301[31m \x9b\u0301 \x85\u0301';

    it('to the picture, JSON or CSV', () => {
      for (const args of [[], ['--json'], ['--csv'], ['--heads', '2']]) {
        assert.doesNotMatch(printed(args, { input: nasty }), controls);
        assert.doesNotMatch(printed(['a', '-c', '-', ...args], { input: nasty }), controls);
      }
    });

    it('to messages', () => {
      const cases = [
        ['--\x1b[31mred'],
        ['-\x9b'],
        ['a', '--scale', '\x1b]0;x\x07'],
        ['--color', '\u202e', 'a'],
      ];
      for (const args of cases) {
        const { code, err } = command(args);
        assert.equal(code, 2);
        assert.doesNotMatch(err, controls);
      }
    });

    it('by showing what it was', () => {
      assert.equal(printable('a\x1b[31m\x7f\x9b\ud800\u2028b'), 'a␛[31m␡���b');
      assert.equal(printable('a\u202eb\u00ad\u200b'), 'ab');
      assert.equal(printable('tea 茶 👩‍👩‍👧‍👦'), 'tea 茶 👩‍👩‍👧‍👦');
    });
  });

  describe('explains itself', () => {
    it('by --help and -h, within 80 columns', () => {
      const help = printed(['--help']);
      assert.equal(printed(['-h', '--json']), help);
      assert.match(help, /^Usage: attention-wasm \[options\] TEXT\n/);
      for (const line of help.split('\n')) assert.ok(columnsOf(line) <= 80, line);
      const options =
        'context causal kind scale temperature heads average dim seed positions json csv color help version';
      for (const name of options.split(' ')) assert.match(help, RegExp(`--${name}\\b`));
    });

    it('with examples that run', () => {
      const [, examples] = printed(['--help']).split('Examples:\n');
      const lines = examples.trim().split('\n');
      assert.ok(lines.length >= 3);
      for (const line of lines) {
        assert.match(line, /^ *attention-wasm /);
        const [asked] = line.trim().split(' < ');
        const [, ...args] = [...asked.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, text, bare]) => text ?? bare,
        );
        assert.notEqual(printed(args, { input: tea }), '');
      }
    });

    it('with every kind, and what each computes', () => {
      const help = printed(['--help']);
      const [, kinds] = help.split('\nKinds, ');
      const names = 'softmax linear linear:relu linear:exp efficient kernel:exponential';
      const kernels = 'kernel:gaussian kernel:laplacian kernel:cosine kernel:polynomial';
      for (const name of `${names} ${kernels}`.split(' ')) {
        assert.match(kinds, RegExp(`[ ]${name}[ ,\n]`));
      }
    });

    it('by help, where it is all that is said', () => {
      assert.equal(printed(['help']), printed(['--help']));
      for (const args of [['help', 'me'], ['help me'], ['--csv', 'help']]) {
        assert.doesNotMatch(printed(args), /Usage/);
      }
    });

    it('by --version and -V', () => {
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      assert.equal(printed(['--version']), `${version}\n`);
      assert.equal(printed(['-V']), `${version}\n`);
    });

    it('without loading the module', () => {
      assert.equal(command([tea], { first: withoutModule }).err, 'attention-wasm: was imported\n');
      for (const args of [['--help'], ['--version']]) printed(args, { first: withoutModule });
      assertRefused(['--foo'], 'unknown option "--foo"', { first: withoutModule });
      assertRefused([''], 'the text has no words in it', { first: withoutModule });
    });
  });

  describe('refuses with exit code 2', () => {
    const everyKind =
      'softmax, linear, linear:elu, linear:relu, linear:exp, efficient, kernel:exponential, ' +
      'kernel:gaussian, kernel:laplacian, kernel:cosine or kernel:polynomial';
    const whole = (name, value, range) =>
      `--${name} is "${value}"; expected a whole number from ${range}`;
    const cases = [
      [[''], 'the text has no words in it'],
      [[' \n\u200b'], 'the text has no words in it'],
      [[], 'the text has no words in it'],
      [['a', '--context', ''], 'the context has no words in it'],
      [['--foo', 'a'], 'unknown option "--foo"'],
      [['--foo=1', 'a'], 'unknown option "--foo"'],
      [['--no-color', 'a'], 'unknown option "--no-color"'],
      [['--__proto__', 'a'], 'unknown option "--__proto__"'],
      [['--contxt', 'a'], 'unknown option "--contxt"; perhaps --context'],
      [['--casual', 'a'], 'unknown option "--casual"; perhaps --causal'],
      [['--colour=never', 'a'], 'unknown option "--colour"; perhaps --color'],
      [['--temp', '2', 'a'], 'unknown option "--temp"; perhaps --temperature'],
      [['--head', '1', 'a'], 'unknown option "--head"; perhaps --heads'],
      [['--h', 'a'], 'unknown option "--h"'],
      [['-x', 'a'], 'unknown option "-x"'],
      [['-hx'], 'unknown option "-x"'],
      [['a', '--scale'], '--scale needs a value'],
      [['a', '-c'], '-c needs a value'],
      [['a', '--causal=yes'], '--causal takes no value'],
      [['a', '--scale', 'big'], '--scale is "big"; expected a number or "default"'],
      [['a', '--scale='], '--scale is ""; expected a number or "default"'],
      [['a', '--scale', 'Infinity'], '--scale is "Infinity"; expected a number or "default"'],
      [['a', '--scale', '1e39'], '--scale is "1e39"; expected a number or "default"'],
      [['a', '--scale', '--json'], '--scale is "--json"; expected a number or "default"'],
      ...['efficient', 'linear', 'linear:relu', 'kernel:cosine', 'kernel:polynomial'].map(
        (kind) => [
          ['a', '--kind', kind, '--temperature', '1'],
          `--kind ${kind} takes no --temperature: only softmax and kernel:exponential, ` +
            'kernel:gaussian and kernel:laplacian have one',
        ],
      ),
      ...['linear', 'linear:exp', 'efficient'].map((kind) => [
        ['a', '--kind', kind, '--scale', '1'],
        `--kind ${kind} takes no --scale: it compares features of query and key, not query · key`,
      ]),
      ...['kernel:gaussian', 'kernel:laplacian'].map((kind) => [
        ['a', '--scale=default', '--kind', kind],
        `--kind ${kind} takes no --scale: it compares by distance, whose reach --temperature sets`,
      ]),
      [
        ['a', '--kind', 'kernel:cosine', '--scale', '1'],
        '--kind kernel:cosine takes no --scale: a factor does not change a cosine',
      ],
      [
        ['a', '--kind', 'efficient', '--causal'],
        '--kind efficient takes no --causal: it weighs each number of the keys over all words',
      ],
      ...['0', '-1', '9e-7', '1e7', '', 'hot'].map((value) => [
        ['a', '--temperature', value],
        `--temperature is "${value}"; expected a number from 0.000001 to 1000000`,
      ]),
      [
        ['a', '--temperature', '0.001', '--scale', '-1e36'],
        '--scale -1e+36 divided by --temperature 0.001 is more than 32 bits hold',
      ],
      ...['', 'gaussian', 'kernel', 'linear:efficient', '__proto__', 'toString'].map((kind) => [
        ['a', '--kind', kind],
        `--kind is "${kind}"; expected ${everyKind}`,
      ]),
      [
        ['a', '--kind', 'kernel:polynomial', '--scale', '-1e16'],
        '--scale is -10000000000000000; --kind kernel:polynomial takes at most 1000000000000000',
      ],
      [['a', '--kind'], '--kind needs a value'],
      [['a', '--temperature'], '--temperature needs a value'],
      [['a', '--heads', '0'], whole('heads', '0', '1 to 65536')],
      [['a', '--heads', '1.5'], whole('heads', '1.5', '1 to 65536')],
      [['a', '--heads', '3'], '--dim 256 is not a multiple of --heads 3'],
      [['a', '--dim', '65537'], whole('dim', '65537', '1 to 65536')],
      [['a', '--dim', '-1'], whole('dim', '-1', '1 to 65536')],
      [['a', '--seed', '4294967296'], whole('seed', '4294967296', '0 to 4294967295')],
      [['a', '--color', 'red'], '--color is "red"; expected always, never or auto'],
      [['a', '--json', '--csv'], '--json and --csv exclude each other'],
      [
        ['a', '--causal', '-c', 'b'],
        '--causal looks back in one text and cannot be combined with --context',
      ],
      [['-', '-c', '-'], 'only one of the two texts can come from standard input'],
      [['-c', '-'], 'no text given: standard input is the context'],
    ];
    for (const [args, sentence] of cases) {
      it(JSON.stringify(args), () => assertRefused(args, sentence));
    }

    it('no text where nobody will type one', () => {
      assertRefused([], 'no text given', { first: terminal(80) });
    });
  });

  it('fails with exit code 1 where it cannot run', () => {
    assert.deepEqual(command([tea], { first: withoutWasm }), {
      code: 1,
      out: '',
      err: 'attention-wasm: needs WebAssembly, which this JavaScript engine does not have\n',
    });
  });

  it('ends quietly when its reader has seen enough', async () => {
    const text = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ');
    for (const format of ['--csv', '--json', '--causal']) {
      const [node, args, settings] = invoke([text, format]);
      const child = spawn(node, args, settings);
      const messages = child.stderr.toArray();
      child.stdout.once('data', () => child.stdout.destroy());
      const [code, signal] = await once(child, 'exit');
      assert.deepEqual([code, signal], [0, null]);
      assert.equal(Buffer.concat(await messages).toString(), '');
    }
  });

  it('writes everything to a slow reader', async () => {
    const text = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ');
    const [node, args, settings] = invoke([text, '--csv']);
    const child = spawn(node, args, settings);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const out = Buffer.concat(await child.stdout.toArray()).toString();
    assert.equal(parseCsv(out).length, 201);
  });
});
