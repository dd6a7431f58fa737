// Memory of exactly the requested size, so that a sanitizer detects overflows. The contents are
// arbitrary.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace attention::tests {

class ExactMemory {
 public:
  explicit ExactMemory(double bytes, std::byte held = std::byte{0xFF})
      : memory_(
            std::aligned_alloc(16, std::max<std::size_t>(16, static_cast<std::size_t>(bytes)))) {
    std::memset(memory_, static_cast<int>(held), static_cast<std::size_t>(bytes));
  }
  ~ExactMemory() { std::free(memory_); }
  ExactMemory(const ExactMemory&) = delete;
  ExactMemory& operator=(const ExactMemory&) = delete;

  std::byte* get() const { return static_cast<std::byte*>(memory_); }

 private:
  void* memory_;
};

}  // namespace attention::tests
