// A layer of a Transformer (Vaswani et al., "Attention Is All You Need", 2017, §3.1), as
// torch.nn.TransformerEncoderLayer and TransformerDecoderLayer have it, and what came after:
//
//   x = norm (x + part (x))     for each part, or with norm_first
//   x = x + part (norm (x))     (Xiong et al., "On Layer Normalization", arXiv 2002.04745), or with
//                               parallel, for a layer that is no decoder,
//   x = x + attention (norm (x)) + feed_forward (norm' (x))     (Wang & Komatsuzaki, "GPT-J-6B",
//                               2021); without a norm' of its own norm' is norm
//
// the parts being self-attention, in a decoder attention to the memory, and feed-forward
// W_2 · activation (W_1 x + b_1) + b_2; or, gated (Shazeer, arXiv 2002.05202),
// W_2 · (activation (W_g x + b_g) · (W_1 x + b_1)) + b_2. What a part adds to x may be scaled,
// number by number (Touvron et al., arXiv 2103.17239).
#pragma once

#include <cstddef>

#include "attention/linear_map.h"
#include "attention/multi_head.h"
#include "attention/norm.h"
#include "attention/workspace.h"

namespace attention {

// max (x, 0); x·Φ(x), Φ the normal distribution; x/2 · (1 + tanh (√(2/π) · (x + 0.044715 x³)));
// x·σ(1.702 x), σ the logistic function; x·σ(x) (Hendrycks & Gimpel, arXiv 1606.08415).
enum class Activation { kRelu, kGelu, kGeluTanh, kQuickGelu, kSilu };

struct TransformerShape {
  MultiHeadShape self = {};
  bool is_decoder = false;
  MultiHeadShape cross = {};            // of a decoder
  LinearShape widen = {}, narrow = {};  // W_1 and W_2
  LinearShape gate = {};                // W_g; out 0: none
  bool feed_forward_norm = true;        // parallel parts may do without
  bool self_norm_bias = false, cross_norm_bias = false, feed_forward_norm_bias = false;
  bool self_scale = false, feed_forward_scale = false;
};

struct TransformerLayer {
  MultiHeadAttention self;
  MultiHeadAttention cross;  // of a decoder
  bool is_decoder = false;
  bool norm_first = false;
  bool parallel = false;  // norm_first too, and no decoder
  Activation activation = Activation::kRelu;
  LinearMap widen;   // linear1
  LinearMap gate;    // out 0: none
  LinearMap narrow;  // linear2
  Norm self_norm, cross_norm, feed_forward_norm;
  // Of what is added to x, model_dim numbers each, or null: 1.
  float* self_scale = nullptr;
  float* feed_forward_scale = nullptr;

  static TransformerLayer reserve(Workspace& memory, const TransformerShape& shape);
};

// The contexts of the attentions of a layer.
struct TransformerContext {
  // Of self-attention: the cache that x is appended to first; or keys and values projected already
  // (project() below), of which x is some rows. Its rows are not used: they are x.
  Context self = {};
  Context memory = {};  // of a decoder
};

struct TransformerOptions {
  AttentionOptions self = {}, cross = {};
};

// Weights and scores that are wanted.
struct TransformerResults {
  AttentionResults self = {}, cross = {};
  MultiHeadProjections self_projections = {}, cross_projections = {};
};

// x: batch × len × model_dim, changed in place.
void forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
             const TransformerContext& context, const TransformerOptions& options,
             const TransformerResults& results, Workspace& workspace);

// Keys and values of some rows, the first of which is at position 0: what a TransformerContext may
// be given.
struct LayerProjection {
  Sequences<float> key, value;                // of x
  Sequences<float> memory_key, memory_value;  // of the memory of a decoder
};

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace);

}  // namespace attention
