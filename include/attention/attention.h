// The attention mechanism of the Transformer: includes the whole C++ library.
//
//   output_i = Σ_j α_ij v_j,   α_i = softmax_j(scale · q_i·k_j),   scale = 1/√key_dim by default
//   (Vaswani et al., "Attention Is All You Need", 2017, §3.2.1)
//
// Names of dimensions, the same in C++, JavaScript (camelCase), test vectors and documents:
//
//   batch      independent sequences; no query attends to keys of another batch entry
//   heads      query heads
//   kv_heads   key/value heads; query head h uses key/value head h / (heads / kv_heads)
//   q_len      queries per sequence (rows of the weight matrix)
//   k_len      keys per sequence, equal to the number of values (columns of the weight matrix)
//   key_dim    length of a query or key vector, d_k
//   value_dim  length of a value vector, d_v
//   model_dim  length of a token's vector in the residual stream, d_model
//
// Terms of this code base:
//
//   view       a pointer, sizes and strides; owns no memory
//   tile       256 keys and their values, packed once and used by every block of queries
//   panel      8 rows or columns of a tile, interleaved so that SIMD lanes run across them
//   block      up to 64 query rows that are computed together
//   stage      of scores: raw (scaled dot products), capped, biased (masked, with biases)
//   workspace  scratch memory provided by the caller
//   context    the sequence or cache that a layer's queries attend to
//   record     the arguments and results of a call from JavaScript, all doubles (src/calls)
//   fact       an output number of check(), such as a size, for the caller to read (src/calls)
#pragma once

#include "attention/attention_backward.h"
#include "attention/implementation.h"
#include "attention/interventions.h"
#include "attention/key_value_cache.h"
#include "attention/linear_attention.h"
#include "attention/linear_map.h"
#include "attention/matrix.h"
#include "attention/multi_head.h"
#include "attention/norm.h"
#include "attention/positions.h"
#include "attention/rotary.h"
#include "attention/scaled_dot_product.h"
#include "attention/similarity.h"
#include "attention/stored_matrix.h"
#include "attention/training.h"
#include "attention/transformer.h"
#include "attention/visibility.h"
#include "attention/workspace.h"
