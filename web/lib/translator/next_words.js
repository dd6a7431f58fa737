// The likeliest words at one position of a translation, and the word at that position.
import { createWordSearch } from './word_search.js';
import { decode, encode } from '../models/run/runtime.js';
import { someRows } from '../models/run/vector_rows.js';
import { specialTokens, withEnd, withStart } from './sentences.js';

/**
 * [{ text, probability, begin, special }], the likeliest first; the sentence's own word is appended if it is missing.
 *
 * @param {object} query components: of the model; sentences; source, sentence: ids without end tokens; word: index of the
 *   word in the sentence; count; interventions: see readInterventions()
 */
export function nextWords(query) {
  const { components, sentences, source, sentence, word, count, interventions } = query;
  const wordIndices = sentences.describe(sentence, false).tokens.map((token) => token.word);
  const before = sentence.filter((_, n) => wordIndices[n] < word);
  const own = sentence.filter((_, n) => wordIndices[n] === word);
  const textOf = (ids) => sentences.decode([...before, ...ids]);
  const { length } = textOf([]);
  const memory = components.stacks.decoder.stack.projectMemory(
    components.finish(encode(components, withEnd(source), { interventions })).hidden,
    interventions,
  );
  try {
    const search = createWordSearch({
      nextLogits(ids) {
        const { finish, head } = components;
        const inputs = withStart([...before, ...ids]);
        const { hidden } = finish(decode(components, inputs, memory, { interventions }));
        return finish(head.logits(someRows(hidden, [hidden.dims[0] - 1]), {})).data;
      },
      startsWord: (ids) => sentences.startsWord([...before, ...ids]),
      spell: (ids) => (isEnd(ids) ? '</s>' : textOf(ids).slice(length).trim()),
    });
    return withOwn(search.likeliest(count), own.length > 0 && search.wordOf(own)).map(
      ({ text, ids, probability }) => ({
        text,
        probability,
        begin: textOf(isEnd(ids) ? [] : ids),
        special: isEnd(ids),
      }),
    );
  } finally {
    for (const cache of memory) cache.delete();
  }
}

/** Words with the sentence's own, whose probability is that of the sentence's tokens. */
function withOwn(words, own) {
  if (!own) return words;
  const others = words.filter(({ text }) => text !== own.text);
  if (others.length === words.length) return [...words, own];
  return [...others, own].sort((a, b) => b.probability - a.probability);
}

const isEnd = (ids) => ids[0] === specialTokens.end;
