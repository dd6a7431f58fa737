// A table of English words and their French renderings, learned from sentence pairs (IBM model 1), and the content words
// that a translation lost by that table: words that every reference renders with a certain rendering, and for which the
// translation has neither a possible rendering nor an inflected form of one. Source: Brown et al., "The Mathematics of
// Statistical Machine Translation: Parameter Estimation" (1993).

const rounds = 5;
const sure = 0.05; // min probability, in both directions, of a certain rendering
const possible = 0.005; // min probability, English to French, of a possible rendering
const known = 5; // characters that two forms of one word share at their start
const ending =
  /(?<=^.{3,})(?:e?s|x|e|ée?s?|er|ez|ent|ons|ai[st]?|aient|ions|iez|an(?:te?s?)|era[is]?|eront|eraient|erait|i[st]?|ie?s?|ir|us?|ues?)$/;

export const wordsOf = (text) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

const functionWords = new Set(
  `a an the this that these those i you he she it we they me him her us them my your his its our their mine yours hers ours theirs
   who whom whose which what where when why how and or but if because so as than then of to in on at by for from with without about into
   over under after before between through during up down out off again not no nor n t s m re ve ll d be am is are was were been being
   have has had having do does did doing done will would shall should can could may might must ought let there here just too very
   also only even still yet ever never any some each every all both either neither one ones such own same other another more most much
   many few little lot lots got get gets getting myself yourself himself herself itself ourselves themselves dont doesnt didnt isnt
   cant wont im youre well go goes going went gone come comes make makes made take takes took put thing things something anything
   nothing everything someone anyone nobody everyone like want wants wanted need`
    .trim()
    .split(/\s+/),
);
const frenchFunctionWords = new Set(
  `l d de le la les des du un une à au aux en et ou où mais que qu qui quoi ce c cet cette ces se s sa son ses mon ma mes ton ta tes
   notre nos votre vos leur leurs je j tu il elle on nous vous ils elles me m te t lui y ne n pas plus est suis es sommes êtes sont
   était étais étaient été être ai as a avons avez ont avait avais eu avoir dans sur sous par pour avec sans si tout toute tous toutes
   très trop bien fait faire peut dus rien jamais là ici ça cela dit moi toi eux soi quel quelle quand comme comment pourquoi aussi`
    .trim()
    .split(/\s+/),
);
const isContent = (word) => word.length > 2 && !functionWords.has(word);

/** English word → Map of French words with their probabilities, of { english, french } pairs. */
export function learnTable(pairs) {
  const sentences = pairs.map(({ english, french }) => [
    [...new Set(wordsOf(english))],
    [...new Set(wordsOf(french))],
  ]);
  let table = new Map();
  for (let round = 0; round < rounds; round++) {
    const counts = new Map();
    for (const [english, french] of sentences) {
      for (const to of french) {
        const shares = english.map((from) => (round === 0 ? 1 : (table.get(from).get(to) ?? 0)));
        const total = shares.reduce((sum, x) => sum + x, 1e-12);
        english.forEach((from, n) => {
          if (shares[n] < 1e-4 * total) return;
          if (!counts.has(from)) counts.set(from, new Map());
          const row = counts.get(from);
          row.set(to, (row.get(to) ?? 0) + shares[n] / total);
        });
      }
    }
    for (const row of counts.values()) {
      const total = [...row.values()].reduce((sum, x) => sum + x, 0);
      for (const [to, count] of row) row.set(to, count / total);
    }
    table = counts;
  }
  return table;
}

/** { word: { sure: [French words], possible: [French words] } } for each content word; JSON-compatible. */
export function tableOf(pairs) {
  const there = learnTable(pairs);
  const back = learnTable(
    pairs.map(({ english, french }) => ({ english: french, french: english })),
  );
  const rendering = (word, row) => {
    const words = [...row].filter(([to, p]) => p >= possible && !frenchFunctionWords.has(to));
    const isSure = ([to, p]) => p >= sure && (back.get(to)?.get(word) ?? 0) >= sure;
    return { sure: words.filter(isSure).map(([to]) => to), possible: words.map(([to]) => to) };
  };
  return Object.fromEntries(
    [...there]
      .filter(([word]) => isContent(word))
      .map(([word, row]) => [word, rendering(word, row)]),
  );
}

const stem = (word) => word.replace(ending, '');
const alike = (a, b) =>
  a === b || (a.length >= known && a.slice(0, known) === b.slice(0, known)) || stem(a) === stem(b);

/** Content words of `english` that every reference renders, and whether `translation` does: [{ word, isRendered }]. */
export function renderedWords(table, english, references, translation) {
  const isIn = (text, renderings) =>
    wordsOf(text).some((said) => renderings.some((rendering) => alike(rendering, said)));
  return [...new Set(wordsOf(english))].flatMap((word) => {
    const { sure: surely = [], possible: perhaps = [] } = table[word] ?? {};
    if (!isContent(word) || !references.every((text) => isIn(text, [word, ...surely]))) return [];
    return [{ word, isRendered: isIn(translation, [word, ...perhaps]) }];
  });
}
