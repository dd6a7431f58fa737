// Multi-head attention (Vaswani et al., "Attention Is All You Need", 2017, §3.2.2):
//
//   q = x·W_Q + b_Q,  k = c·W_K + b_K,  v = c·W_V + b_V,   output = concat (heads)·W_O + b_O
//
//   x        [batch ×] q_len × model_dim       W_Q   model_dim × heads·key_dim
//   context  [batch ×] k_len × context_dim     W_K   context_dim × kv_heads·key_dim
//                                              W_V   context_dim × kv_heads·value_dim
//                                              W_O   heads·value_dim × out, or none
//
// The context is x itself (self-attention), another sequence (cross-attention), or what a
// KeyValueCache holds.
#pragma once

#include <string>

#include "attention/linear_map.h"
#include "attention/shapes.h"

namespace attention {

struct MultiHeadAttention {
  std::size_t heads = 1, kv_heads = 1, key_dim = 1, value_dim = 1;
  LinearMap query, key, value, output;
};

// The weights of a layer as they come: in × out as in the papers, or with torch as
// nn.MultiheadAttention has them, out × in, the three projections perhaps stacked in one.
struct MultiHeadWeights {
  double torch;
  double part;  // for names in sentences: 1 and 2 are the attentions of a Transformer layer
  OptionalNumber heads, kv_heads;
  TensorArgument query, key, value, output, stacked;
  TensorArgument query_bias, key_bias, value_bias, output_bias, stacked_bias;

  double start;  // place from which check() lays out; not 0 where this is part of another record
  double bytes;

  // Set by check(): the numbers of MultiHeadAttention.
  double head_count, kv_head_count, key_dim, value_dim, model_dim, context_dim, out_dim;
};

// Makes a layer of its own; object is the address of object_bytes bytes, 16-byte aligned.
struct NewMultiHead {
  MultiHeadWeights weights;
  double object, object_bytes, bytes;
};

std::string check(NewMultiHead& request);
void run(const Kernels& kernels, const NewMultiHead& request, void* block);

// The same for layers that contain one: packs into memory, or only counts if memory has no block.
class Workspace;
std::string check(MultiHeadWeights& weights);
MultiHeadAttention build(const Kernels& kernels, const MultiHeadWeights& weights, const void* block,
                         Workspace& memory);

struct MultiHeadRequest {
  // The attention between the projections: its options, its cache if it has one, its weights.
  Request attention;

  double layer;            // address of a MultiHeadAttention
  TensorArgument x;        // [batch ×] q_len × model_dim
  TensorArgument context;  // [batch ×] k_len × context_dim; x if not given
  double appends;          // keys and values are appended to attention.cache first
  double wants_head_outputs;

  TensorArgument output;        // [batch ×] q_len × out
  TensorArgument head_outputs;  // [batch ×] heads × q_len × value_dim
  double bytes;

  // Set by check(): the projected keys and values that go to a cache.
  TensorArgument new_key, new_value;
};

std::string check(MultiHeadRequest& request);
void run(const Kernels& kernels, const MultiHeadRequest& request, void* block);

// The projections alone, batch × heads × len × dim.
struct ProjectRequest {
  double layer;
  TensorArgument x, context;
  TensorArgument query, key, value;
  double workspace, bytes;
};

std::string check(ProjectRequest& request);
void run(const Kernels& kernels, const ProjectRequest& request, void* block);

// Projects keys and values of a context and appends them to a cache; without one only checks.
struct ContextRequest {
  double layer, cache;
  TensorArgument context;
  double cross;  // for the name in sentences: the memory of a decoder
  TensorArgument key, value;
  double batch, length;  // set by check()
  double bytes;
};

std::string check(ContextRequest& request);
void run(const Kernels& kernels, const ContextRequest& request, void* block);

}  // namespace attention
