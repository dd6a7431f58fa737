// Rules of attention() and related calls. Shapes are checked before values, so later rules can rely
// on the sizes.
#include "calls/attention_record.h"

namespace attention::calls {
namespace {

std::string head_product(const char* heads_name, double heads, const char* dim_name, double dim) {
  return format("$ × $ = # × # = #", heads_name, dim_name, heads, dim, heads * dim);
}

bool splits_into(Rules& rules, const char* name, const Tensor& tensor, const char* heads_name,
                 double heads, const char* dim_name) {
  if (is_multiple(tensor.last(), heads)) return true;
  return rules.fail("$ has dims @ but $ is #: the last axis must be $ × $", name, tensor,
                    heads_name, heads, heads_name, dim_name);
}

bool has_one_per(Rules& rules, const char* name, const List& list, const char* what, double count) {
  if (list.count == count) return true;
  return rules.fail("$$ but must hold one per $, #", name,
                    list.count == 1 ? " holds 1 number" : format(" holds # numbers", list.count),
                    what, count);
}

bool per_head(Rules& rules, const char* name, const List& list, double heads,
              bool may_be_minus_infinity) {
  if (!list.is_present()) return true;
  if (!has_one_per(rules, name, list, "head", heads)) return false;
  double index = 0;
  for (const double number : numbers(list)) {
    const bool allowed = is_finite(number) || (may_be_minus_infinity && number < 0);
    if (!allowed) {
      return rules.fail("$[#] is #$", name, index, number,
                        may_be_minus_infinity ? " but must be a number below Infinity"
                                              : " but must be a finite float32 number");
    }
    ++index;
  }
  return true;
}

bool whole_per_entry(Rules& rules, const char* name, const List& list, double batch) {
  if (!list.is_present()) return true;
  if (!has_one_per(rules, name, list, "batch entry", batch)) return false;
  double index = 0;
  for (const double number : numbers(list)) {
    if (!is_whole(number)) {
      return rules.fail("$[#] is # but must be a whole number", name, index, number);
    }
    ++index;
  }
  return true;
}

// Options that depend on positions need an offset unless q_len equals k_len.
bool has_offset(Rules& rules, const char* name, const Options& options, const Sizes& sizes,
                bool cached) {
  if (sizes.q_len == sizes.k_len || cached || options.offset.is_present() ||
      options.offsets.is_present()) {
    return true;
  }
  return rules.fail(
      "$ needs an offset, the number of keys before the first query, because q_len is # and k_len "
      "is #: offset 0 aligns the queries with the first keys, offset # with the last",
      name, sizes.q_len, sizes.k_len, sizes.k_len - sizes.q_len);
}

bool window_side(Rules& rules, const char* name, const Optional& side) {
  if (!side.is_present() || (is_whole(side.value) && side.value >= 0)) return true;
  return rules.fail(
      "window holds # on the $ but must hold whole numbers of at least 0, or null for an unbounded "
      "side",
      side.value, name);
}

bool check_mask(Rules& rules, const char* name, const MaskTensor& mask, const Sizes& sizes) {
  if (!mask.is_present()) return true;
  if (!rules.tensor(name, mask, 1)) return false;
  const Tensor full = tensor_of({sizes.batch, sizes.heads, sizes.q_len, sizes.k_len});
  for (std::size_t axis = 0; axis < size(mask.rank); ++axis) {
    const double dim = mask.from_last(axis);
    if (dim != 1 && dim != full.from_last(axis)) {
      return rules.fail(
          "$ has dims @ but must broadcast, aligned to the right, to batch × heads × q_len × k_len "
          "= @",
          name, mask, full);
    }
  }
  return true;
}

}  // namespace

// At rank 4 the head counts come from the shapes, at lower ranks from options.
bool AttentionTensors::check_head_counts(Rules& rules) {
  if (!rules.whole_option("heads", heads_option, 1) ||
      !rules.whole_option("kvHeads", kv_heads_option, 1)) {
    return false;
  }
  if (query.rank == 4) {
    heads = query.dims[1];
    kv_heads = key.dims[1];
    if (!rules.heads_match("heads", heads_option, "query", query) ||
        !rules.heads_match("kvHeads", kv_heads_option, "key", key)) {
      return false;
    }
  } else {
    heads = heads_option.value_or(1);
    kv_heads = kv_heads_option.value_or(heads);
  }
  return rules.heads_divide(heads, kv_heads);
}

bool AttentionTensors::check_query_and_key(Rules& rules) {
  if (!rules.same_rank("key", key, "query", query)) return false;
  if (value.is_present() && !rules.same_rank("value", value, "query", query)) return false;
  if (!check_head_counts(rules)) return false;
  const bool packed = query.rank < 4;
  const double in_row = packed ? double{heads} : 1;
  const double kv_in_row = packed ? double{kv_heads} : 1;
  if (!splits_into(rules, "query", query, "heads", in_row, "d_k")) return false;
  key_dim = query.last() / in_row;
  if (key_dim == 0) {
    return rules.fail("query has dims @: d_k must be at least 1", query);
  }
  if (key.last() != kv_in_row * key_dim) {
    if (!packed) {
      return rules.fail("key has dims @ but query has @: the last axes must both be d_k = #", key,
                        query, key_dim);
    }
    if (in_row == kv_in_row) {
      return rules.fail("key has dims @ but query has @: the last axes must both be $", key, query,
                        head_product("heads", in_row, "d_k", key_dim));
    }
    return rules.fail("key has dims @ but query has @: the last axis of key must be $", key, query,
                      head_product("kvHeads", kv_in_row, "d_k", key_dim));
  }
  if (!rules.same_batch("key", key, "query", query)) return false;
  batch = query.batch();
  q_len = query.length();
  k_len = key.length();
  return true;
}

bool AttentionTensors::check_query_key_value(Rules& rules) {
  return rules.tensor("query", query, 2) && rules.tensor("key", key, 2) &&
         rules.tensor("value", value, 2) && check_query_and_key(rules) &&
         check_value(rules, "key", key);
}

bool AttentionTensors::check_value(Rules& rules, const char* other_name, const Tensor& other) {
  const bool packed = value.rank < 4;
  const double in_row = packed ? double{kv_heads} : 1;
  if (!rules.same_batch("value", value, other_name, other)) return false;
  if (!packed && value.dims[1] != kv_heads) {
    return rules.fail("value has dims @ but key has @: the second axes must both be kvHeads", value,
                      key);
  }
  if (value.length() != k_len) {
    return rules.fail(
        "value has dims @ but $ has @: there must be as many values as keys, k_len = #", value,
        other_name, other, k_len);
  }
  if (!splits_into(rules, "value", value, "kvHeads", in_row, "d_v")) return false;
  value_dim = value.last() / in_row;
  return true;
}

void AttentionTensors::take_matrix_sizes() {
  batch = matrix.rank == 4 ? matrix.dims[0] : 1;
  heads = matrix.rank >= 3 ? matrix.from_last(2) : 1;
  kv_heads = heads;
  q_len = matrix.from_last(1);
  k_len = matrix.last();
}

void AttentionTensors::set_output(Rules& rules, double rank) {
  if (rank == 4) {
    rules.set_result(output, tensor_of({batch, heads, q_len, value_dim}));
  } else if (rank == 3) {
    rules.set_result(output, tensor_of({batch, q_len, heads * value_dim}));
  } else {
    rules.set_result(output, tensor_of({q_len, heads * value_dim}));
  }
}

void AttentionTensors::set_requested_results(Rules& rules) {
  calls::set_requested_results(rules, *this, *this, query.rank, heads_option.is_present(), *this);
}

bool check_score_options(Rules& rules, const Options& options, const Sizes& sizes, bool cached) {
  return rules.finite_option("scale", options.scale) &&
         rules.positive_option("softcap", options.softcap) &&
         per_head(rules, "slopes", options.slopes, sizes.heads, false) &&
         (!options.slopes.is_present() || has_offset(rules, "slopes", options, sizes, cached));
}

bool check_key_lengths(Rules& rules, const char* name, const List& list, const Sizes& sizes) {
  if (!whole_per_entry(rules, name, list, sizes.batch)) return false;
  double index = 0;
  for (const double length : numbers(list)) {
    if (length < 0 || length > sizes.k_len) {
      return rules.fail("$[#] is # but must be from 0 to k_len = #", name, index, length,
                        sizes.k_len);
    }
    ++index;
  }
  return true;
}

bool check_visibility(Rules& rules, const Options& options, const Sizes& sizes, bool cached,
                      const VisibilityNames& names) {
  if (options.offset.is_present() && !is_whole(options.offset.value)) {
    return rules.fail("offset is # but must be a whole number", options.offset.value);
  }
  return (options.causal == 0 || has_offset(rules, "causal", options, sizes, cached)) &&
         (options.window == 0 || has_offset(rules, "window", options, sizes, cached)) &&
         window_side(rules, "left", options.window_left) &&
         window_side(rules, "right", options.window_right) &&
         whole_per_entry(rules, "offset", options.offsets, sizes.batch) &&
         check_key_lengths(rules, names.key_lengths, options.key_lengths, sizes) &&
         check_mask(rules, names.mask, options.mask, sizes);
}

bool check_sinks(Rules& rules, const Options& options, const Sizes& sizes) {
  return per_head(rules, "sinks", options.sinks, sizes.heads, true);
}

bool check_attention_options(Rules& rules, const Options& options, const Sizes& sizes, bool cached,
                             const VisibilityNames& names) {
  return check_score_options(rules, options, sizes, cached) &&
         check_visibility(rules, options, sizes, cached, names) &&
         check_sinks(rules, options, sizes);
}

bool check_cached_offset(Rules& rules, const Options& options, const KeyValueCache& cache,
                         double q_len) {
  if (!options.offset.is_present() && !options.offsets.is_present()) return true;
  return rules.fail("offset is given but the cache supplies its own, #",
                    static_cast<double>(cache.length) - q_len);
}

void set_requested_results(Rules& rules, const Options& options, const Sizes& sizes, double rank,
                           bool heads_named, RequestedResults& requested) {
  const auto rows_of = [&](bool per_head) {
    if (rank > 2) {
      return per_head ? tensor_of({sizes.batch, sizes.heads, sizes.q_len})
                      : tensor_of({sizes.batch, sizes.q_len});
    }
    return per_head && heads_named ? tensor_of({sizes.heads, sizes.q_len})
                                   : tensor_of({sizes.q_len});
  };
  const auto give_matrix = [&](Result& result, bool per_head) {
    Tensor matrix = rows_of(per_head);
    matrix.rank += 1;
    rules.set_result(result, with_width(matrix, sizes.k_len));
  };
  if (options.return_weights != 0) give_matrix(requested.weights, !options.averages());
  for (const Stage stage : {Stage::kRaw, Stage::kCapped, Stage::kBiased}) {
    if (options.returns(stage))
      give_matrix(requested.scores[static_cast<std::size_t>(stage)], true);
  }
  if (options.return_log_sum_exp != 0) rules.set_result(requested.log_sum_exp, rows_of(true));
}

}  // namespace attention::calls
