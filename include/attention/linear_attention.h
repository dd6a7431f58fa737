// Attention in time linear in the sequence length: keys and values are multiplied first.
//
//   o_i = φ(q_i)ᵀ S / (φ(q_i)ᵀ z + ε),   S = Σ_j φ(k_j) v_jᵀ,   z = Σ_j φ(k_j)
//   (Katharopoulos et al., "Transformers are RNNs", arXiv 2006.16236)
//
// The sums run over all keys, or over j <= i if causal. S and z form a state: a call can continue
// from the state that an earlier call returned. A row whose denominator is 0 is all zeros.
//
//   efficient: o_i = ρ_q(q_i)ᵀ Σ_j ρ_k(k)_j v_jᵀ,   ρ_q a softmax over the features of a query, ρ_k
//   one over the positions of each feature (Shen et al., "Efficient Attention", arXiv 1812.01243);
//   without keys the output is all zeros
//
// Time is O((q_len + k_len) · key_dim · value_dim). Requesting the weights
// φ(q_i)·φ(k_j) / denominator adds the O(q_len · k_len) time that the method otherwise avoids.
#pragma once

#include <span>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

// φ, applied element by element: max(x, 0); e^x for x <= 0, else x + 1; e^x.
enum class FeatureMap { kRelu, kEluPlusOne, kExp };

struct LinearAttentionOptions {
  FeatureMap feature_map = FeatureMap::kEluPlusOne;
  bool causal = false;  // requires q_len = k_len
  float epsilon = 0;    // added to the denominator
  // Number of keys per batch entry, integers from 0 to k_len. Empty: k_len.
  std::span<const double> key_lengths = {};
};

struct LinearAttentionResults {
  Heads<float> output = {};          // batch × heads × q_len × value_dim
  float* weights = nullptr;          // batch × heads × q_len × k_len
  float* average_weights = nullptr;  // batch × q_len × k_len, the mean over heads
};

struct LinearAttentionState {
  float* sums = nullptr;        // S: batch × kv_heads × key_dim × value_dim
  float* normalizer = nullptr;  // z: batch × kv_heads × key_dim
};

// Shapes as in attend(). before: initial state, or nulls for S = 0, z = 0. after: output state, or
// nulls.
void linear_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                      Heads<const float> value, const LinearAttentionOptions& options,
                      const LinearAttentionResults& results, const LinearAttentionState& before,
                      const LinearAttentionState& after, Workspace& workspace);

// key_lengths as in LinearAttentionOptions.
void efficient_attention(const Kernels& kernels, Heads<const float> query, Heads<const float> key,
                         Heads<const float> value, std::span<const double> key_lengths,
                         const LinearAttentionResults& results, Workspace& workspace);

}  // namespace attention
