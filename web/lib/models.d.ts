/**
 * attention-wasm/models: a trained model of one's own, from the files it was published as (config.json,
 * model.safetensors, tokenizer.json), and its attention: of every layer and head, on a text of one's own.
 *
 * `loadModel()` takes the address of a folder, in Node.js also a path, or the files; `run()` computes all layers and
 * keeps what is asked for; `generate()` goes on from a text.
 *
 * It reads these model types, with their heads for words, classes and classes of tokens:
 *
 * | kind | `model_type` |
 * |---|---|
 * | encoders | `bert`, `roberta`, `xlm-roberta`, `distilbert`, `albert`, `electra`, and sentence encoders made of them |
 * | decoders | `gpt2`, `gpt_neo`, `gpt_neox`, `llama`, `mistral`, `qwen2`, `qwen3`, `phi` |
 * | encoder–decoders | `bart`, `mbart`, `marian`, `pegasus`, `m2m_100`, `t5` |
 * | images | `vit`, `dinov2` |
 *
 * Of a tokenizer that is a SentencePiece file alone (`spiece.model`, `tokenizer.model`, `sentencepiece.bpe.model`), or
 * `vocab.json` and `merges.txt`, Python makes the tokenizer.json that is read:
 * `AutoTokenizer.from_pretrained(folder).save_pretrained(folder)`. transformers has no such way for Marian's
 * `source.spm` and `target.spm` and for M2M-100; the repositories that were made for transformers.js hold theirs.
 * Without a tokenizer models take ids.
 *
 * Everything is checked before weights are read: a `RangeError` says what of a config, of the tensors or of the
 * tokenizer does not suit, a `TypeError` what is no source, input or option. Nothing is kept of a model that could not
 * be loaded.
 *
 * Models of strangers: characters and tokens that the steps of a tokenizer.json make of a text are limited to 1,000 times
 * its characters and 2^20, its steps and templates to 100 parts, its tokens to 4,096 characters, words of WordPiece to
 * 256. The time of a regular expression in it cannot be limited, and `run()` is synchronous, so that no signal ends it:
 * run such a model in a worker, with `maxInput`, and end it with `terminate()` when it takes too long.
 */
import type { AttentionApi } from './index.js';
import type { PlatformAbortSignal, PlatformURL } from './arguments/platform.js';
import type { NumberList, OwnedTensor, Tensor } from './arguments/tensor.js';
import type { BlobSource, FileHandleSource } from './safetensors.js';

/** A `File`, as a file input or a drop gives it. */
export interface ModelFile extends BlobSource {
  /** Its name, without a folder. */
  readonly name: string;
  /** Its place in a folder that was picked or dropped. */
  readonly webkitRelativePath?: string;
  /** All of it as text. */
  text(): Promise<string>;
}

/** What a directory picker gives (`FileSystemDirectoryHandle`), as much of it as is used. */
export interface DirectorySource {
  /** Its name. */
  readonly name: string;
  /** A file in it; rejects with a `NotFoundError` where there is none. */
  getFileHandle(name: string): Promise<{ getFile(): Promise<ModelFile> }>;
  /** A folder in it. */
  getDirectoryHandle(name: string): Promise<DirectorySource>;
}

/** A tensor as a file has it: 16-bit numbers as their bits, in a Uint16Array with their `type`. */
export interface WeightTensor {
  /** Row-major. */
  readonly data: ArrayBufferView;
  /** Sizes of the axes. */
  readonly dims: readonly number[];
  /** `'float16'` or `'bfloat16'` of bits in a Uint16Array. */
  readonly type?: string;
}

/** A model in pieces. */
export interface ModelPieces {
  /** What config.json holds. */
  config: object;
  /** A safetensors file: bytes, a Blob, a FileHandle of Node.js; or its tensors by their names. */
  weights:
    | ArrayBufferLike
    | ArrayBufferView
    | BlobSource
    | FileHandleSource
    | ReadonlyMap<string, WeightTensor>
    | { readonly [name: string]: WeightTensor }
    | ((name: string) => WeightTensor | undefined);
  /** What tokenizer.json holds. */
  tokenizer?: object | null;
}

/**
 * The address of a folder (in Node.js also a path), with config.json, model.safetensors (or
 * model.safetensors.index.json and the shards it names) and tokenizer.json (of BERT also vocab.txt); or these files.
 * Servers are asked for ranges of the weights; of one that gives none the file is fetched whole first, as a Blob.
 *
 * Shards outside the folder are refused, and the query of the address is sent with requests for files of the folder
 * only. A file that changes between two ranges is refused where `Content-Range`, `ETag` or `Last-Modified` show it: a
 * server of another origin shows them by `Access-Control-Expose-Headers`.
 */
export type ModelSource =
  string | PlatformURL | Iterable<ModelFile> | ArrayLike<ModelFile> | DirectorySource | ModelPieces;

/** How far the loading has come. */
export interface LoadProgress {
  /** Bytes of weights that were read. */
  readonly loaded: number;
  /** Bytes of weights that will be read. */
  readonly total: number;
  /** The file that is being read. */
  readonly file: string;
}

/** How a model is read and kept. */
export interface LoadModelOptions {
  /** Called while weights are read. */
  onProgress?: ((progress: LoadProgress) => void) | null;
  /** Ends the loading; what was made is freed, and the promise rejects with the signal's reason. */
  signal?: PlatformAbortSignal | null;
  /**
   * How matrices are kept. `'as stored'`: float16 and bfloat16 take two bytes a number, float32 four. `'int8'`: one byte
   * and a scale for each row. Default `'as stored'`.
   */
  weights?: 'as stored' | 'float32' | 'int8' | null;
  /**
   * Whether `pooled` is as modules.json of a sentence encoder says, for which a server is asked. Default: for encoders
   * without a head; with one, `pooled` is the pooler's.
   */
  pooling?: boolean | null;
  /** What `loadAttention()` gave, to be used instead of the shared one. */
  api?: AttentionApi | null;
}

/** Ids instead of a text. */
export interface IdsInput {
  /** Numbers of tokens in the vocabulary, with the special ones that the model expects. */
  ids: IdList;
  /** To which of two texts each token belongs, where the model tells them apart. Default 0. */
  typeIds?: IdList | null;
  /** Of an encoder–decoder: what the decoder reads. Default: the id that it starts with. */
  decoderIds?: IdList | null;
}

/** Whole numbers, also as a tensor of them. */
export type IdList =
  | NumberList
  | BigInt64Array
  | readonly bigint[]
  | { readonly data: NumberList | BigInt64Array; readonly dims: readonly number[] };

/**
 * A picture, of any size where the model's positions can be interpolated: numbers as the model was trained on them
 * (normalised), channels × height × width.
 */
export interface PixelsInput {
  /** channels × height × width. Numbers in a row are a picture of the size in the config; arrays are of equal length. */
  pixels: Tensor | NumberList | readonly (readonly (readonly number[])[])[];
}

/** A text, a pair of texts, ids of tokens, or a picture. */
export type ModelInput = string | readonly [string, string] | IdsInput | PixelsInput;

/** Every layer: each head (true), or the mean of its heads; or each head of these layers, counted from 0. */
export type LayersWanted = boolean | 'average' | readonly number[];

/** What is kept of the computation. */
export interface RunOptions {
  /** Default `false`. */
  attentions?: LayersWanted | null;
  /** What each layer is given, and at last `hidden`. Default `false`. */
  hiddenStates?: boolean | null;
  /** Queries, keys and values of each layer and head. Default `false`. */
  projections?: boolean | null;
  /** Default: where the model has a head. */
  logits?: boolean | null;
  /** Of an encoder–decoder: the text that the decoder has written so far. Default none. */
  decoder?: string | null;
  /**
   * How many tokens, or patches of a picture and the one before them, may be read: more are refused, and so is a text of 64
   * times more letters, before anything is computed. Time grows with it. Default: as many as the model has positions.
   */
  maxInput?: number | null;
}

/** One tensor a layer that was asked for, in their order: heads × n × m; averaged: n × m. */
export interface Attentions {
  /** Of a model with one stack. */
  readonly self?: OwnedTensor[];
  /** Of an encoder–decoder: tokens of what was read to each other. */
  readonly encoder?: OwnedTensor[];
  /** Of an encoder–decoder: tokens of what is written to those before them. */
  readonly decoder?: OwnedTensor[];
  /** From the decoder's tokens to the encoder's. */
  readonly cross?: OwnedTensor[];
}

/** As they meet: after norms and turns. heads × n × d; fewer of keys and values where heads share them. */
export interface Projection {
  /** heads × n × d. */
  readonly query: OwnedTensor;
  /** kvHeads × m × d. */
  readonly key: OwnedTensor;
  /** kvHeads × m × d. */
  readonly value: OwnedTensor;
}

/** What a model makes of an input. Of one text n is its number of tokens. */
export interface ModelResult {
  /** Of the text; of a picture none. */
  readonly ids: number[];
  /** As the vocabulary spells them. */
  readonly tokens?: string[];
  /** Where each token stands in its text, [start, end); special ones at an empty place. */
  readonly spans?: [start: number, end: number][];
  /** Of two texts to which each token belongs: 0 or 1. */
  readonly parts?: number[];
  /** Of a picture: rows and columns of patches. Token 0 stands for the whole, then patches follow row by row. */
  readonly grid?: [rows: number, columns: number];
  /** What the decoder read. */
  readonly decoderIds?: number[];
  /** The same as the vocabulary spells it. */
  readonly decoderTokens?: string[];
  /** n × d, after the last norm; of an encoder–decoder the decoder's. */
  readonly hidden: OwnedTensor;
  /** Of an encoder–decoder the encoder's output, n × d. */
  readonly encoderHidden?: OwnedTensor;
  /** n × classes for each token; for a whole text or picture as many numbers as classes. */
  readonly logits?: OwnedTensor;
  /** One vector: by mean or first token and normalised as a sentence encoder's files say (`pooling`), else the pooler's. */
  readonly pooled?: OwnedTensor;
  /** layers + 1. */
  readonly hiddenStates?: OwnedTensor[];
  /** Of an encoder–decoder: layers + 1. */
  readonly encoderHiddenStates?: OwnedTensor[];
  /** With the option `attentions`. */
  readonly attentions?: Attentions;
  /** With the option `projections`, for each layer. */
  readonly projections?: {
    readonly self?: Projection[];
    readonly encoder?: Projection[];
    readonly decoder?: Projection[];
    readonly cross?: Projection[];
  };
}

/** How a text goes on, and what is kept of the computation. */
export interface GenerateOptions {
  /** Default 128. It ends sooner at the model's end of text, and where it has no more positions. */
  maxTokens?: number | null;
  /** Texts, and ids of tokens, at which it ends. */
  stop?: string | number | readonly (string | number)[] | null;
  /** 0: always the likeliest token. Default 0, and 1 with `topK` or `seed`. */
  temperature?: number | null;
  /** Only among so many of the likeliest. */
  topK?: number | null;
  /** A whole number that decides what is drawn. Default: by chance. */
  seed?: number | null;
  /**
   * So many texts go on side by side, the likeliest, 1 to 64; at last that is told whose tokens are likeliest in the mean.
   * Of equally likely ones that goes on which stood first, and with the smaller id. Its tokens come when the search is over;
   * memory for what was read is needed as many times. Default 1: always the likeliest token.
   */
  beam?: number | null;
  /** Where the model looked when it wrote the token. Default `false`. */
  attentions?: LayersWanted | null;
  /** Default `false`. */
  logits?: boolean | null;
  /** Of an encoder–decoder: how the text that it writes begins. Default none. */
  decoder?: string | null;
  /** How many tokens may be read, as of `run()`. */
  maxInput?: number | null;
  /**
   * Ends it: the next step throws the signal's reason, and frees what was held. With a signal, other tasks run between any
   * two steps, of a search by beams too; without one, where none could run for 15 ms. A step itself is not interrupted.
   */
  signal?: PlatformAbortSignal | null;
}

/** A token that was written; the end of a text is one, too. */
export interface GeneratedToken {
  /** Its number in the vocabulary. */
  readonly id: number;
  /** As the vocabulary spells it. */
  readonly token?: string;
  /** What it adds to the text: '' while the bytes of a character are not all there. */
  readonly text: string;
  /** Of all tokens of the vocabulary, before it was picked. */
  readonly logits?: OwnedTensor;
  /** heads × 1 × what was read; averaged: 1 × that. */
  readonly attentions?: Attentions;
}

/** What a tokenizer.json does. */
export interface ModelTokenizer {
  /** One more than its largest id. */
  readonly size: number;
  /** With the special tokens that the model expects. */
  encode(
    text: string,
    second?: string,
  ): {
    ids: number[];
    typeIds: number[];
    tokens: string[];
    spans: [start: number, end: number][];
    parts: number[];
  };
  /** Without them. */
  encodePlain(text: string): number[];
  /** As the vocabulary spells it, '' for an id that it does not have. */
  tokenOf(id: number): string;
  /** Special tokens have no text. */
  decode(ids: readonly number[]): string;
}

/** Everything but generate() is synchronous. */
export interface LoadedModel {
  /** `config.model_type`. */
  readonly type: string;
  /** What config.json holds. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Of an encoder–decoder the decoder's. */
  readonly layers: number;
  /** Heads of queries of each attention. */
  readonly heads: number;
  /** Of its weights, as they are kept. */
  readonly memoryBytes: number;
  /** undefined where none came with the model: ids must then be given. */
  readonly tokenizer: ModelTokenizer | undefined;

  /** Throws a `RangeError` for more tokens than the model has positions for. */
  run(input: ModelInput, options?: RunOptions): ModelResult;

  /**
   * Goes on from the text; an encoder–decoder writes the answer to it. Keys and values of what was read are kept, so
   * that each token takes as long as one. Left unfinished with `break`, it frees what it holds.
   */
  generate(input: ModelInput, options?: GenerateOptions): AsyncIterable<GeneratedToken>;

  /** Frees the memory of its layers at once. */
  delete(): void;
}

/**
 * Reads config and names first, then tensor by tensor: the file is never twice in memory. Rejects with a sentence where
 * something is missing, superfluous or of another shape, and says what a model that has no room would need.
 *
 * @example
 * ```js
 * import { loadModel } from 'attention-wasm/models';
 *
 * // A Llama of one layer that has learnt nothing; files and addresses are given in its place.
 * const config = {
 *   model_type: 'llama',
 *   vocab_size: 5,
 *   hidden_size: 8,
 *   num_hidden_layers: 1,
 *   num_attention_heads: 2,
 *   intermediate_size: 16,
 *   max_position_embeddings: 64,
 *   rms_norm_eps: 1e-5,
 *   hidden_act: 'silu',
 *   tie_word_embeddings: true,
 * };
 * const numbers = (...dims) => ({
 *   data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => Math.sin(at + 1)),
 *   dims,
 * });
 * const layer = 'model.layers.0.';
 * const weights = {
 *   'model.embed_tokens.weight': numbers(5, 8),
 *   ...Object.fromEntries(
 *     ['q', 'k', 'v', 'o'].map((name) => [`${layer}self_attn.${name}_proj.weight`, numbers(8, 8)]),
 *   ),
 *   [`${layer}input_layernorm.weight`]: numbers(8),
 *   [`${layer}post_attention_layernorm.weight`]: numbers(8),
 *   [`${layer}mlp.gate_proj.weight`]: numbers(16, 8),
 *   [`${layer}mlp.up_proj.weight`]: numbers(16, 8),
 *   [`${layer}mlp.down_proj.weight`]: numbers(8, 16),
 *   'model.norm.weight': numbers(8),
 * };
 * const vocab = { '?': 0, the: 1, cat: 2, sat: 3, mat: 4 };
 * const tokenizer = {
 *   pre_tokenizer: { type: 'Whitespace' },
 *   model: { type: 'WordLevel', vocab, unk_token: '?' },
 * };
 *
 * const model = await loadModel({ config, weights, tokenizer });
 * const { tokens, attentions, logits } = model.run('the cat sat', { attentions: true });
 * console.log(tokens, attentions.self[0].dims, logits.dims); // [ 'the', 'cat', 'sat' ] [ 2, 3, 3 ] [ 3, 5 ]
 *
 * const written = [];
 * for await (const { id } of model.generate('the cat', { maxTokens: 4 })) written.push(id);
 * console.log(written.length, model.layers, model.heads); // 4 1 2
 * model.delete();
 * ```
 */
export function loadModel(source: ModelSource, options?: LoadModelOptions): Promise<LoadedModel>;
