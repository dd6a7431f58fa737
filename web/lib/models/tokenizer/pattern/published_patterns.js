// Patterns of published tokenizers, with where they come from. They are used without a proof of their time, which takes up to
// a fifth of a second; the tests prove it.

const raw = String.raw;
const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const spaces = raw`\s*[\r\n]+|\s+(?!\S)|\s+`;
const upper = raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const beforeWord = raw`[^\r\n\p{L}\p{N}]?`;
const marks = raw` ?[^\s\p{L}\p{N}]+[\r\n]*`;

/** Sources by pattern. */
export const publishedPatterns = new Map([
  [
    raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
    'openai/gpt-2, encoder.py',
  ],
  [
    raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)`,
    'ggml-org/llama.cpp, llama-vocab.cpp: Falcon',
  ],
  [
    raw`'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s`,
    'openai/tiktoken, openai_public.py: cl100k_base',
  ],
  [
    raw`${contractions}|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`,
    'openai/tiktoken, openai_public.py: cl100k_base, earlier versions',
  ],
  [
    raw`${contractions}|${beforeWord}\p{L}+|\p{N}{1,3}|${marks}|${spaces}`,
    'meta-llama/Meta-Llama-3-8B, tokenizer.json',
  ],
  [
    raw`${contractions}|${beforeWord}\p{L}+|\p{N}|${marks}|${spaces}`,
    'Qwen/Qwen2-7B, Qwen/Qwen2.5-7B, tokenizer.json',
  ],
  [
    raw`${contractions}|${beforeWord}[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|${spaces}`,
    'ggml-org/llama.cpp, llama-vocab.cpp: Qwen 3.5',
  ],
  [
    raw`${beforeWord}${upper}*${lower}+${contractions}?|${beforeWord}${upper}+${lower}*${contractions}?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|${spaces}`,
    'openai/tiktoken, openai_public.py: o200k_base',
  ],
  [
    raw`${beforeWord}${upper}*${lower}+|${beforeWord}${upper}+${lower}*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|${spaces}`,
    'mistralai/Mistral-Nemo-Base-2407, tekken.json',
  ],
  [
    // Its line breaks are characters, not escapes.
    raw`[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_\u0060{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|${spaces}`
      .replaceAll(raw`\r\n`, '\r\n')
      .replaceAll(raw`\u0060`, '`'),
    'deepseek-ai/DeepSeek-V3, tokenizer.json',
  ],
  [' ?[^(\\s|[.,!?…。，、।۔،])]+', 'bigscience/bloom, tokenizer.json'],
  [
    raw`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`,
    'huggingface/transformers, convert_slow_tokenizer.py: CLIP',
  ],
]);
