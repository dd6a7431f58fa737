// Multi-head attention (Vaswani et al., "Attention Is All You Need", 2017, §3.2.2):
//
//   q = x·W_Q + b_Q,  k = c·W_K + b_K,  v = c·W_V + b_V,   output = concat (heads)·W_O + b_O
//
//   x        batch × q_len × model_dim       W_Q   model_dim × heads·key_dim
//   context  batch × k_len × context_dim     W_K   context_dim × kv_heads·key_dim
//                                            W_V   context_dim × kv_heads·value_dim
//                                            W_O   heads·value_dim × out, or none
//
// Between projection and attention each head's queries and keys may be normed (Dehghani et al.,
// arXiv 2302.05442; here by RMS norms) and turned by their position (rotary.h); to the scores a
// bias may be added that was learnt for each head and distance (positions.h). Query i is at
// position offset + i, the offset being that of the options, or in a cache as many keys as come
// before it; key j is at position j. A cache holds keys as they were normed and turned.
//
// A layer is made as a LinearMap is: its memory reserved, then its maps packed and its numbers
// written.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/key_value_cache.h"
#include "attention/linear_map.h"
#include "attention/matrix.h"
#include "attention/norm.h"
#include "attention/rotary.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

struct MultiHeadShape {
  std::size_t heads = 1, kv_heads = 1;
  LinearShape query = {}, key = {}, value = {};
  LinearShape output = {};  // out 0: none, the heads lie side by side in the output
  bool query_norm = false, key_norm = false;
  std::size_t rotary_width = 0;  // numbers of a head that are turned
  std::size_t reach = 0;         // largest distance with a bias of its own; 0: no biases
};

struct MultiHeadAttention {
  std::size_t heads = 1, kv_heads = 1, key_dim = 1, value_dim = 1;
  LinearMap query, key, value, output;
  std::optional<float> scale = {};  // of q·k where the options have none; not given: 1/√key_dim
  Norm query_norm, key_norm;        // of each head; without weight: none
  Rotation rotation;
  DistanceBias distance_bias;
  float* distance_biases = nullptr;  // those of distance_bias, to be written

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

// Queries, keys and values as they meet, each head by itself: all that attention sees, that in a
// cache too.
struct MultiHeadProjections {
  float* query = nullptr;  // batch × heads × q_len × key_dim; null: not wanted, nor the others
  float* key = nullptr;    // batch × kv_heads × k_len × key_dim
  float* value = nullptr;  // batch × kv_heads × k_len × value_dim
};

struct MultiHeadResults {
  Sequences<float> output = {};     // batch × q_len × out
  float* head_outputs = nullptr;    // batch × heads × q_len × value_dim, before W_O
  AttentionResults attention = {};  // weights and scores that are wanted; its output is not used
  MultiHeadProjections projections = {};
};

void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace);

// One projection alone, its heads apart: to is batch × heads × rows × dim.
void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, Workspace& workspace);

// Keys and values of rows that begin at a position, as a Context may be given them.
void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             Sequences<float> key, Sequences<float> value, std::size_t position);

// Appends the keys and values of a context to a cache.
void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, Workspace& workspace);

}  // namespace attention
