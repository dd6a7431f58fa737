// Patterns of tokenizer.json: pieces of texts as the Rust library splits them, and what is refused.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'node:test';
import { allowPatterns } from '../../../../web/lib/models/tokenizer/budget.js';
import { compilePattern } from '../../../../web/lib/models/tokenizer/pattern.js';
import { requireFewPaths } from '../../../../web/lib/models/tokenizer/pattern/count_paths.js';
import { publishedPatterns } from '../../../../web/lib/models/tokenizer/pattern/published_patterns.js';
import { readPattern } from '../../../../web/lib/models/tokenizer/pattern/read_pattern.js';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';
import { splitByPattern } from '../../../support/js/split_text.js';

const vectors = JSON.parse(
  readFileSync(new URL('../../../vectors/tokenizer_patterns.json', import.meta.url)),
);
const raw = String.raw;
const slow = /more than quadratic time/;

beforeEach(allowPatterns);

function compiled(pattern) {
  allowPatterns();
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

describe('a pattern of tokenizer.json', () => {
  it('splits as the Rust library does, or is refused', () => {
    let refused = 0;
    for (const [pattern, ...pieces] of vectors) {
      const regexp = compiled(pattern);
      if (regexp === undefined) refused++;
      for (const [text, ends] of regexp ? pieces : []) {
        const found = splitByPattern(regexp, text).map(([, end]) => end);
        assert.deepEqual(found, ends, `${regexp} of ${pattern} in ${JSON.stringify(text)}`);
      }
    }
    assert.ok(refused < vectors.length / 3, `${refused} of ${vectors.length} refused`);
  });

  it('is global and works in engines without the flag v', () => {
    assert.equal(compilePattern('[a-z&&[^b]]').flags, 'gu');
  });

  it('is refused with a name where JavaScript would find something else', () => {
    for (const [pattern, name] of [
      [raw`(a)\1`, /a back-reference, which/],
      [raw`(?<n>a)\k<n>`, /a back-reference, which/],
      [raw`(?<n>a)\g<n>`, /a subroutine call \\g<…>, which/],
      [raw`a\Kb`, /\\K, which/],
      [raw`\Ga`, /\\G, which/],
      [raw`\X`, /\\X, which/],
      [raw`a\y`, /\\y or \\Y, which/],
      ['(?~ab)', /an absence operator \(\?~…\), which/],
      ['(*FAIL)', /a callout \(\*…\), which/],
      ['(?(1)a|b)', /a syntax that is not supported: .*conditional/],
      ['(?W:a)', /a syntax that is not supported: /],
      ['(?:a*)*', /a repeated group that can match the empty text, which/],
      ['(?:|a)?', /a repeated group that can match the empty text, which/],
      [raw`(?<=a++)b`, /an atomic group within a lookbehind, which/],
      ['(?<!(?<!a?)|b)', /a negative lookbehind for the empty text within a lookbehind, which/],
      [raw`(?<=\Bb?)a`, /\\b, \^ or \$ within a lookbehind of variable length, which/],
      ['(?<=b|(?:cd|e)$)a', /within a lookbehind of variable length, which/],
      [raw`[^a[^\D\w]]`, /a negated class of sets within a negated class, which/],
      ['[b-[a]]', /'-' between a character and a class, which/],
      ['[^b-[a]&&c]', /'-' between a character and a class, which/],
      [raw`(?=b)\O+`, /a condition before any number of any characters, which/],
      [raw`(?m:(?>\B.*c))`, /a condition before any number of any characters, which/],
      ['(?i)ss', /'ss' without its case, which equals 'ß' of another length/],
      ['(?i)s(?:s)', /'ss' without its case/],
      ['(?i:s{2})', /'ss' without its case/],
      ['(?i)[ß]', /'ß' without its case, which equals 'ss' of another length/],
      [raw`(?i)[\W_]`, /a class within a class without its case, which/],
      ['(?i)[a-z&&b-c]', /&& in a class without its case, which/],
      [raw`\p{In_Greek}`, /\\p\{In_Greek\}, which/],
      [raw`\p{Extended_Pictographic}`, /\\p\{Extended_Pictographic\}, which/],
      ['(', /a syntax that is not supported: /],
      ['a'.repeat(20_000), /20000 characters; the limit is 10000/],
    ]) {
      assert.throws(() => compilePattern(pattern), { name: 'RangeError', message: name }, pattern);
    }
  });

  it('is refused if a text may take more than quadratic time', () => {
    for (const pattern of [
      '(a+)+$',
      '(a|a)*$',
      '.*.*.*=x',
      'a*a*b',
      raw`(?:\w+\s?)*$`,
      `${'a?'.repeat(30)}${'a'.repeat(30)}`,
      `${'(?:a|a)'.repeat(8)}b`,
      '(?=(?:a|a)*b)',
      '(?:a(?=a*b))*c',
      '(?:a(?<=ba*))*c',
      '[ab]*a[ab]{20}c',
      'x{9000}',
      '((a{50}){50}){50}',
    ]) {
      assert.throws(() => compilePattern(pattern), { name: 'RangeError', message: slow }, pattern);
    }
  });

  it('may take quadratic time', () => {
    for (const pattern of [
      ...['a*b', '(.+)+', raw`(\w+\s?)+`, raw`\w+@\w+\.\w+`, raw`(?=(\d{3})+(?!\d))`, raw`\s+$`],
      ...['(?<=a{2,5})b', '(?>a+)b', raw`\d{1,3}(?=(?:\d{3})*\b)`, '(?:a?b?a?b?c)+', 'a{1,300}'],
    ]) {
      assert.ok(compilePattern(pattern) instanceof RegExp, pattern);
    }
  });

  it('takes quadratic time at most if it is a published one', () => {
    assert.ok(publishedPatterns.size > 10);
    for (const [pattern, source] of publishedPatterns) {
      assert.match(source, /^[\w-]+\/[\w.-]+, [\w.]+/);
      assert.doesNotThrow(() => requireFewPaths(readPattern(pattern)), pattern);
    }
  });
});

describe('the work on the patterns of a file', () => {
  const classes = (count, first) =>
    Array.from({ length: count }, (_, n) => `[${String.fromCodePoint(first + n)}a]`).join('');
  const file = (patterns) => ({
    model: { type: 'WordLevel', vocab: { '?': 0 }, unk_token: '?' },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: patterns.map((Regex) => ({
        ...{ type: 'Split', pattern: { Regex }, behavior: 'Isolated' },
      })),
    },
  });
  const tooMuch = { name: 'RangeError', message: /too many classes or ways through it/ };

  it('has a limit of all of them together', () => {
    const four = [0x4e00, 0x5e00, 0x6e00, 0x7e00].map((first) => classes(200, first));
    assert.doesNotThrow(() => new TextTokens(file(four.slice(0, 1)), {}));
    assert.doesNotThrow(() => new TextTokens(file(four.slice(1, 2)), {}));
    assert.throws(() => new TextTokens(file([...four, ...four]), {}), tooMuch);
    assert.throws(() => compilePattern(classes(2400, 0x4e00)), tooMuch);
    allowPatterns();
    assert.throws(() => compilePattern(`(?i)${'日本'.repeat(4000)}`), tooMuch);
  });

  it('is at most a twentieth of the limit for published patterns', () => {
    const [longest] = [...publishedPatterns.keys()].sort((a, b) => b.length - a.length);
    assert.doesNotThrow(() => new TextTokens(file(Array(20).fill(longest)), {}));
  });

  it('does not grow with a power of the depth of its groups', () => {
    // 'ab', repeated 2^40 times and three times as often in what is compared without its case.
    const deep = `(?i)${'(?:'.repeat(40)}ab${'){2}'.repeat(40)}`;
    assert.throws(() => compilePattern(deep), { name: 'RangeError', message: /4000 states/ });
    for (const end of [')', ')?', '){2}']) {
      const deeper = `${'(?:'.repeat(101)}a${end.repeat(101)}`;
      assert.throws(() => compilePattern(deeper), {
        name: 'RangeError',
        message: /more than 100 groups or quantifiers within each other/,
      });
    }
  });
});
