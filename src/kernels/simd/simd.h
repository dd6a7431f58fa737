// The SIMD128 kernels, a file per kind. kernels/kernels.h documents each.
#pragma once

#include <cstddef>

#include "kernels/kernels.h"
#include "kernels/simd/v128.h"

namespace attention::simd {

void pack_keys(float* packed, Matrix<const float> keys);
void pack_rows(float* packed, Matrix<const float> rows);
bool pack_values(float* packed, Matrix<const float> values);

void integer_product(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                     const SumScales& scales);

// Those that multiply and add, and what they call.
inline namespace KERNEL_SET {

void dot_products(Matrix<float> scores, PackedRows queries, const float* packed_keys, float factor);
void distances(Matrix<float> scores, PackedRows queries, const float* packed_keys,
               Distance distance, float factor);
void accumulate_values(Matrix<float> output, const float* carry, TileWeights weights,
                       PackedValues values);

void score_row(float* scores, const float* query, Matrix<const float> keys, float factor);
void accumulate_row(float* output, float carry, const float* weights, Matrix<const float> values);

void soft_cap(float* row, std::size_t count, float cap);
void maximum(float* maxima, Matrix<const float> rows);
void exponentiate(float* sums, Matrix<float> rows, const float* shifts);
void scale(float* to, const float* from, std::size_t count, float factor);

void apply(float* row, std::size_t count, Function function);

void widen(float* to, const PackedNumbers& from, std::size_t count);
void add_few_rows(Matrix<float> y, Matrix<const float> x, const PackedMatrix& w, float* scratch);

std::uint32_t largest_bits(const float* x, std::size_t count);
void quantize(std::int16_t* to, const float* x, std::size_t count, float factor);
void quantize_weights(std::int8_t* to, const float* x, std::size_t count, float factor);

#ifdef ATTENTION_FUSED
// True if add_dots() takes all bytes of its second operand as unsigned and saturates no sums.
bool multiplies_unsigned_bytes();
void integer_rows(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                  const SumScales& scales);
#endif

}  // namespace KERNEL_SET
}  // namespace attention::simd
