// attention-wasm/text: words() in every script, wordVectors() by its documented formula, to the bit.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { lexicalScale, wordVectors, words } from 'attention-wasm/text';

const cosine = ({ data, dims: [, dim] }, i, j) => {
  let sum = 0;
  for (let c = 0; c < dim; ++c) sum += data[i * dim + c] * data[j * dim + c];
  return sum;
};
const similarity = (a, b, options) => cosine(wordVectors([a, b], options), 0, 1);
const row = ({ data, dims: [, dim] }, i) => data.subarray(i * dim, (i + 1) * dim);
const bits = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

describe('words', () => {
  // Texts with bars between words.
  const scripts = {
    English: ['Zuko made his uncle tea.', 'Zuko|made|his|uncle|tea|.'],
    French: ['Où est l’hôtel ? C’est là-bas.', 'Où|est|l’hôtel|?|C’est|là|-|bas|.'],
    German: ['Straßenbahnhaltestelle, größer!', 'Straßenbahnhaltestelle|,|größer|!'],
    Spanish: ['¿Qué? ¡Mañana!', '¿|Qué|?|¡|Mañana|!'],
    Russian: ['Он приготовил дяде чай.', 'Он|приготовил|дяде|чай|.'],
    Greek: ['Ο θείος πίνει τσάι;', 'Ο|θείος|πίνει|τσάι|;'],
    Arabic: ['مرحبا بالعالم، كيف الحال؟', 'مرحبا|بالعالم|،|كيف|الحال|؟'],
    'Arabic with vowels': ['سَلَام', 'سَلَام'],
    Hebrew: ['שלום עולם, ג׳ירפה!', 'שלום|עולם|,|ג׳ירפה|!'],
    Hindi: ['नमस्ते दुनिया।', 'नमस्ते|दुनिया|।'],
    Tamil: ['வணக்கம் உலகம்', 'வணக்கம்|உலகம்'],
    Thai: ['ฉันชอบดื่มชา', 'ฉัน|ชอบ|ดื่ม|ชา'],
    Chinese: ['我喜欢喝茶。', '我|喜欢|喝茶|。'],
    Japanese: ['今日は良い天気です。', '今日|は|良い|天気|です|。'],
    Korean: ['나는 차를 좋아해.', '나는|차를|좋아해|.'],
    emoji: ['👩‍👩‍👧‍👦🇫🇷 👍🏽❤️ 1️⃣', '👩‍👩‍👧‍👦|🇫🇷|👍🏽|❤️|1️⃣'],
    mixed: ['Tea茶чай', 'Tea|茶|чай'],
  };
  for (const [name, [text, expected]] of Object.entries(scripts)) {
    it(`splits ${name}`, () => assert.deepEqual(words(text), expected.split('|')));
  }

  const rules = {
    'a mark each': ['wait... what?!', 'wait|.|.|.|what|?|!'],
    'contractions whole': ["don't l'homme aujourd’hui", "don't|l'homme|aujourd’hui"],
    'quotes alone': [`he said "hi" 'there'`, `he|said|"|hi|"|'|there|'`],
    'numbers and identifiers whole': ['3.14 1,000 snake_case', '3.14|1,000|snake_case'],
    'hyphens apart': ['well-known', 'well|-|known'],
  };
  for (const [name, [text, expected]] of Object.entries(rules)) {
    it(`keeps ${name}`, () => assert.deepEqual(words(text), expected.split('|')));
  }

  it('drops invisible characters', () => {
    const blanks =
      ' \t\r\n\v\f\u00a0\u1680\u2003\u2028\u202f\u3000\ufeff\u200b\u00ad\0\x1b\x7f\x9b';
    for (const blank of blanks) {
      assert.deepEqual(words(`a ${blank} b`), ['a', 'b'], `U+${blank.codePointAt(0).toString(16)}`);
    }
    assert.deepEqual(words(blanks), []);
    assert.deepEqual(words(''), []);
  });

  it('keeps invisible characters within words', () => {
    assert.deepEqual(words('hy\u00adphen e\u0301tE'), ['hy\u00adphen', 'e\u0301tE']);
  });

  it('keeps lone surrogates', () => {
    assert.deepEqual(words('\ud800 a \udc00'), ['\ud800', 'a', '\udc00']);
  });

  it('drops only white space', () => {
    const text = Object.values(scripts).map(([whole]) => whole);
    assert.equal(words(text.join('\n')).join(''), text.join('').replace(/\s/g, ''));
  });

  it('takes a locale', () => {
    for (const locale of ['th', 'en-US', 'zh-Hant-TW']) {
      assert.deepEqual(words('a b', { locale }), ['a', 'b']);
    }
    for (const none of [undefined, null])
      assert.deepEqual(words('a b', { locale: none }).length, 2);
  });

  it('does not depend on the language of the machine', () => {
    const real = Intl.Segmenter;
    const asked = [];
    Intl.Segmenter = function Segmenter(locale, options) {
      asked.push(locale);
      return new real(locale, options);
    };
    try {
      words('a');
    } finally {
      Intl.Segmenter = real;
    }
    assert.deepEqual(asked, ['en']);
  });

  it('throws without Intl.Segmenter', () => {
    const real = Intl.Segmenter;
    delete Intl.Segmenter;
    try {
      assert.throws(() => words('a'), {
        name: 'Error',
        message: 'words() needs Intl.Segmenter, which this JavaScript engine does not have',
      });
    } finally {
      Object.defineProperty(Intl, 'Segmenter', { value: real, writable: true, configurable: true });
    }
  });

  it('refuses with a sentence', () => {
    const tag = "locale must be a language tag such as 'th', found ";
    const refusals = [
      [[], TypeError, 'text must be a string, found undefined'],
      [[null], TypeError, 'text must be a string, found null'],
      [[7], TypeError, 'text must be a string, found 7'],
      [[['a']], TypeError, 'text must be a string, found an array'],
      [[new String('a')], TypeError, 'text must be a string, found a String'],
      [['a', 'en'], TypeError, "the options of words() must be an object, found 'en'"],
      [['a', { lang: 'en' }], TypeError, "words() has no option 'lang'; it has locale"],
      [['a', { locale: ['en'] }], TypeError, 'locale must be a string, found an array'],
      [['a', { locale: 'en_US' }], RangeError, `${tag}'en_US'`],
      [['a', { locale: '' }], RangeError, `${tag}''`],
    ];
    for (const [args, type, message] of refusals) {
      assert.throws(() => words(...args), { name: type.name, message });
    }
  });
});

describe('wordVectors', () => {
  it('gives one vector of length 1 for each word', () => {
    const odd = [
      'tea',
      '',
      'a',
      '👩‍👩‍👧‍👦',
      '\ud800',
      '茶',
      'supercalifragilistic',
      '<',
      '>',
      ' ',
      '\0',
      'tea',
    ];
    for (const dim of [1, 2, 3, 31, 32, 33, 64, 65, 300]) {
      for (const positions of [false, true, 0.25, 1]) {
        const vectors = wordVectors(odd, { dim, positions });
        assert.deepEqual(vectors.dims, [odd.length, dim]);
        assert.ok(vectors.data instanceof Float32Array);
        assert.equal(vectors.data.length, odd.length * dim);
        odd.forEach((word, i) => {
          const length = Math.sqrt(cosine(vectors, i, i));
          assert.ok(Math.abs(length - 1) < 1e-6, `${JSON.stringify(word)} at ${dim}: ${length}`);
        });
      }
    }
  });

  it('does so even where the signs of the n-grams cancel', () => {
    const list = 'cat sat mat sit tip cup dog pen tea the and his our'.split(' '); // 6 n-grams each
    const { data } = wordVectors(list, { dim: 1 });
    for (const x of data) assert.equal(Math.abs(x), 1);
    assert.equal(new Set(data).size, 2);
    // In two dimensions, both signs cancel for some words.
    const pairs = wordVectors(
      Array.from({ length: 500 }, (_, n) => n.toString(36).padStart(3, 'z')),
      { dim: 2 },
    );
    for (let n = 0; n < 500; ++n) assert.ok(Math.abs(cosine(pairs, n, n) - 1) < 1e-6, `${n}`);
  });

  it('has 64 dimensions and seed 0 by default, and accepts an empty list', () => {
    const plain = wordVectors(['tea']);
    assert.deepEqual(plain, wordVectors(['tea'], { dim: 64, seed: 0, positions: false }));
    assert.deepEqual(plain, wordVectors(['tea'], { dim: undefined, seed: null, positions: 0 }));
    assert.deepEqual(wordVectors([]), { data: new Float32Array(0), dims: [0, 64] });
  });

  it('gives each string a different vector, also the empty string', () => {
    const list = ' a b ab ba < > <> \ufffd 👍 👍🏽 茶 .'.split(' ');
    const vectors = wordVectors(list, { dim: 4096 });
    for (let i = 0; i < list.length; ++i) {
      for (let j = 0; j < i; ++j) assert.ok(cosine(vectors, i, j) < 0.8, `${list[i]}, ${list[j]}`);
    }
  });

  it('gives similar spellings a high cosine, and others a low one', () => {
    for (const seed of [0, 1, 2, 3, 4]) {
      const near = similarity('attention', 'attentions', { seed });
      const far = similarity('attention', 'banana', { seed });
      assert.ok(near > 0.6, `seed ${seed}: attention, attentions ${near}`);
      assert.ok(Math.abs(far) < 0.4, `seed ${seed}: attention, banana ${far}`);
    }
    const pairs = [
      ['uncle', 'uncles', 'aunts'],
      ['Straßenbahn', 'Straßenbahnen', 'Fahrrad'],
      ['приготовил', 'приготовила', 'дядя'],
      ['مكتبة', 'مكتب', 'شاي'],
      ['좋아해', '좋아', '나는'],
      ['café', 'cafe', 'thé'],
    ];
    for (const [word, like, unlike] of pairs) {
      const [near, far] = [like, unlike].map((other) => similarity(word, other, { dim: 1024 }));
      assert.ok(near > 0.3 && near > 3 * far, `${word}: ${like} ${near}, ${unlike} ${far}`);
    }
  });

  // The definition once more, by strings: shared n-grams over the root of both counts.
  const grams = (word) => {
    const points = [...`<${word.toLowerCase().normalize('NFKD')}>`];
    const set = new Set([points.join('')]);
    for (const n of [3, 4, 5, 6]) {
      for (let i = 0; i + n <= points.length; ++i) set.add(points.slice(i, i + n).join(''));
    }
    return set;
  };

  it('has the fraction of common n-grams as cosine', () => {
    const list =
      'attention attentions banana bananas color color uncle uncles tea teas 喝茶 喝茶吗';
    const strings = list.split(' ');
    const dim = 16384;
    const vectors = wordVectors(strings, { dim });
    for (let i = 0; i < strings.length; ++i) {
      for (let j = 0; j < i; ++j) {
        const [a, b] = [grams(strings[i]), grams(strings[j])];
        const shared = [...a].filter((gram) => b.has(gram)).length;
        const expected = shared / Math.sqrt(a.size * b.size);
        const found = cosine(vectors, i, j);
        // Random similarity is about 1/√dim; five times that is very rare.
        const difference = Math.abs(found - expected);
        assert.ok(difference <= 5 / Math.sqrt(dim), `${strings[i]}, ${strings[j]}: ${found}`);
      }
    }
  });

  it('has random cosines of about 1/√dim, with mean 0', () => {
    const list = Array.from({ length: 200 }, (_, i) => String.fromCodePoint(0x4e00 + 7 * i));
    for (const dim of [16, 64, 256]) {
      const vectors = wordVectors(list, { dim });
      let [sum, squares, count] = [0, 0, 0];
      for (let i = 0; i < list.length; ++i) {
        for (let j = 0; j < i; ++j, ++count) {
          sum += cosine(vectors, i, j);
          squares += cosine(vectors, i, j) ** 2;
        }
      }
      assert.ok(Math.abs(sum / count) < 0.01, `mean at ${dim}: ${sum / count}`);
      const spread = Math.sqrt(squares / count) * Math.sqrt(dim);
      assert.ok(spread > 0.95 && spread < 1.05, `at ${dim}: ${spread}/√dim`);
    }
  });

  it('does not depend on case, width or composition', () => {
    const same = [
      ['Tea', 'tEA', 'tea', 'ｔｅａ'],
      ['É', 'é', 'e\u0301', 'E\u0301'],
      ['ΌΔΟΣ', 'όδος'],
      ['ﬁne', 'fine'],
      ['한국', '한국'.normalize('NFD')],
      ['\u212a', 'k'],
      ['a\ufffd', 'a\ud800', 'a\udc00'], // lone surrogates, of which Firefox makes the same
    ];
    for (const [first, ...others] of same) {
      for (const other of others) {
        assert.ok(
          bits(wordVectors([first])).equals(bits(wordVectors([other]))),
          `${first}, ${other}`,
        );
      }
    }
  });

  it('does not depend on the other words', () => {
    const alone = row(wordVectors(['uncle']), 0);
    const among = row(wordVectors(['Zuko', 'made', 'his', 'uncle', 'tea']), 3);
    assert.deepEqual(among, alone);
  });

  it('has other vectors for every seed', () => {
    const seeds = [0, 1, 2, 2 ** 31, 2 ** 32 - 1];
    const all = seeds.map((seed) => wordVectors(['attention', 'attentions'], { seed, dim: 1024 }));
    const first = { data: Float32Array.from(all.flatMap((v) => [...row(v, 0)])), dims: [5, 1024] };
    for (let i = 0; i < seeds.length; ++i) {
      assert.ok(Math.abs(cosine(all[i], 0, 1) - 0.79) < 0.12);
      for (let j = 0; j < i; ++j) assert.ok(Math.abs(cosine(first, i, j)) < 0.15);
    }
  });

  it('has the same bits everywhere', () => {
    const list = words('Zuko made his uncle tea. 我喜欢喝茶 Ça va? שלום 나는 नमस्ते 👩‍👩‍👧‍👦').concat(
      '',
      '\ud800',
    );
    const hash = createHash('sha256');
    for (const options of [{}, { dim: 7, seed: 12345 }, { dim: 256, positions: true }]) {
      const { data } = wordVectors(list, options);
      const bytes = new DataView(new ArrayBuffer(4 * data.length));
      data.forEach((x, i) => bytes.setFloat32(4 * i, x, true));
      hash.update(new Uint8Array(bytes.buffer));
    }
    assert.equal(
      hash.digest('hex'),
      '3f9f7bee56c4465f0961af23ab5c8a55a0e081a9bd615a7cb88db7a717216db9',
    );
  });

  describe('positions', () => {
    it('are those of Vaswani et al., section 3.5', () => {
      for (const dim of [1, 2, 7, 64, 128]) {
        const count = 3000;
        const { data } = wordVectors(new Array(count).fill('tea'), { dim, positions: 1 });
        for (let p = 1; p < count; p += 13) {
          const expected = Array.from({ length: dim }, (_, c) => {
            const angle = p / 10000 ** ((c - (c % 2)) / dim);
            return c % 2 ? Math.cos(angle) : Math.sin(angle);
          });
          const length = Math.hypot(...expected);
          for (let c = 0; c < dim; ++c) {
            const difference = Math.abs(data[p * dim + c] - expected[c] / length);
            assert.ok(difference < 1e-7, `position ${p}, ${c} of ${dim}: ${difference}`);
          }
        }
      }
    });

    it('have their fraction of the cosine', () => {
      const dim = 4096;
      const list = ['uncle', 'made', 'tea', 'his', 'uncles'];
      const [spelling, place] = [0, 1].map((positions) => wordVectors(list, { dim, positions }));
      for (const share of [0.1, 0.5, 0.9]) {
        const both = wordVectors(list, { dim, positions: share });
        for (let j = 1; j < list.length; ++j) {
          const expected = (1 - share) * cosine(spelling, 0, j) + share * cosine(place, 0, j);
          assert.ok(Math.abs(cosine(both, 0, j) - expected) < 0.06, `${share}, ${list[j]}`);
        }
      }
    });

    it('distinguish equal words, more with more distance', () => {
      const same = wordVectors(new Array(6).fill('tea'), { positions: true });
      for (let j = 1; j < 6; ++j) assert.ok(cosine(same, 0, j) < cosine(same, 0, j - 1));
    });

    it('have the fraction 0.5 if true', () => {
      const list = ['made', 'tea'];
      const half = wordVectors(list, { positions: 0.5 });
      assert.deepEqual(wordVectors(list, { positions: true }), half);
      assert.notDeepEqual(wordVectors(list), half);
    });
  });

  it('gives equal words e⁴ times the weight of unrelated ones at lexicalScale', () => {
    const dim = 16384;
    const vectors = wordVectors(['tea', 'tea', 'uncle'], { dim });
    const ratio = Math.exp(lexicalScale * (cosine(vectors, 0, 1) - cosine(vectors, 0, 2)));
    assert.ok(Math.abs(Math.log(ratio) - 4) < 0.2, String(ratio));
  });

  it('refuses with a sentence', () => {
    const list = 'words must be an array of strings, found';
    const [dim, seed] = ['dim must be an integer from 1', 'seed must be an integer from 0'];
    const [dims, seeds] = [`${dim} to 65536, found`, `${seed} to 4294967295, found`];
    const positions = 'positions must be true, false or a number from 0 to 1, found';
    const refusals = [
      [[], TypeError, `${list} undefined`],
      [['tea'], TypeError, `${list} 'tea'`],
      [[new Set(['tea'])], TypeError, `${list} a Set`],
      [[['tea', 1]], TypeError, 'words[1] must be a string, found 1'],
      [[new Array(1)], TypeError, 'words[0] must be a string, found undefined'],
      [[['tea'], 64], TypeError, 'the options of wordVectors() must be an object, found 64'],
      [
        [['tea'], { dims: 64 }],
        TypeError,
        "wordVectors() has no option 'dims'; it has dim, seed, positions",
      ],
      [[['tea'], { dim: '64' }], TypeError, `${dims} '64'`],
      [[['tea'], { dim: 64n }], TypeError, `${dims} 64n`],
      [[['tea'], { dim: 0 }], RangeError, `${dims} 0`],
      [[['tea'], { dim: -1 }], RangeError, `${dims} -1`],
      [[['tea'], { dim: 1.5 }], RangeError, `${dims} 1.5`],
      [[['tea'], { dim: NaN }], RangeError, `${dims} NaN`],
      [[['tea'], { dim: Infinity }], RangeError, `${dims} Infinity`],
      [[['tea'], { dim: 65537 }], RangeError, `${dims} 65537`],
      [[['tea'], { seed: true }], TypeError, `${seeds} true`],
      [[['tea'], { seed: -1 }], RangeError, `${seeds} -1`],
      [[['tea'], { seed: 2 ** 32 }], RangeError, `${seeds} 4294967296`],
      [[['tea'], { positions: 'yes' }], TypeError, `${positions} 'yes'`],
      [[['tea'], { positions: 1.1 }], RangeError, `${positions} 1.1`],
      [[['tea'], { positions: -0.1 }], RangeError, `${positions} -0.1`],
      [[['tea'], { positions: NaN }], RangeError, `${positions} NaN`],
      [
        [new Array(20000), { dim: 65536 }],
        RangeError,
        'words × dim must be at most 1073741824, found 20000 × 65536 = 1310720000',
      ],
    ];
    for (const [args, type, message] of refusals) {
      assert.throws(() => wordVectors(...args), { name: type.name, message });
    }
  });

  it('reads own properties only, and each once', () => {
    const inherited = Object.create({ dim: 3, color: 'red' });
    assert.deepEqual(wordVectors(['tea'], inherited).dims, [1, 64]);
    let reads = 0;
    const counting = {
      get dim() {
        ++reads;
        return 3;
      },
    };
    assert.deepEqual(wordVectors(['tea'], counting).dims, [1, 3]);
    assert.equal(reads, 1);
  });

  it('ignores properties of Object.prototype', () => {
    const expected = wordVectors(['tea']);
    Object.assign(Object.prototype, { dim: 3, seed: 7, positions: true, locale: 7 });
    try {
      assert.deepEqual(wordVectors(['tea'], {}).dims, [1, 64]);
      assert.deepEqual(wordVectors(['tea'], { dim: undefined }).data, expected.data);
      assert.deepEqual(words('tea', {}), ['tea']);
    } finally {
      for (const name of ['dim', 'seed', 'positions', 'locale']) delete Object.prototype[name];
    }
  });

  it('accepts arrays of another realm', () => {
    const foreign = vm.runInNewContext("['tea', 'uncle']");
    assert.deepEqual(wordVectors(foreign), wordVectors(['tea', 'uncle']));
  });
});

describe('text', () => {
  it('needs neither Node.js nor a browser', async () => {
    const seen = new Set();
    const waiting = [import.meta.resolve('attention-wasm/text')];
    for (const url of waiting) {
      if (seen.has(url)) continue;
      seen.add(url);
      const source = await readFile(new URL(url), 'utf8');
      const foreign = /\b(import|require)\(|\b(process|Buffer|document|window\.)\b/g;
      assert.deepEqual(source.match(foreign), null, url);
      for (const [, name] of source.matchAll(/^import .* from '(.+)';$/gm)) {
        assert.match(name, /^\.\//, url);
        waiting.push(new URL(name, url).href);
      }
    }
    assert.ok(seen.size < 6, [...seen].join(' '));
  });

  it('uses only exactly specified arithmetic', async () => {
    const source = await readFile(new URL(import.meta.resolve('attention-wasm/text')), 'utf8');
    assert.deepEqual([...new Set(source.match(/\bMath\.\w+/g))].sort(), [
      'Math.LN10',
      'Math.ceil',
      'Math.imul',
      'Math.min',
      'Math.sqrt',
    ]);
  });
});
