// Gradients of scaled dot-product attention, from the results of attend(): its output and
// log_sum_exp. With r = scale·q·k, t = cap·tanh(r/cap) (or r), s = t + biases, L = log_sum_exp and
// O the output:
//
//   P_ij   = exp(s_ij - L_i)                       attention weights
//   D_i    = Σ_c dO_ic O_ic
//   dV_j   = Σ_i P_ij dO_i
//   dS_ij  = P_ij (dO_i·v_j - D_i)                 also the gradient of an additive mask
//   dr_ij  = dS_ij (1 - (t_ij/cap)²)
//   dQ_i   = scale Σ_j dr_ij k_j
//   dK_j   = scale Σ_i dr_ij q_i
//   dslope = -Σ_ij dS_ij |p - j|                   ALiBi, per head
//   dsink  = -Σ_i exp(sink - L_i) D_i              per head
//
// (Dao, FlashAttention-2, arXiv 2307.08691, Algorithm 2). Scores are computed again tile by tile,
// so memory grows with q_len + k_len. Tiles that are not visible are skipped. Gradients of a
// key/value head are sums over the query heads that read it.
#pragma once

#include <span>

#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

// The forward pass, and the gradient of the loss with respect to its output.
struct AttentionForward {
  Heads<const float> query = {};            // batch × heads × q_len × key_dim
  Heads<const float> key = {};              // batch × kv_heads × k_len × key_dim
  Heads<const float> value = {};            // batch × kv_heads × k_len × value_dim
  Heads<const float> output = {};           // batch × heads × q_len × value_dim
  const float* log_sum_exp = nullptr;       // batch × heads × q_len
  Heads<const float> output_gradient = {};  // as output
};

// Each has the dims of what it is the gradient of. mask, slopes and sinks are optional.
struct AttentionGradients {
  Heads<float> query = {};
  Heads<float> key = {};
  Heads<float> value = {};
  std::span<float> mask = {};    // all numbers of an additive mask, indexed by its strides
  std::span<float> slopes = {};  // heads
  std::span<float> sinks = {};   // heads
};

// options: those of attend(), with the exponential similarity no distance_bias and no
// position_scores.
void attention_backward(const Kernels& kernels, const AttentionForward& forward,
                        const AttentionOptions& options, const AttentionGradients& gradients,
                        Workspace& workspace);

}  // namespace attention
