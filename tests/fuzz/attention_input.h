// A call of attend() made from the bytes of a fuzzer: shapes, layout, options and numbers, with
// NaNs, infinities and other bit patterns at places of the fuzzer's choice. The tensors lie in
// memory of exactly their size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "attention/scaled_dot_product.h"
#include "fuzz/oracle.h"

namespace fuzz {

// In memory of exactly their size, NaN until they are written.
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
  std::vector<std::size_t> appends;  // keys that go into a cache together
  std::size_t lone_row = 0;          // of the queries, to be computed by itself

 private:
  std::vector<std::unique_ptr<Numbers>> numbers_;
  std::vector<std::uint8_t> mask_bytes_;
  std::vector<double> offsets_, lengths_, slopes_, sinks_;
};

}  // namespace fuzz
