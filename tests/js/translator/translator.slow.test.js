// attention-wasm/translator for many sentences: tokens, time, other languages, and translation quality.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadTranslator, mergeWords } from 'attention-wasm/translator';
import fc from 'fast-check';
import { corpusBleu } from '../../support/js/bleu.js';
import { root } from '../../support/js/package.js';

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));

const translator = await loadTranslator();
const sentence = 'The pink elephant tried to get into the car.';

const rowsOf = ({ data, dims }) => {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, n) =>
    data.subarray(n * width, (n + 1) * width),
  );
};
/** The words of a text, by index. */
function wordsOf({ tokens }) {
  const words = [];
  for (const { word, text } of tokens) words[word] = (words[word] ?? '') + text;
  return words;
}

const assertRowsSumTo1 = (tensor) => {
  for (const row of rowsOf(tensor)) {
    assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - 1) < 1e-5);
  }
};

describe('tokens', () => {
  const { model } = readJson('web/model/tokenizer.json');
  const rank = new Map(model.merges.map((pair, n) => [pair.join(' '), n]));
  const pieces = (text) => {
    const set = `\u2581${text.replaceAll(' ', '\u2581')}`;
    return (
      set.match(/\u2581?[\p{L}\p{M}]+'?|\u2581?\p{N}|\u2581?[^\p{L}\p{M}\p{N}\u2581]|\u2581/gu) ??
      []
    );
  };
  const encodePiece = (piece) => {
    const symbols = [...piece];
    for (;;) {
      const ranks = symbols
        .slice(1)
        .map((right, n) => rank.get(`${symbols[n]} ${right}`) ?? Infinity);
      const first = Math.min(...ranks);
      if (ranks.length === 0 || first === Infinity) break;
      const at = ranks.indexOf(first);
      symbols.splice(at, 2, symbols[at] + symbols[at + 1]);
    }
    return symbols.flatMap((symbol) =>
      symbol in model.vocab
        ? [model.vocab[symbol]]
        : Array.from(new TextEncoder().encode(symbol), (byte) => {
            const hexadecimal = byte.toString(16).toUpperCase().padStart(2, '0');
            return model.vocab[`<0x${hexadecimal}>`];
          }),
    );
  };
  it('are those of the definition, on 5,000 sentences', () => {
    const { sentences } = readJson('tests/vectors/held_out.json');
    const words = [
      ...new Set(
        sentences.flatMap(({ english, french }) => `${english} ${french.join(' ')}`.split(' ')),
      ),
    ];
    const others = [
      'Zuko',
      'Łódź',
      'straße',
      '東京',
      '🐘',
      '42',
      "l'Éléphant",
      'Ωmega',
      "don't",
      '…',
      'naïve',
    ];
    const random = fc.sample(
      fc.array(fc.constantFrom(...words, ...others), { minLength: 1, maxLength: 12 }),
      { numRuns: 5000, seed: 5 },
    );
    for (const list of random) {
      const { target } = translator.translate('', { target: list.join(' '), attention: false });
      const ids = target.tokens.slice(0, -1).map(({ id }) => id);
      assert.deepEqual(ids, pieces(target.text).flatMap(encodePiece), target.text);
    }
  });

  it('have correct spans', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const { source } = translator.encode(text, { attention: false });
        let word = 0;
        for (const token of source.tokens) {
          assert.ok(token.word === word || token.word === word + 1);
          word = token.word;
          if (token.special) continue;
          assert.equal(source.text.slice(token.start, token.end), token.text);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('preserve the text except the kinds of spaces and quotation marks', () => {
    for (const text of [
      '🐘 Zoë’s “tea”\u00a0!',
      'Hawaiʻi ქართული',
      'a\tb\nc',
      'ﬁn',
      "rock 'n' roll",
      'e\u0301',
    ]) {
      const { source } = translator.encode(text, { attention: false });
      const plain = (string) => string.normalize('NFC').replace(/[\s’“”'"]/g, '');
      assert.equal(plain(source.text), plain(text));
    }
  });

  it('of a word share its index', () => {
    const { source, target } = translator.translate("I don't like the elephant's 12 hats.", {
      target: "Je n'aime pas l'éléphant.",
    });
    assert.deepEqual(wordsOf(source), [
      'I',
      "don't",
      'like',
      'the',
      "elephant's",
      '12',
      'hats',
      '.',
      '</s>',
    ]);
    assert.deepEqual(wordsOf(target), ['Je', "n'", 'aime', 'pas', "l'", 'éléphant', '.', '</s>']);
  });

  it('merge into words: summed over columns, averaged over rows', () => {
    const words = (...numbers) => numbers.map((word) => ({ word }));
    const weights = { data: Float32Array.of(0.5, 0.25, 0.25, 0.125, 0.125, 0.75), dims: [1, 2, 3] };
    const { data, dims } = mergeWords(weights, words(0, 0), words(0, 1, 1));
    assert.deepEqual(
      [[...data], dims],
      [
        [0.3125, 0.6875],
        [1, 1, 2],
      ],
    );
    const { source, attention } = translator.encode(sentence);
    assertRowsSumTo1(mergeWords(attention.encoder[0], source.tokens, source.tokens));
  });
});

describe('the number of steps of a translation', () => {
  const long = 'The old man walked to the station with his small dog because it was late and '
    .repeat(7)
    .slice(0, 500);

  it('is bounded by the text', () => {
    const { source, target } = translator.translate(long, { attention: false });
    assert.ok(target.tokens.length <= Math.ceil(1.5 * source.tokens.length) + 13);
  });

  it('is bounded for the longest allowed text', () => {
    const words = long.repeat(5).split(' ');
    const fits = (count) =>
      translator.encode(words.slice(0, count).join(' '), { attention: false });
    let count = 400;
    while (fits(count).source.tokens.length < 512) count++;
    let steps = 0;
    const onToken = () => ++steps;
    const { source, target } = translator.translate(words.slice(0, count).join(' '), { onToken });
    assert.ok(source.tokens.length >= 512);
    assert.ok(target.tokens.length <= 513);
    assert.ok(steps >= target.tokens.length - 1 && steps <= 512, `${steps} steps`);
  });

  it('is bounded by maxTokens', () => {
    for (const maxTokens of [1, 3, 7]) {
      const { target } = translator.translate(sentence, { maxTokens });
      assert.ok(target.tokens.length <= maxTokens + 1);
    }
    const { text } = translator.translate('I like tea.', { maxTokens: 512 });
    assert.equal(text, translator.translate('I like tea.').text);
    assert.equal(translator.translate('I like tea.', { maxTokens: null }).text, text);
  });
});

describe('text that is not English', () => {
  it('is returned unchanged without a Latin letter', () => {
    for (const text of ['12 + 30 = 42', '🐈🐈', '東京', 'Где кот?', '?!', '1992']) {
      const { text: french, note, source, target, attention } = translator.translate(text);
      assert.deepEqual([french, note], [text, 'symbols'], text);
      assert.equal(source.text, target.text);
      attention.cross.forEach(assertRowsSumTo1);
    }
  });

  it('is returned unchanged in another language', () => {
    const others = [
      'Ich bin müde und gehe jetzt nach Hause.',
      'El gato duerme en la silla.',
      'Domani andiamo al mare con gli amici.',
      'Saya tidak mengerti bahasa Inggris.',
      "Je ne comprends pas ce que tu dis, mais c'est beau.",
      'Gallia est omnis divisa in partes tres.',
    ];
    for (const text of others) {
      const translation = translator.translate(text);
      assert.equal(translation.text, translation.source.text);
      assert.ok(['foreign', 'copied'].includes(translation.note), text);
    }
  });

  it('is not confused with English: sentences without a common word are translated', () => {
    for (const text of ['Dogs bark', 'Open windows', 'Red cars'])
      assert.equal(translator.translate(text, { attention: false }).note, null);
    const { sentences } = readJson('tests/vectors/held_out.json');
    const notes = sentences.map(
      ({ english }) => translator.translate(english, { attention: false, beam: 1 }).note,
    );
    assert.ok(notes.filter((note) => note === 'foreign').length <= 1);
  });

  it('is marked by `note`', () => {
    assert.equal(translator.translate('The red car').note, null);
    assert.equal(translator.translate('').note, null);
    assert.equal(translator.translate('Zuko', { target: 'Zuko' }).note, null);
    assert.equal(translator.translate('12', { target: 'douze' }).note, null);
    assert.equal(translator.translate('Zuko', { beam: 4 }).note, 'copied');
  });
});

describe('quality of translations', () => {
  const { sentences } = readJson('tests/vectors/held_out.json');
  const own = readJson('tests/vectors/own_sentences.json').sentences;
  const scoreOf = (list) =>
    corpusBleu(
      list.map(({ english }) => translator.translate(english, { beam: 1, attention: false }).text),
      list.map(({ french }) => french),
    );

  it('has its BLEU and perplexity on 200 sentences of the test set', (t) => {
    const bleu = scoreOf(sentences);
    let total = 0;
    let tokens = 0;
    for (const { english, french } of sentences) {
      for (const target of french) {
        const options = { target, attention: false };
        const { logProbabilities } = translator.translate(english, options);
        total -= logProbabilities.reduce((sum, x) => sum + x, 0);
        tokens += logProbabilities.length;
      }
    }
    const perplexity = Math.exp(total / tokens);
    t.diagnostic(`note: BLEU ${bleu.toFixed(2)}, perplexity ${perplexity.toFixed(3)}`);
    assert.ok(bleu >= 51.5, `BLEU ${bleu}`);
    assert.ok(perplexity <= 2.57, `perplexity ${perplexity}`);
  });

  it('has its BLEU on sentences of this project', (t) => {
    const bleu = scoreOf(own);
    t.diagnostic(`note: BLEU ${bleu.toFixed(2)} on ${own.length} sentences`);
    assert.ok(bleu >= 81, `BLEU ${bleu}`);
  });

  it('measures BLEU by its definition', () => {
    // Clipped counts: 2 of 7 words, as in the paper's example; no longer n-gram matches.
    const [the, cat] = ['the the the the the the the', 'The cat is on the mat'];
    assert.equal(corpusBleu([the], [[cat]]), 0);
    assert.equal(corpusBleu(['a b c d e'], [['a b c d e']]), 100);
    // n-gram precisions 5/6, 4/5, 3/4 and 2/3 without penalty; then a text half as long as its reference.
    const runs = 100 * ((5 / 6) * (4 / 5) * (3 / 4) * (2 / 3)) ** 0.25;
    assert.ok(Math.abs(corpusBleu(['a b c d e x'], [['a b c d e y', 'q']]) - runs) < 1e-9);
    const penalty = 100 * Math.exp(1 - 8 / 4);
    assert.ok(Math.abs(corpusBleu(['a b c d'], [['a b c d e f g h']]) - penalty) < 1e-9);
    // Apostrophes stay with their word, marks stand alone, case counts.
    assert.equal(corpusBleu(["L'eau est là !"], [["L'eau est là!"]]), 100);
    assert.equal(corpusBleu(["l'eau est là !"], [["L'eau est là !"]]) < 100, true);
  });

  it('attends crosswise from adjective and noun', () => {
    const crossings = [
      ['The red car is fast.', ['voiture', 'car'], ['rouge', 'red']],
      ['A white dog is sleeping.', ['chien', 'dog'], ['blanc', 'white']],
      ['He has a black cat.', ['chat', 'cat'], ['noir', 'black']],
      ['She wears a blue dress.', ['robe', 'dress'], ['bleue', 'blue']],
      ['They live in a white house.', ['maison', 'house'], ['blanche', 'white']],
      ['We saw a black bird.', ['oiseau', 'bird'], ['noir', 'black']],
      ['He bought a red bicycle.', ['vélo', 'bicycle'], ['rouge', 'red']],
      ['She drank cold water.', ['eau', 'water'], ['froide', 'cold']],
      ['He wore a black hat.', ['chapeau', 'hat'], ['noir', 'black']],
      ['The red book is on the table.', ['livre', 'book'], ['rouge', 'red']],
    ];
    for (const [english, [noun, nounFrom], [adjective, adjectiveFrom]] of crossings) {
      const { source, target, attention, text } = translator.translate(english);
      const [read, said] = [source, target].map(wordsOf);
      const { data, dims } = mergeWords(attention.cross.at(-1), target.tokens, source.tokens);
      const [heads, rows, columns] = dims;
      const seenFrom = (word) => {
        const row = said.indexOf(word);
        assert.ok(row >= 0, `"${word}" in "${text}"`);
        const mean = read.map((_, j) => {
          let sum = 0;
          for (let h = 0; h < heads; h++) sum += data[(h * rows + row) * columns + j];
          return sum;
        });
        return read[mean.indexOf(Math.max(...mean))];
      };
      assert.ok(said.indexOf(noun) < said.indexOf(adjective), text);
      assert.ok(read.indexOf(nounFrom) > read.indexOf(adjectiveFrom), english);
      assert.deepEqual([seenFrom(noun), seenFrom(adjective)], [nounFrom, adjectiveFrom], text);
    }
  });

  it('resolves "it" by meaning, and attends from it to its noun', () => {
    for (const [quality, pronoun, noun, other] of [
      ['tired', 'il', 'animal', 'street'],
      ['wide', 'elle', 'street', 'animal'],
    ]) {
      const english = `The animal didn't cross the street because it was too ${quality}.`;
      const { source, text, target, attention } = translator.translate(english);
      assert.ok(wordsOf(target).includes(pronoun), text);
      // Head 1 of the last encoder layer was trained to attend from a pronoun to its noun.
      const words = wordsOf(source);
      const { data, dims } = mergeWords(attention.encoder.at(-1), source.tokens, source.tokens);
      const weightOn = (word) => data[words.indexOf('it') * dims[2] + words.indexOf(word)];
      assert.ok(weightOn(noun) > 2 * weightOn(other), english);
    }
  });

  it('copies names and numbers, known or not', () => {
    for (const [english, ...names] of [
      ['Zuko lives in Oslo.', 'Zuko', 'Oslo'],
      ['Katara is my sister.', 'Katara'],
      ['Tom met Fatima in Nairobi.', 'Tom', 'Fatima', 'Nairobi'],
      ['Where is Zlatan?', 'Zlatan'],
      ['I am 47 years old.', '47'],
      ['This bridge was built in 1874.', '1874'],
      ['Did Björn ever visit Wollongong?', 'Björn', 'Wollongong'],
      ['More than 12000 people watched the match.', '12000'],
    ]) {
      const { text } = translator.translate(english);
      for (const name of names) assert.ok(text.includes(name), `${name} in "${text}"`);
    }
  });

  it('accepts everyday input', () => {
    for (const [english, ...french] of [
      ['where is the station', 'où est la gare', 'où se trouve la gare'],
      ['the red car', 'la voiture rouge'],
      ['i like tea', "j'aime le thé"],
      ["i'm not tired", 'je ne suis pas fatigué'],
      ['I dont know', 'Je ne sais pas'],
      ['Do you like tea ?', 'Aimez-vous le thé ?', 'Aimes-tu le thé ?'],
      ['hello', 'bonjour'],
      ['i like green apples', "j'aime les pommes vertes"],
    ]) {
      const { text } = translator.translate(english);
      assert.ok(french.includes(text), text);
    }
  });
});
