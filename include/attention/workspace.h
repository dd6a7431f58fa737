// Memory that a caller lends: one block, of which parts are taken in order. Taking from no block
// only counts the bytes, so that what is needed is said once, by the code that uses it:
//
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace attention {

class Workspace {
 public:
  // Of the block, and of every part.
  static constexpr std::uint64_t kAlignment = 16;

  explicit Workspace(void* block = nullptr) : block_(static_cast<std::byte*>(block)) {}

  // Room for count numbers; null where bytes are only counted.
  template <class T>
  T* take(std::uint64_t count) {
    // Beyond any memory it does not matter how much it is, only that it does not wrap.
    constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 56;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
    const std::uint64_t start = used_;
    const std::uint64_t bytes = std::min(count, kLargestCount) * sizeof(T);
    used_ = std::min(start + (bytes + kAlignment - 1) / kAlignment * kAlignment, kMost);
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + start);
  }

  std::uint64_t used() const { return used_; }

 private:
  std::byte* block_;
  std::uint64_t used_ = 0;
};

}  // namespace attention
