// A bump allocator over memory of the caller. Without memory it only counts bytes, so the same code
// computes the required size and uses the memory:
//
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
//
// Functions with a Workspace parameter allocate scratch memory from it. If counts() is true they
// only count and compute nothing; they then use the sizes of views and whether pointers are null.
// with_scratch() makes both calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace attention {

class Workspace {
 public:
  // Alignment in bytes of the block and of every allocation.
  static constexpr std::uint64_t kAlignment = 16;

  Workspace() = default;  // only counts
  explicit Workspace(void* block) : block_(static_cast<std::byte*>(block)), counts_(false) {}

  // Allocates count uninitialized objects; null if only counting.
  template <class T>
  T* take(std::uint64_t count) {
    // Sizes beyond any memory are clamped so that sums do not overflow.
    constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 56;
    constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 62;
    const std::uint64_t start = used_;
    const std::uint64_t bytes = std::min(count, kLargestCount) * sizeof(T);
    used_ = std::min(start + (bytes + kAlignment - 1) / kAlignment * kAlignment, kLargestBlock);
    return counts_ ? nullptr : reinterpret_cast<T*>(block_ + start);
  }

  // Calls use(*this), then releases what it allocated, for reuse by the next call.
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
  std::uint64_t largest_ = 0;  // peak of used_ inside lend()
};

// Calls compute(Workspace&) twice: to count its scratch memory, growing `memory` if necessary, and
// to compute.
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
