// The products that linear and efficient attention share: S = Σ φ(k_j) v_jᵀ, summed over chunks of
// keys, and φ(q)ᵀS for chunks of queries. A chunk is up to kChunk rows.
#pragma once

#include <cstddef>
#include <span>

#include "attention/linear_attention.h"
#include "attention/workspace.h"
#include "core/tiles.h"
#include "core/weighted_values.h"
#include "kernels/kernels.h"

namespace attention {

inline constexpr std::size_t kChunk = kBlockQueries;

// Scratch memory of one call.
struct FeatureScratch {
  FeatureScratch(Workspace& workspace, const Shape& shape);

  float* sums;            // S of one kv head: key_dim × value_dim
  float* packed_sums;     // S, packed by pack_values()
  float* normalizer;      // z
  float* maxima;          // per key feature, for the softmax over positions
  float* features;        // of a chunk of keys: kChunk × key_dim
  float* transposed;      // key_dim × keys of the chunk, rows kTileKeys apart
  float* packed_keys;     // features of a chunk of keys, packed
  float* packed_values;   // a chunk of values, packed
  float* queries;         // features of a chunk of queries
  float* packed_queries;  // queries, packed by pack_rows()
  float* scores;          // kChunk × kChunk, rows kTileKeys apart
  float* ones;
  float* denominators;  // heads of a group × q_len
};

struct FeatureCall {
  const Kernels& kernels;
  const Shape& shape;
  const Heads<const float>& query;
  const Heads<const float>& key;
  const Heads<const float>& value;
  std::span<const double> key_lengths;
  const LinearAttentionResults& results;
  const FeatureScratch& scratch;
};

// One KV head of one batch entry, with the query heads that share it.
class FeatureHead {
 public:
  // Features and values of a chunk of keys, without keys beyond key_count().
  struct Keys {
    Matrix<float> features;
    ValueTile values;
  };

  FeatureHead(const FeatureCall& call, std::size_t batch, std::size_t kv_head);

  std::size_t heads() const { return heads_; }
  std::size_t head(std::size_t h) const { return kv_head_ * heads_ + h; }
  std::size_t key_count() const { return key_count_; }
  std::size_t index() const { return batch_ * call_.shape.kv_heads + kv_head_; }
  Matrix<const float> all_keys() const { return call_.key.at(batch_, kv_head_); }

  Matrix<float> output(std::size_t h, std::size_t first, std::size_t count) const {
    return call_.results.output.at(batch_, head(h)).block(first, count);
  }
  float* denominators(std::size_t h) const {
    return call_.scratch.denominators + h * call_.shape.q_len;
  }
  Matrix<float> sums() const;

  // S = 0, z = 0.
  void clear_sums() const;
  void pack_sums() const;

  // Copies a chunk of keys into scratch.features for the feature map, and packs the values.
  Keys copy_keys(std::size_t first, std::size_t count) const;
  // Copies a chunk of queries into scratch.queries for the feature map.
  Matrix<float> copy_queries(std::size_t h, std::size_t first, std::size_t count) const;

  // S += Σ φ(k_j) v_jᵀ and z += Σ φ(k_j). The chunk is summed before it is added.
  void add(const Keys& keys) const;

  // output = φ(q)ᵀS for a chunk of queries.
  void read_sums(Matrix<const float> queries, Matrix<float> output) const;

  // φ(q)·φ(k) for a chunk of queries and the chunk of keys packed last, in whole panels of keys.
  // The row stride is kTileKeys.
  Matrix<float> compare(Matrix<const float> queries, const Keys& keys) const;
  void pack(const Keys& keys) const;

  // Writes the weights of a query head if they are requested: weight_of(score, query, key) for
  // existing keys, 0 for keys beyond key_count(). keys_of and queries_of compute the features of
  // the chunk (first, count).
  template <class KeysOf, class QueriesOf, class WeightOf>
  void write_weights(std::size_t h, KeysOf keys_of, QueriesOf queries_of,
                     WeightOf weight_of) const {
    if (call_.results.weights == nullptr && call_.results.average_weights == nullptr) return;
    for_each_block(call_.shape.k_len, kChunk, [&](std::size_t first_key, std::size_t key_count) {
      const Keys keys = keys_of(first_key, key_count);
      pack(keys);
      for_each_block(call_.shape.q_len, kChunk, [&](std::size_t first, std::size_t count) {
        const Matrix<float> scores = compare(queries_of(first, count), keys);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < key_count; ++j) {
            const bool exists = j < keys.features.rows;
            const float weight = exists ? weight_of(scores.row(i)[j], first + i, first_key + j) : 0;
            write_weight(h, first + i, first_key + j, weight);
          }
        }
      });
    });
  }

 private:
  void write_weight(std::size_t h, std::size_t query, std::size_t key, float weight) const;

  const FeatureCall& call_;
  std::size_t batch_;
  std::size_t kv_head_;
  std::size_t heads_;
  std::size_t key_count_;
};

// Without heads the average weights are 0; no head would write them.
void clear_average_without_heads(const Shape& shape, const LinearAttentionResults& results);

// Calls visit(FeatureHead) for every KV head of every batch entry.
template <class Visit>
void for_each_feature_head(const FeatureCall& call, Visit visit) {
  for (std::size_t batch = 0; batch < call.shape.batch; ++batch) {
    for (std::size_t kv_head = 0; kv_head < call.shape.kv_heads; ++kv_head) {
      visit(FeatureHead(call, batch, kv_head));
    }
  }
}

}  // namespace attention
