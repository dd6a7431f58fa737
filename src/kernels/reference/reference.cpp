// The kernels by their definitions, one number at a time. This is the text to read first; the fast
// kernels are held against it, and both against an oracle in double precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace attention {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

void pack_keys(float* packed, Matrix<const float> keys, float factor) {
  for (std::size_t j = 0; j < round_up_to_panel(keys.rows); ++j) {
    float* column = packed + j / kPanel * kPanel * keys.cols + j % kPanel;
    for (std::size_t c = 0; c < keys.cols; ++c) {
      column[c * kPanel] = j < keys.rows ? factor * keys.row(j)[c] : 0;
    }
  }
}

bool pack_values(float* packed, Matrix<const float> values) {
  bool finite = true;
  for (std::size_t c = 0; c < round_up_to_panel(values.cols); ++c) {
    float* column = packed + c / kPanel * kPanel * values.rows + c % kPanel;
    for (std::size_t j = 0; j < values.rows; ++j) {
      column[j * kPanel] = c < values.cols ? values.row(j)[c] : 0;
      finite = finite && std::isfinite(column[j * kPanel]);
    }
  }
  return finite;
}

void dot_products(Matrix<float> scores, Matrix<const float> queries, const float* packed_keys) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.cols; ++j) {
      const float* key = packed_keys + j / kPanel * kPanel * queries.cols + j % kPanel;
      float sum = 0;
      for (std::size_t c = 0; c < queries.cols; ++c) sum += queries.row(i)[c] * key[c * kPanel];
      scores.row(i)[j] = sum;
    }
  }
}

void weigh_values(Matrix<float> output, const float* carry, Matrix<const float> weights,
                  PackedValues values) {
  for (std::size_t i = 0; i < output.rows; ++i) {
    for (std::size_t c = 0; c < output.cols; ++c) {
      const float* column = values.data + c / kPanel * values.panel_stride + c % kPanel;
      float sum = 0;
      for (std::size_t j = 0; j < weights.cols; ++j) sum += weights.row(i)[j] * column[j * kPanel];
      output.row(i)[c] = carry[i] * output.row(i)[c] + sum;
    }
  }
}

void soft_cap(float* row, std::size_t count, float cap) {
  for (std::size_t j = 0; j < count; ++j) row[j] = cap * std::tanh(row[j] / cap);
}

float maximum(const float* row, std::size_t count) {
  float largest = kMinusInfinity;
  for (std::size_t j = 0; j < count; ++j) {
    if (row[j] > largest) largest = row[j];
  }
  return largest;
}

float exponentiate(float* row, std::size_t count, float shift) {
  float sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = std::exp(row[j] - shift);
    sum += row[j];
  }
  return sum;
}

void normalise(float* row, std::size_t count, float shift, float factor) {
  for (std::size_t j = 0; j < count; ++j) {
    row[j] = row[j] == kMinusInfinity ? 0 : factor * std::exp(row[j] - shift);
  }
}

constexpr Kernels kReference{"reference", pack_keys, pack_values,  dot_products, weigh_values,
                             soft_cap,    maximum,   exponentiate, normalise};

}  // namespace

const Kernels& reference_kernels() { return kReference; }

}  // namespace attention
