// Language detection: a model trained only on English also produces French for other languages. Texts without a common
// English word and with a translation of low probability are returned untranslated.

// Nearly every English sentence has one of these words, and other languages do not share their spelling.
const commonWords = new Set(
  `the an i you it we they is are was were been have has had does did not don't to of at for with from by and or but if this
   that these those my your his her its our their him us them what who where when why how which there here can will would
   could should must get got like want know think need very too all some any one two i'm it's isn't aren't wasn't didn't
   doesn't can't won't i'll i've you're we're they're he's she's that's what's let's let please hello hi thank thanks good
   out about now just more never always than then after before because she he be go went make made take put see saw
   up off often every each couldn't wouldn't shouldn't haven't hasn't being going doing nobody somebody everybody someone everyone
   people man day time again away back down only still ever many much most well hey yes nothing something anything stop
   eat keep give tell say said year today tomorrow yesterday left bought there's`.match(/\S+/g),
);
const minWords = 3; // shorter texts cannot be classified
const minMeanLogProbability = -0.25; // of the tokens of a translation

/** True if a text has no Latin letter: digits, punctuation, emoji, other scripts. */
export const isSymbols = (text) => !/\p{Script=Latin}/u.test(text);

/** True if a text is probably not English: its translation has low probability, or more than 60 % copied words. */
export function isForeign(text, translation, logProbabilities) {
  const words = text.toLowerCase().match(/[\p{L}\p{M}']+/gu) ?? [];
  if (words.length < minWords || words.some((word) => commonWords.has(word))) return false;
  const copied = words.filter((word) => translation.toLowerCase().includes(word));
  const sum = logProbabilities.reduce((total, x) => total + x);
  return (
    copied.length > 0.6 * words.length || sum < minMeanLogProbability * logProbabilities.length
  );
}
