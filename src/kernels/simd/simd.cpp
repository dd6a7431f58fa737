// The list of the SIMD128 kernels.
#include "kernels/simd/simd.h"

namespace attention {
namespace {

constexpr Kernels kSimd{"simd",
                        simd::pack_keys,
                        simd::pack_rows,
                        simd::pack_values,
                        simd::dot_products,
                        simd::distances,
                        simd::accumulate_values,
                        simd::accumulate_values,
                        simd::score_row,
                        simd::accumulate_row,
                        simd::soft_cap,
                        simd::maximum,
                        simd::exponentiate,
                        simd::scale,
                        simd::apply,
                        simd::widen,
                        simd::add_few_rows,
                        simd::largest_bits,
                        simd::quantize,
                        simd::quantize_weights,
                        simd::integer_product,
                        simd::integer_product};

}  // namespace

const Kernels& simd_kernels() { return kSimd; }

}  // namespace attention
