// A row of any length, four numbers at a time.
#pragma once

#include <algorithm>
#include <cstddef>

#include "kernels/simd/v128.h"

namespace attention::simd {

inline constexpr std::size_t kLanes = 4;

// row = change(row), vector by vector; the rest goes through a vector of its own.
template <class Change>
void for_each_vector(float* row, std::size_t count, Change change) {
  std::size_t j = 0;
  for (; j + kLanes <= count; j += kLanes) {
    wasm_v128_store(row + j, change(wasm_v128_load(row + j)));
  }
  if (j == count) return;
  float padded[kLanes] = {};
  std::copy(row + j, row + count, padded);
  wasm_v128_store(padded, change(wasm_v128_load(padded)));
  std::copy_n(padded, count - j, row + j);
}

}  // namespace attention::simd
