// Every chunk is summed before it is added to S, which keeps rounding errors small.
#include "core/feature_product.h"

#include <algorithm>

#include "core/product.h"
#include "core/tiles.h"

namespace attention {
namespace {

void copy(Matrix<const float> rows, float* to) {
  for (std::size_t i = 0; i < rows.rows; ++i) to = std::copy_n(rows.row(i), rows.cols, to);
}

std::uint64_t group_rows(const Shape& shape) {
  return shape.kv_heads == 0 ? 0 : std::uint64_t{shape.heads} / shape.kv_heads * shape.q_len;
}

}  // namespace

FeatureScratch::FeatureScratch(Workspace& workspace, const Shape& shape) {
  const std::uint64_t key_dim = shape.key_dim;
  const auto padded_value_dim = round_up_to_panel<std::uint64_t>(shape.value_dim);
  sums = workspace.take<float>(key_dim * shape.value_dim);
  packed_sums = workspace.take<float>(key_dim * padded_value_dim);
  normalizer = workspace.take<float>(key_dim);
  maxima = workspace.take<float>(key_dim);
  features = workspace.take<float>(kChunk * key_dim);
  transposed = workspace.take<float>(kTileKeys * key_dim);
  packed_keys = workspace.take<float>(kChunk * key_dim);
  packed_values = workspace.take<float>(kChunk * padded_value_dim);
  queries = workspace.take<float>(kChunk * key_dim);
  packed_queries = workspace.take<float>(kChunk * key_dim);
  scores = workspace.take<float>(kChunk * kTileKeys);
  ones = workspace.take<float>(std::max<std::uint64_t>(key_dim, kChunk));
  denominators = workspace.take<float>(group_rows(shape));
}

FeatureHead::FeatureHead(const FeatureCall& call, std::size_t batch, std::size_t kv_head)
    : call_(call),
      batch_(batch),
      kv_head_(kv_head),
      heads_(call.shape.heads / call.shape.kv_heads),
      key_count_(call.key_lengths.empty() ? call.shape.k_len
                                          : static_cast<std::size_t>(call.key_lengths[batch])) {
  std::fill_n(call.scratch.ones, std::max(call.shape.key_dim, kChunk), 1.0F);
}

Matrix<float> FeatureHead::sums() const {
  const Shape& shape = call_.shape;
  return {call_.scratch.sums, shape.key_dim, shape.value_dim, shape.value_dim};
}

void FeatureHead::clear_sums() const {
  const Shape& shape = call_.shape;
  std::fill_n(call_.scratch.sums, shape.key_dim * shape.value_dim, 0.0F);
  std::fill_n(call_.scratch.normalizer, shape.key_dim, 0.0F);
}

void FeatureHead::pack_sums() const {
  call_.kernels.pack_values(call_.scratch.packed_sums, sums());
}

FeatureHead::Keys FeatureHead::copy_keys(std::size_t first, std::size_t count) const {
  const std::size_t present = std::min(count, key_count_ - std::min(first, key_count_));
  const std::size_t dim = call_.shape.key_dim;
  copy(all_keys().block(first, present), call_.scratch.features);
  const Matrix<const float> values = call_.value.at(batch_, kv_head_).block(first, present);
  return {{call_.scratch.features, present, dim, dim},
          ValueTile::pack(call_.kernels, values, call_.scratch.packed_values)};
}

Matrix<float> FeatureHead::copy_queries(std::size_t h, std::size_t first, std::size_t count) const {
  const std::size_t dim = call_.shape.key_dim;
  copy(call_.query.at(batch_, head(h)).block(first, count), call_.scratch.queries);
  return {call_.scratch.queries, count, dim, dim};
}

void FeatureHead::add(const Keys& keys) const {
  const std::size_t present = keys.features.rows;
  if (present == 0) return;
  for (std::size_t c = 0; c < call_.shape.key_dim; ++c) {
    float sum = 0;
    float* row = call_.scratch.transposed + c * kTileKeys;
    for (std::size_t j = 0; j < present; ++j) {
      row[j] = keys.features.row(j)[c];
      sum += row[j];
    }
    call_.scratch.normalizer[c] += sum;
  }
  call_.kernels.accumulate_values(sums(), call_.scratch.ones, {call_.scratch.transposed, present},
                                  keys.values.packed);
}

void FeatureHead::read_sums(Matrix<const float> queries, Matrix<float> output) const {
  for (std::size_t i = 0; i < output.rows; ++i) std::fill_n(output.row(i), output.cols, 0.0F);
  PackedMatrix sums;
  sums.data = reinterpret_cast<const std::byte*>(call_.scratch.packed_sums);
  sums.depth = call_.shape.key_dim;
  add_product(call_.kernels, queries, sums, output);
}

void FeatureHead::pack(const Keys& keys) const {
  call_.kernels.pack_keys(call_.scratch.packed_keys, keys.features);
}

Matrix<float> FeatureHead::compare(Matrix<const float> queries, const Keys& keys) const {
  const Matrix<float> scores{call_.scratch.scores, queries.rows,
                             round_up_to_panel(keys.features.rows), kTileKeys};
  call_.kernels.pack_rows(call_.scratch.packed_queries, queries);
  call_.kernels.dot_products(scores, {call_.scratch.packed_queries, call_.shape.key_dim},
                             call_.scratch.packed_keys, 1);
  return scores;
}

void clear_average_without_heads(const Shape& shape, const LinearAttentionResults& results) {
  if (shape.heads > 0 || results.average_weights == nullptr) return;
  std::fill_n(results.average_weights, shape.batch * shape.q_len * shape.k_len, 0.0F);
}

void FeatureHead::write_weight(std::size_t h, std::size_t query, std::size_t key,
                               float weight) const {
  const Shape& shape = call_.shape;
  const std::size_t number = query * shape.k_len + key;
  const std::size_t size = shape.q_len * shape.k_len;
  if (call_.results.weights != nullptr) {
    call_.results.weights[(batch_ * shape.heads + head(h)) * size + number] = weight;
    return;
  }
  float& average = call_.results.average_weights[batch_ * size + number];
  if (head(h) > 0) weight += average;
  average = head(h) + 1 == shape.heads ? weight / static_cast<float>(shape.heads) : weight;
}

}  // namespace attention
