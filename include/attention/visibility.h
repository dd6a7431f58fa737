// Visibility of keys to queries. Masking is control flow: an invisible key is never multiplied,
// added or compared, so its contents (including NaN and infinity) have no influence.
//
// Query i is at position p = offset + i, where offset is the number of keys before the first query:
//
//   causal, q_len 3, k_len 5      offset 0              offset 2 = k_len - q_len
//                               x . . . .                  x x x . .
//                               x x . . .                  x x x x .
//                               x x x . .                  x x x x x
//
// A key is visible if every option allows it. The range of existing keys is not part of the
// options: it comes from the key tensor or the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace attention {

// Keys first, first + 1, ..., last - 1; empty if first == last.
struct KeyRange {
  std::size_t first = 0;
  std::size_t last = 0;

  bool empty() const { return first == last; }
};

// A mask over batch × heads × q_len × k_len; a stride of 0 broadcasts it along that axis.
// At most one of the two pointers is set.
struct Mask {
  const std::uint8_t* allowed = nullptr;  // not 0 = may attend
  const float* bias = nullptr;            // added to the score; exactly -inf = may not attend
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t query_stride = 0;
  std::size_t key_stride = 0;

  bool is_set() const { return allowed != nullptr || bias != nullptr; }

  // column: 0 for the first existing key.
  std::size_t index(std::size_t batch, std::size_t head, std::size_t query,
                    std::size_t column) const {
    return batch * batch_stride + head * head_stride + query * query_stride + column * key_stride;
  }

  bool hides(std::size_t index) const {
    if (allowed != nullptr) return allowed[index] == 0;
    return bias != nullptr && bias[index] == -std::numeric_limits<float>::infinity();
  }
};

struct Visibility {
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

  bool causal = false;                     // key j is visible only if j <= p
  std::int64_t window_left = kUnbounded;   // key j is visible only if j >= p - left
  std::int64_t window_right = kUnbounded;  // key j is visible only if j <= p + right
  // Integers: empty, one for all batch entries, or one each. Empty means 0, or with a cache the
  // offset at which the last query is at the newest key.
  std::span<const double> offsets = {};
  bool same_position = false;  // all queries have the position of the first
  // Number of existing keys that are visible: empty (all), or one integer per batch entry.
  std::span<const double> key_lengths = {};
  Mask mask = {};

  // True if, apart from the mask, the same keys are visible to all queries of a batch entry.
  bool is_uniform() const {
    return same_position || (!causal && window_left == kUnbounded && window_right == kUnbounded);
  }

  // The position p of a query.
  std::int64_t position(std::size_t batch, std::size_t query) const;

  // `existing` below is the range of positions that have keys; in a sliding cache it may start
  // above 0.

  // The keys visible apart from the mask.
  KeyRange keys(KeyRange existing, std::size_t batch, std::size_t query) const;

  // True if the mask allows any key in range, a subrange of keys(existing, batch, query).
  bool any(KeyRange existing, std::size_t batch, std::size_t head, std::size_t query,
           KeyRange range) const;

  // True if one key is visible to the query.
  bool is_visible(KeyRange existing, std::size_t batch, std::size_t head, std::size_t query,
                  std::size_t key) const;
};

}  // namespace attention
