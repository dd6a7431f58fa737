// The attention mechanism of the Transformer: the door of the library.
//
//   output_i = Σ_j α_ij v_j,   α_i = softmax_j(scale · q_i·k_j),   scale = 1/√key_dim by default
//   (Vaswani et al., "Attention Is All You Need", 2017, §3.2.1)
//
// The words for dimensions, used unchanged in C++, JavaScript (camelCase), fixtures and documents:
//
//   batch      sequences computed side by side; nothing crosses from one to another
//   heads      query heads
//   kv_heads   key/value heads; query head h reads key/value head h / (heads / kv_heads)
//   q_len      queries per sequence (rows of the weight matrix)
//   k_len      keys, and as many values, per sequence (columns of the weight matrix)
//   key_dim    numbers in a query and in a key, d_k
//   value_dim  numbers in a value, d_v
//   model_dim  numbers in a token's vector before it is projected, m
//
// The project's own nouns:
//
//   view       a pointer, sizes and strides; owns nothing
//   tile       256 keys, and as many values, packed together and used by every block of queries
//   panel      rows or columns that lie side by side in a tile, so that lanes run along them
//   stage      how far scores have come: raw, capped, biased
//   workspace  scratch memory, lent by the caller
//   context    what a layer's queries look into
//   place      where something lies: in a tile, or in the block of a call (src/calls)
//   fact       what the rules find out about a call, for its caller to read (src/calls)
#pragma once

#include "attention/implementation.h"
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
#include "attention/transformer.h"
#include "attention/visibility.h"
#include "attention/workspace.h"
