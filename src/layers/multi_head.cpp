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

void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             const Projected& to) {
  layer.key.apply(kernels, rows.all(), to.key.all());
  layer.value.apply(kernels, rows.all(), to.value.all());
}

struct Scratch {
  Scratch(Workspace& memory, const MultiHeadAttention& layer, const Sequences<const float>& x,
          const Context& context, bool average_weights)
      : query(take(memory, x, layer.query.out)),
        projected(memory, layer, context.rows),
        heads(take(memory, x, layer.output.out != 0 ? layer.output.in : 0)) {
    const Shape shape{x.batch,         layer.heads,   layer.kv_heads, x.rows,
                      context.k_len(), layer.key_dim, layer.value_dim};
    attention = memory.take<std::byte>(attend_workspace_bytes(shape, average_weights));
  }

  Sequences<float> query;
  Projected projected;
  Sequences<float> heads;  // outputs of the heads, where they are projected together
  void* attention;
};

// Heads that lie side by side, one after the other.
float* copy_heads(Heads<const float> from, float* to) {
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
  return layer;
}

std::uint64_t forward_workspace_bytes(const MultiHeadAttention& layer,
                                      const Sequences<const float>& x, const Context& context,
                                      bool average_weights) {
  Workspace counting;
  const Scratch scratch(counting, layer, x, context, average_weights);
  return counting.used();
}

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, void* workspace) {
  assert(results.output.cols == layer.out() && results.output.rows == x.rows);
  AttentionResults kept = results.attention;
  Workspace memory(workspace);
  const Scratch scratch(memory, layer, x, context, kept.average_weights != nullptr);
  const bool projects_output = layer.output.out != 0;
  const Sequences<float> heads = projects_output ? scratch.heads : results.output;
  kept.output = heads.split(layer.heads);

  layer.query.apply(kernels, x.all(), scratch.query.all());
  if (context.projects()) project(kernels, layer, context.rows, scratch.projected);
  const Heads<const float> query = scratch.query.split(layer.heads);
  const Sequences<const float> key = context.projects() ? scratch.projected.key : context.key;
  const Sequences<const float> value = context.projects() ? scratch.projected.value : context.value;
  const Heads<const float> keys = key.split(layer.kv_heads);
  const Heads<const float> values = value.split(layer.kv_heads);
  if (context.cache == nullptr) {
    attend(kernels, query, keys, values, options, kept, scratch.attention);
  } else {
    if (context.projects()) context.cache->append(kernels, keys, values);
    attend(kernels, query, *context.cache, options, kept, scratch.attention);
  }
  if (projects_output) layer.output.apply(kernels, heads.all(), results.output.all());
  if (results.head_outputs != nullptr) copy_heads(heads.split(layer.heads), results.head_outputs);
}

std::uint64_t project_workspace_bytes(const LinearMap& map, const Sequences<const float>& rows) {
  Workspace counting;
  take(counting, rows, map.out);
  return counting.used();
}

void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, void* workspace) {
  Workspace memory(workspace);
  const Sequences<float> packed = take(memory, rows, map.out);
  map.apply(kernels, rows.all(), packed.all());
  copy_heads(packed.split(to.heads), to.data);
}

std::uint64_t append_workspace_bytes(const MultiHeadAttention& layer,
                                     const Sequences<const float>& context) {
  Workspace counting;
  const Projected projected(counting, layer, context);
  return counting.used();
}

void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, void* workspace) {
  Workspace memory(workspace);
  const Projected projected(memory, layer, context);
  project(kernels, layer, context, projected);
  cache.append(kernels, projected.key.split(layer.kv_heads), projected.value.split(layer.kv_heads));
}

}  // namespace attention
