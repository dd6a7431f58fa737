// attention(query, key, value), or over the keys and values of a cache.
#include "attention/key_value_cache.h"
#include "calls/attention_parts.h"
#include "calls/entries.h"

namespace attention::calls {

Heads<float> AttentionTensors::matrix_view(const Block& block) const {
  return Heads<float>::head_major(block.numbers(matrix), size(batch), size(heads), size(q_len),
                                  size(k_len));
}

AttentionResults AttentionTensors::results(const Block& block) const {
  AttentionResults results = attention_results(*this, *this, block);
  results.output = output_view(block);
  return results;
}

AttentionOptions attention_options(const Options& options, const Block& block) {
  const auto side = [](const Optional& side) {
    return side.is_given() ? static_cast<std::int64_t>(side.value) : Visibility::kUnbounded;
  };
  AttentionOptions meant;
  meant.scale = real(options.scale);
  meant.softcap = real(options.softcap.value_or(0));
  meant.slopes = numbers(options.slopes);
  meant.sinks = numbers(options.sinks);
  Visibility& visibility = meant.visibility;
  visibility.causal = options.causal != 0;
  visibility.window_left = side(options.window_left);
  visibility.window_right = side(options.window_right);
  visibility.offsets =
      options.offset.is_given() ? std::span(&options.offset.value, 1) : numbers(options.offsets);
  visibility.key_lengths = numbers(options.key_lengths);
  visibility.mask = block.mask(options.mask);
  return meant;
}

AttentionResults attention_results(const Options& options, const Kept& kept, const Block& block) {
  AttentionResults results;
  (options.averages() ? results.average_weights : results.weights) = block.numbers(kept.weights);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    results.scores[stage] = block.numbers(kept.scores[stage]);
  }
  results.log_sum_exp = block.numbers(kept.log_sum_exp);
  return results;
}

namespace {

struct AttentionCall : AttentionTensors {
  double cache;  // address of a KeyValueCache, instead of key and value

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("cache", cache);
  }

  bool check(Rules& rules) {
    const bool fits = cache == 0 ? check_query_key_value(rules) : check_query_of_cache(rules);
    if (!fits || !check_attention_options(rules, *this, *this, cache != 0)) return false;
    give_output(rules, query.rank);
    give_kept(rules);
    if (comes_in_parts()) {
      parts = batch * kv_heads;
      key.count /= parts;
      value.count /= parts;
    }
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    AttentionOptions options = attention_options(*this, block);
    if (cache != 0) {
      attend(kernels, query_view(block), object_at<const KeyValueCache>(cache), options,
             results(block), workspace);
      return;
    }
    Heads<float> keys = key_view(block);
    Heads<float> values = value_view(block);
    if (parts != 0) {
      options.group = size(part);
      for (Heads<float>* heads : {&keys, &values}) heads->batch_stride = heads->head_stride = 0;
    }
    attend(kernels, query_view(block), keys, values, options, results(block), workspace);
  }

 private:
  // Keys and values of one head after another, where those of one are many: they are then still in
  // a cache when they are read, and take the memory of one head.
  bool comes_in_parts() const {
    constexpr double kLeastNumbers = 32768;
    return cache == 0 && (query.rank == 4 || kv_heads == 1) && batch * kv_heads > 1 &&
           k_len * (key_dim + value_dim) >= kLeastNumbers && type_of(key) == NumberType::kFloat32 &&
           type_of(value) == NumberType::kFloat32;
  }

  bool check_query_of_cache(Rules& rules) {
    const auto& held = object_at<const KeyValueCache>(cache);
    kv_heads = static_cast<double>(held.kv_heads);
    key_dim = static_cast<double>(held.key_dim);
    value_dim = static_cast<double>(held.value_dim);
    k_len = static_cast<double>(held.key_count());
    if (!rules.tensor("query", query, 2) || !rules.whole_option("heads", heads_option, 1)) {
      return false;
    }
    if (kv_heads_option.is_given() && kv_heads_option.value != kv_heads) {
      return rules.broken("kvHeads is # but the cache has #", kv_heads_option.value, kv_heads);
    }
    if (query.rank == 4) {
      heads = query.dims[1];
      if (!rules.heads_of("heads", heads_option, "query", query)) return false;
    } else {
      heads = heads_option.value_or(names_heads() ? double{kv_heads} : 1);
    }
    if (!rules.shared_heads(heads, kv_heads)) return false;
    const double in_row = query.rank < 4 ? double{heads} : 1;
    if (query.last() != in_row * key_dim) {
      const std::string last =
          query.rank == 4 ? sentence("d_k")
                          : sentence("heads × d_k = # × # = #", in_row, key_dim, in_row * key_dim);
      return rules.broken(
          "query has dims @ but the cache has d_k = #: the last axis of query must be $", query,
          key_dim, last);
    }
    batch = query.batch();
    if (batch != static_cast<double>(held.batch)) {
      return rules.broken("query has dims @ but the cache has batch #", query,
                          static_cast<double>(held.batch));
    }
    q_len = query.length();
    return check_cached_offset(rules, *this, held, q_len);
  }

  // Several heads of a cache are named by it, and so have an axis in the results.
  bool names_heads() const { return kv_heads > 1; }

  void give_kept(Rules& rules) {
    const bool named = heads_option.is_given() || (cache != 0 && names_heads());
    calls::give_kept(rules, *this, *this, query.rank, named, *this);
  }
};

}  // namespace

constinit const Entry attention_call = entry<AttentionCall>("attention");

}  // namespace attention::calls
