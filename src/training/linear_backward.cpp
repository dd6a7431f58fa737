// Products of any number of rows, in blocks. W is packed again for each product: training changes
// it with every step.
#include "training/linear_backward.h"

#include <algorithm>

#include "core/product.h"
#include "core/tiles.h"
#include "kernels/gradient_kernels.h"
#include "training/add.h"

namespace attention {
namespace {

// Rows of x and dy that a block of dW = xᵀ·dy sums up.
constexpr std::size_t kBlockRows = 256;

PackedMatrix packed_matrix(const float* packed, std::size_t depth) {
  return {reinterpret_cast<const std::byte*>(packed), NumberType::kFloat32, depth};
}

void fill(Matrix<float> y, const float* row) {
  for (std::size_t i = 0; i < y.rows; ++i) {
    if (row != nullptr) {
      std::copy_n(row, y.cols, y.row(i));
    } else {
      std::fill_n(y.row(i), y.cols, 0.0F);
    }
  }
}

// sum += aᵀ·b. A block of both is packed, so that four columns of a and a panel of b stay in the
// first-level cache.
void add_transposed(const Kernels& kernels, Matrix<const float> a, Matrix<const float> b,
                    Matrix<float> sum, const LinearScratch& scratch) {
  for_each_block(a.rows, kBlockRows, [&](std::size_t first, std::size_t rows) {
    kernels.pack_values(scratch.columns, a.block(first, rows));
    kernels.pack_values(scratch.values, b.block(first, rows));
    for_each_block(a.cols, kRowPanel, [&](std::size_t column, std::size_t columns) {
      const float* packed = scratch.columns + column / kPanel * rows * kPanel + column % kPanel;
      gradient_kernels(kernels).add_transposed_product(sum.block(column, columns),
                                                       {packed, rows, columns, kPanel},
                                                       {scratch.values, rows * kPanel});
    });
  });
}

}  // namespace

LinearScratch::LinearScratch(Workspace& workspace, std::size_t largest_matrix, std::size_t widest)
    : packed(workspace.take<float>(largest_matrix)),
      values(workspace.take<float>(kBlockRows * round_up_to_panel(widest))),
      columns(workspace.take<float>(kBlockRows * round_up_to_panel(widest))) {}

void linear_forward(const Kernels& kernels, const LinearParameters& map, Matrix<const float> x,
                    Matrix<float> y, const LinearScratch& scratch) {
  kernels.pack_values(scratch.packed, map.weight.matrix());
  fill(y, map.bias.values);
  add_product(kernels, x, packed_matrix(scratch.packed, x.cols), y);
}

void linear_backward(const Kernels& kernels, const LinearParameters& map, Matrix<const float> x,
                     Matrix<const float> dy, Matrix<float> dx, const LinearScratch& scratch) {
  kernels.pack_keys(scratch.packed, map.weight.matrix());
  fill(dx, nullptr);
  add_product(kernels, dy, packed_matrix(scratch.packed, dy.cols), dx);
  add_transposed(kernels, x, dy, map.weight.gradient(), scratch);
  for (std::size_t i = 0; i < dy.rows; ++i) add(dy.row(i), dy.cols, map.bias.gradients);
}

void transposed_forward(const Kernels& kernels, const Parameter& weight, Matrix<const float> x,
                        Matrix<float> y, const LinearScratch& scratch) {
  kernels.pack_keys(scratch.packed, weight.matrix());
  fill(y, nullptr);
  add_product(kernels, x, packed_matrix(scratch.packed, x.cols), y);
}

void transposed_backward(const Kernels& kernels, const Parameter& weight, Matrix<const float> x,
                         Matrix<const float> dy, Matrix<float> dx, const LinearScratch& scratch) {
  kernels.pack_values(scratch.packed, weight.matrix());
  fill(dx, nullptr);
  add_product(kernels, dy, packed_matrix(scratch.packed, dy.cols), dx);
  add_transposed(kernels, dy, x, weight.gradient(), scratch);
}

}  // namespace attention
