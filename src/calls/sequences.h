// Rules and views of the inputs of layers: sequences, caches, projected keys and values.
#pragma once

#include "attention/multi_head.h"
#include "calls/attention_record.h"

namespace attention::calls {

// Checks that tensor is [batch ×] rows × width.
bool check_sequence(Rules& rules, const char* name, const Tensor& tensor, std::size_t width,
                    const char* meaning);

bool check_cache(Rules& rules, const MultiHeadAttention& layer, const KeyValueCache& cache,
                 double batch);

inline const Tensor kAbsent{};

// The record fields of one attention sublayer: its input x and the context that x attends to.
struct ContextFields {
  const Tensor& x;
  const char* name = "context";  // of rows, in error messages
  const Tensor& rows = kAbsent;  // a sequence; absent: x
  double cache = 0;              // address of a KeyValueCache, or 0
  bool appends = false;          // first append the keys and values of rows (or x) to the cache
  const Tensor& key = kAbsent;   // projected keys and values, or absent
  const Tensor& value = kAbsent;

  bool is_projected() const { return key.is_present(); }
  // True if the layer projects keys and values from rows or x.
  bool projects() const { return !is_projected() && (cache == 0 || appends); }
  const Tensor& rows_or_x() const { return rows.is_present() ? rows : x; }
  double appended_keys() const { return appends ? rows_or_x().length() : 0; }
};

// Checks x and its context, and sets the sizes.
bool check_context(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context,
                   Sizes& sizes);

// check_context(), followed by the rules of the options of attention.
bool check_attention(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context,
                     const Options& options, Sizes& sizes, const VisibilityNames& names = {});

// Sets the dims of projected queries, keys and values: [batch ×] heads × length × dim. rank: of x.
void set_projections(Rules& rules, const Sizes& sizes, double rank, Result& queries, Result& keys,
                     Result& values);

// The context of a call; with a Block that has no memory, only sizes are valid.
Context context_view(const ContextFields& context, const Block& block);

}  // namespace attention::calls
