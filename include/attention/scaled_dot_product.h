// Scaled dot-product attention, as one function and as its three steps.
//
//   scores   s_ij = bias(cap(scale · q_i·k_j)); -inf where key j is not visible to query i
//   softmax  α_ij = exp(s_ij - max_i) / Σ_j exp(s_ij - max_i) over the visible keys
//   output   o_i  = Σ_j α_ij v_j
//
// attend() processes tiles of keys with a running maximum and sum per row (Milakov & Gimelshein,
// arXiv 1805.02867; Dao, FlashAttention-2, arXiv 2307.08691), so its scratch memory is
// O(q_len + k_len). Weights and scores are written only on request; requesting them does not change
// the bits of the output.
//
// A query without visible keys gets zeros (log_sum_exp -inf). This depends on the mask alone, not
// on the scores. A NaN in a visible key or value, or a visible score that overflows to +inf, makes
// the query's results NaN; invisible keys and values never do.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "attention/implementation.h"
#include "attention/key_value_cache.h"
#include "attention/matrix.h"
#include "attention/position_vectors.h"
#include "attention/similarity.h"
#include "attention/visibility.h"
#include "attention/workspace.h"

namespace attention {

// A bias per head and bucket of distances j - p (key minus query position), added to the scores.
struct DistanceBias {
  const float* numbers = nullptr;  // heads × buckets, or null
  std::size_t buckets = 0;
  DistanceRuns runs = {};
};

struct AttentionOptions {
  Similarity similarity = {};
  std::optional<float> scale = {};  // finite; unset: 1/√key_dim
  float softcap = 0;                // c > 0: scores become c·tanh(s/c); 0: no cap
  Visibility visibility = {};
  std::span<const double> slopes = {};  // ALiBi: adds -slope·|p - j|; empty or one per head
  DistanceBias distance_bias = {};
  PositionScores position_scores = {};  // for keys that are not in a cache
  // Attention sinks: a logit per head that is part of the softmax but has no value. Empty: none.
  std::span<const double> sinks = {};
};

// The options with unset fields filled in: scale 1/√key_dim; bandwidth key_dim^¼ for gaussian,
// √key_dim for laplacian similarity.
inline AttentionOptions with_defaults(AttentionOptions options, std::size_t key_dim) {
  const double root = std::sqrt(static_cast<double>(key_dim));
  if (!options.scale) options.scale = static_cast<float>(1 / root);
  std::optional<float>& bandwidth = options.similarity.bandwidth;
  if (!bandwidth) {
    const bool gaussian = options.similarity.kind == Similarity::Kind::kGaussian;
    bandwidth = static_cast<float>(gaussian ? std::sqrt(root) : root);
  }
  return options;
}

// Stages of the scores: scale · q·k; after the cap; with biases, and -inf where not visible.
enum class Stage { kRaw, kCapped, kBiased };
inline constexpr std::size_t kStages = 3;

// The results of attend(). Only output is required; null: not requested.
struct AttentionResults {
  Heads<float> output = {};                 // batch × heads × q_len × value_dim
  float* weights = nullptr;                 // batch × heads × q_len × k_len
  float* average_weights = nullptr;         // batch × q_len × k_len, the mean over heads
  std::array<float*, kStages> scores = {};  // by Stage, each batch × heads × q_len × k_len
  float* log_sum_exp = nullptr;             // batch × heads × q_len
};

struct Shape {
  std::size_t batch = 0, heads = 0, kv_heads = 0, q_len = 0, k_len = 0, key_dim = 0, value_dim = 0;
};

// The shape of attention over these views, whose data may be null.
inline Shape shape_of(const Heads<const float>& query, const Heads<const float>& key,
                      const Heads<const float>& value) {
  return {query.batch, query.heads, key.heads, query.rows, key.rows, query.cols, value.cols};
}
inline Shape shape_of(const Heads<const float>& query, const KeyValueCache& cache) {
  return {query.batch,       query.heads,   cache.kv_heads, query.rows,
          cache.key_count(), cache.key_dim, cache.value_dim};
}

// query: batch × heads × q_len × key_dim; key: batch × kv_heads × k_len × key_dim;
// value: batch × kv_heads × k_len × value_dim. heads is a multiple of kv_heads.
void attend(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            Heads<const float> value, const AttentionOptions& options,
            const AttentionResults& results, Workspace& workspace);

// Attention over the keys and values of a cache. Unless options.visibility.offsets is set, the last
// query is at the position of the newest key.
void attend(const Kernels& kernels, Heads<const float> query, const KeyValueCache& cache,
            const AttentionOptions& options, const AttentionResults& results, Workspace& workspace);

// scores: batch × heads × q_len × k_len, at the given stage.
void scores(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            const AttentionOptions& options, Stage stage, float* scores, Workspace& workspace);

// scores and weights: batch × heads × q_len × k_len, may be the same memory. Keys with a score of
// -inf, and keys hidden by options.visibility, get weight 0. Uses options.sinks; ignores all other
// options. For the biased scores of attend(), the weights equal those of attend() bit by bit.
// log_sum_exp: batch × heads × q_len, or null.
void softmax(const Kernels& kernels, Heads<const float> scores, const AttentionOptions& options,
             float* weights, float* log_sum_exp = nullptr);

// weights: batch × heads × q_len × k_len; value as in attend(). Values whose weight is exactly 0
// are left out of the sum, so NaN or infinity there has no effect.
void weighted_sum(const Kernels& kernels, Heads<const float> weights, Heads<const float> value,
                  Heads<float> output, Workspace& workspace);

}  // namespace attention
