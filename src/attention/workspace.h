// Carves scratch memory out of one block, so that kernels and drivers never allocate. Carving from
// nothing only counts the bytes: what is needed is said once, by the code that uses it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attention {

class Workspace {
 public:
  static constexpr std::uint64_t kAlignment = 16;

  explicit Workspace(void* block = nullptr) : block_(static_cast<std::byte*>(block)) {}

  template <class T>
  T* take(std::uint64_t count) {
    const std::uint64_t place = used_;
    used_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    return block_ == nullptr ? nullptr : reinterpret_cast<T*>(block_ + place);
  }

  std::uint64_t used() const { return used_; }

 private:
  std::byte* block_;
  std::uint64_t used_ = 0;
};

}  // namespace attention
