// Linear attention, chunk by chunk. Earlier chunks are summed in S and z. Within a causal chunk the
// weights are computed as in attend(), and those of later keys are set to 0, not multiplied.
#include "attention/linear_attention.h"

#include <algorithm>
#include <cassert>

#include "core/feature_product.h"
#include "core/tiles.h"

namespace attention {
namespace {

Function function_of(FeatureMap map) {
  switch (map) {
    case FeatureMap::kRelu:
      return Function::kRelu;
    case FeatureMap::kEluPlusOne:
      return Function::kEluPlusOne;
    case FeatureMap::kExp:
      break;
  }
  return Function::kExp;
}

class LinearHead {
 public:
  LinearHead(const FeatureCall& call, const FeatureHead& head,
             const LinearAttentionOptions& options)
      : call_(call), head_(head), options_(options) {}

  void attend(const LinearAttentionState& before, const LinearAttentionState& after) const {
    const Shape& shape = call_.shape;
    begin(before);
    for_each_block(shape.k_len, kChunk, [&](std::size_t first, std::size_t count) {
      const FeatureHead::Keys keys = features_of_keys(first, count);
      if (options_.causal) {
        for (std::size_t h = 0; h < head_.heads(); ++h) attend_chunk(h, first, count, keys);
      }
      head_.add(keys);
      if (options_.causal) head_.pack_sums();
    });
    head_.pack_sums();
    store_state(after);
    for (std::size_t h = 0; h < head_.heads(); ++h) {
      if (!options_.causal) {
        for_each_block(shape.q_len, kChunk, [&](std::size_t first, std::size_t count) {
          read_state(h, first, features_of_queries(h, first, count));
          divide(h, first, count);
        });
      }
      write_weights(h);
    }
  }

 private:
  // The part of a state that belongs to this head.
  LinearAttentionState state_in(const LinearAttentionState& state) const {
    const std::size_t sums = call_.shape.key_dim * call_.shape.value_dim;
    return {state.sums + head_.index() * sums,
            state.normalizer + head_.index() * call_.shape.key_dim};
  }

  void begin(const LinearAttentionState& before) const {
    head_.clear_sums();
    if (before.sums != nullptr) {
      const LinearAttentionState from = state_in(before);
      std::copy_n(from.sums, call_.shape.key_dim * call_.shape.value_dim, call_.scratch.sums);
      std::copy_n(from.normalizer, call_.shape.key_dim, call_.scratch.normalizer);
    }
    head_.pack_sums();
  }

  void store_state(const LinearAttentionState& after) const {
    if (after.sums == nullptr) return;
    const LinearAttentionState to = state_in(after);
    std::copy_n(call_.scratch.sums, call_.shape.key_dim * call_.shape.value_dim, to.sums);
    std::copy_n(call_.scratch.normalizer, call_.shape.key_dim, to.normalizer);
  }

  void map(Matrix<float> rows) const {
    call_.kernels.apply(rows.data, rows.rows * rows.cols, function_of(options_.feature_map));
  }

  FeatureHead::Keys features_of_keys(std::size_t first, std::size_t count) const {
    const FeatureHead::Keys keys = head_.copy_keys(first, count);
    map(keys.features);
    return keys;
  }

  Matrix<float> features_of_queries(std::size_t h, std::size_t first, std::size_t count) const {
    const Matrix<float> queries = head_.copy_queries(h, first, count);
    map(queries);
    return queries;
  }

  // output = φ(q)ᵀS and denominator = φ(q)ᵀz for a chunk of queries.
  void read_state(std::size_t h, std::size_t first, Matrix<const float> queries) const {
    head_.read_sums(queries, head_.output(h, first, queries.rows));
    for (std::size_t i = 0; i < queries.rows; ++i) {
      float sum = 0;
      for (std::size_t c = 0; c < queries.cols; ++c) {
        sum += queries.row(i)[c] * call_.scratch.normalizer[c];
      }
      head_.denominators(h)[first + i] = sum;
    }
  }

  // A causal chunk of queries: S and z of earlier chunks, plus the keys j <= i of this chunk.
  void attend_chunk(std::size_t h, std::size_t first, std::size_t count,
                    const FeatureHead::Keys& keys) const {
    const Matrix<float> queries = features_of_queries(h, first, count);
    read_state(h, first, queries);
    const std::size_t present = keys.features.rows;
    if (present > 0) {
      head_.pack(keys);
      const Matrix<float> scores = head_.compare(queries, keys);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t visible = std::min(i + 1, present);
        std::fill(scores.row(i) + visible, scores.row(i) + scores.cols, 0.0F);
        float sum = 0;
        for (std::size_t j = 0; j < visible; ++j) sum += scores.row(i)[j];
        head_.denominators(h)[first + i] += sum;
      }
      Visibility visibility;
      visibility.causal = true;
      add_weighted_values(call_.kernels, head_.output(h, first, count), call_.scratch.ones, scores,
                          keys.values, {0, present}, &visibility,
                          {0, 0, first, count, first, present, {0, head_.key_count()}});
    }
    divide(h, first, count);
  }

  void divide(std::size_t h, std::size_t first, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      float& denominator = head_.denominators(h)[first + i];
      denominator += options_.epsilon;
      float* row = head_.output(h, first, count).row(i);
      for (std::size_t c = 0; c < call_.shape.value_dim; ++c) {
        row[c] = denominator == 0 ? 0 : row[c] / denominator;
      }
    }
  }

  void write_weights(std::size_t h) const {
    head_.write_weights(
        h, [&](std::size_t first, std::size_t count) { return features_of_keys(first, count); },
        [&](std::size_t first, std::size_t count) { return features_of_queries(h, first, count); },
        [&](float score, std::size_t query, std::size_t key) {
          const float denominator = head_.denominators(h)[query];
          const bool visible = denominator != 0 && !(options_.causal && key > query);
          return visible ? score / denominator : 0;
        });
  }

  const FeatureCall& call_;
  const FeatureHead& head_;
  const LinearAttentionOptions& options_;
};

}  // namespace

void linear_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                      Heads<const float> value, const LinearAttentionOptions& options,
                      const LinearAttentionResults& results, const LinearAttentionState& before,
                      const LinearAttentionState& after, Workspace& workspace) {
  const Shape shape = shape_of(query, key, value);
  assert(query.cols == key.cols && key.rows == value.rows);
  assert(!options.causal || shape.q_len == shape.k_len);
  const FeatureScratch scratch(workspace, shape);
  if (workspace.counts()) return;
  const FeatureCall call{kernels, shape, query, key, value, options.key_lengths, results, scratch};
  clear_average_without_heads(shape, results);
  // batch can be in the billions when q_len is 0.
  if (shape.q_len == 0 && after.sums == nullptr) return;
  for_each_feature_head(call, [&](const FeatureHead& head) {
    LinearHead(call, head, options).attend(before, after);
  });
}

}  // namespace attention
