// Questions to the worker about the picture that is shown: the likeliest words at the selected row, and what is changed by
// what is blocked.

/** @typedef {{ state, picture, facts, place, isReady: boolean }} Shown `isReady`: no other picture is due */

/**
 * NextWords of the selected row as questions.get() returns it; null where nothing is written.
 * @param {Shown} shown
 */
export function nextWordsOf({ state, picture, facts, place, isReady }, questions, ask) {
  const isWritten = picture && facts.hasNext && !picture.part.startsWith('encoder');
  if (!isWritten || facts.unfinished) return null;
  if (!isReady) return questions.latest('next words');
  const tokens = picture.rowTokens[place.row];
  const { from, texts, requestedTexts } = facts;
  const key = [from, texts[0], String(requestedTexts), state.block, String(tokens)];
  return questions.get('next words', key, () => ask({ token: tokens[0], last: tokens.at(-1) }));
}

/**
 * Next words in the compared text, at the word aligned with the selected one; null without a comparison or such a word.
 * @param {Shown} shown
 */
export function otherWordsOf({ state, picture, facts, place, isReady }, questions, ask) {
  const tokens = picture?.beside?.rowTokens?.[place.row] ?? [];
  const isWritten = tokens.length > 0 && facts.hasNext && !picture.part.startsWith('encoder');
  if (!isWritten) return null;
  if (!isReady) return questions.latest('other next words');
  const key = [state.source, facts.from, String(picture.beside.texts), String(tokens)];
  const words = { token: tokens[0], last: tokens.at(-1), isOther: true };
  return questions.get('other next words', key, () => ask(words));
}

/**
 * The Effect of what is blocked, as questions.get() returns it; null where nothing is, or until it can be known.
 * @param {Shown} shown
 */
export function effectOf({ state, picture, facts, isReady }, questions, ask) {
  if (state.block === '' || !facts?.blocks) return null;
  if (!isReady || !picture) return questions.latest('effect');
  const { source, mode, block } = state;
  const { from, texts, requestedTexts } = facts;
  const key = [source, mode, block, from, String(texts), String(requestedTexts)];
  return questions.get('effect', key, ask);
}
