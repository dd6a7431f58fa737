// The list of the fused kernels.
#include "kernels/simd/fused.h"

#include "kernels/simd/simd.h"

namespace attention {

#ifdef __wasm_relaxed_simd__
[[clang::export_name("fuse")]]
#endif
void fuse(Kernels& kernels) {
  kernels.name = "fused";
  kernels.dot_products = simd::dot_products;
  kernels.distances = simd::distances;
  kernels.accumulate_values = simd::accumulate_values;
  kernels.score_row = simd::score_row;
  kernels.accumulate_row = simd::accumulate_row;
  kernels.soft_cap = simd::soft_cap;
  kernels.exponentiate = simd::exponentiate;
  kernels.apply = simd::apply;
  kernels.add_few_rows = simd::add_few_rows;
  // With AVX-VNNI. Where sums of two products saturate, the sum of four takes three instructions,
  // and longer than products of int16.
  if (simd::multiplies_unsigned_bytes()) kernels.integer_rows = simd::integer_rows;
}

}  // namespace attention
