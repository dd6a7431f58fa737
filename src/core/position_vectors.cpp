// Dot products with position vectors are raw scores, the vectors taking the place of keys.
#include "attention/position_vectors.h"

#include "attention/scaled_dot_product.h"

namespace attention {
namespace {

// batch × heads × rows × buckets
Heads<float> score(const Kernels& kernels, const Heads<const float>& rows,
                   const Heads<float>& vectors, std::optional<float> scale, Workspace& workspace) {
  if (vectors.cols == 0) return {};
  const std::uint64_t heads = std::uint64_t{rows.batch} * rows.heads;
  auto* data = workspace.take<float>(heads * rows.rows * vectors.rows);
  Heads<const float> keys = vectors;
  keys.batch = rows.batch;
  keys.batch_stride = 0;
  AttentionOptions options;
  options.scale = scale;
  workspace.lend(
      [&](Workspace& lent) { scores(kernels, rows, keys, options, Stage::kRaw, data, lent); });
  return Heads<float>::head_major(data, rows.batch, rows.heads, rows.rows, vectors.rows);
}

}  // namespace

PositionScores score_positions(const Kernels& kernels, const PositionVectors& vectors,
                               const Heads<const float>& query, const Heads<const float>& key,
                               std::optional<float> scale, Workspace& workspace) {
  PositionScores scores;
  scores.of_queries = score(kernels, query, vectors.key, scale, workspace);
  scores.of_keys = score(kernels, key, vectors.query, scale, workspace);
  scores.runs = vectors.runs;
  return scores;
}

}  // namespace attention
