// Multi-head attention (Vaswani et al., "Attention Is All You Need", 2017, §3.2.2):
//
//   q = x·W_Q + b_Q,  k = c·W_K + b_K,  v = c·W_V + b_V,   output = concat (heads)·W_O + b_O
//
//   x        batch × q_len × model_dim       W_Q   model_dim × heads·key_dim
//   context  batch × k_len × context_dim     W_K   context_dim × kv_heads·key_dim
//                                            W_V   context_dim × kv_heads·value_dim
//                                            W_O   heads·value_dim × out, or none
//
// A layer is made as a LinearMap is: its memory reserved, then its maps packed.
#pragma once

#include <cstddef>

#include "attention/key_value_cache.h"
#include "attention/linear_map.h"
#include "attention/matrix.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

struct MultiHeadShape {
  std::size_t heads = 1, kv_heads = 1;
  LinearShape query = {}, key = {}, value = {};
  LinearShape output = {};  // out 0: none, the heads lie side by side in the output
};

struct MultiHeadAttention {
  std::size_t heads = 1, kv_heads = 1, key_dim = 1, value_dim = 1;
  LinearMap query, key, value, output;

  static MultiHeadAttention reserve(Workspace& memory, const MultiHeadShape& shape);

  // Numbers in a row of the output.
  std::size_t out() const { return output.out != 0 ? output.out : heads * value_dim; }
};

// The context of a layer's queries. In self-attention its rows are x itself, in cross-attention
// those of another sequence.
struct Context {
  Sequences<const float> rows = {};  // batch × k_len × context_dim, or nothing
  KeyValueCache* cache = nullptr;    // if any: what it holds, the rows appended to it first
  // Instead of both: projected already, their heads side by side.
  Sequences<const float> key = {}, value = {};

  bool projects() const { return rows.cols != 0; }
  // Keys that attention will see.
  std::size_t k_len() const {
    if (cache != nullptr) return cache->with(rows.rows).key_count();
    return projects() ? rows.rows : key.rows;
  }
};

struct MultiHeadResults {
  Sequences<float> output = {};     // batch × q_len × out
  float* head_outputs = nullptr;    // batch × heads × q_len × value_dim, before W_O
  AttentionResults attention = {};  // weights and scores that are wanted; its output is not used
};

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace);

// One projection alone, its heads apart: to is batch × heads × rows × dim.
void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, Workspace& workspace);

// Appends the keys and values of a context to a cache.
void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, Workspace& workspace);

}  // namespace attention
