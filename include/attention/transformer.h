// The layers of the Transformer (Vaswani et al., "Attention Is All You Need", 2017, §3.1), with the
// names and meanings of torch.nn.TransformerEncoderLayer and TransformerDecoderLayer:
//
//   x = norm (x + part (x))     for each part, or with norm_first
//   x = x + part (norm (x))     (Xiong et al., "On Layer Normalization", arXiv 2002.04745)
//
// the parts being self-attention, in a decoder attention to the memory, and feed-forward
// W_2 · activation (W_1 x + b_1) + b_2.
#pragma once

#include <array>
#include <string>

#include "attention/linear_map.h"
#include "attention/multi_head.h"
#include "attention/norm.h"
#include "attention/shapes.h"

namespace attention {

struct TransformerLayer {
  MultiHeadAttention self;
  MultiHeadAttention cross;  // of a decoder
  bool is_decoder = false;
  bool norm_first = false;
  int activation = 0;  // a Function
  LinearMap widen;     // linear1
  LinearMap narrow;    // linear2
  std::array<Norm, 3> norms;
};

struct NewTransformerLayer {
  double decoder;
  double norm_first, activation, rms, epsilon;
  MultiHeadWeights self, cross;
  TensorArgument widen, widen_bias, narrow, narrow_bias;
  TensorArgument norm_weights[3];
  TensorArgument norm_biases[3];
  double object, object_bytes, bytes;
};

std::string check(NewTransformerLayer& request);
void run(const Kernels& kernels, const NewTransformerLayer& request, void* block);

struct TransformerRequest {
  double layer;            // address of a TransformerLayer
  TensorArgument x;        // [batch ×] len × model_dim
  MultiHeadRequest self;   // its options and cache
  MultiHeadRequest cross;  // its options; context is the memory, or its cache holds it
  TensorArgument output;   // as x
  double workspace, bytes;

  // Set by check(): the keys and values came along, packed, in the attentions' key and value; x may
  // then be some rows of the sequence.
  double projected;
};

std::string check(TransformerRequest& request);
void run(const Kernels& kernels, const TransformerRequest& request, void* block);

// The keys and values that a TransformerRequest may be given, of some rows of its sequences.
struct LayerProjection {
  double layer;
  TensorArgument x, memory;   // [batch ×] rows × model_dim; of a decoder, × memory_dim
  TensorArgument key, value;  // of x, normed first if the layer does so
  TensorArgument memory_key, memory_value;
  double bytes;
};

std::string check(LayerProjection& request);
void run(const Kernels& kernels, const LayerProjection& request, void* block);

// The addresses of the attentions inside a layer, for ProjectRequest and ContextRequest.
struct TransformerParts {
  double layer;
  double self, cross;  // set by check()
  double bytes;
};

std::string check(TransformerParts& request);

}  // namespace attention
