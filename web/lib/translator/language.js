// Whether a text is English enough to be translated. A model trained on English alone makes up French for any
// other language, so what has none of English's commonest words and leaves the model unsure is left as it is.

// Words that nearly every English sentence has one of, and that other languages do not spell alike.
const commonest = new Set(
  `the an i you it we they is are was were been have has had does did not don't to of at for with from by and or but if this
   that these those my your his her its our their him us them what who where when why how which there here can will would
   could should must get got like want know think need very too all some any one two i'm it's isn't aren't wasn't didn't
   doesn't can't won't i'll i've you're we're they're he's she's that's what's let's let please hello hi thank thanks good
   out about now just more never always than then after before because she he be go went make made take put see saw
   up off often every each couldn't wouldn't shouldn't haven't hasn't being going doing nobody somebody everybody someone everyone
   people man day time again away back down only still ever many much most well hey yes nothing something anything stop
   eat keep give tell say said year today tomorrow yesterday left bought there's`.match(/\S+/g),
);
const fewest = 3; // words that can be judged
const unsure = -0.25; // mean log probability of a translation's tokens

/** Whether it has no Latin letter: digits, marks, emoji, other scripts. */
export const isSymbols = (text) => !/\p{Script=Latin}/u.test(text);

/** Whether a text is taken for another language, seeing its translation: unsure, or three fifths its own words. */
export function isForeign(text, translation, logProbabilities) {
  const words = text.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? [];
  if (words.length < fewest || words.some((word) => commonest.has(word))) return false;
  const kept = words.filter((word) => translation.toLowerCase().includes(word));
  const sum = logProbabilities.reduce((total, x) => total + x);
  return kept.length > 0.6 * words.length || sum < unsure * logProbabilities.length;
}
