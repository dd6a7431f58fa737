// Limits of the arguments of a translator.
export const limits = { beam: 32, characters: 10_000, tokens: 512, words: 100 };
