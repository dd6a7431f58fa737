// Rules and views of what layers take: sequences of vectors, and caches of their keys and values.
#pragma once

#include "attention/multi_head.h"
#include "calls/attention_parts.h"

namespace attention::calls {

// [batch ×] rows × width numbers.
bool check_sequence(Rules& rules, const char* name, const Tensor& tensor, std::size_t width,
                    const char* meaning);

bool check_cache(Rules& rules, const MultiHeadAttention& layer, const KeyValueCache& cache,
                 double batch);

// The context of one attention of a layer, as a record has it.
struct ContextFields {
  const char* name;    // of the sequence, in sentences
  const Tensor& rows;  // a sequence, or not given
  double cache;        // address, or 0
  bool appends;        // the sequence, or x if it is not given, goes into the cache first
  const Tensor& key;   // or both projected already, heads side by side
  const Tensor& value;

  bool is_projected() const { return key.is_given(); }
  // Whether the layer itself makes keys and values, out of x or the sequence.
  bool projects() const { return !is_projected() && (cache == 0 || appends); }
};

// x, and what it looks into; what they say goes into the sizes.
bool check_context(Rules& rules, const MultiHeadAttention& layer, const Tensor& x,
                   const ContextFields& context, Sizes& sizes);

// Of a block without memory: the sizes.
Context context_view(const Tensor& x, const ContextFields& context, const Block& block);

}  // namespace attention::calls
