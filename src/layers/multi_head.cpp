// Projections around attend(), their results in the caller's scratch memory with heads side by
// side.
#include "attention/multi_head.h"

#include <algorithm>
#include <cassert>

namespace attention {
namespace {

Sequences<float> take(Workspace& memory, const Sequences<const float>& rows, std::size_t cols) {
  return {memory.take<float>(std::uint64_t{rows.batch} * rows.rows * cols), rows.batch, rows.rows,
          cols};
}

// Keys and values of a context.
struct Projected {
  Projected(Workspace& memory, const MultiHeadAttention& layer, const Sequences<const float>& rows)
      : key(take(memory, rows, layer.key.out)), value(take(memory, rows, layer.value.out)) {}

  Sequences<float> key;
  Sequences<float> value;
};

// Queries or keys that were projected become what meets the others.
void norm_and_turn(const Norm& norm, const Rotation& rotation, const Heads<float>& heads,
                   std::span<const double> positions) {
  if (norm.weight != nullptr) {
    for (std::size_t batch = 0; batch < heads.batch; ++batch) {
      for (std::size_t head = 0; head < heads.heads; ++head) {
        norm.apply(heads.at(batch, head), heads.at(batch, head));
      }
    }
  }
  rotation.turn(heads, positions);
}

// Heads that lie side by side, one after the other.
float* copy_heads(const Heads<const float>& from, float* to) {
  if (from.rows == 0) return to;
  for (std::size_t batch = 0; batch < from.batch; ++batch) {
    for (std::size_t head = 0; head < from.heads; ++head) {
      const Matrix<const float> rows = from.at(batch, head);
      for (std::size_t i = 0; i < rows.rows; ++i) to = std::copy_n(rows.row(i), rows.cols, to);
    }
  }
  return to;
}

}  // namespace

MultiHeadAttention MultiHeadAttention::reserve(Workspace& memory, const MultiHeadShape& shape) {
  assert(shape.key.out % shape.kv_heads == 0 && shape.value.out % shape.kv_heads == 0);
  MultiHeadAttention layer;
  layer.heads = shape.heads;
  layer.kv_heads = shape.kv_heads;
  layer.key_dim = shape.key.out / shape.kv_heads;
  layer.value_dim = shape.value.out / shape.kv_heads;
  layer.query = LinearMap::reserve(memory, shape.query);
  layer.key = LinearMap::reserve(memory, shape.key);
  layer.value = LinearMap::reserve(memory, shape.value);
  if (shape.output.out != 0) layer.output = LinearMap::reserve(memory, shape.output);
  layer.query_norm.rms = layer.key_norm.rms = true;
  if (shape.query_norm) layer.query_norm.reserve(memory, layer.key_dim, false);
  if (shape.key_norm) layer.key_norm.reserve(memory, layer.key_dim, false);
  layer.rotation.width = shape.rotary_width;
  layer.rotation.frequencies = memory.take<double>(shape.rotary_width / 2);
  if (shape.reach != 0) {
    layer.distance_biases = memory.take<float>(DistanceBias::count(shape.heads, shape.reach));
    layer.distance_bias = {layer.distance_biases, shape.reach};
  }
  return layer;
}

void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             Sequences<float> key, Sequences<float> value, std::size_t position) {
  const auto first = static_cast<double>(position);
  layer.key.apply(kernels, rows.all(), key.all());
  layer.value.apply(kernels, rows.all(), value.all());
  norm_and_turn(layer.key_norm, layer.rotation, key.split(layer.kv_heads), {&first, 1});
}

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace) {
  assert(results.output.cols == layer.out() && results.output.rows == x.rows);
  const bool computes = !workspace.counts();
  const bool projects_output = layer.output.out != 0;
  const Sequences<float> query = take(workspace, x, layer.query.out);
  const Projected projected(workspace, layer, context.rows);
  const Sequences<float> heads =
      projects_output ? take(workspace, x, layer.output.in) : results.output;
  AttentionResults kept = results.attention;
  kept.output = heads.split(layer.heads);
  const Heads<float> queries = query.split(layer.heads);
  const std::size_t held = context.cache == nullptr ? 0 : context.cache->length;
  const double newest = static_cast<double>(held + context.rows.rows) - static_cast<double>(x.rows);
  AttentionOptions own = options;
  if (!own.scale) own.scale = layer.scale;
  own.distance_bias = layer.distance_bias;
  std::span<const double>& positions = own.visibility.offsets;
  if (context.cache != nullptr && positions.empty()) positions = {&newest, 1};

  if (computes) {
    layer.query.apply(kernels, x.all(), query.all());
    norm_and_turn(layer.query_norm, layer.rotation, queries, positions);
    if (context.projects()) {
      project(kernels, layer, context.rows, projected.key, projected.value, held);
    }
  }
  const Sequences<const float> key = context.projects() ? projected.key : context.key;
  const Sequences<const float> value = context.projects() ? projected.value : context.value;
  const Heads<const float> keys = key.split(layer.kv_heads);
  const Heads<const float> values = value.split(layer.kv_heads);
  if (context.cache == nullptr) {
    attend(kernels, queries, keys, values, own, kept, workspace);
  } else {
    if (computes && context.projects()) context.cache->append(kernels, keys, values);
    const KeyValueCache seen = computes ? *context.cache : context.cache->with(context.rows.rows);
    attend(kernels, queries, seen, own, kept, workspace);
  }
  if (!computes) return;
  if (projects_output) layer.output.apply(kernels, heads.all(), results.output.all());
  if (results.head_outputs != nullptr) copy_heads(heads.split(layer.heads), results.head_outputs);
  const MultiHeadProjections& wanted = results.projections;
  if (wanted.query == nullptr) return;
  copy_heads(queries, wanted.query);
  if (context.cache != nullptr) {
    context.cache->read(wanted.key, wanted.value);
  } else {
    copy_heads(keys, wanted.key);
    copy_heads(values, wanted.value);
  }
}

void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, Workspace& workspace) {
  const Sequences<float> packed = take(workspace, rows, map.out);
  if (workspace.counts()) return;
  map.apply(kernels, rows.all(), packed.all());
  copy_heads(packed.split(to.heads), to.data);
}

void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, Workspace& workspace) {
  const Projected projected(workspace, layer, context);
  if (workspace.counts()) return;
  project(kernels, layer, context, projected.key, projected.value, cache.length);
  cache.append(kernels, projected.key.split(layer.kv_heads), projected.value.split(layer.kv_heads));
}

}  // namespace attention
