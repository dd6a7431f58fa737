// y = x·W + b, W: in × out, packed once and used for ever, its numbers as narrow as they came.
//
// How one is made:
//
//   const LinearShape shape{.in = 64, .out = 256, .bias = true};
//   Workspace counting;
//   LinearMap::reserve(counting, shape);
//   std::vector<std::byte> memory(counting.used());   // 16-byte aligned
//   Workspace block(memory.data());
//   LinearMap map = LinearMap::reserve(block, shape);
//   map.pack(simd_kernels(), {weight, 64, 256, 256}, bias);
//
// Narrow numbers become float32 when they are used, so every result has the bits that it would have
// of the same numbers as float32.
#pragma once

#include <cstddef>
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
  bool scaled_by_input = false;  // int8: a scale for each number of x instead of each of y
};

struct LinearMap {
  std::size_t in = 0;
  std::size_t out = 0;
  NumberType type = NumberType::kFloat32;
  bool scaled_by_input = false;
  std::byte* packed = nullptr;  // W as Kernels::pack_values lays it out, of this type
  float* scales = nullptr;      // int8: out of them, or each of in kPanel times
  float* bias = nullptr;        // out numbers, or null

  // A map whose numbers are still to be packed.
  static LinearMap reserve(Workspace& memory, const LinearShape& shape);

  // weight: in × out, of the map's type; int8 needs scaled_by_input. bias_numbers: out, or none,
  // which is zeros.
  void pack(const Kernels& kernels, const StoredMatrix& weight,
            const float* bias_numbers = nullptr);
  // weight: out × in, as torch.nn.Linear has it.
  void pack_transposed(const Kernels& kernels, const StoredMatrix& weight,
                       const float* bias_numbers = nullptr);

  // Zeros, for a map that is packed part by part.
  void clear();
  // Some rows of out × in, from first_row on, and their biases, or none, which leaves these as they
  // are. The rest must have been cleared or packed.
  void fill(std::size_t first_row, const StoredMatrix& rows, const float* bias_numbers = nullptr);

  // x: rows × in, y: rows × out.
  void apply(const Kernels& kernels, Matrix<const float> x, Matrix<float> y) const;

  // Row ids[i] of out × in becomes row i of to.
  void copy_rows(const Kernels& kernels, std::span<const double> ids, Matrix<float> to) const;

 private:
  void take_bias(const float* numbers);
};

}  // namespace attention
