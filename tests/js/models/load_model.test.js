// attention-wasm/models: sources of models; and errors for models that cannot be loaded, which leave no memory behind.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainBitDifference } from '../../support/js/compare.js';
import { root } from '../../support/js/package.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const cases = JSON.parse(await readFile(join(root, 'tests/vectors/models.json'), 'utf8'));
const found = cases['bert, classes'];
const { config, input } = found;
const tensors = seededWeights(found);
const bytes = writeSafetensors(tensors);

const tokenizer = {
  added_tokens: [],
  pre_tokenizer: { type: 'Whitespace' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: { '[UNK]': 0, a: 1, b: 2, c: 3 },
  },
};

/** The tokenizer with another model of the same vocabulary. */
const withUnknown = (changed) => ({
  ...tokenizer,
  model: { type: 'WordPiece', vocab: tokenizer.model.vocab, ...changed },
});

/** The model in two shards with an index. */
function shards() {
  const names = [...tensors.keys()];
  const parts = [names.slice(0, 20), names.slice(20)];
  const files = parts.map((part) =>
    writeSafetensors(new Map(part.map((name) => [name, tensors.get(name)]))),
  );
  const fileOf = (n) => `model-0000${n + 1}-of-00002.safetensors`;
  const map = parts.flatMap((part, n) => part.map((name) => [name, fileOf(n)]));
  return {
    [fileOf(0)]: files[0],
    [fileOf(1)]: files[1],
    'model.safetensors.index.json': JSON.stringify({ weight_map: Object.fromEntries(map) }),
  };
}

const whole = {
  'config.json': JSON.stringify(config),
  'model.safetensors': bytes,
  'tokenizer.json': JSON.stringify(tokenizer),
};
const inShards = { 'config.json': whole['config.json'], ...shards() };

const asFiles = (files, folder) =>
  Object.entries(files).map(([name, content]) => {
    const file = new File([content], name);
    if (folder) Object.defineProperty(file, 'webkitRelativePath', { value: `${folder}/${name}` });
    return file;
  });

/** Files as a directory picker returns them. */
const asDirectory = (files) => ({
  kind: 'directory',
  name: 'my-bert',
  async getFileHandle(name) {
    if (!Object.hasOwn(files, name)) throw new DOMException('no such file', 'NotFoundError');
    return { getFile: async () => new File([files[name]], name) };
  },
  async getDirectoryHandle() {
    throw new DOMException('no such folder', 'NotFoundError');
  },
});

let want;
before(async () => {
  const model = await loadModel({ config, weights: tensors });
  want = model.run(input).logits;
  model.delete();
});

async function assertLoads(source, options) {
  const model = await loadModel(source, options);
  try {
    assert.equal(explainBitDifference(model.run(input).logits, want), '');
    return model.tokenizer?.size;
  } finally {
    model.delete();
  }
}

describe('sources of models', () => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-model-'));
    for (const [place, files] of Object.entries({ whole, shards: inShards })) {
      await mkdir(join(folder, place));
      for (const [name, content] of Object.entries(files))
        await writeFile(join(folder, place, name), content);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('may be a folder of the disk, by its path or address, whole or in shards', async () => {
    assert.equal(await assertLoads(join(folder, 'whole')), 4);
    assert.equal(await assertLoads(pathToFileURL(join(folder, 'whole'))), 4);
    assert.equal(await assertLoads(pathToFileURL(join(folder, 'shards')).href), undefined);
  });

  it('may be chosen or dropped files, and a picked folder', async () => {
    assert.equal(await assertLoads(asFiles(whole)), 4);
    assert.equal(await assertLoads(asFiles(whole, 'my-bert')), 4);
    await assertLoads(asFiles(inShards, 'my-bert'));
    assert.equal(await assertLoads(asDirectory(whole)), 4);
  });

  it('may be an object: config, and weights as bytes, a Blob, a FileHandle or tensors', async () => {
    const handle = await open(join(folder, 'whole/model.safetensors'));
    try {
      for (const weights of [
        bytes,
        bytes.slice().buffer,
        new Blob([bytes]),
        handle,
        tensors,
        Object.fromEntries(tensors),
        (name) => tensors.get(name),
      ]) {
        await assertLoads({ config, weights });
      }
    } finally {
      await handle.close();
    }
    assert.equal(await assertLoads({ config, weights: bytes, tokenizer }), 4);
  });

  it('closes the files that it opens', { skip: process.platform !== 'linux' }, async () => {
    const count = async () => (await import('node:fs')).readdirSync('/proc/self/fd').length;
    const held = await count();
    await assertLoads(join(folder, 'shards'));
    await assert.rejects(loadModel(join(folder, 'nothing')));
    assert.equal(await count(), held);
  });

  it('may be a folder of a server, with ranges and without', async () => {
    for (const ranges of [true, false]) {
      const asked = [];
      const server = createServer((request, response) => {
        const { pathname, search } = new URL(request.url, 'http://localhost');
        const [, place, name] = pathname.split('/');
        const content = { whole, shards: inShards }[place]?.[name];
        asked.push(`${name}${search}`);
        if (content === undefined) {
          response.writeHead(404).end('<!doctype html><p>not found');
          return;
        }
        const body = Buffer.from(content);
        const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
        if (!range || !ranges) {
          response.end(body);
          return;
        }
        const [first, last] = [Number(range[1]), Math.min(Number(range[2]), body.length - 1)];
        const headers = { 'content-range': `bytes ${first}-${last}/${body.length}` };
        response.writeHead(206, headers).end(body.subarray(first, last + 1));
      });
      await new Promise((resolve) => server.listen(0, resolve));
      const address = `http://localhost:${server.address().port}`;
      try {
        assert.equal(await assertLoads(`${address}/whole`), 4);
        await assertLoads(new URL(`${address}/shards/?token=1`));
        assert.ok(asked.includes('config.json?token=1'));
        await assert.rejects(loadModel(`${address}/none/`), /missing file config\.json of http/);
      } finally {
        server.close();
        server.closeAllConnections();
      }
      await assert.rejects(loadModel(`${address}/whole/`), /config\.json could not be fetched/);
    }
  });

  it('may be a server that gives lengths only for HEAD requests', async () => {
    for (const [says, status] of [
      [true, 200],
      [true, 403],
      [false, 200],
    ]) {
      const server = createServer((request, response) => {
        const body = Buffer.from(whole[request.url.slice(1)] ?? 'null');
        const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
        if (request.method === 'HEAD') {
          response.writeHead(status, says ? { 'content-length': body.length } : {}).end();
        } else if (range) {
          const [first, last] = [Number(range[1]), Math.min(Number(range[2]), body.length - 1)];
          const headers = { 'content-range': `bytes ${first}-${last}/*` };
          response.writeHead(206, headers).end(body.subarray(first, last + 1));
        } else {
          response.end(body);
        }
      });
      await new Promise((resolve) => server.listen(0, resolve));
      try {
        const loading = assertLoads(`http://localhost:${server.address().port}/`);
        if (says && status === 200) await loading;
        else await assert.rejects(loading, /model\.safetensors has no content-length/);
      } finally {
        server.close();
        server.closeAllConnections();
      }
    }
  });
});

describe('loading a model', () => {
  it('reports progress, from the first bytes to the last', async () => {
    // A tensor that the model does not use is still counted.
    const more = new Map(tensors).set('bert.embeddings.position_ids', {
      data: BigInt64Array.of(0n, 1n),
      dims: [1, 2],
    });
    const withMore = { ...whole, 'model.safetensors': writeSafetensors(more) };
    for (const source of [asFiles(whole), asFiles(inShards), asFiles(withMore)]) {
      const told = [];
      await assertLoads(source, { onProgress: (progress) => told.push(progress) });
      assert.ok(told.length > 2);
      const { total } = told[0];
      told.forEach((progress, n) => {
        assert.equal(progress.total, total);
        assert.match(progress.file, /\.safetensors$/);
        assert.ok(progress.loaded >= (told[n - 1]?.loaded ?? 1));
      });
      assert.equal(told.at(-1).loaded, total);
      assert.ok(told.at(-2).loaded < total);
    }
  });

  it('ends on abort, and frees its memory', async () => {
    const api = await loadAttention();
    const reason = new Error('changed my mind');
    for (const stopAt of [0, 1, 5]) {
      const stop = new AbortController();
      let times = 0;
      const onProgress = () => {
        if (++times === stopAt) stop.abort(reason);
      };
      if (stopAt === 0) stop.abort(reason);
      const loading = loadModel(asFiles(whole), { signal: stop.signal, onProgress });
      await assert.rejects(loading, reason);
    }
    const bytesBefore = api.memoryBytes();
    for (let n = 0; n < 200; n++) {
      const stop = new AbortController();
      const onProgress = ({ loaded, total }) => loaded > 0.9 * total && stop.abort(reason);
      await assert.rejects(loadModel(asFiles(whole), { signal: stop.signal, onProgress }), reason);
    }
    assert.equal(api.memoryBytes(), bytesBefore);
  });

  it('frees its memory when a file cannot be read', async () => {
    const api = await loadAttention();
    const reason = new DOMException('gone', 'NotReadableError');
    // An embedding table of 1.2 MB, which would be noticed.
    const { config: ofGpt2, shapes, type } = cases.gpt2;
    const [, width] = shapes['transformer.wte.weight'];
    const larger = { ...shapes, 'transformer.wte.weight': [40_000, width] };
    const content = {
      'config.json': JSON.stringify({ ...ofGpt2, vocab_size: 40_000 }),
      'model.safetensors': writeSafetensors(seededWeights({ shapes: larger, type })),
    };
    let reads;
    /** Loads files of which the read with this number fails, and all later ones. */
    const load = (last) => {
      const files = asFiles(content);
      reads = 0;
      files[1].slice = (...range) => {
        if (reads++ >= last) throw reason;
        return File.prototype.slice.apply(files[1], range);
      };
      return loadModel(files);
    };
    const model = await load(Infinity);
    model.delete();
    const all = reads;
    assert.ok(all > 2, `${all} reads`);
    const bytesBefore = api.memoryBytes();
    for (let last = 0; last < all; last++) {
      for (let n = 0; n < 3; n++) await assert.rejects(load(last), reason);
      assert.equal(api.memoryBytes(), bytesBefore, `read ${last}`);
    }
  });
});

/** The same model with a changed config. */
const withConfig = (change) => ({ config: { ...config, ...change }, weights: tensors });
const withTensors = (change) => {
  const changed = new Map(tensors);
  change(changed);
  return { config, weights: changed };
};
const llama = (change) => ({
  config: { ...cases.llama.config, ...change },
  weights: seededWeights(cases.llama),
});
const windowed = cases['qwen2, layer_types'];
const gpt2Files = {
  'config.json': JSON.stringify(cases.gpt2.config),
  'model.safetensors': writeSafetensors(seededWeights(cases.gpt2)),
};
const name = 'bert.encoder.layer.1.attention.self.query.weight';

/** A large llama, in a mock file of the length in its header, without stored numbers. */
function unwritten(layers, dtype = 'F32') {
  const width = 8192;
  const large = {
    ...cases.llama.config,
    ...{
      hidden_size: width,
      num_hidden_layers: layers,
      intermediate_size: 4 * width,
      head_dim: 128,
    },
    ...{ num_attention_heads: 64, num_key_value_heads: 64, attention_bias: false, mlp_bias: false },
  };
  const shapes = { 'model.norm.weight': [width] };
  for (const table of ['model.embed_tokens', 'lm_head']) shapes[`${table}.weight`] = [11, width];
  for (let n = 0; n < layers; n++) {
    const at = `model.layers.${n}.`;
    for (const norm of ['input', 'post_attention'])
      shapes[`${at}${norm}_layernorm.weight`] = [width];
    for (const part of 'qkvo') shapes[`${at}self_attn.${part}_proj.weight`] = [width, width];
    for (const part of ['gate', 'up']) shapes[`${at}mlp.${part}_proj.weight`] = [4 * width, width];
    shapes[`${at}mlp.down_proj.weight`] = [width, 4 * width];
  }
  let begin = 0;
  const header = {};
  for (const [tensor, shape] of Object.entries(shapes)) {
    const end = begin + (dtype === 'F32' ? 4 : 2) * shape.reduce((a, b) => a * b);
    header[tensor] = { dtype, shape, data_offsets: [begin, end] };
    begin = end;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const head = Buffer.concat([length, text]);
  const slice = (from, to) => {
    assert.ok(to <= head.length, 'a byte of the weights was read');
    return new Blob([head.subarray(from, to)]);
  };
  return { config: large, weights: { size: head.length + begin, slice } };
}

const refusals = [
  [
    'no source',
    undefined,
    /^the source of a model must be the address of a folder, .*found undefined/,
    TypeError,
  ],
  ['a number', 7, /found 7/, TypeError],
  ['no files', [], /the files of a model must be Files, found none/, TypeError],
  ['texts for files', ['config.json'], /must be Files, found 'config\.json'/, TypeError],
  ['no config', { weights: bytes }, /the source of a model must be/, TypeError],
  [
    'a config of another kind',
    { config: 'bert', weights: bytes },
    /config\.json must be an object, found 'bert'/,
    TypeError,
  ],
  ['no weights', { config }, /weights must be bytes, a Blob/, TypeError],
  ['no model_type', withConfig({ model_type: undefined }), /config\.json has no 'model_type'/],
  [
    'another model_type',
    withConfig({ model_type: 'mamba' }),
    /model_type 'mamba', but this reads bert, /,
  ],
  ...[{ name: 'bert' }, ['bert'], 7, true].map((type) => [
    `a model_type that is no text: ${JSON.stringify(type)}`,
    withConfig({ model_type: type }),
    /^'model_type' of config\.json must be a string, found (an object|an array|7|true)$/,
  ]),
  ['a name of JavaScript', withConfig({ model_type: '__proto__' }), /model_type '__proto__'/],
  [
    'a field that is missing',
    withConfig({ hidden_size: null }),
    /config\.json has no 'hidden_size'/,
  ],
  [
    'a field of another kind',
    withConfig({ hidden_size: '8' }),
    /'hidden_size' of config\.json must be an integer/,
  ],
  ['heads that do not divide', withConfig({ num_attention_heads: 3 }), /3 heads and a width of 8/],
  [
    'layers without end',
    withConfig({ num_hidden_layers: 1e9 }),
    /requests 1000000000 layers; the limit is 4096/,
  ],
  [
    'more layers than there are',
    withConfig({ num_hidden_layers: 3 }),
    /missing tensor 'encoder\.layer\.2\.attention\.self\.query\.weight'/,
  ],
  [
    'fewer layers than there are',
    withConfig({ num_hidden_layers: 1 }),
    /unexpected tensors .*: 'bert\.encoder\.layer\.1\..* and \d+ more/,
  ],
  [
    'an activation of its own',
    withConfig({ hidden_act: 'mish' }),
    /'hidden_act' of config\.json must be one of relu, gelu, .*found 'mish'/,
  ],
  [
    'positions of another kind',
    withConfig({ position_embedding_type: 'relative_key' }),
    /'position_embedding_type' of config\.json must be 'absolute'/,
  ],
  [
    'a wide head',
    llama({ head_dim: 2e9 }),
    /rotary dimension of config\.json must be .* found 2000000000/,
  ],
  [
    'a scaling of its own',
    llama({ rope_scaling: { rope_type: 'mrope' } }),
    /'rope_type' of 'rope_scaling' of config\.json must be 'default' or /,
  ],
  [
    'a scaling without its factor',
    llama({ rope_scaling: { type: 'linear' } }),
    /'rope_scaling' of config\.json has no 'factor'/,
  ],
  [
    'a scaling backwards',
    llama({ rope_scaling: { type: 'linear', factor: -2 } }),
    /'factor' of 'rope_scaling' of config\.json must be a number above 0, .* found -2/,
  ],
  [
    'a scaling of too few numbers',
    llama({ rope_scaling: { type: 'longrope', short_factor: [1] } }),
    /'short_factor' of 'rope_scaling' of config\.json must be 2 numbers of at least 0, found an array/,
  ],
  [
    'a scaling of texts',
    llama({ rope_scaling: { type: 'longrope', short_factor: [1, '2'] } }),
    /'short_factor' of 'rope_scaling' of config\.json must be 2 numbers/,
  ],
  [
    'layers of a kind that is not built',
    {
      config: { ...windowed.config, layer_types: ['full_attention', 'linear_attention'] },
      weights: seededWeights(windowed),
    },
    /'layer_types' of config\.json must name 2 layers, each 'full_attention' or 'sliding_attention'/,
  ],
  [
    'an end that is no id',
    llama({ eos_token_id: 'the end' }),
    /'eos_token_id' of config\.json must be token ids, found 'the end'/,
  ],
  [
    'strange words about generation',
    asFiles({ ...gpt2Files, 'generation_config.json': '{"bad_words_ids": {}}' }),
    /'bad_words_ids' of generation_config\.json must be an array, found an object/,
  ],
  [
    'a list of words about generation',
    asFiles({ ...gpt2Files, 'generation_config.json': '[]' }),
    /generation_config\.json must be an object, found an array/,
    TypeError,
  ],
  [
    'another width',
    withConfig({ intermediate_size: 16 }),
    /intermediate\.dense\.weight' has dims \[12, 8\]; config\.json requires \[16, 8\]/,
  ],
  [
    'a tensor that is missing',
    withTensors((all) => all.delete(name)),
    /missing tensor 'encoder\.layer\.1\.attention\.self\.query\.weight' \(with or without the prefix 'bert\.'\)/,
  ],
  [
    'a tensor too many',
    withTensors((all) => all.set('bert.encoder.layer.1.extra', all.get(name))),
    /unexpected tensors .*: 'bert\.encoder\.layer\.1\.extra'/,
  ],
  [
    'a tensor with a name of JavaScript',
    withTensors((all) => all.set('__proto__', all.get(name))),
    /unexpected tensors .*: '__proto__'/,
  ],
  [
    'a tensor of another shape',
    withTensors((all) => all.set(name, { data: new Float32Array(72), dims: [9, 8] })),
    /has dims \[9, 8\]; config\.json requires \[8, 8\]/,
  ],
  [
    'a tensor of another type',
    withTensors((all) => all.set(name, { data: new Int32Array(64), dims: [8, 8] })),
    /has type 'int32'; expected float32, float16/,
  ],
  [
    'a tensor that is none',
    withTensors((all) => all.set(name, { data: [1, 2], dims: [2] })),
    /must be \{ data, dims \}/,
    TypeError,
  ],
  [
    'a tensor cut short',
    withTensors((all) => all.set(name, { data: new Float32Array(63), dims: [8, 8] })),
    /has dims 8×8 = 64 numbers but its data holds 63/,
  ],
  [
    'a file cut short',
    { config, weights: bytes.subarray(0, bytes.length - 4) },
    /weights: not a valid safetensors file: .* the data after the header has/,
  ],
  [
    'an HTML page',
    { config, weights: Buffer.from('<!DOCTYPE html><title>Not found</title>') },
    /weights is an HTML page, not safetensors/,
  ],
  [
    'a pickle',
    { config, weights: Buffer.from('PK\u0003\u0004 archive/data.pkl, and so on') },
    /a PyTorch pickle/,
  ],
  [
    'a pointer',
    { config, weights: Buffer.from('version https://git-lfs.github.com/spec/v1\noid') },
    /a Git LFS pointer/,
  ],
  [
    'files without weights',
    asFiles({ 'config.json': '{}', 'pytorch_model.bin': 'PK' }),
    /missing model\.safetensors .*of the 2 selected files.*\.bin, .* are not supported; save_pretrained\(\)/,
    Error,
  ],
  [
    'files without a config',
    asFiles({ 'model.safetensors': bytes }),
    /missing file config\.json of the 1 selected files/,
    Error,
  ],
  [
    'a page for a config',
    asFiles({ ...whole, 'config.json': '<!doctype html>' }),
    /config\.json of the 3 selected files is an HTML page, not JSON/,
  ],
  [
    'a config cut short',
    asFiles({ ...whole, 'config.json': '{"model_type": ' }),
    /config\.json of the 3 selected files is not JSON/,
  ],
  [
    'a shard that is missing',
    asFiles({ ...inShards, 'model-00002-of-00002.safetensors': undefined }).filter(
      ({ name: file }) => !file.includes('00002-of'),
    ),
    /missing shard model-00002-of-00002\.safetensors of .*, which its index lists/,
    Error,
  ],
  [
    'a tensor in two shards',
    asFiles({
      ...inShards,
      'model-00002-of-00002.safetensors': bytes,
    }),
    /tensor 'bert\.[\w.]+' is in model-00001-of-00002\.safetensors and in model-00002-of-00002\.safetensors/,
  ],
  [
    'an index that is nothing',
    asFiles({ 'config.json': '{}', 'model.safetensors.index.json': 'null' }),
    /must name its files in 'weight_map'/,
  ],
  [
    'an index that leads elsewhere',
    asFiles({
      'config.json': '{}',
      'model.safetensors.index.json': '{"weight_map":{"a":"../secret"}}',
    }),
    /must name its files in 'weight_map'/,
  ],
  [
    'a tokenizer that is none',
    { config, weights: tensors, tokenizer: [] },
    /tokenizer must be a parsed tokenizer\.json/,
    TypeError,
  ],
  ...[
    ['none of its words', { unk_token: '[unknown]' }, /found '\[unknown\]'$/],
    ['nothing', { type: 'WordLevel' }, /found '<unk>'$/],
  ].map(([what, changed, found]) => [
    `a tokenizer whose unknown token is ${what}`,
    { config, weights: tensors, tokenizer: withUnknown(changed) },
    new RegExp(
      `^tokenizer\\.json cannot be used: the unknown token must be in the vocabulary, ${found.source}`,
    ),
  ]),
  [
    'a tokenizer whose unknown token is beyond a list',
    {
      config,
      weights: tensors,
      tokenizer: { model: { type: 'Unigram', vocab: [['a', 0]], unk_id: 1 } },
    },
    /'unk_id' of model Unigram must be below 1, the size of vocab, found 1$/,
  ],
  [
    'a tokenizer of a model of its own',
    { config, weights: tensors, tokenizer: { model: { ...tokenizer.model, type: 'Magic' } } },
    /the type of model must be BPE, Unigram, WordPiece or WordLevel, found 'Magic'/,
  ],
  ...[7, {}, null, [1, 2], [['a', 'b']], [[5, 0]], []].map((vocab) => [
    `a tokenizer whose vocab is ${JSON.stringify(vocab)}`,
    { config, weights: tensors, tokenizer: { model: { ...tokenizer.model, vocab } } },
    /'vocab' of model WordPiece must be an object of ids by token, found/,
  ]),
  ...[
    [undefined, "model BPE has no field 'merges'"],
    [{ a: 'b' }, "'merges' of model BPE must be an array, found an object"],
    [['a b', 5], "'merges' of model BPE\\[1\\] .* found 5"],
    [['a b', ['a', 'b']], 'BPE\\[1\\] .* found an array'],
    [[['a', 'b'], 'a b'], "BPE\\[1\\] .* found 'a b'"],
    [[['a', 'b'], ['a']], 'BPE\\[1\\] .* found an array'],
    [[['a', 5]], 'BPE\\[0\\] .* found an array'],
  ].map(([merges, sentence]) => [
    `a tokenizer whose merges are ${JSON.stringify(merges)}`,
    { config, weights: tensors, tokenizer: withUnknown({ type: 'BPE', merges }) },
    new RegExp(`^tokenizer\\.json cannot be used: .*${sentence}`),
  ]),
  [
    'a tokenizer with a token of thousands of characters',
    { config, weights: tensors, tokenizer: withUnknown({ vocab: { ['a'.repeat(4097)]: 0 } }) },
    /tokenizer\.json cannot be used: a token has 4097 characters; the limit is 4096/,
  ],
  [
    'a tokenizer of another kind',
    { config, weights: tensors, tokenizer: { ...tokenizer, normalizer: { type: 'Magic' } } },
    /tokenizer\.json cannot be used/,
  ],
];

describe('words without tokens', () => {
  it('are left out by BPE without an unknown token', async () => {
    const own = withUnknown({ type: 'BPE', merges: [] });
    const model = await loadModel({ config, weights: tensors, tokenizer: own });
    assert.deepEqual(model.run('axb').ids, [1, 2]);
    model.delete();
  });

  it('are an error of run() where the model has no token for them', async () => {
    for (const own of [
      withUnknown({ type: 'BPE', merges: [], unk_token: '<unk>' }),
      { ...tokenizer, model: { type: 'Unigram', vocab: [['a', 0]], unk_id: null } },
    ]) {
      const model = await loadModel({ config, weights: tensors, tokenizer: own });
      assert.deepEqual(model.tokenizer.decode(model.run('a').ids), 'a');
      assert.throws(() => model.run('ax'), {
        name: 'RangeError',
        message: /^tokenizer\.json cannot be used: the text has a character without a token, and/,
      });
      model.delete();
    }
  });
});

describe('models that cannot be loaded', () => {
  for (const [what, source, sentence, Problem = RangeError] of refusals) {
    it(`are refused with a message: ${what}`, async () => {
      const api = await loadAttention();
      const held = api.memoryBytes();
      await assert.rejects(loadModel(source), (error) => {
        assert.ok(error instanceof Problem, String(error));
        assert.match(error.message, sentence);
        return true;
      });
      assert.equal(api.memoryBytes(), held);
    });
  }

  it('are refused with unknown options and ones of another kind', async () => {
    const source = { config, weights: tensors };
    for (const [options, sentence] of [
      [
        { weight: 'int8' },
        /loadModel\(\) has no option 'weight'; it has onProgress, signal, weights, pooling, api/,
      ],
      [{ weights: 'int4' }, /weights must be 'as stored', 'float32' or 'int8', found 'int4'/],
      [{ signal: true }, /signal must be an AbortSignal, found true/],
      [{ signal: { throwIfAborted() {} } }, /signal must be an AbortSignal, found an object/],
      [{ onProgress: 1 }, /onProgress must be a function, found 1/],
      [{ api: {} }, /api must be a result of loadAttention\(\)/],
    ]) {
      await assert.rejects(loadModel(source, options), sentence);
    }
  });

  it('read modules.json only if it can have an effect', async () => {
    const inner = [...tensors].filter(([key]) => !key.startsWith('classifier'));
    assert.ok(inner.length < tensors.size);
    const withoutHead = writeSafetensors(new Map(inner));
    for (const [weights, pooling, isAsked] of [
      [bytes, undefined, false],
      [bytes, true, true],
      [withoutHead, undefined, true],
      [withoutHead, false, false],
    ]) {
      const asked = [];
      const files = { ...whole, 'model.safetensors': weights };
      const folder = asDirectory(files);
      const getFileHandle = (name) => {
        asked.push(name);
        return folder.getFileHandle(name);
      };
      const model = await loadModel({ ...folder, getFileHandle }, { pooling });
      model.delete();
      assert.equal(asked.includes('modules.json'), isAsked);
    }
  });

  it('name the memory needed and the types that fit if memory is short', async () => {
    for (const [layers, sentence] of [
      [
        30,
        /^out of memory: the weights of this llama model take 120\.0 GB \(as stored\); use a smaller model/,
      ],
      [2, /take 8\.0 GB \(as stored\); weights: 'int8' would take 2\.0 GB$/],
    ]) {
      await assert.rejects(loadModel(unwritten(layers)), { name: 'RangeError', message: sentence });
    }
    // Two storage types would fit: the message names the smaller.
    await assert.rejects(
      loadModel(unwritten(1, 'F16'), { weights: 'float32' }),
      /take 4\.0 GB \(float32\); weights: 'int8' would take 1\.0 GB$/,
    );
  });
});

describe('model inputs', () => {
  let model;
  before(async () => (model = await loadModel({ config, weights: tensors, tokenizer })));
  after(() => model.delete());

  const range = (input, word, options) => [input, options, 'RangeError', word];
  const kind = (input, word, options) => [input, options, 'TypeError', word];
  const refused = [
    ...[undefined, null, 5, {}, [], [1, 2, 3], ['a'], ['a', 'b', 'c'], ['a', 5]].map((input) =>
      kind(input, /input/),
    ),
    range({ ids: [] }, /ids/),
    ...[1.5, -1, NaN, 2 ** 31, 2n ** 40n].map((id) => range({ ids: [1, id] }, /ids\[1\]/)),
    ...['1', null, true].map((id) => kind({ ids: [id] }, /ids\[0\]/)),
    kind({ ids: 5 }, /ids/),
    kind({ ids: [1], decoderIds: 'a' }, /decoderIds/),
    range({ ids: [1, 13] }, /ids\[1\] is 13.* 13 rows/),
    range({ ids: [1], typeIds: [0, 1] }, /typeIds/),
    range({ ids: [1, 1], typeIds: [1, 2] }, /typeIds\[1\] is 2.* 2 token types/),
    kind({ ids: [1], mask: [1] }, /'mask'/),
    range({ ids: Array(13).fill(1) }, /13 tokens.* 12/),
    range('', /tokens/),
    kind('a', /'attention'/, { attention: true }),
    kind('a', /attentions/, { attentions: 'all' }),
    range('a', /layer 2.* 0 to 1/, { attentions: [2] }),
    ...[-1, 0.5, '0', null].map((n) => range('a', /attentions\[0\]/, { attentions: [n] })),
    kind('a', /option decoder/, { decoder: 'b' }),
    range('a', /maxInput/, { maxInput: 0 }),
    range('a b c', /3 tokens.* 2/, { maxInput: 2 }),
    range({ ids: [1, 2, 3] }, /3 tokens.* 2/, { maxInput: 2 }),
    range('a'.repeat(129), /129 characters.* 2/, { maxInput: 2 }),
    range(['a'.repeat(400), 'b'.repeat(400)], /800 characters.* 12/),
  ];
  it('are named in errors', async () => {
    for (const [given, options, error, message] of refused) {
      assert.throws(() => model.run(given, options), { name: error, message });
    }
    assert.throws(() => model.generate('a'), { name: 'TypeError', message: /no .*head/ });
    const bare = await loadModel({ config, weights: tensors });
    assert.throws(() => bare.run('a'), { name: 'TypeError', message: /has no tokenizer/ });
    bare.delete();
    assert.equal(model.run('a'.repeat(128), { maxInput: 2 }).ids.length, 1);
    assert.deepEqual(model.run({ ids: [1, 2], typeIds: null }).tokens, ['a', 'b']);
  });

  it('are cut to the length of the model by truncate', () => {
    const text = Array(2000).fill('a').join(' ');
    assert.throws(() => model.run(text), RangeError);
    assert.equal(model.run(text, { truncate: true }).ids.length, 12);
    assert.deepEqual(model.run(`b ${text}`, { truncate: true, maxInput: 2 }).tokens, ['b', 'a']);
    assert.equal(model.run(['b', text], { truncate: true }).ids.length, 12);
    assert.equal(model.run('a b', { truncate: true }).ids.length, 2);
    const ids = Array(13).fill(1);
    assert.throws(() => model.run({ ids }, { truncate: true }), /13 tokens.* 12/);
  });

  it('may be texts, and ids in any kind of list', () => {
    const ids = [1, 2, 3];
    const expected = model.run({ ids }).hidden;
    for (const list of [
      Int32Array.from(ids),
      BigInt64Array.from(ids.map(BigInt)),
      ids.map(BigInt),
    ]) {
      assert.equal(explainBitDifference(model.run({ ids: list }).hidden, expected), '');
    }
    const tensor = { data: BigInt64Array.from(ids.map(BigInt)), dims: [1, 3] };
    assert.equal(explainBitDifference(model.run({ ids: tensor }).hidden, expected), '');
    const { hidden, tokens, spans } = model.run('a b  c');
    assert.equal(explainBitDifference(hidden, expected), '');
    assert.deepEqual(
      [tokens, spans],
      [
        ['a', 'b', 'c'],
        [
          [0, 1],
          [2, 3],
          [5, 6],
        ],
      ],
    );
  });

  it('are refused for several texts at a time', () => {
    const ids = { data: BigInt64Array.of(1n, 2n, 3n, 1n), dims: [2, 2] };
    assert.throws(() => model.run({ ids }), {
      name: 'RangeError',
      message: 'ids has dims 2×2, expected one text: n or 1×n (run() takes one text at a time)',
    });
    for (const dims of [
      [2, 1, 2],
      [2n, 2n],
    ]) {
      assert.throws(() => model.run({ ids: { ...ids, dims } }), /^RangeError: ids has dims 2×/);
    }
    assert.throws(() => model.run({ ids: [1, 2, 3, 1], typeIds: ids }), /^RangeError: typeIds has/);
    assert.equal(model.run({ ids: { ...ids, dims: [1, 1, 4] } }).ids.length, 4);
  });

  it('are refused by a deleted model', async () => {
    const other = await loadModel({ config, weights: tensors });
    other.delete();
    other.delete();
    assert.throws(() => other.run(input), /the model was deleted/);
    assert.throws(() => other.generate(input), /the model was deleted/);
  });

  it('leave no memory allocated after a hundred models were loaded and deleted', async () => {
    const api = await loadAttention();
    const once = async () => {
      const other = await loadModel({ config, weights: tensors });
      other.run(input, { attentions: true, projections: true });
      other.delete();
    };
    await once();
    const held = api.memoryBytes();
    for (let n = 0; n < 100; n++) await once();
    assert.equal(api.memoryBytes(), held);
  });
});
