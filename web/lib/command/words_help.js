// The --help text of the command without a subcommand.

import { lexicalScale } from '../text.js';
import { defaults, temperatures } from './words_arguments.js';
import { limits } from './limits.js';
import { kernelsHelp } from './kernels.js';
import { outputHelp } from './shell_options.js';

export const help = `Usage: attention-wasm [options] TEXT
       ... | attention-wasm [options]
       attention-wasm translate [options] TEXT
       attention-wasm encode [options] TEXT
       attention-wasm model [options] FOLDER TEXT
       attention-wasm learn [options] TASK

Shows the attention between the words of TEXT: one row per query word, one
column per key word; each cell is a weight. Each row sums to 1. Without TEXT, or
if TEXT is -, the text is read from standard input. It may have at most
${limits.characters} characters and ${limits.words} words, and all heads together at most
${limits.weights} weights.

Word vectors are computed from spelling (character n-grams): equal words attend
to each other most, similar ones (uncle, uncles) more than others. They do not
represent meaning.

Four commands show the attention of Transformers, each with its own --help.
A command must be the first argument.
  translate           English to French: cross-attention of each French word
  encode              self-attention of an English sentence
  model               attention of your own trained model
  learn               trains a model, then shows its attention

Attention:
  -c, --context TEXT  cross-attention: the words of the first text attend to
                      those of this one, or of standard input if -
      --causal        a word attends only to itself and the words before it
      --kind KIND     similarity of two words (default ${defaults.kind}); see Kinds
      --scale N       factor on query · key. Default: ${lexicalScale} times the number of
                      heads, which makes equal words stand out; "default" is
                      1/√d as in the Transformer, which gives vectors of length
                      1 almost uniform weights
      --temperature T
                      divisor of the exponent (default ${defaults.temperature}). Small values favor
                      the most similar word, large values give uniform weights.
                      From ${temperatures.min} to ${temperatures.max}
      --heads N       splits the vectors into N heads, with a matrix for each
      --average       shows the mean of the heads

Kinds, and the formula that weights are proportional to (query q, key k):
  softmax             exp(scale · q · k / T)
  linear              φ(q) · φ(k) with φ = elu + 1; or linear:relu, linear:exp
  efficient           ρ(q) · σ(k): ρ is the softmax over the numbers of q, σ
                      over the words for each number of k; not with --causal
  kernel:exponential  exp(scale · q · k / T), the same as softmax
  kernel:gaussian     exp(-|q - k|² / (2 b² T)), bandwidth b = 1 / √(${lexicalScale} · heads);
                      the same as softmax for one head
  kernel:laplacian    exp(-Σ|q - k| / (b T)), bandwidth b = √dim / (${lexicalScale} · heads)
  kernel:cosine       q · k / (|q| |k|); weights can be negative
  kernel:polynomial   (scale · q · k + 1)²
--scale and --temperature apply to kinds whose formula contains them. Vectors
have length 1, or 2√dim for linear and efficient, which hardly distinguish short
vectors.

Vectors:
      --dim N         numbers in each (${defaults.dim}); the fewer, the more chance likeness
      --seed N        another set of vectors (${defaults.seed})
      --positions     adds the word's position, which makes neighbors similar

Computation:
${kernelsHelp}

Output:
      --json          tokens, options, weights and scores as JSON. Masked words
                      have the score null. Only softmax has scores; for other
                      kinds they are null, like options that do not apply
      --csv           the weights as CSV with a header of words
      --svg           the weights as an SVG image
${outputHelp}

Examples:
  attention-wasm "Zuko made his uncle tea"
  attention-wasm "made tea" --context "Zuko made his uncle tea"
  attention-wasm --causal --json < poem.txt
  attention-wasm --svg "Zuko made his uncle tea" > tea.svg
  attention-wasm --kind linear "Zuko made his uncle tea"
  attention-wasm --temperature 0.1 "uncle uncles tea teas"
  attention-wasm translate "The red car is fast"
`;
