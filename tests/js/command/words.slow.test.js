// The command attention-wasm, run in a shell: every option and exit code, with and without color, at several widths; and no
// text reaches the terminal as control sequences.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, wordVectors, words } from 'attention-wasm/text';
import { matrixTable } from '../../../web/lib/command/matrix_table.js';
import { palette } from '../../../web/lib/command/terminal_colors.js';
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

/** Each of the argument lists ends with exit code 2 and a message that names the problem. */
function assertNames(cases) {
  for (const [args, named] of cases) {
    const { code, out, err } = command(args);
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.ok(
      err.startsWith('attention-wasm: ') && err.includes(named),
      `${args.join(' ')}: ${err}`,
    );
  }
}

// Runs before the program: an engine without WebAssembly.
const withoutWasm = 'delete globalThis.WebAssembly;';

const numbersOf = (line) => line.match(/\d\.\d+/g).map(Number);

describe('the command', () => {
  let attention;
  before(async () => {
    ({ attention } = await loadAttention());
  });

  // Results of the library for the same words.
  function expected(text, { context, dim = 256, seed = 0, ...options } = {}) {
    const [query, key] = [text, context ?? text].map((each) =>
      wordVectors(words(each), { dim, seed }),
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
        'Each row is a query word, each column a key word; each row sums to 1.',
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

    it('more digits for more words, so that uniform weights are visible', () => {
      const text = (count) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
      const digits = (count) => /\d\.(\d+)/.exec(printed([text(count), '--scale', '0']))[1];
      assert.deepEqual([digits(30), digits(31), digits(300)], ['03', '032', '003']);
    });
  });

  describe('takes', () => {
    it('--context and -c: cross-attention', () => {
      const out = printed(['made tea', '--context', tea]);
      const [heading, table] = blocksOf(out);
      assert.deepEqual(heading, ['Cross-attention: 2 words attending to 5 words, scale 4']);
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

    it('--causal: later words are masked', () => {
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

    it('--dim and --seed', () => {
      const cases = [
        [['--dim', '8'], { dim: 8 }],
        [['--seed', '4294967295'], { seed: 4294967295 }],
      ];
      for (const [args, options] of cases) {
        const json = JSON.parse(printed([tea, ...args, '--json']));
        assert.deepEqual(flat(json.weights), [...expected(tea, options).weights.data], args[0]);
        assert.notDeepEqual(flat(json.weights), [...expected(tea).weights.data], args[0]);
      }
    });

    it('the last value of a repeated option', () => {
      assert.match(printed([tea, '--scale', '1', '--scale', '2']), /scale 2\n/);
    });
  });

  describe('reads', () => {
    it('standard input without a text, or with -', () => {
      const out = printed([tea]);
      assert.equal(printed([], { input: `${tea}\n` }), out);
      assert.equal(printed(['-'], { input: 'Zuko\r\nmade\this uncle\n\ntea\n' }), out);
      assert.equal(printed([tea], { input: 'not this' }), out);
    });

    it('the context from standard input', () => {
      const out = printed(['tea', '--context', tea]);
      assert.equal(printed(['tea', '--context', '-'], { input: tea }), out);
    });

    it('UTF-8 with a byte order mark, and invalid UTF-8', () => {
      const tokens = (input) => JSON.parse(printed(['--json'], { input })).tokens;
      assert.deepEqual(tokens('\ufeffçay'), ['çay']);
      assert.deepEqual(tokens(Buffer.from([0x61, 0x20, 0xff])), ['a', '\ufffd']);
    });

    it('characters split between chunks', () => {
      const first = `import { Readable } from 'node:stream';
        const bytes = Buffer.from('茶 tea');
        const stdin = Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]);
        Object.defineProperty(process, 'stdin', { value: stdin });`;
      const { tokens } = JSON.parse(printed(['--json'], { first }));
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

    it('in the shortest exact numbers', () => {
      const { weights } = expected(tea);
      const numbers = [...weights.data].map((x) => {
        const precise = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => Number(x.toPrecision(digits)));
        return precise.find((decimal) => Math.fround(decimal) === x);
      });
      assert.deepEqual(JSON.parse(printed([tea, '--json'])).weights.flat(), numbers);
    });

    it('with its options', () => {
      const { options } = JSON.parse(printed([tea, '--json']));
      assert.deepEqual(options, {
        scale: 4,
        causal: false,
        heads: 1,
        average: false,
        dim: 256,
        seed: 0,
      });
      const args = '--causal --heads=2 --average --dim=32 --seed=9'.split(' ');
      assert.deepEqual(JSON.parse(printed([tea, '--json', ...args])).options, {
        scale: 8,
        causal: true,
        heads: 2,
        average: true,
        dim: 32,
        seed: 9,
      });
    });

    it('one line per row', () => {
      assert.equal(printed([tea, '--json']).split('\n').length, 6 + 5 + 2 + 5 + 3);
    });
  });

  describe('draws weights below 0 and above 1', () => {
    it('in columns that line up', () => {
      const weights = [-3.33, -3, 7.33, 4, -5, 2];
      const matrix = {
        rows: ['a', 'b'],
        columns: ['d', 'e', 'f'],
        weight: (i, j) => weights[i * 3 + j],
        visible: () => true,
      };
      assert.deepEqual(
        [...matrixTable(matrix, palette(0), 80)],
        ['       d      e      f', 'a  -3.33  -3.00   7.33', 'b   4.00  -5.00   2.00'],
      );
    });

    it('without a minus before zeros', () => {
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

    it('in the colors of 0 and 1', () => {
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

    it('quoted according to RFC 4180', () => {
      const [header] = printed(['a , "', '--csv']).split('\n');
      assert.equal(header, 'word,a,",",""""');
    });

    it('without color', () => {
      for (const format of ['--csv', '--json']) {
        const out = printed([tea, format, '--color', 'always'], { env: { FORCE_COLOR: '3' } });
        assert.equal(out, printed([tea, format]));
      }
    });
  });

  describe('colors', () => {
    const inTerminal = terminal(80);
    const depth = (out) => (out.includes('\x1b[48;2;') ? 24 : out.includes('\x1b[48;5;') ? 8 : 0);

    it('only on color terminals, or by option', () => {
      const cases = [
        // output, arguments, environment, bits of color
        ['', [], {}, 0],
        ['', ['--color', 'always'], {}, 8],
        ['', ['--color=always'], { COLORTERM: 'truecolor' }, 24],
        ['', ['--color', 'always'], { NO_COLOR: '1' }, 8],
        ['', [], { FORCE_COLOR: '' }, 8],
        ['', [], { FORCE_COLOR: '3' }, 24],
        ['', [], { FORCE_COLOR: '1', NO_COLOR: '1' }, 8],
        ['', ['--color', 'never'], { FORCE_COLOR: '3' }, 0],
        [inTerminal, [], {}, 8],
        [inTerminal, [], { COLORTERM: 'truecolor' }, 24],
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

    it('the same table as without', () => {
      for (const level of ['2', '3']) {
        const plain = printed([tea, '--causal']).split('\n');
        const out = stripped(printed([tea, '--causal'], { env: { FORCE_COLOR: level } }));
        assert.deepEqual(
          out.split('\n').map((line) => line.trimEnd()),
          plain,
        );
      }
    });

    it('each line separately', () => {
      for (const level of ['2', '3']) {
        const lines = printed([tea, '--causal'], { env: { FORCE_COLOR: level } }).split('\n');
        for (const line of lines) {
          const opened = line.match(/\x1b\[48;/g)?.length ?? 0; // eslint-disable-line no-control-regex
          assert.equal(line.match(/\x1b\[39;49m/g)?.length ?? 0, opened); // eslint-disable-line no-control-regex
        }
        assert.doesNotMatch(lines.at(-2), /\x1b\[48/); // eslint-disable-line no-control-regex
      }
    });

    // Relative luminance and contrast as WCAG 2 defines them; the 256 colors as xterm does.
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
    const colorsOf = (escape) =>
      [...escape.matchAll(/[43]8;(?:2;(\d+);(\d+);(\d+)|5;(\d+))/g)].map(([, r, g, b, index]) =>
        index === undefined ? [r, g, b].map(Number) : xterm(Number(index)),
      );

    it('readable at every weight, and darker with every weight', () => {
      for (const bits of [24, 8]) {
        const { shade } = palette(bits);
        let last = Infinity;
        for (let weight = 0; weight <= 1; weight += 1 / 256) {
          const [background, foreground] = colorsOf(shade('0.50', weight)).map(luminance);
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
          const [[r, g, b]] = colorsOf(palette(bits).shade('', weight));
          assert.ok(b > g && g >= r, `${bits} bits, ${weight}: ${[r, g, b]}`);
        }
      }
    });
  });

  describe('fits the terminal', () => {
    const long =
      'The attention mechanism compares every word with all words; similarly spelled words attend ' +
      'to each other internationally.';
    const widths = [200, 60, 20];

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

    it('as one table if possible, otherwise in blocks with their words in the heading', () => {
      const text = 'one two three four five six seven eight nine ten eleven twelve';
      const draw = (width) => printed([text], { first: terminal(width), env: { NO_COLOR: '1' } });
      assert.equal(blocksOf(draw(100)).length, 3);
      const titles = draw(40).match(/^Words .* of .*$/gm);
      assert.deepEqual(titles, ['Words 1–4 of 12', 'Words 5–8 of 12', 'Words 9–12 of 12']);
    });

    it('with shorter labels before it splits', () => {
      const text = 'internationalisation of deinstitutionalisation';
      const out = printed([text], { first: terminal(60), env: { NO_COLOR: '1' } });
      const [, [header]] = blocksOf(out);
      assert.equal(header.trim().split(/ +/).length, 3);
      assert.match(header, /international.*… {2} {2}of {2}deinstitu.*…$/);
    });

    it('with the default width if COLUMNS is invalid', () => {
      const out = printed([long], { env: { COLUMNS: '40' } });
      for (const line of out.split('\n')) assert.ok(columnsOf(line) <= 40, line);
      const plain = printed([tea]);
      for (const COLUMNS of ['0', 'wide'])
        assert.equal(printed([tea], { env: { COLUMNS } }), plain);
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

    it('with isolated right-to-left words', () => {
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
    it('with the widths that a terminal gives its characters', () => {
      for (const [text, width] of Object.entries(widthOf)) {
        assert.equal(displayWidth(text), width, JSON.stringify(text));
      }
    });

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

    it('in the table, JSON or CSV', () => {
      for (const args of [[], ['--json'], ['--csv'], ['--heads', '2']]) {
        assert.doesNotMatch(printed(args, { input: nasty }), controls);
        assert.doesNotMatch(printed(['a', '-c', '-', ...args], { input: nasty }), controls);
      }
    });

    it('in messages', () => {
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

    it('but shows a visible symbol', () => {
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
      const options = 'context causal scale heads average dim seed json csv svg color help version';
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

    it('by help as the only argument', () => {
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
      assertRefused([''], 'the text has no words', { first: withoutModule });
    });
  });

  describe('refuses with exit code 2', () => {
    it('an unknown option, and suggests a similar one', () => {
      assertRefused(['--foo=1', 'a'], 'unknown option "--foo"');
      assertNames([
        [['--no-color', 'a'], '"--no-color"'],
        [['--__proto__', 'a'], '"--__proto__"'],
        [['--h', 'a'], '"--h"'],
        [['-hx'], '"-x"'],
        [['--contxt', 'a'], '--context'],
        [['--casual', 'a'], '--causal'],
        [['--colour=never', 'a'], '--color'],
        [['--aver', 'a'], '--average'],
        ...['kind', 'temperature', 'positions'].map((name) => [[`--${name}`], `"--${name}"`]),
      ]);
    });

    it('a text without words', () => {
      assertNames([
        [[' \n\u200b'], 'the text'],
        [['a', '--context', ''], 'the context'],
        [['-', '-c', '-'], 'standard input'],
        [['-c', '-'], 'standard input'],
      ]);
      assertRefused([], 'missing text', { first: terminal(80) });
    });

    it('a missing or invalid value', () => {
      const values = {
        scale: ['', 'Infinity', '1e39', '--json'],
        heads: ['0', '1.5', '3', '65537'],
        dim: ['65537', '-1'],
        seed: ['4294967296'],
        color: ['red'],
      };
      assertNames([
        [['a', '--scale'], '--scale'],
        [['a', '-c'], '-c'],
        [['a', '--causal=yes'], '--causal'],
        ...Object.entries(values).flatMap(([name, all]) =>
          all.map((value) => [['a', `--${name}`, value], `--${name} `]),
        ),
      ]);
    });

    it('options that cannot be combined', () => {
      assertNames([
        [['a', '--json', '--csv'], '--json and --csv'],
        [['a', '--causal', '-c', 'b'], '--causal'],
      ]);
    });
  });

  it('fails with exit code 1 if it cannot run', () => {
    assert.deepEqual(command([tea], { first: withoutWasm }), {
      code: 1,
      out: '',
      err: 'attention-wasm: needs WebAssembly, which this JavaScript engine does not have\n',
    });
  });

  it('ends silently if its output is closed', async () => {
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
    // It begins to write more than a pipe holds before anything is read.
    await once(child.stdout, 'readable');
    const chunks = [];
    for await (const chunk of child.stdout) {
      chunks.push(chunk);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(parseCsv(Buffer.concat(chunks).toString()).length, 201);
  });
});
