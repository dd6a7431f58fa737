// From doubles to the library's types: the one place where a record is cast.
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

// The object at an address that a record holds.
template <class T>
T& object_at(double address) {
  return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

// An object at the beginning of its memory, before what it reserves there.
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

// A value of an enum, as its number was described.
template <class Enum>
Enum value_of(double number) {
  return static_cast<Enum>(static_cast<int>(number));
}

inline float real(double number) { return static_cast<float>(number); }

inline std::optional<float> real(const Optional& option) {
  return option.is_given() ? std::optional(real(option.value)) : std::nullopt;
}

// The views of a block's memory, which those who only count do not touch.
class Block {
 public:
  explicit Block(void* memory) : memory_(static_cast<std::byte*>(memory)) {}

  // Null for what is not given.
  float* numbers(const Tensor& tensor) const {
    return tensor.is_given() ? static_cast<float*>(at(tensor.place)) : nullptr;
  }

  // A matrix of numbers of whatever type.
  StoredMatrix stored(const WeightTensor& matrix) const {
    StoredMatrix view;
    view.rows = size(matrix.dims[0]);
    view.cols = size(matrix.dims[1]);
    view.data = static_cast<const std::byte*>(at(matrix.place));
    view.type = type_of(matrix);
    view.stride = view.cols * bytes_each(view.type);
    if (view.type == NumberType::kInt8) {
      view.scales = view.data;
      view.data += sizeof(float);
      view.scale_stride = view.stride += sizeof(float);
    }
    return view;
  }

  // The last axis in rows.
  Matrix<float> rows(const Tensor& tensor) const {
    const std::size_t cols = size(tensor.last());
    const std::size_t rows = cols == 0 ? 0 : size(tensor.count) / cols;
    return {numbers(tensor), rows, cols, cols};
  }

  // [batch ×] rows × cols, nothing for what is not given.
  Sequences<float> sequences(const Tensor& tensor) const {
    if (!tensor.is_given()) return {};
    return {numbers(tensor), size(tensor.batch()), size(tensor.length()), size(tensor.last())};
  }

  // A layout of attention(); at four dimensions the heads are those of the tensor.
  // Once in the module: every call makes several.
  [[gnu::noinline]] Heads<float> heads(const Tensor& tensor, double heads) const {
    const std::size_t rows = size(tensor.length());
    if (tensor.rank == 4) {
      return Heads<float>::head_major(numbers(tensor), size(tensor.dims[0]), size(tensor.dims[1]),
                                      rows, size(tensor.last()));
    }
    const std::size_t dim = heads == 0 ? 0 : size(tensor.last() / heads);
    return Heads<float>::packed(numbers(tensor), size(tensor.batch()), size(heads), rows, dim);
  }

  // Aligned to the right; an axis that is missing or 1 is repeated.
  Mask mask(const MaskTensor& tensor) const {
    Mask mask;
    if (!tensor.is_given()) return mask;
    if (tensor.additive != 0) {
      mask.bias = numbers(tensor);
    } else {
      mask.allowed = static_cast<const std::uint8_t*>(at(tensor.place));
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
  void* at(double place) const { return memory_ + size(place); }

  std::byte* memory_;
};

}  // namespace attention::calls
