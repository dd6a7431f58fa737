// The text of --help for the command itself.

import { lexicalScale } from '../text.js';
import { defaults, temperatures } from './arguments.js';
import { limits } from './limits.js';

export const help = `Usage: attention-wasm [options] TEXT
       ... | attention-wasm [options]
       attention-wasm translate [options] TEXT
       attention-wasm encode [options] TEXT
       attention-wasm model [options] FOLDER TEXT

Shows how the words of TEXT attend to each other: a row for each word that
reads, a column for each word it reads, and where they meet the weight. Every
row sums to 1. Without TEXT, or with -, the text comes from standard input. It
may have ${limits.characters} characters and ${limits.words} words, and all heads together
${limits.weights} weights.

The vectors of the words are made of their spelling (character n-grams): equal
words attend to each other most, and similar ones (uncle, uncles) more than
others. They know nothing of meaning.

The attention of a model that knows some is shown by three commands, each with
its own --help. They are commands as the whole first argument only.
  translate           English to French, and what each French word was made of
  encode              how the words of an English sentence read each other
  model               how a text's tokens do, in a trained model of your own

Attention:
  -c, --context TEXT  cross-attention: the words of the first text read those of
                      this one, or of standard input if -
      --causal        a word reads only itself and the words before it
      --kind KIND     how two words are compared (${defaults.kind}); see Kinds
      --scale N       factor on query · key. By default ${lexicalScale} times the number of
                      heads, with which equal words stand out; "default" is the
                      1/√d of the Transformer, under which vectors of length 1
                      attend to all almost alike
      --temperature T
                      divides what the exponential is taken of (${defaults.temperature}). Small: a
                      word reads the most similar only; large: all alike.
                      From ${temperatures.min} to ${temperatures.max}
      --heads N       splits the vectors into N heads, with a matrix for each
      --average       shows the mean of the heads

Kinds, and what a weight is proportional to, for query q and key k:
  softmax             exp(scale · q · k / T)
  linear              φ(q) · φ(k) with φ = elu + 1; or linear:relu, linear:exp
  efficient           ρ(q) · σ(k), softmax over the numbers of q and, for each
                      number of k, over the words; not with --causal
  kernel:exponential  exp(scale · q · k / T), the same as softmax
  kernel:gaussian     exp(-|q - k|² / (2 b² T)), bandwidth b = 1 / √(${lexicalScale} · heads);
                      the same as softmax while there is one head
  kernel:laplacian    exp(-Σ|q - k| / (b T)), bandwidth b = √dim / (${lexicalScale} · heads)
  kernel:cosine       q · k / (|q| |k|); it and the weight can be negative
  kernel:polynomial   (scale · q · k + 1)²
--scale and --temperature go with the kinds whose formula has them. Vectors have
length 1, but 2√dim for linear and efficient, to which short ones are almost
alike.

Vectors:
      --dim N         numbers in each (${defaults.dim}); the fewer, the more chance likeness
      --seed N        another set of vectors (${defaults.seed})
      --positions     mixes in the word's place, so that neighbours are similar

Output:
      --json          tokens, options, weights and scores as JSON. A word that
                      may not be read scores null; only softmax has scores, and
                      those of other kinds are null, as are options not theirs
      --csv           the weights as CSV, with the words as header
      --color WHEN    always, never or auto: on terminals with at least 256
                      colours, unless NO_COLOR or FORCE_COLOR says otherwise
  -h, --help          this text
  -V, --version       the version

Examples:
  attention-wasm "Zuko made his uncle tea"
  attention-wasm "made tea" --context "Zuko made his uncle tea"
  attention-wasm --causal --json < poem.txt
  attention-wasm --kind linear "Zuko made his uncle tea"
  attention-wasm --temperature 0.1 "uncle uncles tea teas"
  attention-wasm translate "The red car is fast"
`;
