// Multi-head attention (Vaswani et al., "Attention Is All You Need", 2017, §3.2.2):
//
//   q = x·W_Q + b_Q,  k = c·W_K + b_K,  v = c·W_V + b_V,   output = concat (heads)·W_O + b_O
//
//   x        batch × q_len × model_dim       W_Q   model_dim × heads·key_dim
//   context  batch × k_len × context_dim     W_K   context_dim × kv_heads·key_dim
//                                            W_V   context_dim × kv_heads·value_dim
//                                            W_O   heads·value_dim × out, optional
//
// After the projection, queries and keys can be normalized, each head (Dehghani et al., arXiv
// 2302.05442; here with RMS norm) or all heads as one row (OLMo Team, arXiv 2501.00656), and
// rotated by their position (rotary.h). A learned bias per head and distance (positions.h) and
// dot products with learned vectors of distances (position_vectors.h) can be added to the scores.
// Query i is at position offset + i, where offset comes from the options or, with a cache, is the
// number of keys before the query; key j is at position j. A cache stores keys after normalization
// and rotation.
//
// A layer is constructed like a LinearMap: reserve() its memory, then pack() its projections and
// write its norm weights and biases.
#pragma once

#include <cstddef>
#include <optional>

#include "attention/interventions.h"
#include "attention/key_value_cache.h"
#include "attention/linear_map.h"
#include "attention/matrix.h"
#include "attention/norm.h"
#include "attention/position_vectors.h"
#include "attention/rotary.h"
#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"

namespace attention {

struct MultiHeadShape {
  std::size_t heads = 1, kv_heads = 1;
  LinearShape query = {}, key = {}, value = {};
  LinearShape output = {};  // out 0: no W_O, the output is the concatenated heads
  bool query_norm = false, key_norm = false;
  bool query_norm_over_heads = false, key_norm_over_heads = false;  // else of each head
  std::size_t rotary_width = 0;      // rotated numbers per head; 0: no rotation
  std::size_t distance_buckets = 0;  // of the distance bias; 0: no bias
  std::size_t position_buckets = 0;  // of the position vectors; 0: none
  bool position_key = false, position_query = false;
  std::size_t position_runs = 0;  // of the distances of the position vectors
};

struct MultiHeadAttention {
  std::size_t heads = 1, kv_heads = 1, key_dim = 1, value_dim = 1;
  LinearMap query, key, value, output;
  std::optional<float> scale = {};  // default if the options have none; unset: 1/√key_dim
  Norm query_norm, key_norm;        // weight null: none
  // The norm is of all heads as one row, else of each head.
  bool query_norm_over_heads = false, key_norm_over_heads = false;
  Rotation rotation;
  DistanceBias distance_bias;
  float* distance_biases = nullptr;  // writable pointer to the numbers of distance_bias
  PositionVectors position_vectors;  // query vectors require that no cache is used

  static MultiHeadAttention reserve(Workspace& memory, const MultiHeadShape& shape);

  // Width of the output.
  std::size_t out() const { return output.out != 0 ? output.out : heads * value_dim; }
};

// The sequence or cache that a layer's queries attend to. In self-attention the rows are x itself,
// in cross-attention another sequence.
struct Context {
  Sequences<const float> rows = {};  // batch × k_len × context_dim, or empty
  KeyValueCache* cache = nullptr;    // optional; rows are projected and appended to it first
  // Instead of both: projected keys and values, batch × k_len × kv_heads·dim.
  Sequences<const float> key = {}, value = {};

  bool projects() const { return rows.cols != 0; }
  // Number of keys that are attended to, after appending.
  std::size_t k_len() const {
    if (cache != nullptr) return cache->after_append(rows.rows).key_count();
    return projects() ? rows.rows : key.rows;
  }
};

// Queries, keys and values as used in the dot product: after normalization and rotary embedding,
// including keys and values from a cache.
struct MultiHeadProjections {
  float* query = nullptr;  // batch × heads × q_len × key_dim; null: none of the three requested
  float* key = nullptr;    // batch × kv_heads × k_len × key_dim
  float* value = nullptr;  // batch × kv_heads × k_len × value_dim
};

struct MultiHeadResults {
  Sequences<float> output = {};     // batch × q_len × out
  float* head_outputs = nullptr;    // batch × heads × q_len × value_dim, before W_O
  AttentionResults attention = {};  // requested weights and scores; output is ignored
  MultiHeadProjections projections = {};
};

// interventions: null, or what is changed and copied. Returned weights, scores, head outputs and
// projections are those after the edits; scores of stages before kBiased cannot be edited.
void forward(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> x,
             const Context& context, const AttentionOptions& options,
             const MultiHeadResults& results, Workspace& workspace,
             const Interventions* interventions = nullptr);

// Writes the shapes of the numbers at the places of forward(). places: of self-attention, or of
// cross-attention (from kCrossPlaces on) in a table of all places.
void add_places(const MultiHeadAttention& layer, std::size_t q_len, const Context& context,
                PlaceShape* places);

// Applies one projection and splits it into heads. to: batch × heads × rows × dim.
void project(const Kernels& kernels, const LinearMap& map, Sequences<const float> rows,
             Heads<float> to, Workspace& workspace);

// Projects keys and values for use in a Context, normalized and rotated. position: of the first
// row. interventions: in kKey and kValue, or null.
void project(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> rows,
             Sequences<float> key, Sequences<float> value, std::size_t position,
             const Interventions* interventions = nullptr);

// Projects the keys and values of a context and appends them to a cache.
void append(const Kernels& kernels, const MultiHeadAttention& layer, Sequences<const float> context,
            KeyValueCache& cache, Workspace& workspace,
            const Interventions* interventions = nullptr);

}  // namespace attention
