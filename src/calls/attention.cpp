// The call attention(): over key and value tensors, or over a cache.
#include "attention/key_value_cache.h"
#include "calls/attention_record.h"
#include "calls/call.h"

namespace attention::calls {
namespace {

struct AttentionCall : AttentionTensors {
  double cache;  // address of a KeyValueCache; 0: use key and value

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("cache", cache);
  }

  bool check(Rules& rules) {
    const bool fits = cache == 0 ? check_query_key_value(rules) : check_query_of_cache(rules);
    if (!fits || !check_attention_options(rules, *this, *this, cache != 0)) return false;
    set_output(rules, query.rank);
    set_requested_results(rules);
    is_divisible = cache == 0 ? 1 : 0;
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const AttentionOptions options = attention_options(*this, block);
    if (cache != 0) {
      attend(kernels, query_view(block), object_at<const KeyValueCache>(cache), options,
             results(block), workspace);
    } else {
      attend(kernels, query_view(block), key_view(block), value_view(block), options,
             results(block), workspace);
    }
  }

 private:
  bool check_query_of_cache(Rules& rules) {
    const auto& kv_cache = object_at<const KeyValueCache>(cache);
    kv_heads = static_cast<double>(kv_cache.kv_heads);
    key_dim = static_cast<double>(kv_cache.key_dim);
    value_dim = static_cast<double>(kv_cache.value_dim);
    k_len = static_cast<double>(kv_cache.key_count());
    if (!rules.tensor("query", query, 2) || !rules.whole_option("heads", heads_option, 1)) {
      return false;
    }
    if (kv_heads_option.is_present() && kv_heads_option.value != kv_heads) {
      return rules.fail("kvHeads is # but the cache has #", kv_heads_option.value, kv_heads);
    }
    if (query.rank == 4) {
      heads = query.dims[1];
      if (!rules.heads_match("heads", heads_option, "query", query)) return false;
    } else {
      heads = heads_option.value_or(has_heads_axis() ? double{kv_heads} : 1);
    }
    if (!rules.heads_divide(heads, kv_heads)) return false;
    const double in_row = query.rank < 4 ? double{heads} : 1;
    if (query.last() != in_row * key_dim) {
      const std::string last =
          query.rank == 4 ? format("d_k")
                          : format("heads × d_k = # × # = #", in_row, key_dim, in_row * key_dim);
      return rules.fail(
          "query has dims @ but the cache has d_k = #: the last axis of query must be $", query,
          key_dim, last);
    }
    batch = query.batch();
    if (batch != static_cast<double>(kv_cache.batch)) {
      return rules.fail("query has dims @ but the cache has batch #", query,
                        static_cast<double>(kv_cache.batch));
    }
    q_len = query.length();
    return check_cached_offset(rules, *this, kv_cache, q_len);
  }

  // With several KV heads in the cache, results have a heads axis even if no heads option is set.
  bool has_heads_axis() const { return kv_heads > 1; }

  void set_requested_results(Rules& rules) {
    const bool named = heads_option.is_present() || (cache != 0 && has_heads_axis());
    calls::set_requested_results(rules, *this, *this, query.rank, named, *this);
  }
};

const Registration kAttentionCalls{
    entry<AttentionCall>("attention"),
};

}  // namespace
}  // namespace attention::calls
