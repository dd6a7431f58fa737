// How much a call of the translator takes.
export const limits = { beam: 32, letters: 10_000, tokens: 512, words: 100 };
