// Which keys a query may see. Masking is control flow: an invisible key is never multiplied, added
// or compared, so whatever it holds (NaN and infinities included) has no influence.
//
// Query i sits at position p = offset + i, offset being the number of keys before the first query:
//
//   causal, q_len 3, k_len 5      offset 0              offset 2 = k_len - q_len
//                               x . . . .                  x x x . .
//                               x x . . .                  x x x x .
//                               x x x . .                  x x x x x
//
// Everything given composes by intersection. Which keys there are at all is not said here: it
// follows from the keys, or from the cache that holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace attention {

// Keys first, first + 1, ..., last - 1; none if first == last.
struct KeyRange {
  std::size_t first = 0;
  std::size_t last = 0;

  bool empty() const { return first == last; }
};

// A mask over batch × heads × q_len × k_len; a stride of 0 repeats the mask along that axis.
// At most one of the two pointers is set.
struct Mask {
  const std::uint8_t* allowed = nullptr;  // not 0 = may attend
  const float* bias = nullptr;            // added to the score; exactly -inf = may not attend
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t query_stride = 0;
  std::size_t key_stride = 0;

  bool given() const { return allowed != nullptr || bias != nullptr; }

  // column: 0 for the first key that there is.
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
  // Whole numbers: none, one, or one per batch entry. None is 0, and with a cache what makes the
  // queries the newest.
  std::span<const double> offsets = {};
  std::size_t first_query = 0;  // that of queries 0, 1, ... where these are some of more
  bool together = false;        // all queries are at the position of the first
  // Of the keys that there are: none (all), or one per batch entry.
  std::span<const double> key_lengths = {};
  Mask mask = {};

  // Whether all queries of a batch entry see the same keys, the mask aside.
  bool is_alike() const {
    return together || (!causal && window_left == kUnbounded && window_right == kUnbounded);
  }

  // The position p of a query.
  std::int64_t position(std::size_t batch, std::size_t query) const;

  // Below, `existing` are the keys that there are, by position; a sliding cache has let go of those
  // before.

  // The keys that everything but the mask lets through.
  KeyRange keys(KeyRange existing, std::size_t batch, std::size_t query) const;

  // Whether anything in range, a part of keys(existing, batch, query), passes the mask as well.
  bool any(KeyRange existing, std::size_t batch, std::size_t head, std::size_t query,
           KeyRange range) const;

  // The definition, one key at a time.
  bool sees(KeyRange existing, std::size_t batch, std::size_t head, std::size_t query,
            std::size_t key) const;
};

}  // namespace attention
