// Attention that is linear in length: the products are taken in the other order.
//
//   o_i = φ(q_i)ᵀ S / (φ(q_i)ᵀ z + ε),   S = Σ_j φ(k_j) v_jᵀ,   z = Σ_j φ(k_j)
//   (Katharopoulos et al., "Transformers are RNNs", arXiv 2006.16236)
//
// over all keys, or with causal over j <= i. S and z are a state: a call that is given the state of
// the one before goes on where it ended. A row whose denominator is 0 is zeros.
//
//   efficient: o_i = ρ_q(q_i)ᵀ Σ_j ρ_k(k)_j v_jᵀ,   ρ_q a softmax over the features of a query, ρ_k
//   one over the positions of each feature (Shen et al., "Efficient Attention", arXiv 1812.01243);
//   a row without keys is zeros
//
// Time grows with (q_len + k_len) · key_dim · value_dim. The weights φ(q_i)·φ(k_j) / denominator
// are formed on request only, and cost what the method avoids.
#pragma once

#include <span>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

// φ, applied to every number: x or 0; e^x for x <= 0 and x + 1 above; e^x.
enum class FeatureMap { kRelu, kEluPlusOne, kExp };

struct LinearAttentionOptions {
  FeatureMap feature_map = FeatureMap::kEluPlusOne;
  bool causal = false;  // q_len = k_len
  float epsilon = 0;    // added to the denominator
  // Whole numbers: none (all keys), or one per batch entry.
  std::span<const double> key_lengths = {};
};

struct LinearAttentionResults {
  Heads<float> output = {};          // batch × heads × q_len × value_dim
  float* weights = nullptr;          // batch × heads × q_len × k_len
  float* average_weights = nullptr;  // batch × q_len × k_len, the mean over heads
};

struct LinearAttentionState {
  float* sums = nullptr;        // S: batch × kv_heads × key_dim × value_dim
  float* normaliser = nullptr;  // z: batch × kv_heads × key_dim
};

// Shapes as in attend(). before: the state to go on from, or nulls for none; after: where the state
// goes, or nulls.
void linear_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                      Heads<const float> value, const LinearAttentionOptions& options,
                      const LinearAttentionResults& results, const LinearAttentionState& before,
                      const LinearAttentionState& after, Workspace& workspace);

// key_lengths as in LinearAttentionOptions.
void efficient_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                         Heads<const float> value, std::span<const double> key_lengths,
                         const LinearAttentionResults& results, Workspace& workspace);

}  // namespace attention
