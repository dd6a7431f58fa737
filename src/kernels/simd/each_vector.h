// A row of any length, four numbers at a time.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/simd/v128.h"

namespace attention::simd {

inline constexpr std::size_t kLanes = 4;

// row = change(row), vector by vector. The remainder is one more vector, padded with zeros.
template <class Change>
void for_each_vector(float* row, std::size_t count, Change change) {
  const std::size_t rest = count % kLanes;
  float padded[kLanes] = {};
  std::copy(row + count - rest, row + count, padded);
  float* from = row;
  // Not unrolled, because that would duplicate change().
#pragma clang loop unroll(disable)
  for (std::size_t vectors = count / kLanes, pass = 0; pass < 2; ++pass) {
    for (; vectors > 0; --vectors, from += kLanes) {
      wasm_v128_store(from, change(wasm_v128_load(from)));
    }
    from = padded;
    vectors = 1;
  }
  std::copy_n(padded, rest, row + count - rest);
}

}  // namespace attention::simd
