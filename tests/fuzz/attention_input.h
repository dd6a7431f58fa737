// A call of attend() from fuzzer bytes: shapes, layout, options and numbers, with NaN, infinity and
// other bit patterns. Tensors are in memory of exactly their size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "attention/scaled_dot_product.h"
#include "fuzz/oracle.h"

namespace fuzz {

// Memory of exactly that size, filled with NaN.
struct Numbers {
  explicit Numbers(std::size_t count)
      : count(count), memory(count, std::numeric_limits<float>::quiet_NaN()) {}
  float* data() const { return const_cast<float*>(memory.data()); }

  std::size_t count;
  std::vector<float> memory;
};

struct AttentionInput {
  AttentionInput(const std::uint8_t* bytes, std::size_t count);

  attention::Heads<const float> query, key, value;
  attention::AttentionOptions options;
  Problem problem;                   // the same call, for the oracle
  std::vector<std::size_t> appends;  // numbers of keys per append()
  std::size_t lone_row = 0;          // index of a query that is also computed alone

 private:
  std::vector<std::unique_ptr<Numbers>> numbers_;
  std::vector<std::uint8_t> mask_bytes_;
  std::vector<double> offsets_, lengths_, slopes_, sinks_;
};

}  // namespace fuzz
