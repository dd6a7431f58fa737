// y = x·W + b, W: in × out, packed once and used many times, in the type of the weights.
//
// Construction:
//
//   const LinearShape shape{.in = 64, .out = 256, .bias = true};
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());   // 16-byte aligned
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
//   map.pack(simd_kernels(), {weight, 64, 256, 256}, bias);
//
// float16 and bfloat16 weights become float32 in each product: results have the bits of the same
// weights as float32. int8 weights w with scales t are multiplied as integers. For a row x:
//
//   m = max |x_k|   a_k = x_k · (8191 / m) rounded to an integer, ties to even
//   s_o = Σ_k a_k · w_ok, an exact int32 sum per 2,048 inputs, those sums added in float32
//   y_o = s_o · (m / 8191 · t_o) + b_o
//
// with every float32 operation rounded once, so results have the same bits everywhere. Against
// float64 with the same weights the RMS error is at most 3e-4 of the RMS output for normally
// distributed rows, and 2e-3 for rows with outliers. A row with m < 2^-100, infinite or NaN has the
// bits of the weights as float32. With scales of inputs, x_k · t_k takes the place of x_k, and t_o
// is 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/implementation.h"
#include "attention/matrix.h"
#include "attention/stored_matrix.h"
#include "attention/workspace.h"

namespace attention {

struct LinearShape {
  std::size_t in = 0;
  std::size_t out = 0;
  bool bias = false;
  NumberType type = NumberType::kFloat32;
  bool scaled_by_input = false;  // int8: a scale per input instead of per output
};

struct LinearMap {
  std::size_t in = 0;
  std::size_t out = 0;
  NumberType type = NumberType::kFloat32;
  bool scaled_by_input = false;
  std::byte* packed = nullptr;          // W as PackedMatrix describes it
  float* scales = nullptr;              // int8: out scales, or in scales, each kPanel times
  std::uint32_t* exceptions = nullptr;  // float16: bits of rows, as PackedMatrix describes them
  float* bias = nullptr;                // out numbers, or null

  // Allocates an uninitialized map.
  static LinearMap reserve(Workspace& memory, const LinearShape& shape);

  // weight: in × out, of the map's type; int8 needs scaled_by_input. bias_numbers: out, or none,
  // which is zeros.
  void pack(const Kernels& kernels, const StoredMatrix& weight,
            const float* bias_numbers = nullptr);
  // weight: out × in, as torch.nn.Linear has it.
  void pack_transposed(const Kernels& kernels, const StoredMatrix& weight,
                       const float* bias_numbers = nullptr);

  // Sets all weights and biases to 0, before fill().
  void clear();
  // Writes rows of out × in, from first_row on, and their biases; null leaves biases unchanged. The
  // map must have been cleared or packed.
  void fill(std::size_t first_row, const StoredMatrix& rows, const float* bias_numbers = nullptr);

  // x: rows × in, y: rows × out.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const;

  // The same with other biases, or with null for none.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y,
             const float* biases) const;

  // Row ids[i] of out × in becomes row i of to.
  void copy_rows(const Kernels& kernels, std::span<const double> ids, Matrix<float> to) const;

 private:
  void take_bias(const float* numbers);
};

}  // namespace attention
