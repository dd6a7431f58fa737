// Rules and views of sequences and contexts.
#include "calls/sequences.h"

namespace attention::calls {
namespace {

// Rules of the sequence that the layer projects.
bool check_rows(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context) {
  if (!context.rows.is_present()) {
    return check_sequence(rules, "x", context.x, layer.key.in,
                          "that of the context, which x is here");
  }
  return check_sequence(rules, context.name, context.rows, layer.key.in, "context_dim") &&
         rules.same_rank(context.name, context.rows, "x", context.x) &&
         rules.same_batch(context.name, context.rows, "x", context.x);
}

bool check_projected(Rules& rules, const char* name, const Tensor& tensor, const Tensor& x,
                     std::size_t width) {
  if (!rules.tensor(name, tensor, 2, 3) || !rules.same_rank(name, tensor, "x", x) ||
      !rules.same_batch(name, tensor, "x", x)) {
    return false;
  }
  const auto expected = static_cast<double>(width);
  if (tensor.last() == expected) return true;
  return rules.fail("$ has dims @ but must be rows of #", name, tensor, expected);
}

// Rules of projected keys and values.
bool check_projected(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context) {
  const Tensor& key = context.key;
  const Tensor& value = context.value;
  if (!check_projected(rules, "key", key, context.x, layer.key.out) ||
      !check_projected(rules, "value", value, context.x, layer.value.out)) {
    return false;
  }
  if (value.length() == key.length()) return true;
  return rules.fail(
      "value has dims @ but key has @: there must be as many values as keys, k_len = #", value, key,
      key.length());
}

KeyValueCache cache_after(const ContextFields& context) {
  return object_at<const KeyValueCache>(context.cache).after_append(size(context.appended_keys()));
}

}  // namespace

bool check_sequence(Rules& rules, const char* name, const Tensor& tensor, std::size_t width,
                    const char* meaning) {
  return rules.tensor(name, tensor, 2, 3) &&
         rules.row_width(name, tensor, static_cast<double>(width), meaning);
}

bool check_cache(Rules& rules, const MultiHeadAttention& layer, const KeyValueCache& cache,
                 double batch) {
  if (layer.position_vectors.query.cols != 0) {
    return rules.fail(
        "a layer with positionQuery takes no cache: each call compares its keys with the vectors");
  }
  if (cache.kv_heads == layer.kv_heads && cache.key_dim == layer.key_dim &&
      cache.value_dim == layer.value_dim && static_cast<double>(cache.batch) == batch) {
    return true;
  }
  const auto numbers = [](double entries, std::size_t kv_heads, std::size_t key_dim,
                          std::size_t value_dim) {
    return format("batch #, kvHeads #, keyDim # and valueDim #", entries,
                  static_cast<double>(kv_heads), static_cast<double>(key_dim),
                  static_cast<double>(value_dim));
  };
  return rules.fail(
      "the cache has $ but must have $",
      numbers(static_cast<double>(cache.batch), cache.kv_heads, cache.key_dim, cache.value_dim),
      numbers(batch, layer.kv_heads, layer.key_dim, layer.value_dim));
}

bool check_context(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context,
                   Sizes& sizes) {
  const Tensor& x = context.x;
  if (!check_sequence(rules, "x", x, layer.query.in, "model_dim")) return false;
  if (context.projects() && !check_rows(rules, layer, context)) return false;
  sizes.batch = x.batch();
  sizes.heads = static_cast<double>(layer.heads);
  sizes.kv_heads = static_cast<double>(layer.kv_heads);
  sizes.q_len = x.length();
  sizes.key_dim = static_cast<double>(layer.key_dim);
  sizes.value_dim = static_cast<double>(layer.value_dim);
  if (context.is_projected()) {
    if (!check_projected(rules, layer, context)) return false;
    sizes.k_len = context.key.length();
  } else if (context.cache != 0) {
    const auto& cache = object_at<const KeyValueCache>(context.cache);
    if (!check_cache(rules, layer, cache, sizes.batch) ||
        !rules.has_room(cache, context.appended_keys())) {
      return false;
    }
    sizes.k_len = static_cast<double>(cache_after(context).key_count());
  } else {
    sizes.k_len = context.rows_or_x().length();
  }
  return true;
}

bool check_attention(Rules& rules, const MultiHeadAttention& layer, const ContextFields& context,
                     const Options& options, Sizes& sizes, const VisibilityNames& names) {
  if (!check_context(rules, layer, context, sizes)) return false;
  const bool cached = context.cache != 0;
  if (cached && !check_cached_offset(rules, options, cache_after(context), sizes.q_len)) {
    return false;
  }
  return check_attention_options(rules, options, sizes, cached, names);
}

void set_projections(Rules& rules, const Sizes& sizes, double rank, Result& queries, Result& keys,
                     Result& values) {
  const auto set = [&](Result& result, double heads, double rows, double dim) {
    rules.set_result(result, rank == 3 ? tensor_of({sizes.batch, heads, rows, dim})
                                       : tensor_of({heads, rows, dim}));
  };
  set(queries, sizes.heads, sizes.q_len, sizes.key_dim);
  set(keys, sizes.kv_heads, sizes.k_len, sizes.key_dim);
  set(values, sizes.kv_heads, sizes.k_len, sizes.value_dim);
}

Context context_view(const ContextFields& context, const Block& block) {
  Context view;
  if (context.is_projected()) {
    view.key = block.sequences(context.key);
    view.value = block.sequences(context.value);
    return view;
  }
  if (context.projects()) view.rows = block.sequences(context.rows_or_x());
  if (context.cache != 0) view.cache = &object_at<KeyValueCache>(context.cache);
  return view;
}

}  // namespace attention::calls
