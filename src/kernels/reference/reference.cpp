// The kernels by their definitions, one number at a time: the place to start reading. Tests compare
// the SIMD kernels with these, and both with an oracle in double precision.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/kernels.h"
#include "kernels/powers.h"

namespace attention {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

void pack_keys(float* packed, Matrix<const float> keys) {
  for (std::size_t j = 0; j < round_up_to_panel(keys.rows); ++j) {
    float* column = packed + j / kPanel * kPanel * keys.cols + j % kPanel;
    for (std::size_t c = 0; c < keys.cols; ++c) {
      column[c * kPanel] = j < keys.rows ? keys.row(j)[c] : 0;
    }
  }
}

void pack_rows(float* packed, Matrix<const float> rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    float* column = packed + i / kRowPanel * kRowPanel * rows.cols + i % kRowPanel;
    for (std::size_t c = 0; c < rows.cols; ++c) column[c * kRowPanel] = rows.row(i)[c];
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

// scores (i, j) = factor · Σ_c term (query_ic, key_jc).
template <class Term>
void score(Matrix<float> scores, PackedRows queries, const float* packed_keys, float factor,
           Term term) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    const float* query = queries.data + i / kRowPanel * kRowPanel * queries.cols + i % kRowPanel;
    for (std::size_t j = 0; j < scores.cols; ++j) {
      const float* key = packed_keys + j / kPanel * kPanel * queries.cols + j % kPanel;
      float sum = 0;
      for (std::size_t c = 0; c < queries.cols; ++c)
        sum += term(query[c * kRowPanel], key[c * kPanel]);
      scores.row(i)[j] = factor * sum;
    }
  }
}

void dot_products(Matrix<float> scores, PackedRows queries, const float* packed_keys,
                  float factor) {
  score(scores, queries, packed_keys, factor, [](float q, float k) { return q * k; });
}

void distances(Matrix<float> scores, PackedRows queries, const float* packed_keys,
               Distance distance, float factor) {
  if (distance == Distance::kSquared) {
    score(scores, queries, packed_keys, factor, [](float q, float k) { return (q - k) * (q - k); });
  } else {
    score(scores, queries, packed_keys, factor, [](float q, float k) { return std::abs(q - k); });
  }
}

void accumulate_values(Matrix<float> output, const float* carry, TileWeights weights,
                       PackedValues values) {
  for (std::size_t i = 0; i < output.rows; ++i) {
    for (std::size_t c = 0; c < output.cols; ++c) {
      const float* column = values.data + c / kPanel * values.panel_stride + c % kPanel;
      float sum = 0;
      for (std::size_t j = 0; j < weights.cols; ++j)
        sum += weights.data[i * kTileKeys + j] * column[j * kPanel];
      output.row(i)[c] = carry[i] * output.row(i)[c] + sum;
    }
  }
}

void score_row(float* scores, const float* query, Matrix<const float> keys, float factor) {
  for (std::size_t j = 0; j < keys.rows; ++j) {
    float sum = 0;
    for (std::size_t c = 0; c < keys.cols; ++c) sum += query[c] * keys.row(j)[c];
    scores[j] = factor * sum;
  }
}

void accumulate_row(float* output, float carry, const float* weights, Matrix<const float> values) {
  for (std::size_t c = 0; c < values.cols; ++c) {
    float sum = 0;
    for (std::size_t j = 0; j < values.rows; ++j) sum += weights[j] * values.row(j)[c];
    output[c] = carry * output[c] + sum;
  }
}

void soft_cap(float* row, std::size_t count, float cap) {
  for (std::size_t j = 0; j < count; ++j) row[j] = cap * std::tanh(row[j] / cap);
}

void maximum(float* maxima, Matrix<const float> rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    maxima[i] = kMinusInfinity;
    for (std::size_t j = 0; j < rows.cols; ++j) {
      if (rows.row(i)[j] > maxima[i]) maxima[i] = rows.row(i)[j];
    }
  }
}

void exponentiate(float* sums, Matrix<float> rows, const float* shifts) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    sums[i] = 0;
    for (std::size_t j = 0; j < rows.cols; ++j) {
      rows.row(i)[j] = std::exp(rows.row(i)[j] - shifts[i]);
      sums[i] += rows.row(i)[j];
    }
  }
}

void scale(float* to, const float* from, std::size_t count, float factor) {
  for (std::size_t j = 0; j < count; ++j) to[j] = factor * from[j];
}

// The share of the normal distribution below x, Φ(x), of which φ(x) is the density:
//   near 0     1/2 + φ(x) (x + x^3 / 3 + x^5 / (3·5) + ...)
//   beyond it  Φ(-z) = φ(z) / (z + 1 / (z + 2 / (z + ...))) = 1 - Φ(z)
double normal_cdf(double x) {
  constexpr double kOneOverSqrtTwoPi = 0.39894228040143267794;
  constexpr double kNear = 2;
  constexpr double kFar = 37;  // beyond it the density underflows in double
  const double z = std::abs(x);
  if (!(z < kFar)) return x > 0 ? 1 : 0 * x;
  const double density = kOneOverSqrtTwoPi * exponential(-x * x / 2);
  if (z < kNear) {
    double term = x;
    double sum = x;
    for (int odd = 3; odd < 60; odd += 2) sum += term *= x * x / odd;
    return 0.5 + density * sum;
  }
  double fraction = z;
  for (int k = 50; k > 0; --k) fraction = z + k / fraction;
  return x < 0 ? density / fraction : 1 - density / fraction;
}

// x·σ(slope·x)
float gated(float x, double slope) {
  if (std::isnan(x)) return x;
  if (x == kMinusInfinity) return 0;
  // Beyond it the result is 0 or x in float.
  constexpr double kFar = 700;
  return static_cast<float>(x / (1 + exponential(std::clamp(-slope * x, -kFar, kFar))));
}

float value_of(Function function, float x) {
  constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
  switch (function) {
    case Function::kRelu:
      return x < 0 ? 0 : x;
    case Function::kEluPlusOne:
      return x > 0 ? x + 1 : std::exp(x);
    case Function::kExp:
      return std::exp(x);
    case Function::kGelu:
      if (x == kMinusInfinity) return 0;
      return static_cast<float>(x * normal_cdf(x));
    case Function::kGeluTanh:
      if (x == kMinusInfinity) return 0;
      return static_cast<float>(0.5 * x *
                                (1 + std::tanh(kSqrtTwoOverPi * x * (1 + 0.044715 * x * x))));
    case Function::kQuickGelu:
      return gated(x, 1.702);
    case Function::kSilu:
      return gated(x, 1);
  }
  return x;
}

void apply(float* row, std::size_t count, Function function) {
  for (std::size_t j = 0; j < count; ++j) row[j] = value_of(function, row[j]);
}

// std::bit_cast, which the oldest supported Emscripten lacks.
template <class To, class From>
To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Exponent and fraction are shifted to their positions in a float; multiplying by 2^112 corrects
// the bias of the exponent and makes subnormal numbers normal.
float from_float16(std::uint16_t bits) {
  constexpr std::uint32_t kSign = 0x8000;
  constexpr std::uint32_t kInfinity = 0x7C00;
  constexpr std::uint32_t kFloatInfinity = 0x7F800000;
  const std::uint32_t sign = (bits & kSign) << 16;
  const std::uint32_t size = bits & ~kSign;
  if (size >= kInfinity) {
    return bits_of<float>(sign | kFloatInfinity | (size - kInfinity) << 13);
  }
  const float number = bits_of<float>(size << 13) * 0x1p112F;
  return bits_of<float>(sign | bits_of<std::uint32_t>(number));
}

template <class Number>
Number number_at(const std::byte* numbers, std::size_t at) {
  Number number;
  std::memcpy(&number, numbers + at * sizeof number, sizeof number);
  return number;
}

float number_of(const PackedNumbers& from, std::size_t at) {
  const std::size_t stored = from.paired ? at / kPanel * kPanel + paired_position(at % kPanel) : at;
  switch (from.type) {
    case NumberType::kFloat16:
      return from_float16(number_at<std::uint16_t>(from.data, stored));
    case NumberType::kBfloat16:
      return bits_of<float>(std::uint32_t{number_at<std::uint16_t>(from.data, stored)} << 16);
    case NumberType::kInt8:
      return static_cast<float>(number_at<std::int8_t>(from.data, at)) *
             from.scales[at / kPanel * from.scale_step + at % kPanel];
    case NumberType::kFloat32:
      break;
  }
  return number_at<float>(from.data, at);
}

void widen(float* to, const PackedNumbers& from, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) to[at] = number_of(from, at);
}

void add_few_rows(Matrix<float> y, Matrix<const float> x, const PackedMatrix& w, float*) {
  for (std::size_t row = 0; row < y.rows; ++row) {
    for (std::size_t c = 0; c < y.cols; ++c) {
      const PackedNumbers panel = w.panel(c / kPanel, 0);
      for (std::size_t first = 0; first < w.depth; first += kTileKeys) {
        float sum = 0;
        for (std::size_t i = first; i < std::min(first + kTileKeys, w.depth); ++i) {
          sum += x.row(row)[i] * number_of(panel, i * kPanel + c % kPanel);
        }
        y.row(row)[c] += sum;
      }
    }
  }
}

std::uint32_t largest_bits(const float* x, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t k = 0; k < count; ++k) {
    largest = std::max(largest, bits_of<std::uint32_t>(x[k]) & 0x7FFFFFFFU);
  }
  return largest;
}

void quantize(std::int16_t* to, const float* x, std::size_t count, float factor) {
  for (std::size_t k = 0; k < count; ++k) {
    to[k / 2 * 2 * kRowPanel + k % 2] = static_cast<std::int16_t>(std::nearbyint(x[k] * factor));
  }
}

void quantize_weights(std::int8_t* to, const float* x, std::size_t count, float factor) {
  for (std::size_t k = 0; k < count; ++k) {
    to[k] = static_cast<std::int8_t>(std::nearbyint(x[k] * factor));
  }
}

void integer_product(Matrix<float> y, const std::int16_t* rows, const IntegerPanels& panels,
                     const SumScales& scales) {
  for (std::size_t i = 0; i < y.rows; ++i) {
    const std::int16_t* row =
        rows + i / kRowPanel * panels.pairs * 2 * kRowPanel + i % kRowPanel * 2;
    for (std::size_t c = 0; c < y.cols; ++c) {
      const std::byte* panel = panels.data + c / kPanel * panels.stride;
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < 2 * panels.pairs; ++k) {
        sum += row[k / 2 * 2 * kRowPanel + k % 2] *
               number_at<std::int8_t>(panel, (k / 2 * kPanel + c % kPanel) * 2 + k % 2);
      }
      float& number = y.row(i)[c];
      number = (panels.adds ? number : 0) + static_cast<float>(sum);
      if (scales.rows == nullptr) continue;
      const float scale = scales.rows[i] * (scales.columns == nullptr ? 1 : scales.columns[c]);
      number = number * scale + (scales.bias == nullptr ? 0 : scales.bias[c]);
    }
  }
}

constexpr Kernels kReference{
    "reference",     pack_keys,         pack_rows,         pack_values, dot_products,
    distances,       accumulate_values, accumulate_values, score_row,   accumulate_row,
    soft_cap,        maximum,           exponentiate,      scale,       apply,
    widen,           add_few_rows,      largest_bits,      quantize,    quantize_weights,
    integer_product, integer_product};

}  // namespace

const Kernels& reference_kernels() { return kReference; }

}  // namespace attention
