// One of every call that has rules of its own, with all that it needs; each is let through.
#pragma once

#include <memory>
#include <vector>

#include "support/cpp/recipes.h"

namespace attention::tests {

class WrittenCalls {
 public:
  WrittenCalls();

  // Two entries, four heads on two, of 5 and 6 numbers; three queries and seven keys.
  Written attention, scores, softmax, weighted_sum, kernel_attention, linear_attention;
  // The same over the keys of a cache that holds seven of nine.
  Written cached;
  Written rotary, sinusoidal, slopes, norm;
  Written new_cache, append, rewind;
  // Linear maps of 6 numbers to 4; the one that is filled has no bias, that of narrow has one.
  Written new_linear, reserved_linear, linear, fill, fill_narrow, rows;
  // Four heads on two, of 3 and 2 numbers, for rows of 6 and contexts of 5; that for self-attention
  // for contexts of 6.
  Written new_multi_head, new_torch, new_stacked, multi_head, self_attention, project;
  // Over a cache with room for nine keys, to which the context is appended.
  Written multi_head_cached, project_context;
  // Layers of 6 numbers, 10 in the middle, the memory's rows of 5.
  Written new_encoder, new_parallel, new_decoder, new_torch_encoder, new_torch_decoder;
  Written encoder, decoder, rows_of_encoder, rows_of_decoder, project_encoder, project_decoder;
  Written memory_of_encoder;

  // Addresses of a cache for the layer, and of one that fits no layer.
  double layer_cache = 0, other_cache = 0;

 private:
  double make(const Written& call);
  void write_attention();
  void write_caches();
  void write_linear();
  void write_multi_head();
  void write_new_layers();
  void write_layers();

  std::vector<std::unique_ptr<Object>> objects_;
};

}  // namespace attention::tests
