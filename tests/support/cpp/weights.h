// Weights of a linear map in a type of files, beside the same numbers as float32.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "attention/linear_map.h"
#include "attention/stored_matrix.h"
#include "kernels/kernels.h"
#include "support/cpp/exact_memory.h"
#include "support/cpp/low_precision.h"

namespace attention::tests {

inline std::vector<float> waves_of(std::size_t count, unsigned seed) {
  std::vector<float> made(count);
  for (std::size_t at = 0; at < count; ++at) {
    made[at] = static_cast<float>(std::sin(static_cast<double>(at + 1) * (seed + 0.7)));
  }
  return made;
}

// Empty if all bits are equal, where any NaN equals any other; otherwise the first difference.
inline std::string difference(const float* a, const float* b, std::size_t count) {
  if (count == 0 || std::memcmp(a, b, count * sizeof(float)) == 0) return "";
  for (std::size_t at = 0; at < count; ++at) {
    const bool is_same =
        std::isnan(a[at]) ? std::isnan(b[at]) : std::memcmp(a + at, b + at, sizeof(float)) == 0;
    if (!is_same) {
      return std::to_string(at) + ": " + std::to_string(a[at]) + ", " + std::to_string(b[at]);
    }
  }
  return "";
}

inline std::string difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return "sizes";
  return difference(a.data(), b.data(), a.size());
}

// A stored matrix and its float32 values.
struct Stored {
  Stored(std::size_t rows, std::size_t cols, LowPrecisionType type)
      : Stored(to_low_precision(wide_of(rows, cols), type), rows, cols, type) {}
  Stored(LowPrecisionTensor tensor, std::size_t rows, std::size_t cols, LowPrecisionType type)
      : stored(std::move(tensor)) {
    view.type = type == LowPrecisionType::kFloat16    ? NumberType::kFloat16
                : type == LowPrecisionType::kBfloat16 ? NumberType::kBfloat16
                                                      : NumberType::kInt8;
    view.rows = rows;
    view.cols = cols;
    view.data = stored.bytes.data();
    view.stride = cols * bytes_each(view.type);
    if (view.type == NumberType::kInt8) {
      view.scales = view.data;
      view.data += sizeof(float);
      view.scale_stride = view.stride += sizeof(float);
    }
    for (const double number : to_float32(stored).numbers) {
      floats.push_back(static_cast<float>(number));
    }
  }

  static VectorTensor wide_of(std::size_t rows, std::size_t cols) {
    const std::vector<float> made = waves_of(rows * cols, 6);
    return {{static_cast<double>(rows), static_cast<double>(cols)}, {made.begin(), made.end()}};
  }

  LowPrecisionTensor stored;
  StoredMatrix view;
  std::vector<float> floats;
};

// A LinearMap in memory of exactly its size.
struct OwnMap {
  explicit OwnMap(const LinearShape& shape) : memory(bytes(shape)) {
    Workspace block(memory.get());
    map = LinearMap::reserve(block, shape);
  }

  static double bytes(const LinearShape& shape) {
    Workspace counting;
    LinearMap::reserve(counting, shape);
    return static_cast<double>(counting.used());
  }

  // Results of `rows` rows, the first at x.
  std::vector<float> apply(const Kernels& kernels, const float* x, std::size_t rows) const {
    std::vector<float> y(rows * map.out);
    map.apply(kernels, {x, rows, map.in, map.in}, {y.data(), rows, map.out, map.out});
    return y;
  }

  ExactMemory memory;
  LinearMap map;
};

// Packs a matrix in its own type and in float32.
inline void pack_both(const Kernels& kernels, const Stored& weight, bool transposed,
                      LinearMap& stored, LinearMap& wide) {
  const StoredMatrix floats{weight.floats.data(), weight.view.rows, weight.view.cols,
                            weight.view.cols};
  if (transposed) {
    stored.pack_transposed(kernels, weight.view);
    wide.pack_transposed(kernels, floats);
  } else {
    stored.pack(kernels, weight.view);
    wide.pack(kernels, floats);
  }
}

}  // namespace attention::tests
