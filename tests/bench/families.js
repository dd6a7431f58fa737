// Processor time of each model family's forward pass, beside that of a Llama with the same width, layers and number of weights: the
// cases of tests/vectors/model_families.json with wider matrices, in this thread, without logits.
//
//   node tests/bench/families.js [--tokens 128] [--rounds 15]      prints the table of RESULTS.md
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadModel } from '../../web/built/models.node.js';
import { seeded } from '../support/js/random_tensors.js';

const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '128' },
    rounds: { type: 'string', default: '15' },
  },
});
const tokens = Number(values.tokens);
const rounds = Number(values.rounds);

const cases = JSON.parse(
  readFileSync(new URL('../vectors/model_families.json', import.meta.url), 'utf8'),
);
const wider = 64; // times the width of the case

// Fields that are widths, or numbers of positions; heads, layers and tokens stay.
const widths = new Set([
  ...['hidden_size', 'intermediate_size', 'head_dim', 'n_embd', 'n_inner', 'd_model', 'ffn_dim'],
  ...['ffn_hidden_size', 'word_embed_proj_dim', 'max_position_embeddings', 'n_positions'],
  ...['rotary_dim', 'sliding_window', 'local_attention', 'position_buckets'],
  'max_relative_positions',
]);

const { normal } = seeded('families');
const numbers = Float32Array.from({ length: 1 << 16 }, () => 0.05 * normal());

function tensorOf(dims) {
  const data = new Float32Array(dims.reduce((a, b) => a * b, 1));
  for (let at = 0; at < data.length; at += numbers.length) {
    data.set(numbers.subarray(0, Math.min(numbers.length, data.length - at)), at);
  }
  return { data, dims };
}

const sourceOf = (config, shapes) => ({
  config,
  weights: new Map(Object.entries(shapes).map(([name, dims]) => [name, tensorOf(dims)])),
});

/** A case with wider matrices. */
function widened({ config, shapes }) {
  const wide = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, widths.has(name) ? value * wider : value]),
  );
  const dimsOf = (name, dims) => {
    if (name.includes('relative_attention_bias')) return dims;
    return dims.map((dim, axis) => {
      const isCount =
        dim === config.vocab_size || (axis === 0 && name.includes('token_type_embeddings'));
      return isCount ? dim : dim * wider;
    });
  };
  // OPT has two positions more than its config says.
  const own = Object.entries(shapes).map(([name, dims]) => {
    const extra = config.model_type === 'opt' && name.includes('embed_positions');
    const found = dimsOf(name, dims);
    return [name, extra ? [wide.max_position_embeddings + 2, found[1]] : found];
  });
  return { config: wide, shapes: Object.fromEntries(own) };
}

/** Numbers in the matrices of the layers. */
const sizeOf = (shapes) =>
  Object.entries(shapes)
    .filter(([name, dims]) => dims.length === 2 && /\.\d+\./.test(name))
    .reduce((sum, [, [rows, width]]) => sum + rows * width, 0);

/** A Llama of this width and depth, with feed-forward layers that make it as large. */
function llamaOf({ width, layers, heads, size }) {
  const rest = size / layers - 4 * width * width;
  const wide = Math.round(rest / (3 * width));
  const shapes = { 'model.embed_tokens.weight': [11, width], 'model.norm.weight': [width] };
  for (let n = 0; n < layers; n++) {
    const at = `model.layers.${n}.`;
    for (const part of 'qkvo') shapes[`${at}self_attn.${part}_proj.weight`] = [width, width];
    shapes[`${at}mlp.gate_proj.weight`] = shapes[`${at}mlp.up_proj.weight`] = [wide, width];
    shapes[`${at}mlp.down_proj.weight`] = [width, wide];
    shapes[`${at}input_layernorm.weight`] = [width];
    shapes[`${at}post_attention_layernorm.weight`] = [width];
  }
  const config = {
    ...{ model_type: 'llama', vocab_size: 11, hidden_size: width, num_hidden_layers: layers },
    ...{ num_attention_heads: heads, num_key_value_heads: heads, intermediate_size: wide },
    ...{ hidden_act: 'silu', rms_norm_eps: 1e-6, max_position_embeddings: 1024 },
  };
  return { config, shapes };
}

function timed(model) {
  const ids = Array.from({ length: tokens }, (_, n) => 2 + (n % 7));
  const start = process.cpuUsage();
  model.run({ ids }, { logits: false });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const sorted = (times) => [...times].sort((a, b) => a - b);
const shown = (times) => `${times[0].toFixed(1)} / ${times[times.length >> 1].toFixed(1)}`;

console.log('| model | millions of weights | ms, min / median | Llama | ratio of minima |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const [name, found] of Object.entries(cases)) {
  const { config, shapes } = widened(found);
  const size = sizeOf(shapes);
  const model = await loadModel(sourceOf(config, shapes));
  const width = config.hidden_size ?? config.n_embd ?? config.d_model;
  const sizes = { width, layers: model.layers, heads: model.heads, size };
  const own = llamaOf(sizes);
  const llama = await loadModel(sourceOf(own.config, own.shapes));
  const times = { model: [], llama: [] };
  timed(model);
  timed(llama);
  for (let round = 0; round < rounds; round++) {
    times.model.push(timed(model));
    times.llama.push(timed(llama));
  }
  const [ours, theirs] = [sorted(times.model), sorted(times.llama)];
  const ratio = (ours[0] / theirs[0]).toFixed(2);
  console.log(
    `| ${name} | ${(size / 1e6).toFixed(1)} | ${shown(ours)} | ${shown(theirs)} | ${ratio} |`,
  );
  model.delete();
  llama.delete();
}
