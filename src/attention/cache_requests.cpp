// The rules of calls about a cache. What breaks one changes nothing.
#include "attention/cache_requests.h"

#include <algorithm>
#include <new>

#include "attention/rules.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

KeyValueCache& cache_at(double address) { return object_at<KeyValueCache>(address); }

class NewCacheRules : public Rules {
 public:
  bool check(NewCache& r) {
    if (!is_size("batch", r.batch, 0) || !is_size("kvHeads", r.kv_heads) ||
        !is_size("keyDim", r.key_dim) || !is_size("valueDim", r.value_dim) ||
        !is_size("capacity", r.capacity)) {
      return false;
    }
    const double tiles = std::ceil(r.capacity / kTileKeys) + 1;
    const double floats =
        r.batch * r.kv_heads * tiles * kTileKeys * (r.key_dim + r.value_dim + kPanel);
    if (floats * sizeof(float) <= kMaximumBytes) return true;
    return broken("a cache of ", r.capacity, " keys of ", r.batch, " × ", r.kv_heads, " × ",
                  r.key_dim, " needs more than the 4 GiB that WebAssembly can address");
  }

 private:
  bool is_size(std::string_view name, double number, double least = 1) {
    return is_count(name, number, least);
  }
};

KeyValueCache cache_of(const NewCache& r) {
  const auto size = [](double number) { return static_cast<std::size_t>(number); };
  KeyValueCache cache;
  cache.batch = size(r.batch);
  cache.kv_heads = size(r.kv_heads);
  cache.key_dim = size(r.key_dim);
  cache.value_dim = size(r.value_dim);
  cache.capacity = size(r.capacity);
  cache.sliding = r.sliding != 0;
  return cache;
}

constexpr std::uint64_t kHeaderBytes = (sizeof(KeyValueCache) + Workspace::kAlignment - 1) /
                                       Workspace::kAlignment * Workspace::kAlignment;

class AppendRules : public Rules {
 public:
  explicit AppendRules(AppendRequest& request) : r_(request) {}

  bool check() {
    return tensor("key", r_.key, 2) && tensor("value", r_.value, 2) &&
           same_rank("value", r_.value, "key", r_.key) &&
           fits("key", r_.key, "d_k", cache_.key_dim) &&
           fits("value", r_.value, "d_v", cache_.value_dim) && count();
  }

 private:
  static double rows(const TensorArgument& tensor) {
    return tensor.dims[tensor.rank == 3 ? 1 : static_cast<std::size_t>(tensor.rank) - 2];
  }

  bool fits(std::string_view name, const TensorArgument& tensor, std::string_view dim_name,
            std::size_t dim) {
    const auto batch = static_cast<double>(cache_.batch);
    const auto kv_heads = static_cast<double>(cache_.kv_heads);
    const auto d = static_cast<double>(dim);
    const double n = rows(tensor);
    const TensorArgument expected = tensor.rank == 4   ? tensor_of({batch, kv_heads, n, d})
                                    : tensor.rank == 3 ? tensor_of({batch, n, kv_heads * d})
                                                       : tensor_of({n, kv_heads * d});
    if (tensor.rank == 2 && batch != 1) {
      return broken(name, " has dims ", tensor, " but the cache has batch ", batch);
    }
    if (std::equal(tensor.dims, tensor.dims + static_cast<std::size_t>(tensor.rank),
                   expected.dims)) {
      return true;
    }
    return broken(name, " has dims ", tensor, " but the cache has batch ", batch, ", kvHeads ",
                  kv_heads, " and ", dim_name, " ", d, ": expected ", expected);
  }

  bool count() {
    r_.count = rows(r_.key);
    if (rows(r_.value) != r_.count) {
      return broken("value has dims ", r_.value, " but key has ", r_.key,
                    ": there must be as many values as keys");
    }
    if (cache_.has_room_for(static_cast<std::size_t>(r_.count))) return true;
    return broken("the cache holds ", static_cast<double>(cache_.length), " of ",
                  static_cast<double>(cache_.capacity), " keys: there is no room for ", r_.count,
                  " more");
  }

  AppendRequest& r_;
  const KeyValueCache& cache_ = cache_at(r_.cache);
};

class RewindRules : public Rules {
 public:
  bool check(const RewindRequest& r) {
    const KeyValueCache& cache = cache_at(r.cache);
    const auto first = static_cast<double>(cache.first);
    const auto length = static_cast<double>(cache.length);
    if (r.length == 0) return true;
    if (is_whole(r.length) && r.length >= first && r.length <= length) return true;
    return broken("length is ", r.length, " but must be a whole number from ", first, " to ",
                  length, first > 0 ? ": older keys have fallen out" : "");
  }
};

}  // namespace

std::string check(NewCache& request) {
  NewCacheRules rules;
  if (!rules.check(request)) return rules.problem();
  request.object_bytes = static_cast<double>(kHeaderBytes + cache_of(request).bytes());
  request.bytes = 0;
  return "";
}

void run(const NewCache& request) {
  KeyValueCache* cache = new (&cache_at(request.object)) KeyValueCache(cache_of(request));
  cache->place(reinterpret_cast<std::byte*>(cache) + kHeaderBytes);
}

std::string check(AppendRequest& request) {
  AppendRules rules(request);
  if (!rules.check()) return rules.problem();
  Layout layout(0);
  layout.place(request.key);
  layout.place(request.value);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const AppendRequest& request, void* block) {
  KeyValueCache& cache = cache_at(request.cache);
  const auto count = static_cast<std::size_t>(request.count);
  const auto heads = [&](const TensorArgument& tensor, std::size_t dim) {
    auto* data = reinterpret_cast<float*>(static_cast<std::byte*>(block) +
                                          static_cast<std::size_t>(tensor.place));
    return tensor.rank == 4
               ? Heads<float>::head_major(data, cache.batch, cache.kv_heads, count, dim)
               : Heads<float>::packed(data, cache.batch, cache.kv_heads, count, dim);
  };
  cache.append(kernels, heads(request.key, cache.key_dim), heads(request.value, cache.value_dim));
}

std::string check(RewindRequest& request) {
  RewindRules rules;
  request.bytes = 0;
  return rules.check(request) ? "" : rules.problem();
}

void run(const RewindRequest& request) {
  cache_at(request.cache).rewind(static_cast<std::size_t>(request.length));
}

std::string check(CacheState& request) {
  const KeyValueCache& cache = cache_at(request.cache);
  request.length = static_cast<double>(cache.length);
  request.kept = static_cast<double>(cache.kept());
  request.bytes = 0;
  return "";
}

}  // namespace attention
