// Scaled dot-product attention, whole and in its three steps.
//
//   scores   s_ij = bias(cap(scale · q_i·k_j)); -inf where query i may not see key j
//   softmax  α_ij = exp(s_ij - max_i) / Σ_j exp(s_ij - max_i) over the visible keys
//   output   o_i  = Σ_j α_ij v_j
//
// attend() walks over tiles of keys with a running maximum and sum per row (Milakov & Gimelshein,
// arXiv 1805.02867; Dao, FlashAttention-2, arXiv 2307.08691), so its memory grows with q_len +
// k_len. Weights and scores are kept only on request; asking for them does not change a bit of the
// output.
//
// A row that sees nothing is zeros (log_sum_exp -inf), by visibility, never by its scores.
// A row that sees a NaN, or a score that overflows to +inf, is NaN; no other row is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "attention/implementation.h"
#include "attention/key_value_cache.h"
#include "attention/matrix.h"
#include "attention/similarity.h"
#include "attention/visibility.h"
#include "attention/workspace.h"

namespace attention {

// A number for each head and distance, added to the scores like a mask: that of j - p, and from
// `reach` on in either direction the last one.
struct DistanceBias {
  const float* numbers = nullptr;  // heads × (2·reach + 1), from distance -reach on; or none
  std::size_t reach = 0;

  static std::uint64_t count(std::size_t heads, std::size_t reach) {
    return std::uint64_t{heads} * (2 * std::uint64_t{reach} + 1);
  }
};

struct AttentionOptions {
  Similarity similarity = {};
  std::optional<float> scale = {};  // any finite number; not given: 1/√key_dim
  float softcap = 0;                // c > 0: s = c·tanh(s/c); 0: no cap
  Visibility visibility = {};
  std::span<const double> slopes = {};  // ALiBi, none or one per head: adds -slope·|p - j|
  DistanceBias distance_bias = {};
  // None, or one logit per head that joins the softmax without a value.
  std::span<const double> sinks = {};
};

// How far the scores have come: scale · q·k; capped; with biases, and -inf where not visible.
enum class Stage { kRaw, kCapped, kBiased };
inline constexpr std::size_t kStages = 3;

// The results of attend(). Only output is always there.
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

// The shape of attention over these; the views need not have memory yet.
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

// The same over the keys and values that a cache holds; the queries are its newest positions unless
// options.visibility has offsets.
void attend(const Kernels& kernels, Heads<const float> query, const KeyValueCache& cache,
            const AttentionOptions& options, const AttentionResults& results, Workspace& workspace);

// scores: batch × heads × q_len × k_len, at the given stage.
void scores(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
            const AttentionOptions& options, Stage stage, float* scores, Workspace& workspace);

// scores and weights: batch × heads × q_len × k_len, may be the same memory. A score of -inf is an
// invisible key, as is a key that options.visibility hides; of the options the sinks are used too.
// Given attend()'s biased scores, its weights to the bit.
void softmax(const Kernels& kernels, Heads<const float> scores, const AttentionOptions& options,
             float* weights);

// weights: batch × heads × q_len × k_len; value as in attend(). The value of a weight that is
// exactly 0 is not read into the sum.
void weighted_sum(const Kernels& kernels, Heads<const float> weights, Heads<const float> value,
                  Heads<float> output, Workspace& workspace);

}  // namespace attention
