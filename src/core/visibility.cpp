// Visibility as ranges, which tiles use, and as a predicate, which defines it.
#include "attention/visibility.h"

#include <algorithm>

namespace attention {

std::int64_t Visibility::position(std::size_t batch, std::size_t query) const {
  const auto i = static_cast<std::int64_t>(same_position ? 0 : query);
  if (offsets.empty()) return i;
  return i + static_cast<std::int64_t>(offsets.size() == 1 ? offsets[0] : offsets[batch]);
}

KeyRange Visibility::keys(KeyRange existing, std::size_t batch, std::size_t query) const {
  auto first = static_cast<std::int64_t>(existing.first);
  auto last = static_cast<std::int64_t>(existing.last);
  if (!key_lengths.empty()) last = first + static_cast<std::int64_t>(key_lengths[batch]);
  const std::int64_t p = position(batch, query);
  if (causal) last = std::min(last, p + 1);
  if (window_left != kUnbounded) first = std::max(first, p - window_left);
  if (window_right != kUnbounded) last = std::min(last, p + window_right + 1);
  if (first >= last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

bool Visibility::any(KeyRange existing, std::size_t batch, std::size_t head, std::size_t query,
                     KeyRange range) const {
  if (!mask.is_set()) return !range.empty();
  for (std::size_t key = range.first; key < range.last; ++key) {
    if (!mask.hides(mask.index(batch, head, query, key - existing.first))) return true;
  }
  return false;
}

bool Visibility::is_visible(KeyRange existing, std::size_t batch, std::size_t head,
                            std::size_t query, std::size_t key) const {
  const KeyRange range = keys(existing, batch, query);
  return key >= range.first && key < range.last &&
         !mask.hides(mask.index(batch, head, query, key - existing.first));
}

}  // namespace attention
