// attention-wasm/translator: the likeliest next words are those of an exhaustive search, with the probabilities of the
// model; and a translation continues a given beginning.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { createWordSearch } from '../../../web/lib/translator/word_search.js';

const translator = await loadTranslator();
const sentence = 'The pink elephant tried to get into the car but it was too big.';

/** Texts of a sentence's words, by index. */
function wordsOf({ tokens }) {
  const words = [];
  for (const { word, text } of tokens) words[word] = (words[word] ?? '') + text;
  return words;
}

describe('the search for words', () => {
  // 0 padding, 1 start, 2 end; 3, 4 and 5 start a word, 6, 7 and 8 continue one.
  const spelling = ['', '', '</s>', 'a', 'b', 'ab', 'a', 'b', 'c'];
  const starts = spelling.map((_, id) => id === 2 || (id >= 3 && id <= 5));
  const nextLogits = (ids) => {
    const seed = ids.reduce((sum, id, n) => sum + id * (n + 3), 1);
    return Float32Array.from(spelling, (_, id) => 3 * Math.sin(seed * (id + 2)));
  };
  const spell = (ids) => ids.map((id) => spelling[id]).join('');
  const search = createWordSearch({ nextLogits, startsWord: () => starts, spell });

  /** Every word of up to `length` tokens with its probability, by the likeliest tokens that spell it; and their sum. */
  function everyWord(length) {
    const all = new Map();
    let sum = 0;
    const add = (text, probability) => {
      sum += probability;
      all.set(text, Math.max(all.get(text) ?? 0, probability));
    };
    const walk = (ids, probability) => {
      const powers = Array.from(nextLogits(ids), (x, id) => (id < 2 ? 0 : Math.exp(x)));
      const total = (isIn) => powers.reduce((sum, x, id) => sum + (isIn(id) ? x : 0), 0);
      const ofEnd = total((id) => starts[id]) / total(() => true);
      if (ids.length > 0) add(spell(ids), probability * ofEnd);
      if (ids.length === length) return;
      powers.forEach((power, id) => {
        if (id < 2 || starts[id] !== (ids.length === 0)) return;
        const isIn = (one) => ids.length > 0 || starts[one];
        const share = (probability * power) / total(isIn);
        if (id === 2) add(spelling[2], share);
        else walk([...ids, id], share);
      });
    };
    walk([], 1);
    return { all, sum };
  }

  it('finds the likeliest of all words', () => {
    const { all, sum } = everyWord(9);
    assert.ok(Math.abs(sum - 1) < 0.02, `all words together have ${sum}`);
    const want = Array.from(all).sort(([, a], [, b]) => b - a);
    const got = search.likeliest(5);
    assert.deepEqual(
      got.map(({ text }) => text),
      want.slice(0, 5).map(([text]) => text),
    );
    got.forEach(({ text, probability }) => {
      assert.ok(Math.abs(probability / all.get(text) - 1) < 1e-7, text);
    });
    assert.equal(search.likeliest(1).length, 1);
  });

  it('returns the probability of any word', () => {
    const { all } = everyWord(3);
    const { text, probability } = search.wordOf([4, 8, 7]);
    assert.equal(text, 'bcb');
    assert.ok(Math.abs(probability - all.get('bcb')) < 1e-12);
    const end = search.wordOf([2]);
    assert.ok(Math.abs(end.probability - all.get('</s>')) < 1e-12);
  });
});

describe('the next words of a translation', () => {
  const { text, target, logProbabilities } = translator.translate(sentence);
  const words = wordsOf(target);

  it('have the probability that translate() returns for the word', () => {
    const options = { target: text, wordLogProbabilities: true };
    const { wordLogProbabilities } = translator.translate(sentence, options);
    assert.equal(wordLogProbabilities.length, words.length);
    words.forEach((own, word) => {
      const found = translator
        .nextWords(sentence, { target: text, word })
        .find((one) => one.text === own);
      assert.ok(Math.abs(found.probability / Math.exp(wordLogProbabilities[word]) - 1) < 1e-9, own);
    });
    assert.equal(translator.translate(sentence).wordLogProbabilities, undefined);
  });

  it('have the probability of their tokens and of a word start after them', () => {
    // A word of several tokens, and one of a single token.
    for (const word of [1, words.indexOf('trop')]) {
      const product = target.tokens.reduce(
        (sum, token, n) => sum + (token.word === word ? logProbabilities[n] : 0),
        0,
      );
      const found = translator
        .nextWords(sentence, { target: text, word })
        .find((one) => one.text === words[word]);
      // A new word begins there, and one ends, almost certainly.
      const ratio = found.probability / Math.exp(product);
      assert.ok(ratio > 0.95 && ratio < 1.05, `${found.text}: ${ratio}`);
    }
  });

  it('are sorted, and include the word at this position', () => {
    words.forEach((own, word) => {
      const found = translator.nextWords(sentence, { target: text, word });
      const probabilities = found.map(({ probability }) => probability);
      assert.ok(found.length === 5 || (found.length === 6 && found[5].text === own));
      const five = probabilities.slice(0, 5);
      assert.deepEqual(
        five,
        five.toSorted((a, b) => b - a),
      );
      assert.ok(probabilities.reduce((a, b) => a + b, 0) <= 1 + 1e-9);
      assert.ok(
        found.some((one) => one.text === own),
        `${own}: ${found.map((one) => one.text)}`,
      );
    });
    const [first] = translator.nextWords(sentence, {
      target: "L'éléphant rose",
      word: 2,
      count: 1,
    });
    assert.equal(first.text, 'rose');
  });

  it('are probabilities for characters that the model spells as bytes', () => {
    for (const text of ['The 👨‍👩‍👧 family 🐘 is here.', '👨‍👩‍👧‍👦', '私は cat']) {
      const options = { beam: 1, wordLogProbabilities: true };
      const { text: french, wordLogProbabilities } = translator.translate(text, options);
      wordLogProbabilities.forEach((log, word) => {
        assert.ok(log <= 1e-6, `${text}, ${word}: ${Math.exp(log)}`);
        const found = translator.nextWords(text, { target: french, word, count: 3 });
        const all = found.reduce((sum, { probability }) => sum + probability, 0);
        assert.ok(all <= 1 + 1e-6, `${text}, ${word}: ${all} together`);
      });
    }
  });

  it('follow “too” correctly', () => {
    const begin = "L'éléphant rose essaya d'entrer dans la voiture mais elle était trop";
    const found = translator.nextWords(sentence, { target: begin });
    // French words that continue “elle”: large, or large and fat.
    assert.deepEqual(
      found
        .slice(0, 2)
        .map(({ text }) => text)
        .sort(),
      ['grande', 'grosse'],
    );
    assert.equal(found[0].begin, `${begin} ${found[0].text}`);
    assert.ok(found[0].probability > 0.5);
    // An English text that ends at “too” has no translation of the adjective.
    const [end] = translator.nextWords(sentence.replace(/ big\.$/, ''), { target: begin });
    assert.deepEqual([end.text, end.special, end.begin], ['</s>', true, begin]);
  });

  it('follow a given beginning with French punctuation', () => {
    const [a, b] = ["L'éléphant", '  L’ éléphant '].map((target) =>
      translator.nextWords(sentence, { target: target.replace('’ ', '’') }),
    );
    assert.deepEqual(a, b);
    assert.equal(a[0].begin, `L'éléphant ${a[0].text}`);
  });

  it('are refused with a message', () => {
    assert.throws(() => translator.nextWords(7), /the text of nextWords\(\) must be a string/);
    assert.throws(
      () => translator.nextWords('Go!', { target: 'Va !', word: 3 }),
      /^RangeError: word is 3 but must be an integer from 0 to 2$/,
    );
    assert.throws(() => translator.nextWords('Go!', { count: 0 }), RangeError);
    assert.throws(() => translator.nextWords('Go!', { beam: 2 }), TypeError);
  });
});

describe('a translation from a beginning', () => {
  const red = 'The red car is in front of the white house.';

  it('begins with it and continues', () => {
    const { text } = translator.translate(red, { begin: 'Une' });
    assert.equal(text, 'Une voiture rouge est devant la maison blanche.');
    for (const begin of ['Il y a', "L'auto", 'La maison']) {
      const made = translator.translate(red, { begin });
      assert.ok(made.text.startsWith(begin) && made.text.length > begin.length + 4, made.text);
      // The complete translation has the weights and probabilities of its text.
      const forced = translator.translate(red, { target: made.text });
      assert.deepEqual(made.logProbabilities, forced.logProbabilities);
    }
  });

  it('that is its own beginning is unchanged', () => {
    const { text } = translator.translate(red);
    assert.equal(translator.translate(red, { begin: 'La voiture' }).text, text);
    assert.equal(translator.translate(red, { begin: '' }).text, text);
  });

  it('does not continue its last word', () => {
    const { target } = translator.translate(red, { begin: 'La voi' });
    assert.equal(wordsOf(target)[1], 'voi');
  });

  it('reports its steps from there', () => {
    const texts = Array.from(translator.steps(red, { begin: 'Une auto' }), ({ text }) => text);
    assert.ok(texts.length > 3);
    for (const text of texts) assert.match(text, /^Une auto./);
  });

  it('cannot be combined with `target`', () => {
    assert.throws(() => translator.translate(red, { target: 'Une', begin: 'Une' }), TypeError);
  });
});
