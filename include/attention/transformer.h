// The layers of the Transformer (Vaswani et al., "Attention Is All You Need", 2017, §3.1), with the
// names and meanings of torch.nn.TransformerEncoderLayer and TransformerDecoderLayer:
//
//   x = norm (x + part (x))     for each part, or with norm_first
//   x = x + part (norm (x))     (Xiong et al., "On Layer Normalization", arXiv 2002.04745)
//
// the parts being self-attention, in a decoder attention to the memory, and feed-forward
// W_2 · activation (W_1 x + b_1) + b_2.
#pragma once

#include <cstddef>

#include "attention/linear_map.h"
#include "attention/multi_head.h"
#include "attention/norm.h"
#include "attention/workspace.h"

namespace attention {

// max (x, 0); x·Φ(x), Φ the normal distribution; x/2 · (1 + tanh (√(2/π) · (x + 0.044715 x³)))
// (Hendrycks & Gimpel, arXiv 1606.08415).
enum class Activation { kRelu, kGelu, kGeluTanh };

struct TransformerShape {
  MultiHeadShape self = {};
  bool is_decoder = false;
  MultiHeadShape cross = {};            // of a decoder
  LinearShape widen = {}, narrow = {};  // W_1 and W_2
  bool self_norm_bias = false, cross_norm_bias = false, feed_forward_norm_bias = false;
};

struct TransformerLayer {
  MultiHeadAttention self;
  MultiHeadAttention cross;  // of a decoder
  bool is_decoder = false;
  bool norm_first = false;
  Activation activation = Activation::kRelu;
  LinearMap widen;   // linear1
  LinearMap narrow;  // linear2
  Norm self_norm, cross_norm, feed_forward_norm;

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
};

// x: batch × len × model_dim, changed in place.
void forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
             const TransformerContext& context, const TransformerOptions& options,
             const TransformerResults& results, Workspace& workspace);

// Keys and values of some rows: what a TransformerContext may be given.
struct LayerProjection {
  Sequences<float> key, value;                // of x
  Sequences<float> memory_key, memory_value;  // of the memory of a decoder
};

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace);

}  // namespace attention
