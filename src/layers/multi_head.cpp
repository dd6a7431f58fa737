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

  if (computes) {
    layer.query.apply(kernels, x.all(), query.all());
    if (context.projects()) project(kernels, layer, context.rows, projected);
  }
  const Sequences<const float> key = context.projects() ? projected.key : context.key;
  const Sequences<const float> value = context.projects() ? projected.value : context.value;
  const Heads<const float> keys = key.split(layer.kv_heads);
  const Heads<const float> values = value.split(layer.kv_heads);
  if (context.cache == nullptr) {
    attend(kernels, query.split(layer.heads), keys, values, options, kept, workspace);
  } else {
    if (computes && context.projects()) context.cache->append(kernels, keys, values);
    const KeyValueCache seen = computes ? *context.cache : context.cache->with(context.rows.rows);
    attend(kernels, query.split(layer.heads), seen, options, kept, workspace);
  }
  if (!computes) return;
  if (projects_output) layer.output.apply(kernels, heads.all(), results.output.all());
  if (results.head_outputs != nullptr) copy_heads(heads.split(layer.heads), results.head_outputs);
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
  project(kernels, layer, context, projected);
  cache.append(kernels, projected.key.split(layer.kv_heads), projected.value.split(layer.kv_heads));
}

}  // namespace attention
