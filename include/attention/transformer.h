// A layer of a Transformer (Vaswani et al., "Attention Is All You Need", 2017, §3.1), as
// in torch.nn.TransformerEncoderLayer and TransformerDecoderLayer, with later variants:
//
//   x = norm (x + sublayer (x))     for each sublayer; with norm_first
//   x = x + sublayer (norm (x))     (Xiong et al., "On Layer Normalization", arXiv 2002.04745);
//                               with parallel (encoder layers only)
//   x = x + attention (norm (x)) + feed_forward (norm' (x))     (Wang & Komatsuzaki, "GPT-J-6B",
//                               2021), where norm' defaults to norm
//
// With norm_first each norm may be absent, and a norm of what a sublayer adds may follow it:
//
//   x = x + norm'' (sublayer (norm (x)))     (Gemma Team, "Gemma 2", arXiv 2408.00118;
//                               without norm: OLMo Team, "2 OLMo 2 Furious", arXiv 2501.00656)
//
// The sublayers are self-attention; in a decoder, cross-attention to the encoder's output (memory);
// and feed-forward, W_2 · activation (W_1 x + b_1) + b_2 or, gated (Shazeer, arXiv 2002.05202),
// W_2 · (activation (W_g x + b_g) · (W_1 x + b_1)) + b_2. The outputs of self-attention and
// feed-forward can be multiplied element-wise by learned scales (LayerScale: Touvron et al., arXiv
// 2103.17239).
#pragma once

#include <cstddef>

#include "attention/interventions.h"
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
  MultiHeadShape cross = {};       // of a decoder
  LinearShape up = {}, down = {};  // W_1 and W_2
  LinearShape gate = {};           // W_g; out 0: none
  // May be false with norm_first: no norm, or in a parallel layer no feed_forward_norm of its own.
  bool self_norm = true, feed_forward_norm = true;
  bool self_norm_bias = false, cross_norm_bias = false, feed_forward_norm_bias = false;
  bool self_scale = false, feed_forward_scale = false;
  // Norms of what the sublayers add.
  bool self_output_norm = false, feed_forward_output_norm = false;
  bool self_output_norm_bias = false, feed_forward_output_norm_bias = false;
};

struct TransformerLayer {
  MultiHeadAttention self;
  MultiHeadAttention cross;  // of a decoder
  bool is_decoder = false;
  bool norm_first = false;
  bool parallel = false;  // requires norm_first and not is_decoder
  Activation activation = Activation::kRelu;
  LinearMap up;                                   // linear1
  LinearMap gate;                                 // out 0: none
  LinearMap down;                                 // linear2
  Norm self_norm, cross_norm, feed_forward_norm;  // weight null: none
  // Norms of what self-attention and feed-forward add, before LayerScale; weight null: none. They
  // require norm_first and not parallel.
  Norm self_output_norm, feed_forward_output_norm;
  // LayerScale factors, model_dim floats each; null: 1.
  float* self_scale = nullptr;
  float* feed_forward_scale = nullptr;

  static TransformerLayer reserve(Workspace& memory, const TransformerShape& shape);
};

// The contexts of self-attention and cross-attention.
struct TransformerContext {
  // Self-attention: a cache, to which the keys and values of x are appended first; or keys and
  // values from project(), of a sequence of which x holds some rows; or empty. `rows` is ignored: x
  // is used.
  Context self = {};
  Context memory = {};  // cross-attention of a decoder
};

struct TransformerOptions {
  AttentionOptions self = {}, cross = {};
};

// Requested weights, scores and projections.
struct TransformerResults {
  AttentionResults self = {}, cross = {};
  MultiHeadProjections self_projections = {}, cross_projections = {};
};

// activation (W_g x) · W_1 x, or activation (W_1 x) if gate.out is 0. gated: scratch memory, rows
// of gate.out numbers.
void project_up(const Kernels& kernels, const LinearMap& up, const LinearMap& gate,
                Activation activation, Matrix<const float> x, Matrix<float> hidden,
                Matrix<float> gated);

// x: batch × len × model_dim, input and output. interventions: null, or what is changed and copied.
void forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
             const TransformerContext& context, const TransformerOptions& options,
             const TransformerResults& results, Workspace& workspace,
             const Interventions* interventions = nullptr);

// The shapes of the numbers at the places of forward(). x: only its sizes are used.
ByPlace<PlaceShape> places_of(const TransformerLayer& layer, const Sequences<const float>& x,
                              const TransformerContext& context);

// Projected keys and values for a TransformerContext. The first row of each sequence is at
// position 0.
struct LayerProjection {
  Sequences<float> key, value;                // of x, for self-attention
  Sequences<float> memory_key, memory_value;  // of memory, for a decoder's cross-attention
};

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace);

}  // namespace attention
