/**
 * attention-wasm/models: loads your trained model from its published files (config.json, model.safetensors,
 * tokenizer.json) and returns the attention of every layer and head for your input.
 *
 * `loadModel()` takes the address of a folder, in Node.js also a path, or the files. `run()` computes all layers and
 * returns the requested tensors. `generate()` continues a text.
 *
 * Supported model types, with their heads for language modeling, sequence classification and token classification:
 *
 * | kind | `model_type` |
 * |---|---|
 * | encoders | `bert`, `roberta`, `xlm-roberta`, `distilbert`, `albert`, `electra`, `camembert`, `roberta-prelayernorm`, `mpnet`, `modernbert`, `deberta-v2`, `esm`, and sentence encoders made of them |
 * | decoders | `gpt2`, `gpt_neo`, `gpt_neox`, `llama`, `mistral`, `qwen2`, `qwen3`, `phi`, `phi3`, `gemma`, `gemma2`, `gemma3_text`, `olmo2`, `granite`, `smollm3`, `stablelm`, `cohere`, `starcoder2`, `opt`, `bloom`, `falcon`, `mpt`, `gptj`, `codegen`, `gpt_bigcode` |
 * | encoder–decoders | `bart`, `mbart`, `marian`, `pegasus`, `m2m_100`, `t5`, `nn_transformer` (PyTorch's `nn.Transformer`) |
 * | images | `vit`, `dinov2` |
 *
 * Tokenizers: tokenizer.json, or where it is missing the files of the class that `tokenizer_class` of tokenizer_config.json
 * names (else the class of the model type): a SentencePiece model (`tokenizer.model`, `spiece.model`, `spm.model`,
 * `sentencepiece.bpe.model`), `vocab.json` with `merges.txt`, or `vocab.txt`. Beside these files, special and added tokens are
 * those of tokenizer_config.json (also its `added_tokens_decoder`), special_tokens_map.json and added_tokens.json; a special
 * token without an id gets the next one, in the order of Python: bos, eos, unk, sep, pad, cls, mask, additional ones.
 *
 * A folder without these files, or with a class that is not read, is a model without a tokenizer: its input must be token ids,
 * a text is an error, and `warnings` says what is missing. For many classes
 * `AutoTokenizer.from_pretrained(folder).save_pretrained(folder)` in Python writes a tokenizer.json. transformers cannot
 * convert Marian's `source.spm` and `target.spm` nor M2M-100; repositories made for transformers.js have their tokenizer.json.
 * A tokenizer may have ids that the embedding has not: an error where such an id is used.
 *
 * Where tokenizer_config.json contradicts tokenizer.json (`add_bos_token`, `add_eos_token`, the fields of BertNormalizer),
 * tokenizer.json is valid, as in transformers 5, and `warnings` has a sentence.
 *
 * Everything is checked before weights are read: a `RangeError` reports an invalid config, tensor or tokenizer, a
 * `TypeError` an invalid source, input or option. If loading fails, all memory is freed.
 *
 * Untrusted models: the steps of a tokenizer.json may produce at most 1,000 times the characters of a text plus 2^20;
 * SentencePiece files have at most 16 MiB and 2^20 pieces; steps and templates are limited to 100 entries, tokens to 4,096
 * characters, words of WordPiece to 256. A regular expression that could take more than quadratic time is refused, except
 * published ones. `run()` is synchronous, so a signal cannot stop it: run untrusted models in a worker, with `maxInput`, and
 * call `terminate()` if they take too long.
 */
import type { AttentionApi } from './index.js';
import type { AttentionPool } from './pool.js';
import type { PlatformAbortSignal, PlatformURL } from './arguments/platform.js';
import type { NumberList, OwnedTensor, Tensor, TensorLike } from './arguments/tensor.js';
import type { BlobSource, FileHandleSource } from './safetensors.js';

/** A `File` from a file input or a drop. */
export interface ModelFile extends BlobSource {
  /** File name without the folder. */
  readonly name: string;
  /** Path in a picked or dropped folder. */
  readonly webkitRelativePath?: string;
  /** The content as text. */
  text(): Promise<string>;
}

/** The part of `FileSystemDirectoryHandle` that is used. */
export interface DirectorySource {
  /** Folder name. */
  readonly name: string;
  /** A file in the folder; rejects with a `NotFoundError` if it does not exist. */
  getFileHandle(name: string): Promise<{ getFile(): Promise<ModelFile> }>;
  /** A subfolder. */
  getDirectoryHandle(name: string): Promise<DirectorySource>;
}

/**
 * A folder of files: a result of `openFolder()`, or an object of yours that reads the files of a model from elsewhere (a
 * cache, an archive). Paths are relative to the folder.
 */
export interface ModelFolder {
  /** Address or name, for error messages. */
  readonly location: string;
  /** The text of a file; undefined if it does not exist. */
  text(path: string): Promise<string | undefined>;
  /** A file whose ranges are read one by one, as `openSafetensors()` does; undefined if it does not exist. */
  bytes(path: string): Promise<BlobSource | FileHandleSource | undefined>;
}

/** A result of `openFolder()`. */
export interface OpenedFolder extends ModelFolder {
  /** Closes files on disk. `loadModel()` does not. */
  close(): Promise<void>;
}

/** A tensor of a file: 16-bit floats as bits in a Uint16Array with their `type`; int8 with scales. */
export interface WeightTensor {
  /** Numbers in row-major order. */
  readonly data: ArrayBufferView;
  /** Size of each axis. */
  readonly dims: readonly number[];
  /** `'float16'` or `'bfloat16'`, required for a Uint16Array. */
  readonly type?: string;
  /** int8 only: a factor per row; in a file, the tensor NAME.scales. */
  readonly scales?: Float32Array;
}

/** A model as separate objects. */
export interface ModelPieces {
  /** The parsed config.json. */
  config: object;
  /** A safetensors file (bytes, a Blob, a FileHandle of Node.js), or tensors by name. */
  weights:
    | ArrayBufferLike
    | ArrayBufferView
    | BlobSource
    | FileHandleSource
    | ReadonlyMap<string, WeightTensor>
    | { readonly [name: string]: WeightTensor }
    | ((name: string) => WeightTensor | undefined);
  /** The parsed tokenizer.json. */
  tokenizer?: object | null;
}

/**
 * The address of a folder (in Node.js also a path), or a {@link ModelFolder}, with config.json, model.safetensors (or
 * model.safetensors.index.json and its shards) and tokenizer.json (or the files named above); or these files.
 * From servers, weights are read by range requests; without range support, the whole file is fetched first, as a Blob.
 *
 * Shards outside the folder are an error, and the query of the address is sent only with requests for files of the
 * folder. A file that changes between two requests is an error if `Content-Range`, `ETag` or `Last-Modified` show it; a
 * server of another origin must list them in `Access-Control-Expose-Headers`.
 */
export type ModelSource =
  | string
  | PlatformURL
  | Iterable<ModelFile>
  | ArrayLike<ModelFile>
  | DirectorySource
  | ModelFolder
  | ModelPieces;

/** Progress of loading. */
export interface LoadProgress {
  /** Bytes of weights read so far. */
  readonly loaded: number;
  /** Total bytes of weights. */
  readonly total: number;
  /** Name of the current file. */
  readonly file: string;
}

/** Options of `loadModel()`. */
export interface LoadModelOptions {
  /** Called while weights are read. */
  onProgress?: ((progress: LoadProgress) => void) | null;
  /** Aborts loading: memory is freed, and the promise rejects with the signal's reason. */
  signal?: PlatformAbortSignal | null;
  /**
   * Storage type of matrices in memory. `'as stored'`: the type of the file, float64 as float32. `'int8'`: one byte per
   * number and a scale per row, multiplied as integers: a quarter of the memory of float32, and faster. Default
   * `'as stored'`.
   */
  weights?: 'as stored' | 'float32' | 'int8' | null;
  /**
   * Whether `pooled` follows modules.json of a sentence encoder, which takes a request to the server: pooling by mean, cls,
   * max, lasttoken, weightedmean or mean_sqrt_len_tokens, several of them concatenated, then Dense and Normalize; anything
   * else there is an error. Default: true for models of one stack without a head (with one, as in Qwen3-Embedding, set
   * `true`). Otherwise, or without that file, `pooled` is the pooler's output, if there is a pooler.
   */
  pooling?: boolean | null;
  /** A result of `loadAttention()` to use instead of the shared instance. */
  api?: AttentionApi | null;
  /**
   * A result of `loadAttentionPool()` whose workers hold and compute the layers: the model is a {@link PooledModel}. Not
   * with `api`.
   */
  pool?: AttentionPool | null;
}

/** Token ids instead of a text. */
export interface IdsInput {
  /**
   * Token ids, including the model's special tokens, without padding: there is no attention mask, so that other tokens
   * attend to padding.
   */
  ids: IdList;
  /** Token type ids, which distinguish two texts in some models. Default 0. */
  typeIds?: IdList | null;
  /** Encoder–decoders only: input ids of the decoder. Default: its start id. */
  decoderIds?: IdList | null;
}

/** Integers, as a list or a tensor. */
export type IdList =
  | NumberList
  | BigInt64Array
  | readonly bigint[]
  | { readonly data: NumberList | BigInt64Array; readonly dims: readonly number[] };

/**
 * An image of any size for which the model's positions can be interpolated; pixels are normalized as in the model's
 * training.
 */
export interface PixelsInput {
  /** channels × height × width, as a tensor or nested arrays; a flat list has the image size of the config. */
  pixels: Tensor | NumberList | readonly (readonly (readonly number[])[])[];
}

/** A text, a pair of texts, token ids, or an image. */
export type ModelInput = string | readonly [string, string] | IdsInput | PixelsInput;

/** Requested weights: every head of every layer (true), the mean of heads ('average'), or every head of these layer
 * indices. */
export type LayerSelection = boolean | 'average' | readonly number[];

/**
 * A hook point: a place in the computation of a layer, named as in TransformerLens; n query positions, m key positions, d the model width.
 * The last five can only be captured.
 *
 * | place | dims | value |
 * |---|---|---|
 * | `resid_pre` | n × d | input of the layer |
 * | `q` | heads × n × d_k | queries as used in the dot product: after bias, norm and rotary embedding |
 * | `k`, `v` | kvHeads × m × d_k | keys and values, likewise |
 * | `scores` | heads × n × m | input of the softmax: after scale, position biases and mask; invisible pairs have −∞ |
 * | `pattern` | heads × n × m | attention weights; edited rows are not renormalized |
 * | `z` | heads × n × d_v | sum of the values of each head, weighted by the pattern, before the output matrix W_O |
 * | `attn_out` | n × d | what is added to the residual stream: after W_O, bias and layer scale |
 * | `resid_mid` | n × d | sum after attention (post-norm: after its norm; decoders of encoder–decoders: after cross-attention). Parallel layers (GPT-NeoX, Phi) have none |
 * | `mlp_out` | n × d | what feed-forward adds to the residual stream |
 * | `resid_post` | n × d | output of the layer |
 * | `head_out` | heads × n × d | z of each head times its rows of W_O |
 * | `value_out` | heads × m × d | v of each head times its rows of W_O |
 * | `content_content` | heads × n × m | disentangled attention (DeBERTa v2): scale · q·k |
 * | `content_position` | heads × n × m | the same: scale · q · key of the relative position |
 * | `position_content` | heads × n × m | the same: scale · k · query of the relative position |
 */
export type HookPoint =
  | EditableHookPoint
  | 'head_out'
  | 'value_out'
  | 'content_content'
  | 'content_position'
  | 'position_content';

/** A hook point that edits change. See {@link HookPoint}. */
export type EditableHookPoint =
  | 'resid_pre'
  | 'q'
  | 'k'
  | 'v'
  | 'scores'
  | 'pattern'
  | 'z'
  | 'attn_out'
  | 'resid_mid'
  | 'mlp_out'
  | 'resid_post';

/**
 * The layers of a model with one stack: `'self'`, the default there. Encoder–decoders: `'encoder'`, `'decoder'`, or
 * `'cross'` for `q` to `attn_out` of cross-attention, whose keys are encoder positions.
 */
export type StackName = 'self' | 'encoder' | 'decoder' | 'cross';

/**
 * Numbers of an edit: nested arrays, or a tensor whose data may be an array. For `scores`, null stands for −∞; all others
 * must be finite. −0 is read as 0. A score of −∞ gives the weight 0, but the pair stays visible: an edit of `pattern` then sets
 * its weight, which for pairs that are `'blocked'` it does not.
 */
export type EditTensor =
  | EditNumbers
  | {
      readonly data: readonly (number | null)[] | Float32Array | Float64Array;
      readonly dims: readonly number[];
    };

/** Nested arrays of numbers. */
export type EditNumbers = readonly (number | null)[] | readonly EditNumbers[];

/**
 * A change of the computation, as JSON. Edits apply in the order of the computation, at one hook point in the order of the
 * list; results and captures are the state after them.
 */
export interface Edit {
  /** Hook point. */
  at: EditableHookPoint;
  /** Layers, counted from 0; in ALBERT, applications of layers. */
  layer: number | readonly number[];
  /** Stack; required for encoder–decoders. */
  stack?: StackName | null;
  /** Heads, if the hook point has them; KV heads for `k` and `v`. Default: all. */
  head?: number | readonly number[] | null;
  /** Query positions: tokens of the text. Not for `k` and `v`. Default: all. */
  query?: number | readonly number[] | null;
  /** Key positions, for `k`, `v`, `scores` and `pattern`. Default: all. */
  key?: number | readonly number[] | null;
  /**
   * `'blocked'` (`scores` only): the pairs become invisible, as with a boolean mask. `'uniform'` (`pattern` only): 1 / number
   * of visible keys. Other edits of `scores` and `pattern` change visible pairs only. Tensors are aligned from the right to
   * the selected heads and positions; axes of size 1 stretch. With several layers, each uses the same tensor.
   */
  to:
    'zero' | 'blocked' | 'uniform' | { set: EditTensor } | { add: EditTensor } | { scale: number };
}

/** A hook point to return, of all layers or of those listed. */
export type CaptureRequest =
  | HookPoint
  | {
      /** Hook point. */
      at: HookPoint;
      /** Layers, counted from 0. Default: all. */
      layer?: number | readonly number[] | null;
      /** Stack; required for encoder–decoders. */
      stack?: StackName | null;
    };

/** A captured tensor. */
export interface Captured {
  /** Hook point. */
  readonly at: HookPoint;
  /** Layer, counted from 0. */
  readonly layer: number;
  /** Stack. */
  readonly stack: StackName;
  /** The tensor, with the dims of its {@link HookPoint}. */
  readonly tensor: OwnedTensor;
}

/** Options of `run()`. */
export interface RunOptions {
  /** Changes inside the model. A position that the text does not have is an error. Default: none. */
  edits?: readonly Edit[] | null;
  /** Hook points to return, in `captured`. Default: none. */
  capture?: readonly CaptureRequest[] | null;
  /**
   * Whether to return what each head adds, z_h·W_O^h, of all layers (true) or these; the tensors are in `captured`, too.
   * Default `false`.
   */
  headOutputs?: boolean | readonly number[] | null;
  /**
   * DeBERTa v2: whether to return the terms of the scores, of all layers (true) or these; the tensors are in `captured`, too.
   * Default `false`.
   */
  attentionTerms?: boolean | readonly number[] | null;
  /**
   * Whether to capture what `attribute()` needs: head_out and mlp_out of all layers, the first resid_pre and the last
   * resid_post. Default `false`.
   */
  attribution?: boolean | null;
  /** Attention weights to return. Default `false`. */
  attentions?: LayerSelection | null;
  /** Whether to return the input of each layer, and `hidden` as the last. Default `false`. */
  hiddenStates?: boolean | null;
  /** Whether to return queries, keys and values of each layer and head. Default `false`. */
  projections?: boolean | null;
  /** Whether to return logits. Default: whether the model has a head. */
  logits?: boolean | null;
  /** Encoder–decoders only: the decoder's input text after its start id. Default: none. */
  decoder?: string | null;
  /**
   * Sentence encoders: the name of a prompt of config_sentence_transformers.json, or `false` for none. Default: its
   * `default_prompt_name`. The text of the prompt is put before the text, in a pair before the first one. `spans` are those in
   * the text without the prompt, whose tokens have empty spans; `include_prompt: false` of the Pooling module leaves them out
   * of `pooled`. Ids get no prompt: with a name they are an error.
   */
  prompt?: string | false | null;
  /**
   * Maximum input length in tokens (images: patches + the class token). Longer inputs throw before anything is computed;
   * so does text with more than 64 characters per allowed token. Default: the number of positions of the model.
   */
  maxInput?: number | null;
  /**
   * Whether to cut the tokens of a text that is too long, instead of throwing. The limit is the smallest of `maxInput`, the
   * number of positions of the model and, in sentence encoders, `max_seq_length` of sentence_bert_config.json (or of
   * its older names, such as sentence_roberta_config.json); where that is null or missing, the smaller of
   * `max_position_embeddings` and of `model_max_length` of tokenizer_config.json. Special tokens stay; of a pair, the longer text is cut first. Tokens are removed at the end, or at the start where
   * `truncation_side` of tokenizer_config.json is `'left'`. A text is tokenized whole, whatever its length; an input of ids
   * is not cut. Default `false`.
   */
  truncate?: boolean | null;
}

/** The result of `encode()`; its fields are those of the result of `run()`. */
export interface EncodedInput extends Pick<ModelResult, 'ids' | 'tokens' | 'spans' | 'parts'> {
  /** Token types, as in an input of ids. */
  readonly typeIds?: number[];
  /** The prompt before the text, whose tokens have empty spans; '' if there is none. */
  readonly prompt: string;
}

/** Attention weights: a tensor per requested layer, heads × n × m, or n × m for 'average'. */
export interface Attentions {
  /** Self-attention of a model with one stack. */
  readonly self?: OwnedTensor[];
  /** Self-attention of the encoder. */
  readonly encoder?: OwnedTensor[];
  /** Causal self-attention of the decoder. */
  readonly decoder?: OwnedTensor[];
  /** Cross-attention: from the decoder's tokens to the encoder's. */
  readonly cross?: OwnedTensor[];
}

/** Queries, keys and values as used in the dot product: after normalization and rotary embedding. */
export interface Projection {
  /** heads × n × d. */
  readonly query: OwnedTensor;
  /** kvHeads × m × d. */
  readonly key: OwnedTensor;
  /** kvHeads × m × d. */
  readonly value: OwnedTensor;
}

/** Result of `run()`; n is the number of tokens. */
export interface ModelResult {
  /** Input token ids; empty for images. */
  readonly ids: number[];
  /** The tokens as in the vocabulary. */
  readonly tokens?: string[];
  /** Span of each token in its text, [start, end), as of `tokenizer.encode()`; empty for special tokens. */
  readonly spans?: [start: number, end: number][];
  /** The text that each token belongs to: 0, or 1 for the second of a pair. */
  readonly parts?: number[];
  /** Images: rows and columns of patches. Token 0 is the class token; patches follow row by row. */
  readonly grid?: [rows: number, columns: number];
  /** Input ids of the decoder. */
  readonly decoderIds?: number[];
  /** Input tokens of the decoder, as in the vocabulary. */
  readonly decoderTokens?: string[];
  /** Output of the last norm, n × d; for encoder–decoders, of the decoder. */
  readonly hidden: OwnedTensor;
  /** Output of the encoder, n × d. */
  readonly encoderHidden?: OwnedTensor;
  /**
   * Output of the head: n × classes if it classifies tokens, else one number per class. A decoder classifies a text at its
   * last token that is not `pad_token_id` of config.json.
   */
  readonly logits?: OwnedTensor;
  /**
   * One vector: pooled over all tokens as modules.json says (see the option `pooling` of `loadModel()`), else the output of
   * the pooler.
   */
  readonly pooled?: OwnedTensor;
  /** Input of each layer, then `hidden`: layers + 1 tensors. */
  readonly hiddenStates?: OwnedTensor[];
  /** Hidden states of the encoder: layers + 1 tensors. */
  readonly encoderHiddenStates?: OwnedTensor[];
  /** Attention weights, if requested. */
  readonly attentions?: Attentions;
  /** Queries, keys and values per layer, if requested. */
  readonly projections?: {
    readonly self?: Projection[];
    readonly encoder?: Projection[];
    readonly decoder?: Projection[];
    readonly cross?: Projection[];
  };
  /**
   * z_h·W_O^h of each head per requested layer, heads × n × d (`result` in TransformerLens). With the bias of W_O they sum to
   * the output of W_O: to `attn_out`, before a layer scale.
   */
  readonly headOutputs?: Attentions;
  /** The terms of the scores per requested layer. */
  readonly attentionTerms?: AttentionTerms[];
  /** Captured tensors, layer by layer, if requested. */
  readonly captured?: Captured[];
}

/** Terms of the scores of disentangled attention, heads × n × n each; the scores are their sum. */
export interface AttentionTerms {
  /** scale · q·k */
  readonly contentContent: OwnedTensor;
  /** scale · q · key of the relative position, if the model has this term (`c2p`). */
  readonly contentPosition?: OwnedTensor;
  /** scale · k · query of the relative position, if the model has this term (`p2c`). */
  readonly positionContent?: OwnedTensor;
}

/** A token that a lens shows. */
export interface LensToken {
  /** Id in the vocabulary, or the class. */
  readonly id: number;
  /** The token as in the vocabulary. */
  readonly token?: string;
  /** Its logit. */
  readonly logit: number;
  /** Its probability, after a softmax over the row. */
  readonly probability: number;
}

/** The logits after a layer; see `LoadedModel.lens()`. */
export interface LensView {
  /** Layer, counted from 0. */
  readonly layer: number;
  /** Logits with the dims of the model's own; not with `top`. */
  readonly logits?: OwnedTensor;
  /** With `top`: for each position the tokens with the largest logits. */
  readonly top?: LensToken[][];
}

/** A part of a logit, or of the difference of two. */
export interface Contribution {
  /**
   * `'embed'`: token embedding, or the whole input vector if a norm or a projection follows the embeddings; `'pos_embed'`:
   * position embedding; `'head'`: a head; `'attn_bias'`: the bias of W_O; `'mlp_out'`: feed-forward; `'norm_bias'`: the bias
   * of the final norm; `'logit_bias'`: that of the head; `'rounding'`: int8 only, the rest; `'edits'`: edits of the residual
   * stream, if the run had any.
   */
  readonly source:
    | 'embed'
    | 'pos_embed'
    | 'head'
    | 'attn_bias'
    | 'mlp_out'
    | 'norm_bias'
    | 'logit_bias'
    | 'rounding'
    | 'edits';
  /** Layer of heads, biases and feed-forward, counted from 0. */
  readonly layer?: number;
  /** Stack of these. */
  readonly stack?: StackName;
  /** Head, counted from 0. */
  readonly head?: number;
  /** What it adds to the logit, or to the difference of two. */
  readonly value: number;
}

/** The parts of a logit, or of the difference of two. */
export interface Attribution {
  /** Position of the logits. */
  readonly position: number;
  /** The logit of the token, minus that of `against`: the sum of all parts. */
  readonly total: number;
  /** The parts in the order of the computation. */
  readonly parts: Contribution[];
}

/** Norms of weighted, transformed values in a layer. */
export interface LayerNorms {
  /** Layer, counted from 0. */
  readonly layer: number;
  /** Stack. */
  readonly stack: StackName;
  /** ‖α_ij v_j W_O^h‖ of each head, heads × n × m. */
  readonly heads: OwnedTensor;
  /** ‖Σ_h α_ij v_j W_O^h‖, n × m. */
  readonly together: OwnedTensor;
}

/** Options of `generate()`. */
export interface GenerateOptions {
  /** Maximum number of tokens. Generation also stops at the end-of-text token and after the last position. Default 128. */
  maxTokens?: number | null;
  /**
   * Texts and token ids that end generation, after the token that completes them. The text of a special token, such as
   * `'<|im_end|>'`, stands for its id.
   */
  stop?: string | number | readonly (string | number)[] | null;
  /** Sampling temperature; 0 picks the likeliest token. Default 0, or 1 with `topK` or `seed`. */
  temperature?: number | null;
  /** Samples only among this many of the likeliest tokens. */
  topK?: number | null;
  /** Seed of sampling, an integer. Default: random. */
  seed?: number | null;
  /**
   * Number of beams, 1 to 64. The result is the text with the largest mean log probability of its tokens; ties are broken
   * by order, then by the smaller id. Tokens are yielded after the search; memory grows with the number of beams.
   * Default 1: greedy.
   */
  beam?: number | null;
  /**
   * Changes inside the model, in every beam. Positions count from the beginning of the text: those beyond its end wait until
   * they are generated, and a tensor changes the positions that it has. Queries, keys and values are changed once, when they
   * are computed. Default: none.
   */
  edits?: readonly Edit[] | null;
  /** Hook points to return with each token, in `captured`. Default: none. */
  capture?: readonly CaptureRequest[] | null;
  /** Attention weights of each generated token to return. Default `false`. */
  attentions?: LayerSelection | null;
  /** Whether to return the logits of each token. Default `false`. */
  logits?: boolean | null;
  /** Encoder–decoders only: the beginning of the generated text. Default: none. */
  decoder?: string | null;
  /** Maximum input length in tokens, as in `run()`. */
  maxInput?: number | null;
  /**
   * Encoder–decoders only: whether to cut a text that is too long for the encoder, as in `run()`. A decoder continues the
   * end of its text, which would be cut, and refuses it. Default `false`.
   */
  truncate?: boolean | null;
  /**
   * Aborts generation: the next step frees memory and throws the signal's reason. With a signal, other tasks run between
   * any two steps, also of beam search; without one, at least every 15 ms. A step itself is not interrupted.
   */
  signal?: PlatformAbortSignal | null;
}

/** A generated token; the end-of-text token is included. */
export interface GeneratedToken {
  /** Id in the vocabulary. */
  readonly id: number;
  /** The token as in the vocabulary. */
  readonly token?: string;
  /** The text it adds; '' while the bytes of a character are incomplete. */
  readonly text: string;
  /** Logits of all tokens of the vocabulary at this step. */
  readonly logits?: OwnedTensor;
  /** Attention weights of this step: heads × 1 × tokens so far, or 1 × tokens so far for 'average'. */
  readonly attentions?: Attentions;
  /**
   * Captured tensors of this step: of the input text in the first, which also has those of the encoder, of one token in the
   * others. `k` and `v` have the rows of the step, in cross-attention all.
   */
  readonly captured?: Captured[];
}

/**
 * The tokenizer of a model. Ids, token types and spans are those of the Rust library `tokenizers` 0.23 for the same
 * tokenizer.json. A SentencePiece model gives the ids of SentencePiece itself, which differ in rare texts from those of a
 * tokenizer.json converted from it; special tokens are found first, and what is between them is encoded on its own.
 */
export interface ModelTokenizer {
  /** Largest id + 1; may be larger than the `vocabularySize` of the model. */
  readonly size: number;
  /**
   * Encodes a text or a pair, with the model's special tokens; `second: ''` is a pair too. `limit`: maximum number of ids,
   * to which the texts are cut as by the option `truncate` of `run()`; default: none.
   *
   * `spans` are ranges of the token's own text (`parts`: 0 or 1), in UTF-16 units, as `slice()` takes them: where the
   * characters of the token come from, before normalization, without white space at either end. A token of white space alone
   * has its white space; a character that became several tokens, such as its bytes, is in the span of each; special tokens of
   * the model have an empty span. A lone surrogate is encoded as U+FFFD.
   */
  encode(
    text: string,
    second?: string,
    limit?: number,
  ): {
    ids: number[];
    typeIds: number[];
    tokens: string[];
    spans: [start: number, end: number][];
    parts: number[];
  };
  /** Encodes a text without special tokens. */
  encodePlain(text: string): number[];
  /** The token of an id as in the vocabulary; '' for unknown ids. */
  tokenOf(id: number): string;
  /** The id of a special token, such as `'</s>'`; undefined if there is no special token with this text. */
  specialIdOf(text: string): number | undefined;
  /** The text of ids; special tokens add none. */
  decode(ids: readonly number[]): string;
  /** The text of ids and the span of each token in it; empty for special tokens. */
  locate(ids: readonly number[]): { text: string; spans: [start: number, end: number][] };
}

/**
 * Position of a norm, for a sublayer f (attention or feed-forward) and the residual stream x:
 *
 * | position | formula | models |
 * |---|---|---|
 * | `'before'` | x + f(norm(x)): the sublayer's input (pre-norm) | GPT-2, Llama |
 * | `'output'` | x + norm(f(x)): what the sublayer adds, before layer scale | OLMo 2; with `'before'`: Gemma 2 |
 * | `'after'` | norm(x + f(x)): the sum (post-norm) | BERT, BART |
 */
export type NormPosition = 'before' | 'output' | 'after';

/** Norms of a layer's sublayers, each list in the order of the computation; empty: none. */
export interface NormPositions {
  /** Norms of self-attention. */
  readonly attention: readonly NormPosition[];
  /** Norms of cross-attention; only in decoders of encoder–decoders. */
  readonly crossAttention?: readonly NormPosition[];
  /** Norms of feed-forward. */
  readonly feedForward: readonly NormPosition[];
}

/**
 * Rotary embedding: at position p, pair i of a head's first `width` dimensions is rotated by p · frequencies[i] radians,
 * in queries and keys. Su et al., "RoFormer" (2021), arXiv 2104.09864.
 */
export interface RotaryDescription {
  /** Number of rotated dimensions of a head, even. */
  readonly width: number;
  /** Base θ: frequencies without scaling are θ^(−2i/width). */
  readonly theta: number;
  /** `true`: pair i has the dimensions 2i and 2i + 1 (GPT-J, Cohere); `false`: i and i + width/2. */
  readonly interleaved: boolean;
  /**
   * Scaling of the frequencies, if there is one: the rope_type of the config, and its factor for `'linear'`, `'llama3'` and
   * `'yarn'`. `'longrope'` divides each frequency by a factor of its own; `'dynamic'` changes none up to `maxInput`.
   */
  readonly scaling?: {
    readonly type: 'linear' | 'dynamic' | 'llama3' | 'yarn' | 'longrope';
    readonly factor?: number;
  };
  /** Factor on cosines and sines; 1 but for `'yarn'` and `'longrope'`. */
  readonly attentionFactor: number;
  /** width/2 frequencies, in radians per position, after scaling. */
  readonly frequencies: readonly number[];
}

/** What one layer computes. */
export interface LayerDescription {
  /** Factor on query · key. */
  readonly scale: number;
  /** The layer's norms. */
  readonly norms: NormPositions;
  /** Softcap of scores (Gemma 2): s becomes softcap · tanh(s / softcap). */
  readonly softcap?: number;
  /** Attention window: number of visible tokens before and after each; null is unbounded. */
  readonly window?: readonly [before: number | null, after: number | null];
  /** Rotary embedding of self-attention; undefined for layers without one. */
  readonly rotary?: RotaryDescription;
  /** ALiBi slope of each head (BLOOM, MPT, some Falcons): -slope × distance is added to a score. */
  readonly slopes?: readonly number[];
  /** Hook points of the terms that positions add to scores (DeBERTa v2). */
  readonly positionTerms?: readonly ('content_position' | 'position_content')[];
  /** Relative position bias (T5). */
  readonly relativePositions?: {
    readonly maxDistance: number;
    readonly bidirectional: boolean;
    /** The bias table, buckets × heads, with its name in the file. */
    readonly table: { readonly name: string } & OwnedTensor;
  };
}

/** One stack of layers. */
export interface StackDescription {
  /** Number of query heads. */
  readonly heads: number;
  /** Number of key/value heads. */
  readonly kvHeads: number;
  /** Whether a token attends only to itself and earlier tokens. */
  readonly causal: boolean;
  /** Maximum number of tokens, if positions are limited. */
  readonly maxInput?: number;
  /** Number of token types. */
  readonly tokenTypes?: number;
  /** Image models: image size of the config, patch size and channels. */
  readonly patches?: {
    readonly image: readonly [height: number, width: number];
    readonly patch: readonly [height: number, width: number];
    readonly channels: number;
  };
  /**
   * Kind of all norms: `'layer'`, (x − mean) / √(variance + epsilon) · w + b; `'rms'`, x / √(mean of x² + epsilon) · w. w is
   * `normOffset` + weight.
   */
  readonly norm: 'layer' | 'rms';
  /** Norms that any of the layers has. `layers[n].norms` are those of layer n: the first of ModernBERT has fewer. */
  readonly norms: NormPositions;
  /** Epsilon of the norms. */
  readonly epsilon: number;
  /** Whether norms of the layers have a bias b. */
  readonly normBias: boolean;
  /** Number added to the weights of norms: 1 in Gemma, otherwise 0. */
  readonly normOffset: number;
  /** Whether a norm of the same kind follows the last layer. */
  readonly finalNorm: boolean;
  /**
   * RMS norm of queries and keys before the rotary embedding: of each head's d_k dimensions (`'head'`: Qwen3, Gemma 3), or of
   * all heads together (`'all'`: OLMo 2). undefined: none.
   */
  readonly queryKeyNorm?: 'head' | 'all';
  /**
   * `true`: x + attention(norm(x)) + feedForward(norm′(x)), both of the layer's input; norm′ may be the same norm. `false`: one
   * after the other.
   */
  readonly parallel: boolean;
  /** Activation of feed-forward. `'gelu_tanh'`, `'quick_gelu'`: approximations of gelu by tanh and by x·σ(1.702 x). */
  readonly activation: 'relu' | 'gelu' | 'gelu_tanh' | 'quick_gelu' | 'silu';
  /** `true`: W_2 (activation(W_gate x) · W_1 x); `false`: W_2 activation(W_1 x), biases left out. */
  readonly gated: boolean;
  /**
   * Factor on what self-attention and feed-forward add: a number (Granite), or `'learned'`, one for each dimension (layer
   * scale of DINOv2). undefined: 1.
   */
  readonly residualScale?: number | 'learned';
  /** Softcap of scores in all layers, as in each of them. */
  readonly softcap?: number;
  /** The layers, from first to last. */
  readonly layers: readonly LayerDescription[];
}

/** The stacks of a model: `self`, or `encoder` and `decoder`. */
export interface ModelDescription {
  /** The only stack of an encoder-only or decoder-only model. */
  readonly self?: StackDescription;
  /** The encoder of an encoder–decoder. */
  readonly encoder?: StackDescription;
  /** The decoder of an encoder–decoder. */
  readonly decoder?: StackDescription;
}

/**
 * A loaded model. All methods except generate() are synchronous. It has private fields, which do not work behind a proxy: in
 * Vue keep it raw, with markRaw() or shallowRef().
 */
export interface LoadedModel {
  /** `config.model_type`. */
  readonly type: string;
  /** The parsed config.json. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * Names of fields of config.json that are neither read nor known to change no result, such as `'new_option'` or
   * `'rope_scaling.new_option'`: if one of them changes the computation, results are those without it.
   */
  readonly unknownFields: readonly string[];
  /**
   * Sentences about what was found in the model's files and did not stop it: files that contradict each other and which was
   * taken, fields that are not read, a file that was ignored or that the server refused (status 401 or 403). Empty for
   * files in order.
   */
  readonly warnings: readonly string[];
  /**
   * The stacks and layers of the model, as they were built. Programs that explain a model read it here and need no
   * list of model types.
   */
  readonly description: ModelDescription;
  /** Vocabulary size; undefined for image models. */
  readonly vocabularySize: number | undefined;
  /** Whether the model has a language-modeling head, which generate() needs. */
  readonly canGenerate: boolean;
  /** Number of layers; for encoder–decoders, of the decoder. */
  readonly layers: number;
  /** Number of query heads. */
  readonly heads: number;
  /** Bytes of the weights in memory. */
  readonly memoryBytes: number;
  /** undefined if the model has none, or one of a kind that is not read (see `warnings`); inputs must then be ids. */
  readonly tokenizer: ModelTokenizer | undefined;

  /**
   * The tokens that `run()` reads with the same options, without computing the model: with the special tokens, and in
   * sentence encoders with the prompt. A text that is too long for the model is no error here.
   */
  encode(
    input: string | readonly [string, string] | IdsInput,
    options?: Pick<RunOptions, 'prompt' | 'maxInput' | 'truncate'>,
  ): EncodedInput;

  /** Computes the model. Throws a `RangeError` for more tokens than positions. */
  run(input: ModelInput, options?: RunOptions): ModelResult;

  /**
   * Continues a text; encoder–decoders generate the output text. Keys and values are cached, so each step computes one
   * token. `break` frees the caches.
   */
  generate(input: ModelInput, options?: GenerateOptions): AsyncIterable<GeneratedToken>;

  /**
   * The logit lens: what the head would say after each layer. logits_l = head(norm(resid_post of layer l)), with the final
   * norm, where there is one, and the head that `run()` uses; at the last layer, the bits of `logits`. Models with several
   * stacks: the decoder. A model without a head is an error.
   *
   * nostalgebraist, "interpreting GPT: the logit lens" (2020). It reads early layers with the vectors of the last: what a
   * layer represents in other directions stays invisible, and a token that appears late may have been decided early. In
   * post-norm models (BERT), the head was never trained on what it reads here either.
   *
   * @param result of `run()` with `capture: ['resid_post']` (encoder–decoders: of the stack `'decoder'`)
   * @param options layers: default all that were captured; top: number of tokens per position to return instead of logits
   */
  lens(
    result: ModelResult,
    options?: { layers?: readonly number[] | null; top?: number | null },
  ): LensView[];

  /**
   * Direct logit attribution: the part of each embedding, head, feed-forward part and bias in the logit of a token, or in
   * its difference from another. part(c) = ((r_c − mean(r_c)) ⊙ γ / σ) · (W_U[t] − W_U[t′]), where r_c is what c added to the
   * residual stream, γ the weight of the final norm and σ its deviation in the run (RMS norms: no mean). All parts sum to the
   * logit (difference), to 10⁻⁴ of the sum of their absolute values; products of int8 weights add a part `'rounding'`.
   *
   * Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021); Wang et al. (2022), arXiv 2211.00593. It shows
   * direct effects only: not what a head does for later layers, and not that these would compensate for its absence. σ is
   * frozen, although it depends on every part; single logits contain what is common to all tokens, so differences say more.
   * The value of a head does not contain the bias of W_O, but that of v.
   *
   * Where a norm or a scale follows the output of attention (Gemma 2, DINOv2), r_c of a head is multiplied by both, with the
   * statistics of the run. Where logits have a softcap, the total is the logit before it.
   *
   * Refused for post-norm models, whose logits are no sum of parts, and for heads that are not one linear map of a token.
   *
   * @param result of `run()` with `attribution: true`
   * @param options token: a token id, or a class; against: another one; position: default the last
   */
  attribute(
    result: ModelResult,
    options: { token: number; against?: number | null; position?: number | null },
  ): Attribution;

  /**
   * The length of what each token contributes to each other: ‖α_ij v_j W_O^h‖ per head, and of the sum over heads. A large
   * weight on a short vector moves little.
   *
   * Kobayashi et al., "Attention is Not Only a Weight" (2020), arXiv 2004.10102; with the bias of v, without that of W_O. It
   * has no residual connection, norm or feed-forward part, and a long vector need not matter for the output.
   *
   * @param result of `run()` with `attentions: true` and `capture: ['value_out']` (encoder–decoders: of any stacks)
   */
  norms(result: ModelResult): LayerNorms[];

  /** Frees the model's memory. */
  delete(): void;
}

/** The additional option of `run()` of a model on a pool. */
export interface PooledRunOptions extends RunOptions {
  /** On abort, `run()` rejects with the signal's reason; work already running completes, but its result is discarded. */
  signal?: PlatformAbortSignal | null;
}

/**
 * A model in the workers of a pool, with the same results and bits for any number of workers. Each matrix is divided among
 * the workers by outputs, and attention by key/value heads, so that weights are in memory once. A model too small to gain
 * is in one worker: its layers are smaller than about 5 million numbers (in a page: 20 million), where int8 counts half,
 * and all six times unless the model generates.
 *
 * If a worker dies, the running call rejects and the model is deleted, as its weights are lost: later calls reject with
 * the same reason. The pool replaces the worker.
 */
export interface PooledModel extends Omit<LoadedModel, 'run' | 'lens' | 'attribute'> {
  /** Number of workers that the model is divided among. */
  readonly workers: number;

  /** As `run()` of a model without a pool; errors are rejections. */
  run(input: ModelInput, options?: PooledRunOptions): Promise<ModelResult>;

  /** As `lens()` of a model without a pool. */
  lens(
    result: ModelResult,
    options?: { layers?: readonly number[] | null; top?: number | null },
  ): Promise<LensView[]>;

  /** As `attribute()` of a model without a pool. */
  attribute(
    result: ModelResult,
    options: { token: number; against?: number | null; position?: number | null },
  ): Promise<Attribution>;
}

/**
 * Loads a model: checks config and tensor names first, then reads tensor by tensor, so that the file is never in memory
 * twice. Rejects if a tensor is missing, unexpected or of another shape; out-of-memory errors state the required size.
 *
 * The families, and other parts that not every model has, load by `import()` with the first model that needs them. Module
 * service workers forbid that: `attention-wasm/models-static` contains all of them. If such a file cannot be fetched, the
 * call rejects with its name and the next call fetches it again, in Firefox only after the page is loaded anew.
 *
 * @example
 * ```js
 * import { loadModel } from 'attention-wasm/models';
 *
 * // An untrained Llama with one layer. Usually the argument is an address or files.
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
 *   data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, i) => Math.sin(i + 1)),
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
 * const ids = [];
 * for await (const { id } of model.generate('the cat', { maxTokens: 4 })) ids.push(id);
 * console.log(ids.length, model.layers, model.heads); // 4 1 2
 * model.delete();
 * ```
 */
export function loadModel(
  source: ModelSource,
  options: LoadModelOptions & { pool: AttentionPool },
): Promise<PooledModel>;
export function loadModel(
  source: ModelSource,
  options?: LoadModelOptions & { pool?: null },
): Promise<LoadedModel>;

/**
 * Opens the folder at an address, as `loadModel()` does, for other files in it or other uses of its weights. Nothing is
 * requested before a file is. A server's file is requested by ranges if the server supports them, otherwise whole; it is an
 * error if it changes between two requests. A path that leads out of the folder is a `RangeError`, and the query of the
 * address is sent with each request.
 *
 * @param address a folder's address; relative ones are resolved against the page. In Node.js also a path
 * @param options signal: aborts requests, which then reject with its reason
 * @example
 * ```js
 * import { openFolder } from 'attention-wasm/models';
 *
 * const folder = openFolder('https://example.org/models/my-bert');
 * console.log(folder.location); // https://example.org/models/my-bert/
 * // Then, for example: await folder.text('README.md'), await loadModel(folder),
 * // (await openSafetensors(await folder.bytes('model.safetensors'))).names
 * ```
 */
export function openFolder(
  address: string | PlatformURL,
  options?: { signal?: PlatformAbortSignal | null },
): OpenedFolder;

/**
 * Attention rollout: how much each token contributes to each other through all layers, if weights are all that mixes
 * tokens. Â_l = rows of (mean over heads of α_l + I) / their sum; the result is Â_L ⋯ Â_2 Â_1, n × n; rows sum to 1.
 * Source: Abnar & Zuidema, "Quantifying Attention Flow in Transformers" (2020), arXiv 2005.00928. It ignores values,
 * W_O and feed-forward, so a large number does not show that a token mattered.
 *
 * @param attentions self-attention of every layer of one stack, from the first: heads × n × n, or n × n
 * @param options residual: whether to add the identity for the residual connection; default `true`
 * @example
 * ```js
 * import { rollout } from 'attention-wasm/models';
 * import { tensor, toNested } from 'attention-wasm';
 *
 * const layer = tensor([[1, 0], [1, 0]]); // both tokens attend to the first
 * console.log(toNested(rollout([layer, layer]))); // [ [ 1, 0 ], [ 0.75, 0.25 ] ]
 * ```
 */
export function rollout(
  attentions: readonly TensorLike[],
  options?: { residual?: boolean | null },
): OwnedTensor;

/** What a head may attend to: the token before; an earlier equal token; the token after an earlier equal token. */
export type HeadPattern = 'previous_token' | 'duplicate_token' | 'induction';

/**
 * How much each head attends as a pattern P says, layers × heads. `'mul'`: Σ αP / Σ α, the proportion of weight on the
 * pattern; `'abs'`: 1 − Σ |α − P| / n, rounded to thousandths. As `detect_head` of TransformerLens. A high score
 * describes where a head attends, not what it does for the output.
 *
 * @param attentions self-attention of the layers: heads × n × n
 * @param ids the n token ids
 * @param pattern a name, or a tensor n × n
 * @param options measure: default `'mul'`; excludeFirst: whether to leave out attention to the first token, default `false`
 * @example
 * ```js
 * import { headScores } from 'attention-wasm/models';
 * import { tensor } from 'attention-wasm';
 *
 * const head = tensor([[[1, 0, 0], [0.75, 0.25, 0], [0, 0.5, 0.5]]]);
 * const { data, dims } = headScores([head], [7, 8, 9], 'previous_token');
 * console.log(dims, data[0].toFixed(3)); // [ 1, 1 ] 0.417
 * ```
 */
export function headScores(
  attentions: readonly TensorLike[],
  ids: NumberList,
  pattern: HeadPattern | TensorLike,
  options?: { measure?: 'mul' | 'abs' | null; excludeFirst?: boolean | null },
): OwnedTensor;

/** A result with logits: [n ×] vocabulary. */
export interface WithLogits {
  /** Logits of a run; the function refuses a result without them. */
  readonly logits?: TensorLike;
}

/** The same position of two runs, a and b. */
export interface Comparison {
  /** Logits of the token in a and b. */
  logits: [number, number];
  /** Its probabilities, after a softmax over the vocabulary. */
  probabilities: [number, number];
  /** Numbers of tokens with a larger logit. */
  ranks: [number, number];
  /** Logit of the token minus that of `against`. */
  logitDifferences?: [number, number];
  /** Kullback–Leibler divergence Σ p_a log (p_a / p_b), in nats. */
  divergence: number;
  /** Total variation distance Σ |p_a − p_b| / 2. */
  variation: number;
}

/**
 * Compares the logits of two runs at one position. A small difference does not show that a change was without effect:
 * later layers may compensate for it (Wang et al. (2022), arXiv 2211.00593, §3.4).
 *
 * @param options token: a token id; against: another one, for logit differences; position: default the last
 * @example
 * ```js
 * import { compare } from 'attention-wasm/models';
 * import { tensor } from 'attention-wasm';
 *
 * const a = { logits: tensor([[0, 2, 0]]) };
 * const b = { logits: tensor([[1, 0, 0]]) };
 * const { ranks, logitDifferences } = compare(a, b, { token: 1, against: 0 });
 * console.log(ranks, logitDifferences); // [ 0, 1 ] [ 2, -1 ]
 * ```
 */
export function compare(
  a: WithLogits,
  b: WithLogits,
  options: { token: number; against?: number | null; position?: number | null },
): Comparison;

/** Where a maker's edits apply, if not everywhere. */
export interface EditSelection {
  /** Stack; required for encoder–decoders. */
  stack?: StackName | null;
  /** Query positions. Default: all. */
  query?: number | readonly number[] | null;
}

/**
 * Edits that switch heads off: z is 0, so that they add nothing to the output of W_O; its bias stays. Other heads may
 * compensate for it (Wang et al. (2022), arXiv 2211.00593, §3.4).
 *
 * @param layer layers
 * @param head heads; default all
 * @example
 * ```js
 * import { ablate } from 'attention-wasm/models';
 *
 * console.log(JSON.stringify(ablate(9, 6))); // [{"at":"z","layer":9,"head":6,"to":"zero"}]
 * ```
 */
export function ablate(
  layer: number | readonly number[],
  head?: number | readonly number[] | null,
  options?: EditSelection,
): Edit[];

/**
 * Edits that make pairs of a query and a key invisible, as a boolean mask does: the rest of the row's weights grow. Without
 * visible keys, a query gets zeros. Source: Geva et al. (2023), arXiv 2304.14767.
 *
 * @param options layers, and query and key positions and heads; default all
 * @example
 * ```js
 * import { knockout } from 'attention-wasm/models';
 *
 * const [edit] = knockout({ layers: [4, 5], query: 7, key: [1, 2] });
 * console.log(edit.layer, edit.key, edit.at, edit.to); // [ 4, 5 ] [ 1, 2 ] scores blocked
 * ```
 */
export function knockout(
  options: EditSelection & {
    layers: number | readonly number[];
    key?: number | readonly number[] | null;
    head?: number | readonly number[] | null;
  },
): Edit[];

/**
 * Edits that set what another run captured, of the same positions: activation patching. A `RangeError` names a hook point
 * that was not captured.
 *
 * @param result a result of `run()` or a token of `generate()` with `captured`
 * @param options the hook point, its layers, and the heads and positions to patch; default all
 * @example
 * ```js
 * import { patch } from 'attention-wasm/models';
 *
 * // Usually a result of run() with the option capture.
 * const tensor = { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] };
 * const captured = [{ at: 'resid_post', layer: 0, stack: 'self', tensor }];
 * const [edit] = patch({ captured }, { at: 'resid_post', layer: 0, query: 1 });
 * console.log(edit.query, edit.to.set.data); // [ 1 ] [ 3, 4 ]
 * ```
 */
export function patch(
  result: { readonly captured?: readonly Captured[] },
  options: EditSelection & {
    at: EditableHookPoint;
    layer: number | readonly number[];
    head?: number | readonly number[] | null;
    key?: number | readonly number[] | null;
  },
): Edit[];

/**
 * Edits that add a vector to the output of layers.
 *
 * @param layer layers
 * @param vector d numbers
 * @param options scale: a factor on the vector, default 1
 * @example
 * ```js
 * import { steer } from 'attention-wasm/models';
 *
 * const [edit] = steer(3, [1, -2, 0.5], { scale: 2 });
 * console.log(edit.to.add, edit.at); // [ 2, -4, 1 ] resid_post
 * ```
 */
export function steer(
  layer: number | readonly number[],
  vector: NumberList | { readonly data: NumberList },
  options?: EditSelection & { scale?: number | null },
): Edit[];

/** Options of `sweep()`. */
export interface SweepOptions {
  /**
   * The edits of one run, for a layer, a head and a position, counted from 0; undefined for axes that the sweep does not
   * have.
   */
  edit(layer: number, head: number, position: number): readonly Edit[];
  /** A number that describes the result of a run, of which it gets a copy without hidden states. */
  metric(result: ModelResult): number;
  /**
   * The axes: true for all indices, or a list. Default `{ layers: true, heads: true, positions: false }`; layers and heads
   * of encoder–decoders are counted in the decoder.
   */
  over?: {
    layers?: boolean | readonly number[] | null;
    heads?: boolean | readonly number[] | null;
    positions?: boolean | readonly number[] | null;
  } | null;
  /**
   * The only position whose logits the metric reads: `logits` then has one row, 1 × vocabulary, which saves most of the time
   * of a large vocabulary. Default: all rows.
   */
  position?: number | null;
  /** Rejects with the signal's reason; checked between runs. */
  signal?: PlatformAbortSignal | null;
  /** Called after each run. */
  onProgress?: ((progress: { done: number; total: number }) => void) | null;
}

/** Result of `sweep()`. */
export interface Sweep {
  /** The metric of each run, layers × heads × positions without the axes that the sweep does not have. */
  readonly values: Float64Array;
  /** Size of each axis. */
  readonly dims: number[];
  /** The metric of the run without edits. */
  readonly base: number;
}

/**
 * Runs a model once for each layer, head and position, and measures each run: which heads matter for a number, or at which
 * positions of another text's activations (`patch()`) the answer changes. Layers before the first edited one are computed
 * once. The numbers have the bits of the runs one by one.
 *
 * A small change does not show that a head does nothing: later heads may compensate for it ("self-repair"; without all three
 * Name Movers of GPT-2 small, the logit difference falls by 5 % only; Wang et al. (2022), arXiv 2211.00593, §3.4).
 *
 * @example
 * ```js
 * import { ablate, loadModel, sweep } from 'attention-wasm/models';
 * import { loadTraining } from 'attention-wasm/training';
 *
 * const { TrainableTransformer } = await loadTraining();
 * const sizes = { vocabulary: 5, width: 8, layers: 2, heads: 2, context: 6 };
 * const model = await loadModel(new TrainableTransformer({ kind: 'decoder', ...sizes }).save());
 * const { values, dims, base } = await sweep(model, { ids: [1, 2, 3, 1] }, {
 *   edit: (layer, head) => ablate(layer, head),
 *   metric: ({ logits }) => logits.data.at(-1) - logits.data.at(-2), // of the last position
 * });
 * console.log(dims, values.length, Number.isFinite(base)); // [ 2, 2 ] 4 true
 * model.delete();
 * ```
 */
export function sweep(
  model: LoadedModel | PooledModel,
  input: ModelInput,
  options: SweepOptions,
): Promise<Sweep>;
