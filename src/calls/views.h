// Conversion of record fields, which are doubles, to the types of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>

#include "attention/matrix.h"
#include "attention/visibility.h"
#include "attention/workspace.h"
#include "calls/record.h"
#include "calls/widen.h"

namespace attention::calls {

inline std::size_t size(double number) { return static_cast<std::size_t>(number); }

// The object at an address from a record.
template <class T>
T& object_at(double address) {
  return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

// Constructs an object at an address, followed by the memory that Object::reserve() allocates.
template <class Object, class Shape>
Object& make_at(double address, const Shape& shape) {
  Workspace memory(&object_at<Object>(address));
  auto* object = memory.take<Object>(1);
  return *new (object) Object(Object::reserve(memory, shape));
}

template <class Object, class Shape>
double bytes_of(const Shape& shape) {
  Workspace counting;
  counting.take<Object>(1);
  Object::reserve(counting, shape);
  return static_cast<double>(counting.used());
}

inline double address_of(const void* object) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(object));
}

// The enum value of a number in a record.
template <class Enum>
Enum value_of(double number) {
  return static_cast<Enum>(static_cast<int>(number));
}

inline float real(double number) { return static_cast<float>(number); }

inline std::optional<float> real(const Optional& option) {
  return option.is_present() ? std::optional(real(option.value)) : std::nullopt;
}

// Views of the tensors in a block. If a Workspace only counts, the block has no memory and only
// sizes and null pointers of views are used.
class Block {
 public:
  explicit Block(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  // Null if the tensor is absent.
  float* numbers(const Tensor& tensor) const {
    return tensor.is_present() ? static_cast<float*>(at(tensor.byte_offset)) : nullptr;
  }

  // A weight matrix in its stored type.
  StoredMatrix stored(const WeightTensor& matrix) const {
    StoredMatrix view;
    view.rows = size(matrix.dims[0]);
    view.cols = size(matrix.dims[1]);
    view.data = static_cast<const std::byte*>(at(matrix.byte_offset));
    view.type = type_of(matrix);
    view.stride = view.cols * bytes_each(view.type);
    if (view.type == NumberType::kInt8) {
      view.scales = view.data;
      view.data += sizeof(float);
      view.scale_stride = view.stride += sizeof(float);
    }
    return view;
  }

  // All axes but the last, joined as rows.
  Matrix<float> rows(const Tensor& tensor) const {
    const std::size_t cols = size(tensor.last());
    const std::size_t rows = cols == 0 ? 0 : size(tensor.count) / cols;
    return {numbers(tensor), rows, cols, cols};
  }

  // tensor: [batch ×] rows × cols; empty if absent.
  Sequences<float> sequences(const Tensor& tensor) const {
    if (!tensor.is_present()) return {};
    return {numbers(tensor), size(tensor.batch()), size(tensor.length()), size(tensor.last())};
  }

  // tensor: batch × heads × rows × dim, or [batch ×] rows × heads·dim with the number of heads as
  // argument.
  Heads<float> heads(const Tensor& tensor, double heads) const {
    const std::size_t rows = size(tensor.length());
    if (tensor.rank == 4) {
      return Heads<float>::head_major(numbers(tensor), size(tensor.dims[0]), size(tensor.dims[1]),
                                      rows, size(tensor.last()));
    }
    const std::size_t dim = heads == 0 ? 0 : size(tensor.last() / heads);
    return Heads<float>::packed(numbers(tensor), size(tensor.batch()), size(heads), rows, dim);
  }

  // Broadcasts like NumPy: axes are aligned to the right; missing axes and axes of 1 are repeated.
  Mask mask(const MaskTensor& tensor) const {
    Mask mask;
    if (!tensor.is_present()) return mask;
    if (tensor.additive != 0) {
      mask.bias = numbers(tensor);
    } else {
      mask.allowed = static_cast<const std::uint8_t*>(at(tensor.byte_offset));
    }
    std::size_t* const strides[] = {&mask.key_stride, &mask.query_stride, &mask.head_stride,
                                    &mask.batch_stride};
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < size(tensor.rank); ++axis) {
      const std::size_t dim = size(tensor.from_last(axis));
      *strides[axis] = dim == 1 ? 0 : stride;
      stride *= dim;
    }
    return mask;
  }

 private:
  void* at(double byte_offset) const { return memory_ + size(byte_offset); }

  std::byte* memory_;
};

}  // namespace attention::calls
