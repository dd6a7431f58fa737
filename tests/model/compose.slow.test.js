// The sentence pairs that training composes: French grammar of the lexicon, and how the split keeps held-out
// sentences out.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { randomNumbers } from '../../web/lib/models/random_numbers.js';
import { composePair } from '../../web/model/compose.js';
import { readCorpus, readPairs, splitKey, vary, writtenFiles } from '../../web/model/corpus.js';
import { agree, adjectives } from '../../web/model/lexicon/adjectives.js';
import { english, french, futureOf, imperfectOf } from '../../web/model/lexicon/conjugate.js';
import { elides, englishPlural, frenchPlural, nouns } from '../../web/model/lexicon/nouns.js';
import { numberInWords } from '../../web/model/lexicon/numbers.js';
import { agrees } from '../../web/model/lexicon/long_subjects.js';
import { said } from '../../web/model/lexicon/doings.js';
import { ofPeople } from '../../web/model/lexicon/predicates.js';
import { inPlural, pronounLinks } from '../../web/model/lexicon/pronoun_links.js';
import { createSegmenter } from '../../web/model/segment.js';
import { renderedWords, tableOf } from '../../web/model/word_table.js';
import { root } from '../support/js/package.js';

describe('the lexicon', () => {
  const nounOf = (word) =>
    Object.values(nouns)
      .flat()
      .find((noun) => noun.english === word);

  it('conjugates', () => {
    const present = {
      manger: 'mange manges mange mangeons mangez mangent',
      commencer: 'commence commences commence commençons commencez commencent',
      acheter: 'achète achètes achète achetons achetez achètent',
      espérer: 'espère espères espère espérons espérez espèrent',
      nettoyer: 'nettoie nettoies nettoie nettoyons nettoyez nettoient',
      finir: 'finis finis finit finissons finissez finissent',
      vendre: 'vends vends vend vendons vendez vendent',
      prendre: 'prends prends prend prenons prenez prennent',
      "s'habiller": 'habille habilles habille habillons habillez habillent',
    };
    for (const [infinitive, forms] of Object.entries(present))
      assert.equal(french(infinitive).present.join(' '), forms);
    const future = { acheter: 'achètera', espérer: 'espérera', voir: 'verra', vendre: 'vendra' };
    for (const [infinitive, form] of Object.entries(future))
      assert.equal(futureOf(french(infinitive), 2), form);
    assert.deepEqual(
      [3, 5].map((person) => imperfectOf(french('manger'), person)),
      ['mangions', 'mangeaient'],
    );
    assert.deepEqual(
      [french('arriver'), french('se laver'), french('manger')].map(({ isBe }) => isBe),
      [true, true, false],
    );
    const { third, past, participle, ing } = english('take off');
    assert.deepEqual(
      [third, past, participle, ing],
      ['takes off', 'took off', 'taken off', 'taking off'],
    );
    assert.deepEqual(
      ['carry', 'stop', 'lie', 'wash', 'hide'].map((verb) => english(verb).ing),
      ['carrying', 'stopping', 'lying', 'washing', 'hiding'],
    );
  });

  it('makes plurals and agrees', () => {
    for (const [word, one, many] of [
      ['horse', 'horses', 'chevaux'],
      ['knife', 'knives', 'couteaux'],
      ['eye', 'eyes', 'yeux'],
      ['cherry', 'cherries', 'cerises'],
      ['wristwatch', undefined, undefined],
      ['box', 'boxes', 'boîtes'],
      ['walnut', 'walnuts', 'noix'],
    ]) {
      const noun = nounOf(word);
      if (!one) assert.equal(noun, undefined);
      else assert.deepEqual([englishPlural(noun), frenchPlural(noun)], [one, many]);
    }
    const adjective = (word) =>
      Object.values(adjectives)
        .flat()
        .find((other) => other.english === word);
    const forms = (word) =>
      [{}, { feminine: true }, { plural: true }, { feminine: true, plural: true }].map((how) =>
        agree(adjective(word), how),
      );
    assert.deepEqual(forms('white'), ['blanc', 'blanche', 'blancs', 'blanches']);
    assert.deepEqual(forms('brown'), ['marron', 'marron', 'marron', 'marron']);
    assert.deepEqual(forms('lazy'), ['paresseux', 'paresseuse', 'paresseux', 'paresseuses']);
    assert.equal(agree(adjective('old'), { beforeVowel: true }), 'vieil');
  });

  it('knows which h is aspirated', () => {
    assert.deepEqual(
      ['homme', 'hibou', 'hôpital', 'haricots', 'onze', 'yaourt', 'œuf'].map(elides),
      [true, false, true, false, false, false, true],
    );
  });

  it('spells numbers', () => {
    for (const [number, words] of [
      [21, 'vingt et un'],
      [71, 'soixante et onze'],
      [80, 'quatre-vingts'],
      [81, 'quatre-vingt-un'],
      [97, 'quatre-vingt-dix-sept'],
      [200, 'deux cents'],
      [1202, 'mille deux cent deux'],
    ])
      assert.equal(numberInWords(number)[1], words);
  });
});

describe('predicates', () => {
  const she = { english: 'she', french: 'elle', person: 2, feminine: true };
  const they = { english: 'they', french: 'elles', person: 5, feminine: true, plural: true };
  const predicate = (start) =>
    ofPeople.find(({ english: { base }, rest }) => `${base} ${rest}`.startsWith(start));
  const past = (subject, start, more) =>
    said(subject, predicate(start), ['past', 'past'], more).french;

  it('agree with their subject where French does', () => {
    assert.equal(past(they, 'go to sleep'), 'elles se sont endormies');
    assert.equal(past(she, 'wash {my} hands'), "elle s'est lavé les mains");
    assert.equal(past(they, 'take out the rubbish'), 'elles ont sorti les poubelles');
    assert.equal(past(they, 'fall off the ladder'), "elles sont tombées de l'échelle");
    assert.equal(past(they, 'lose {my} keys'), 'elles ont perdu leurs clés');
  });

  it('have "de" after a negation and adverbs in their place', () => {
    assert.equal(past(she, 'bake bread', { negative: true }), "elle n'a pas fait de pain");
    assert.equal(past(she, 'take a bath', { negation: 'jamais' }), "elle n'a jamais pris de bain");
    assert.equal(past(she, 'open the letter', { adverb: 'déjà' }), 'elle a déjà ouvert la lettre');
  });

  it('let adjectives agree across what stands between', () => {
    const random = randomNumbers(2);
    const feminine = { heavy: 'lourdes', broken: 'cassées', wet: 'mouillées', new: 'neuves' };
    const heads = nouns.thing.filter((noun) => noun.feminine).map(frenchPlural);
    const subject = new RegExp(`^\\p{L}+ (${heads.join('|')}) .*(sont|étaient)`, 'u');
    const found = Array.from({ length: 5000 }, () => agrees(random))
      .filter(({ french: to }) => subject.test(to))
      .map(({ english: from, french: to }) => [feminine[from.split(' ').at(-1)], to])
      .filter(([form]) => form);
    assert.ok(found.length > 3);
    for (const [form, to] of found) assert.ok(to.endsWith(` ${form}`), to);
  });
});

describe('the sentences written for training', () => {
  const lines = writtenFiles().flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));

  it('are a line each of two sides that are not empty, none twice', () => {
    for (const line of lines) assert.match(line, /^[^\t]*\S[^\t]*\t[^\t]*\S[^\t]*$/);
    const seen = new Set();
    const again = lines.filter((line) => {
      const key = splitKey(line.split('\t')[0]);
      return seen.has(key) || !seen.add(key);
    });
    assert.deepEqual(again, []);
    assert.ok(seen.size > 20_000);
  });

  it('hold none of the sentences written for tests', () => {
    const ownFile = join(root, 'tests/vectors/own_sentences.json');
    const { sentences, showpieces } = JSON.parse(readFileSync(ownFile, 'utf8'));
    const kept = new Set([...sentences, ...showpieces].map((pair) => splitKey(pair.english)));
    assert.ok(kept.size > 120);
    const known = writtenFiles()
      .flatMap(readPairs)
      .filter((pair) => kept.has(splitKey(pair.english)));
    assert.deepEqual(known, []);
  });
});

describe('the word table', () => {
  const subjects = { elephant: "L'éléphant", boy: 'Le garçon', cat: 'Le chat', hen: 'La poule' };
  const verbs = { plays: 'joue', sleeps: 'dort', jumps: 'saute', sings: 'chante' };
  const table = tableOf(
    Object.entries(subjects).flatMap(([who, qui]) =>
      Object.entries(verbs).map(([does, fait]) => ({
        english: `The ${who} ${does}.`,
        french: `${qui} ${fait}.`,
      })),
    ),
  );
  const words = (translation) =>
    renderedWords(table, 'The elephant plays.', ["L'éléphant joue."], translation)
      .filter(({ isRendered }) => !isRendered)
      .map(({ word }) => word);

  it('finds what a translation lost, and no inflected form', () => {
    assert.deepEqual(words('Le chat joue.'), ['elephant']);
    assert.deepEqual(words('Les éléphants jouaient.'), []);
    assert.deepEqual(words("L'éléphant est là."), ['plays']);
  });

  it('counts no word that a reference leaves out', () => {
    const counted = renderedWords(table, 'The elephant plays.', ["L'éléphant est là."], 'Rien.');
    assert.deepEqual(
      counted.map(({ word }) => word),
      ['elephant'],
    );
  });
});

describe('composed pairs', () => {
  const random = randomNumbers(4);
  // Sentences that are alike on both sides are of any language.
  const pairs = Array.from({ length: 20_000 }, () =>
    composePair(random, 'Il est parti hier.'),
  ).filter(({ english: from, french: to }) => from !== to);

  it('contract and elide', () => {
    const wrong =
      /(?<!\p{L})(de le|de les|à le|à les|de des|de du) |(^|\s)(le|la|de|je|ne|que|se|ce) [aéèêiouœ](?!nze)\p{Ll}/iu;
    assert.deepEqual(
      pairs.filter(({ french: text }) => wrong.test(text)),
      [],
    );
  });

  it('have no gaps and carry their numbers', () => {
    for (const { english: from, french: to } of pairs) {
      assert.ok(!/undefined|NaN|\s\s|^\s|\s$/.test(from + to), `${from} | ${to}`);
      const long = from.match(/\d{4,}/g) ?? [];
      for (const number of long) assert.ok(to.includes(number), `${from} | ${to}`);
    }
  });

  it('are many', () => {
    assert.ok(new Set(pairs.map(({ english: text }) => text)).size > 0.9 * pairs.length);
  });
});

describe('pairs that link a pronoun with a noun', () => {
  const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const random = randomNumbers(11);
  const linked = Array.from({ length: 5000 }, () => pronounLinks(random)).filter(
    ({ link }) => link,
  );
  const wordsOf = (text) => text.toLowerCase().match(/[\p{L}-]+/gu);

  it('name words of the sentence, and a pronoun in French', () => {
    assert.ok(linked.length > 4500);
    for (const { english: from, french: to, link } of linked) {
      for (const word of [link.pronoun, link.noun])
        assert.ok(wordsOf(from).includes(word.toLowerCase()), `${word} in "${from}"`);
      const pronouns = {
        it: ['il', 'elle', 'l', 'le', 'la'],
        they: ['ils', 'elles'],
        them: ['les'],
      };
      assert.ok(
        wordsOf(to).some((word) => pronouns[link.pronoun].includes(word)),
        `${from} | ${to}`,
      );
    }
  });

  it('put French verbs into the plural', () => {
    for (const [one, many] of [
      ["n'a pas mangé", "n'ont pas mangé"],
      ['ne pouvait pas traverser', 'ne pouvaient pas traverser'],
      ["s'était cassé", "s'étaient cassé"],
      ["s'est enfui", 'se sont enfui'],
      ["n'est pas entré dans", 'ne sont pas entré dans'],
      ['ne rentre pas dans', 'ne rentrent pas dans'],
      ['ne tient pas', 'ne tiennent pas'],
      ["m'a mordu", "m'ont mordu"],
    ])
      assert.equal(inPlural(one), many);
  });

  it('are none of those that it is measured with, whose nouns of one half it never links', () => {
    const { known, unseen, unseenNouns } = readJson('web/model/referent_pairs.json');
    const sentences = [...known, ...unseen].flat().map(({ english: text }) => text);
    assert.deepEqual([known.length, unseen.length, unseenNouns.length], [20, 20, 40]);
    const file = join(mkdtempSync(join(tmpdir(), 'attention-wasm-')), 'base');
    writeFileSync(file, 'Go.\tVa !');
    const { mayBeLearnt } = readCorpus(file, [], sentences, unseenNouns);
    rmSync(dirname(file), { recursive: true });
    const learnt = (text) => mayBeLearnt({ english: text });
    assert.deepEqual(sentences.filter(learnt), []);
    assert.equal(learnt('The giraffes saw the dog and they ran away.'), false);
    assert.equal(learnt('Because it was tired, the donkey slept.'), false);
    assert.equal(learnt('The giraffe saw the dog.'), true);
    assert.equal(learnt('The cat saw the dog and it ran away.'), true);
  });

  it('have the positions of both words beside their ids', () => {
    const tokenizer = readJson('web/model/tokenizer.json');
    const words = [];
    const onWord = (...word) => words.push(word);
    const ids = createSegmenter(tokenizer)('The elephant saw it', undefined, 0, onWord);
    assert.deepEqual(
      words.map(([word]) => word),
      ['The', 'elephant', 'saw', 'it'],
    );
    const positions = words.map(([, position]) => position);
    assert.equal(positions[0], 0);
    assert.ok(positions[2] > positions[1] + 1, 'elephant has several tokens');
    assert.equal(positions[3], ids.length - 1);
  });
});

describe('the split', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-wasm-'));
  after(() => rmSync(folder, { recursive: true }));
  const write = (name, pairs) => {
    const file = join(folder, name);
    writeFileSync(file, gzipSync(pairs.map((pair) => pair.join('\t')).join('\n')));
    return file;
  };
  const base = Array.from({ length: 5000 }, (_, n) => [`This is sentence ${n}.`, `Phrase ${n}.`]);

  it('is settled by the first file: more data moves nothing and brings nothing back', () => {
    const first = write('base.gz', base);
    const alone = readCorpus(first);
    assert.deepEqual([alone.test.length, alone.validation.length], [2000, 2000]);
    const heldOut = [...alone.test, ...alone.validation].map(({ english: text }) => text);
    const more = write('more.gz', [
      ...heldOut.map((text) => [text.toUpperCase().replace('.', '!'), 'Autrement.']),
      ['Something new.', 'Du neuf.'],
      ['Written for the test.', 'Écrit pour le test.'],
    ]);
    const both = readCorpus(first, [more], ['written for the test']);
    assert.deepEqual([both.test, both.validation], [alone.test, alone.validation]);
    assert.deepEqual(both.train.slice(alone.train.length), [
      { english: 'Something new.', french: 'Du neuf.' },
    ]);
    assert.equal(both.mayBeLearnt({ english: 'Written, for the test!' }), false);
  });

  it('keeps the sentences written for tests from being composed', () => {
    const file = join(root, 'tests/vectors/own_sentences.json');
    const { sentences } = JSON.parse(readFileSync(file, 'utf8'));
    const first = write('base.gz', base.slice(0, 5));
    const own = sentences.map(({ english: text }) => text);
    const { mayBeLearnt } = readCorpus(first, [], own);
    for (const text of own) assert.equal(mayBeLearnt({ english: text }), false);
  });

  it('is varied on both sides alike', () => {
    const random = randomNumbers(9);
    for (let n = 0; n < 500; n++) {
      const pair = { english: 'Tom paid 125 euros.', french: 'Tom a payé 125 euros.' };
      const { english: from, french: to } = vary(pair, random, new Set());
      assert.deepEqual(from.match(/\d+/g), to.match(/\d+/g));
      assert.equal(from.split(' ')[0], to.split(' ')[0]);
    }
  });
});
