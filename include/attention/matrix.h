// Views of row-major numbers. A view owns no memory and copies nothing: a head of a packed tensor
// is a column range of the same memory.
#pragma once

#include <cstddef>

namespace attention {

// rows × cols numbers, row i starting at data + i·stride.
template <class T>
struct Matrix {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  T* row(std::size_t i) const { return data + i * stride; }

  Matrix block(std::size_t first_row, std::size_t row_count) const {
    return {row(first_row), row_count, cols, stride};
  }

  operator Matrix<const T>() const { return {data, rows, cols, stride}; }
};

// batch × heads × rows × cols numbers, stored head-major (batch × heads × rows × cols) or packed
// (batch × rows × heads·cols).
template <class T>
struct Heads {
  T* data = nullptr;
  std::size_t batch = 0;
  std::size_t heads = 0;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t batch_stride = 0;
  std::size_t head_stride = 0;
  std::size_t row_stride = 0;

  static Heads head_major(T* data, std::size_t batch, std::size_t heads, std::size_t rows,
                          std::size_t cols) {
    return {data, batch, heads, rows, cols, heads * rows * cols, rows * cols, cols};
  }

  static Heads packed(T* data, std::size_t batch, std::size_t heads, std::size_t rows,
                      std::size_t cols) {
    return {data, batch, heads, rows, cols, rows * heads * cols, cols, heads * cols};
  }

  Matrix<T> at(std::size_t batch_entry, std::size_t head) const {
    return {data + batch_entry * batch_stride + head * head_stride, rows, cols, row_stride};
  }

  operator Heads<const T>() const {
    return {data, batch, heads, rows, cols, batch_stride, head_stride, row_stride};
  }
};

// batch × rows × cols contiguous numbers: one vector per token of each sequence.
template <class T>
struct Sequences {
  T* data = nullptr;
  std::size_t batch = 0;
  std::size_t rows = 0;
  std::size_t cols = 0;

  // All sequences as one matrix of batch · rows rows.
  Matrix<T> all() const { return {data, batch * rows, cols, cols}; }

  // Splits every row into heads of cols / heads numbers.
  Heads<T> split(std::size_t heads) const {
    return Heads<T>::packed(data, batch, heads, rows, heads == 0 ? 0 : cols / heads);
  }

  operator Sequences<const T>() const { return {data, batch, rows, cols}; }
};

}  // namespace attention
