// Calls that construct, append to, rewind, copy within and query a KeyValueCache. A rejected call
// leaves the cache unchanged.
#include "attention/key_value_cache.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "calls/call.h"
#include "kernels/kernels.h"

namespace attention::calls {
namespace {

// The KeyValueCache object precedes its tiles in memory.
constexpr std::uint64_t kHeaderBytes = (sizeof(KeyValueCache) + Workspace::kAlignment - 1) /
                                       Workspace::kAlignment * Workspace::kAlignment;

struct NewCacheCall : ConstructorCall {
  double batch, kv_heads, key_dim, value_dim, capacity, sliding;

  void fields(auto&& field) {
    ConstructorCall::fields(field);
    field("batch", batch, "kvHeads", kv_heads, "keyDim", key_dim, "valueDim", value_dim, "capacity",
          capacity, "sliding", sliding);
  }

  bool check(Rules& rules) {
    if (!(rules.count("batch", batch, 0) && rules.count("kvHeads", kv_heads, 1) &&
          rules.count("keyDim", key_dim, 1) && rules.count("valueDim", value_dim, 1) &&
          rules.count("capacity", capacity, 1))) {
      return false;
    }
    // Computed in doubles, which do not overflow.
    const double tiles = std::ceil(capacity / kTileKeys) + 1;
    const double floats = batch * kv_heads * tiles * kTileKeys * (key_dim + value_dim + kPanel);
    if (!can_be_addressed(floats * sizeof(float))) {
      return rules.fail(
          "a cache of # keys of # × # × # needs more than the 4 GiB that WebAssembly can address",
          capacity, batch, kv_heads, key_dim);
    }
    object_bytes = static_cast<double>(kHeaderBytes + empty().bytes());
    return true;
  }

  void run(const Kernels&, const Block&) const {
    auto* cache = new (&object_at<KeyValueCache>(object)) KeyValueCache(empty());
    cache->attach(reinterpret_cast<std::byte*>(cache) + kHeaderBytes);
  }

 private:
  KeyValueCache empty() const {
    KeyValueCache cache;
    cache.batch = size(batch);
    cache.kv_heads = size(kv_heads);
    cache.key_dim = size(key_dim);
    cache.value_dim = size(value_dim);
    cache.capacity = size(capacity);
    cache.sliding = sliding != 0;
    return cache;
  }
};

struct AppendCall : Call {
  double cache;
  Tensor key, value;  // layouts of attention()

  void fields(auto&& field) {
    Call::fields(field);
    field("cache", cache, "key", key, "value", value);
  }

  bool check(Rules& rules) {
    if (!(rules.tensor("key", key, 2) && rules.tensor("value", value, 2) &&
          rules.same_rank("value", value, "key", key) &&
          fits(rules, "key", key, "d_k", kv_cache().key_dim) &&
          fits(rules, "value", value, "d_v", kv_cache().value_dim))) {
      return false;
    }
    if (value.length() != key.length()) {
      return rules.fail("value has dims @ but key has @: there must be as many values as keys",
                        value, key);
    }
    return rules.has_room(kv_cache(), key.length());
  }

  void run(const Kernels& kernels, const Block& block) const {
    const auto kv_heads = static_cast<double>(kv_cache().kv_heads);
    kv_cache().append(kernels, block.heads(key, kv_heads), block.heads(value, kv_heads));
  }

 private:
  KeyValueCache& kv_cache() const { return object_at<KeyValueCache>(cache); }

  bool fits(Rules& rules, const char* name, const Tensor& tensor, const char* dim_name,
            std::size_t dim) const {
    const auto batch = static_cast<double>(kv_cache().batch);
    const auto kv_heads = static_cast<double>(kv_cache().kv_heads);
    const auto d = static_cast<double>(dim);
    const double n = tensor.length();
    const Tensor expected = tensor.rank == 4   ? tensor_of({batch, kv_heads, n, d})
                            : tensor.rank == 3 ? tensor_of({batch, n, kv_heads * d})
                                               : tensor_of({n, kv_heads * d});
    if (tensor.rank == 2 && batch != 1) {
      return rules.fail("$ has dims @ but the cache has batch #", name, tensor, batch);
    }
    if (std::equal(tensor.dims, tensor.dims + size(tensor.rank), expected.dims)) return true;
    return rules.fail("$ has dims @ but the cache has batch #, kvHeads # and $ #: expected @", name,
                      tensor, batch, kv_heads, dim_name, d, expected);
  }
};

// Removes all keys from position length on.
struct RewindCall : Call {
  double cache, length;

  void fields(auto&& field) {
    Call::fields(field);
    field("cache", cache, "length", length);
  }

  bool check(Rules& rules) {
    const auto& kv_cache = object_at<const KeyValueCache>(cache);
    const auto first = static_cast<double>(kv_cache.first);
    const auto last = static_cast<double>(kv_cache.length);
    if (length == 0 || (is_whole(length) && length >= first && length <= last)) return true;
    return rules.fail("length is # but must be a whole number from # to #$", length, first, last,
                      first > 0 ? ": older keys were evicted" : "");
  }

  void run(const Kernels&, const Block&) const {
    object_at<KeyValueCache>(cache).rewind(size(length));
  }
};

// Overwrites batch entry `to` with a copy of entry `from`.
struct CopyEntryCall : Call {
  double cache, from, to;

  void fields(auto&& field) {
    Call::fields(field);
    field("cache", cache, "from", from, "to", to);
  }

  bool check(Rules& rules) {
    const auto batch = static_cast<double>(object_at<const KeyValueCache>(cache).batch);
    const auto is_entry = [&](const char* name, double entry) {
      if (is_whole(entry) && entry >= 0 && entry < batch) return true;
      return rules.fail("$ is # but the cache has # batch entries, from 0 on", name, entry, batch);
    };
    return is_entry("from", from) && is_entry("to", to);
  }

  void run(const Kernels&, const Block&) const {
    object_at<KeyValueCache>(cache).copy_entry(size(from), size(to));
  }
};

struct CacheStateCall : Call {
  double cache;
  Fact length, key_count;

  void fields(auto&& field) {
    Call::fields(field);
    field("cache", cache, "length", length, "keyCount", key_count);
  }

  bool check(Rules&) {
    const auto& kv_cache = object_at<const KeyValueCache>(cache);
    length = static_cast<double>(kv_cache.length);
    key_count = static_cast<double>(kv_cache.key_count());
    return true;
  }

  void run(const Kernels&, const Block&) const {}
};

const Registration kKeyValueCacheCalls{
    entry<NewCacheCall>("newCache"),     entry<AppendCall>("append"),
    entry<RewindCall>("rewind"),         entry<CopyEntryCall>("copyEntry"),
    entry<CacheStateCall>("cacheState"),
};

}  // namespace
}  // namespace attention::calls
