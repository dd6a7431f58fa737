// A sequence is named in a sentence as its caller names it.
#include "calls/sequences.h"

namespace attention::calls {
namespace {

// Keys or values that come projected.
bool check_projected(Rules& rules, const char* name, const Tensor& tensor, const Tensor& x,
                     std::size_t width) {
  if (!rules.tensor(name, tensor, 2, 3) || !rules.same_rank(name, tensor, "x", x) ||
      !rules.same_batch(name, tensor, "x", x)) {
    return false;
  }
  const auto expected = static_cast<double>(width);
  if (tensor.last() == expected) return true;
  return rules.broken("$ has dims @ but must be rows of #", name, tensor, expected);
}

}  // namespace

bool check_sequence(Rules& rules, const char* name, const Tensor& tensor, std::size_t width,
                    const char* meaning) {
  return rules.tensor(name, tensor, 2, 3) &&
         rules.width_of_rows(name, tensor, static_cast<double>(width), meaning);
}

bool check_cache(Rules& rules, const MultiHeadAttention& layer, const KeyValueCache& cache,
                 double batch) {
  if (cache.kv_heads == layer.kv_heads && cache.key_dim == layer.key_dim &&
      cache.value_dim == layer.value_dim && static_cast<double>(cache.batch) == batch) {
    return true;
  }
  const auto numbers = [](double entries, std::size_t kv_heads, std::size_t key_dim,
                          std::size_t value_dim) {
    return sentence("batch #, kvHeads #, keyDim # and valueDim #", entries,
                    static_cast<double>(kv_heads), static_cast<double>(key_dim),
                    static_cast<double>(value_dim));
  };
  return rules.broken(
      "the cache has $ but must have $",
      numbers(static_cast<double>(cache.batch), cache.kv_heads, cache.key_dim, cache.value_dim),
      numbers(batch, layer.kv_heads, layer.key_dim, layer.value_dim));
}

bool check_context(Rules& rules, const MultiHeadAttention& layer, const Tensor& x,
                   const ContextFields& context, Sizes& sizes) {
  if (!check_sequence(rules, "x", x, layer.query.in, "model_dim")) return false;
  const Tensor& rows = context.rows.is_given() ? context.rows : x;
  if (context.projects()) {
    if (!context.rows.is_given()) {
      if (!check_sequence(rules, "x", x, layer.key.in, "that of the context, which x is here")) {
        return false;
      }
    } else if (!check_sequence(rules, context.name, rows, layer.key.in, "context_dim") ||
               !rules.same_rank(context.name, rows, "x", x) ||
               !rules.same_batch(context.name, rows, "x", x)) {
      return false;
    }
  }
  sizes.batch = x.batch();
  sizes.heads = static_cast<double>(layer.heads);
  sizes.kv_heads = static_cast<double>(layer.kv_heads);
  sizes.q_len = x.length();
  sizes.key_dim = static_cast<double>(layer.key_dim);
  sizes.value_dim = static_cast<double>(layer.value_dim);
  if (context.is_projected()) {
    if (!check_projected(rules, "key", context.key, x, layer.key.out) ||
        !check_projected(rules, "value", context.value, x, layer.value.out)) {
      return false;
    }
    sizes.k_len = context.key.length();
    if (context.value.length() == sizes.k_len) return true;
    return rules.broken(
        "value has dims @ but key has @: there must be as many values as keys, k_len = #",
        context.value, context.key, sizes.k_len);
  }
  if (context.cache == 0) {
    sizes.k_len = rows.length();
    return true;
  }
  const auto& cache = object_at<const KeyValueCache>(context.cache);
  const double appended = context.appends ? rows.length() : 0;
  if (!check_cache(rules, layer, cache, sizes.batch) || !rules.room_in(cache, appended)) {
    return false;
  }
  sizes.k_len = static_cast<double>(cache.with(size(appended)).key_count());
  return true;
}

Context context_view(const Tensor& x, const ContextFields& context, const Block& block) {
  Context view;
  if (context.is_projected()) {
    view.key = block.sequences(context.key);
    view.value = block.sequences(context.value);
    return view;
  }
  if (context.projects()) view.rows = block.sequences(context.rows.is_given() ? context.rows : x);
  if (context.cache != 0) view.cache = &object_at<KeyValueCache>(context.cache);
  return view;
}

}  // namespace attention::calls
