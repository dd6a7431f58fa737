// Memory that a caller lends: one block, of which parts are taken in order. Taking from no block
// only counts the bytes, so that what is needed is said once, by the code that uses it:
//
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
//
// A function that computes takes its scratch memory so, and where it is only counted does nothing
// else: of its views the sizes matter then, and which of them are given. with_scratch() does both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attention {

class Workspace {
 public:
  // Of the block, and of every part.
  static constexpr std::uint64_t kAlignment = 16;

  Workspace() = default;  // only counts
  explicit Workspace(void* block) : block_(static_cast<std::byte*>(block)), counts_(false) {}

  // Room for count numbers; null where bytes are only counted.
  template <class T>
  T* take(std::uint64_t count) {
    // Beyond any memory it does not matter how much it is, only that it does not wrap.
    constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 56;
    constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 62;
    const std::uint64_t start = used_;
    const std::uint64_t bytes = std::min(count, kLargestCount) * sizeof(T);
    used_ = std::min(start + (bytes + kAlignment - 1) / kAlignment * kAlignment, kLargestBlock);
    return counts_ ? nullptr : reinterpret_cast<T*>(block_ + start);
  }

  // For users that follow each other: each takes the memory that the one before has given back.
  template <class Use>
  void lend(Use use) {
    const std::uint64_t start = used_;
    use(*this);
    largest_ = used();
    used_ = start;
  }

  bool counts() const { return counts_; }
  std::uint64_t used() const { return std::max(used_, largest_); }

 private:
  std::byte* block_ = nullptr;
  bool counts_ = true;
  std::uint64_t used_ = 0;
  std::uint64_t largest_ = 0;  // at the end of what was lent
};

// Counts the scratch memory of compute(Workspace&), grows memory to it if need be, and computes.
template <class Compute>
void with_scratch(std::vector<std::byte>& memory, Compute compute) {
  Workspace counting;
  compute(counting);
  const auto bytes = static_cast<std::size_t>(counting.used());
  if (memory.size() < bytes) memory.resize(bytes);
  Workspace block(memory.data());
  compute(block);
}

}  // namespace attention
