// Efficient attention. The softmax over features and the softmax over positions are both normalized
// in the queries: each query feature is divided by the two sums.
#include <algorithm>
#include <cassert>
#include <limits>

#include "attention/linear_attention.h"
#include "core/feature_product.h"
#include "core/tiles.h"

namespace attention {
namespace {

class EfficientHead {
 public:
  EfficientHead(const FeatureCall& call, const FeatureHead& head) : call_(call), head_(head) {}

  void attend() const {
    const Shape& shape = call_.shape;
    head_.clear_sums();
    find_maxima();
    for_each_block(shape.k_len, kChunk, [&](std::size_t first, std::size_t count) {
      head_.add(exponentials_of_keys(first, count));
    });
    head_.pack_sums();
    for (std::size_t h = 0; h < head_.heads(); ++h) {
      for_each_block(shape.q_len, kChunk, [&](std::size_t first, std::size_t count) {
        const Matrix<float> output = head_.output(h, first, count);
        head_.read_sums(softmax_of_queries(h, first, count), output);
        if (head_.key_count() > 0) return;
        for (std::size_t i = 0; i < count; ++i) std::fill_n(output.row(i), output.cols, 0.0F);
      });
      head_.write_weights(
          h,
          [&](std::size_t first, std::size_t count) { return exponentials_of_keys(first, count); },
          [&](std::size_t first, std::size_t count) { return softmax_of_queries(h, first, count); },
          [](float score, std::size_t, std::size_t) { return score; });
    }
  }

 private:
  // The maximum of each key feature over all positions.
  void find_maxima() const {
    float* maxima = call_.scratch.maxima;
    std::fill_n(maxima, call_.shape.key_dim, -std::numeric_limits<float>::infinity());
    for (std::size_t j = 0; j < head_.key_count(); ++j) {
      const float* key = head_.all_keys().row(j);
      for (std::size_t c = 0; c < call_.shape.key_dim; ++c) maxima[c] = std::max(maxima[c], key[c]);
    }
  }

  FeatureHead::Keys exponentials_of_keys(std::size_t first, std::size_t count) const {
    const FeatureHead::Keys keys = head_.copy_keys(first, count);
    const Matrix<float>& features = keys.features;
    for (std::size_t j = 0; j < features.rows; ++j) {
      for (std::size_t c = 0; c < features.cols; ++c) {
        features.row(j)[c] -= call_.scratch.maxima[c];
      }
    }
    call_.kernels.apply(features.data, features.rows * features.cols, Function::kExp);
    return keys;
  }

  Matrix<float> softmax_of_queries(std::size_t h, std::size_t first, std::size_t count) const {
    const Matrix<float> queries = head_.copy_queries(h, first, count);
    const std::size_t dim = queries.cols;
    for (std::size_t i = 0; i < count; ++i) {
      float* row = queries.row(i);
      const float maximum = *std::max_element(row, row + dim);
      for (std::size_t c = 0; c < dim; ++c) row[c] -= maximum;
      call_.kernels.apply(row, dim, Function::kExp);
      float sum = 0;
      for (std::size_t c = 0; c < dim; ++c) sum += row[c];
      for (std::size_t c = 0; c < dim; ++c) row[c] /= sum * call_.scratch.normalizer[c];
    }
    return queries;
  }

  const FeatureCall& call_;
  const FeatureHead& head_;
};

}  // namespace

void efficient_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                         Heads<const float> value, std::span<const double> key_lengths,
                         const LinearAttentionResults& results, Workspace& workspace) {
  const Shape shape = shape_of(query, key, value);
  assert(query.cols == key.cols && key.rows == value.rows);
  const FeatureScratch scratch(workspace, shape);
  if (workspace.counts()) return;
  const FeatureCall call{kernels, shape, query, key, value, key_lengths, results, scratch};
  clear_average_without_heads(shape, results);
  // batch can be in the billions when q_len is 0.
  if (shape.q_len == 0) return;
  for_each_feature_head(call, [&](const FeatureHead& head) { EfficientHead(call, head).attend(); });
}

}  // namespace attention
