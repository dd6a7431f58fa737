// Multi-head attention: projections before and after attend(). Projected sequences are packed
// (batch × rows × heads·dim) in scratch memory.
#include "attention/multi_head.h"

#include <algorithm>
#include <cassert>

namespace attention {
namespace {

Sequences<float> take(Workspace& memory, const Sequences<const float>& rows, std::size_t cols) {
  return {memory.take<float>(std::uint64_t{rows.batch} * rows.rows * cols), rows.batch, rows.rows,
          cols};
}

// Projected keys and values of a context.
struct Projected {
  Projected(Workspace& memory, const MultiHeadAttention& layer, const Sequences<const float>& rows)
      : key(take(memory, rows, layer.key.out)), value(take(memory, rows, layer.value.out)) {}

  Sequences<float> key;
  Sequences<float> value;
};

// Applies the per-head RMS norm and rotary embedding to projected queries or keys.
void normalize_and_rotate(const Norm& norm, const Rotation& rotation, const Heads<float>& heads,
                          std::span<const double> positions) {
  if (norm.weight != nullptr) {
    for (std::size_t batch = 0; batch < heads.batch; ++batch) {
      for (std::size_t head = 0; head < heads.heads; ++head) {
        norm.apply(heads.at(batch, head), heads.at(batch, head));
      }
    }
  }
  rotation.apply(heads, positions);
}

// Copies packed heads to head-major order. Returns the end of the copy.
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

// The inputs of attend(), split into heads.
struct AttentionInputs {
  Heads<float> queries;
  Heads<const float> keys, values;  // unused if there is a cache
};

void project_queries(const Kernels& kernels, const MultiHeadAttention& layer,
                     const Sequences<const float>& x, const Sequences<float>& query,
                     std::span<const double> positions) {
  layer.query.apply(kernels, x.all(), query.all());
  normalize_and_rotate(layer.query_norm, layer.rotation, query.split(layer.heads), positions);
}

// If the workspace only counts, the rows have not been appended to the cache yet, so the count uses
// the cache as it will be.
void attend_over(const Kernels& kernels, const Context& context, const AttentionInputs& inputs,
                 const AttentionOptions& options, const AttentionResults& results,
                 Workspace& workspace) {
  if (context.cache == nullptr) {
    attend(kernels, inputs.queries, inputs.keys, inputs.values, options, results, workspace);
    return;
  }
  const KeyValueCache cache =
      workspace.counts() ? context.cache->after_append(context.rows.rows) : *context.cache;
  attend(kernels, inputs.queries, cache, options, results, workspace);
}

// Writes the output, and the head outputs and projections if requested.
void write_results(const Kernels& kernels, const MultiHeadAttention& layer, const Context& context,
                   const AttentionInputs& inputs, const Sequences<float>& heads,
                   const MultiHeadResults& results) {
  if (layer.output.out != 0) layer.output.apply(kernels, heads.all(), results.output.all());
  if (results.head_outputs != nullptr) copy_heads(heads.split(layer.heads), results.head_outputs);
  const MultiHeadProjections& projections = results.projections;
  if (projections.query == nullptr) return;
  copy_heads(inputs.queries, projections.query);
  if (context.cache != nullptr) {
    context.cache->read(projections.key, projections.value);
  } else {
    copy_heads(inputs.keys, projections.key);
    copy_heads(inputs.values, projections.value);
  }
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
  if (shape.max_distance != 0) {
    layer.distance_biases =
        memory.take<float>(DistanceBias::count(shape.heads, shape.max_distance));
    layer.distance_bias = {layer.distance_biases, shape.max_distance};
  }
  return layer;
}

void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             Sequences<float> key, Sequences<float> value, std::size_t position) {
  const auto first = static_cast<double>(position);
  layer.key.apply(kernels, rows.all(), key.all());
  layer.value.apply(kernels, rows.all(), value.all());
  normalize_and_rotate(layer.key_norm, layer.rotation, key.split(layer.kv_heads), {&first, 1});
}

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace) {
  assert(results.output.cols == layer.out() && results.output.rows == x.rows);
  const Sequences<float> query = take(workspace, x, layer.query.out);
  const Projected projected(workspace, layer, context.rows);
  const Sequences<float> heads =
      layer.output.out != 0 ? take(workspace, x, layer.output.in) : results.output;
  const std::size_t cached = context.cache == nullptr ? 0 : context.cache->length;
  const double newest =
      static_cast<double>(cached + context.rows.rows) - static_cast<double>(x.rows);
  AttentionOptions own = options;
  if (!own.scale) own.scale = layer.scale;
  own.distance_bias = layer.distance_bias;
  std::span<const double>& positions = own.visibility.offsets;
  if (context.cache != nullptr && positions.empty()) positions = {&newest, 1};

  const Sequences<const float> key = context.projects() ? projected.key : context.key;
  const Sequences<const float> value = context.projects() ? projected.value : context.value;
  const AttentionInputs inputs{query.split(layer.heads), key.split(layer.kv_heads),
                               value.split(layer.kv_heads)};
  if (!workspace.counts()) {
    project_queries(kernels, layer, x, query, positions);
    if (context.projects()) {
      project(kernels, layer, context.rows, projected.key, projected.value, cached);
      if (context.cache != nullptr) context.cache->append(kernels, inputs.keys, inputs.values);
    }
  }
  AttentionResults attention = results.attention;
  attention.output = heads.split(layer.heads);
  attend_over(kernels, context, inputs, own, attention, workspace);
  if (!workspace.counts()) write_results(kernels, layer, context, inputs, heads, results);
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
