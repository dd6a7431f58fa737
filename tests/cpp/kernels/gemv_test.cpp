// Kernels for a single row, which read matrices in place: the same bits as packed tiles, close to
// sums in double precision, in buffers of exactly the documented size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "attention/linear_map.h"
#include "kernels/kernels.h"
#include "support/cpp/kernels_under_test.h"
#include "support/cpp/low_precision.h"
#include "support/cpp/weights.h"

namespace attention::tests {
namespace {

class Gemv : public KernelsTest {};

const std::vector<std::size_t> kSizes = {1,  2,  3,  4,  5,  7,  8,   9,  15,
                                         16, 17, 31, 33, 61, 64, 255, 256};

std::vector<float> numbers(std::size_t count, unsigned seed) { return waves_of(count, seed); }

// rows × cols in a buffer that ends with the last row.
struct Owned {
  Owned(std::size_t rows, std::size_t cols, std::size_t stride, unsigned seed)
      : all(numbers((rows - 1) * stride + cols, seed)), view{all.data(), rows, cols, stride} {}

  std::vector<float> all;
  Matrix<const float> view;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST_P(Gemv, ScoresEqualThoseOfPackedKeys) {
  for (const std::size_t rows : kSizes) {
    for (const std::size_t cols : {1U, 3U, 4U, 5U, 8U, 17U, 64U, 128U}) {
      const Owned keys(rows, cols, cols + rows % 3, 1);
      const std::vector<float> query = numbers(cols, 2);
      std::vector<float> got(rows);
      kernels.score_row(got.data(), query.data(), keys.view, 0.3F);
      std::vector<float> packed_keys(round_up_to_panel(rows) * cols);
      std::vector<float> packed_query(kRowPanel * cols);
      std::vector<float> expected(round_up_to_panel(rows));
      kernels.pack_keys(packed_keys.data(), keys.view);
      kernels.pack_rows(packed_query.data(), {query.data(), 1, cols, cols});
      kernels.dot_products({expected.data(), 1, expected.size(), expected.size()},
                           {packed_query.data(), cols}, packed_keys.data(), 0.3F);
      expected.resize(rows);
      EXPECT_TRUE(same_bits(got, expected)) << rows << " × " << cols;
      for (std::size_t j = 0; j < rows; ++j) {
        double sum = 0;
        for (std::size_t c = 0; c < cols; ++c) sum += double{query[c]} * keys.view.row(j)[c];
        ASSERT_NEAR(got[j], 0.3 * sum, 1e-7 * static_cast<double>(cols + 1));
      }
    }
  }
}

TEST_P(Gemv, WeightedSumsEqualThoseOfPackedValues) {
  for (const std::size_t rows : kSizes) {
    for (const std::size_t cols : {1U, 3U, 8U, 15U, 16U, 17U, 64U, 128U, 255U, 256U, 257U, 300U}) {
      const Owned values(rows, cols, cols + rows % 3, 3);
      const std::vector<float> before = numbers(cols, 4);
      std::vector<float> weights = numbers(kTileKeys, 5);
      const float carry = 0.7F;
      std::vector<float> got = before;
      const std::vector<float> exact_weights(weights.data(), weights.data() + rows);
      kernels.accumulate_row(got.data(), carry, exact_weights.data(), values.view);
      std::vector<float> packed(round_up_to_panel(cols) * rows);
      kernels.pack_values(packed.data(), values.view);
      std::vector<float> expected = before;
      kernels.accumulate_values({expected.data(), 1, cols, cols}, &carry, {weights.data(), rows},
                                {packed.data(), rows * kPanel});
      EXPECT_TRUE(same_bits(got, expected)) << rows << " × " << cols;
      for (std::size_t c = 0; c < cols; ++c) {
        double sum = double{carry} * before[c];
        for (std::size_t j = 0; j < rows; ++j) sum += double{weights[j]} * values.view.row(j)[c];
        ASSERT_NEAR(got[c], sum, 2e-7 * static_cast<double>(rows + 1));
      }
    }
  }
}

TEST_P(Gemv, LowPrecisionMapsEqualFloat32Maps) {
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    // Five rows of 1,100 numbers do not fit into one block.
    for (const std::size_t in : {1U, 2U, 9U, 255U, 256U, 257U, 1100U}) {
      for (const std::size_t out : {1U, 8U, 15U, 16U, 17U, 40U}) {
        for (const bool transposed : {false, true}) {
          const Stored weight(transposed ? out : in, transposed ? in : out, type);
          OwnMap stored({in, out, false, weight.view.type, !transposed});
          OwnMap wide({in, out});
          pack_both(kernels, weight, transposed, stored.map, wide.map);
          for (const std::size_t rows : {1U, 2U, 5U, 17U}) {
            const std::vector<float> x = numbers(rows * in, 7);
            std::vector<float> got(rows * out), expected(rows * out);
            stored.map.apply(kernels, {x.data(), rows, in, in}, {got.data(), rows, out, out});
            wide.map.apply(kernels, {x.data(), rows, in, in}, {expected.data(), rows, out, out});
            ASSERT_TRUE(same_bits(got, expected)) << in << " to " << out << ", " << rows;
            for (std::size_t at = 0; at < got.size(); ++at) {
              double sum = 0;
              for (std::size_t i = 0; i < in; ++i) {
                const std::size_t o = at % out;
                sum += double{x[at / out * in + i]} *
                       weight.floats[transposed ? o * in + i : i * out + o];
              }
              ASSERT_NEAR(got[at], sum, 2e-7 * static_cast<double>(in + 1));
            }
          }
        }
      }
    }
  }
}

// Inputs: ordinary ones, zeros and subnormal numbers, numbers above the largest float16, and those
// that are not finite.
std::vector<std::vector<float>> all_inputs(std::size_t count) {
  const std::vector<float> ordinary = numbers(count, 7);
  std::vector<std::vector<float>> inputs(4, ordinary);
  for (std::size_t at = 0; at < count; at += 5) {
    inputs[1][at] = 0;
    if (at + 1 < count) inputs[1][at + 1] *= 0x1p-140F;
  }
  for (std::size_t at = 3; at < count; at += 7) inputs[2][at] *= 0x1p20F;
  inputs[3][2] = std::numeric_limits<float>::infinity();
  inputs[3][count - 1] = std::numeric_limits<float>::quiet_NaN();
  return inputs;
}

void expect_bits_of_float32(const Kernels& kernels, const Stored& weight, bool transposed) {
  const std::size_t in = transposed ? weight.view.cols : weight.view.rows;
  const std::size_t out = transposed ? weight.view.rows : weight.view.cols;
  OwnMap stored({in, out, false, weight.view.type});
  OwnMap wide({in, out});
  pack_both(kernels, weight, transposed, stored.map, wide.map);
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U}) {
    for (const std::vector<float>& x : all_inputs(rows * in)) {
      std::vector<float> got(rows * out), expected(rows * out);
      stored.map.apply(kernels, {x.data(), rows, in, in}, {got.data(), rows, out, out});
      wide.map.apply(kernels, {x.data(), rows, in, in}, {expected.data(), rows, out, out});
      ASSERT_EQ(difference(got, expected), "") << in << " to " << out << ", " << rows;
    }
  }
  stored.map.apply(kernels, {nullptr, 0, in, in}, {nullptr, 0, out, out});
}

// Subnormal numbers, infinities and NaN fill whole panels, or are few.
TEST_P(Gemv, LowPrecisionMapsMultiplyEvery16BitValue) {
  constexpr std::size_t kIn = 512;
  constexpr std::size_t kOut = 128;
  std::vector<std::uint16_t> panels;
  for (std::size_t at = 0; at < kIn * kOut; ++at) panels.push_back(static_cast<std::uint16_t>(at));
  std::vector<std::uint16_t> few;
  for (std::size_t at = 0; at < 300 * 72; ++at) {
    const auto bits = static_cast<std::uint16_t>(at * 40503);
    const bool is_rare = at % 101 == 0 || (bits & 0x7C00) == 0 || (bits & 0x7C00) == 0x7C00;
    few.push_back(at == 7000 ? 0x7C00 : at == 9001 ? 0xFE01 : is_rare ? bits & 0x83FF : bits);
  }
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    expect_bits_of_float32(kernels, {tensor_of_bits({kOut, kIn}, type, panels), kOut, kIn, type},
                           true);
    expect_bits_of_float32(kernels, {tensor_of_bits({kIn, kOut}, type, panels), kIn, kOut, type},
                           false);
    expect_bits_of_float32(kernels, {tensor_of_bits({300, 72}, type, few), 300, 72, type}, false);
    expect_bits_of_float32(kernels, {tensor_of_bits({72, 300}, type, few), 72, 300, type}, true);
  }
}

// Few rows are multiplied with two panels at a time, one of each half of W: here four times, with a
// panel that is left over.
TEST_P(Gemv, FewRowsEqualTheFirstOfMany) {
  constexpr std::size_t kOut = 72;
  constexpr std::size_t kMany = 17;
  const auto expect_equal_rows = [&](const LinearMap& map, std::size_t in) {
    const std::vector<float> x = numbers(kMany * in, 7);
    const auto product = [&](std::size_t rows) {
      std::vector<float> y(rows * kOut);
      map.apply(kernels, {x.data(), rows, in, in}, {y.data(), rows, kOut, kOut});
      return y;
    };
    const std::vector<float> all = product(kMany);
    for (const std::size_t rows : {1U, 2U, 3U, 4U, 5U}) {
      const std::vector<float> first(all.begin(), all.begin() + static_cast<long>(rows * kOut));
      ASSERT_TRUE(same_bits(product(rows), first)) << in << " to " << kOut << ", " << rows;
    }
  };
  for (const LowPrecisionType type :
       {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16, LowPrecisionType::kInt8}) {
    for (const std::size_t in : {1U, 9U, 255U, 257U, 1100U}) {
      const Stored weight(in, kOut, type);
      OwnMap stored({in, kOut, false, weight.view.type, true});
      OwnMap wide({in, kOut});
      pack_both(kernels, weight, false, stored.map, wide.map);
      expect_equal_rows(stored.map, in);
      expect_equal_rows(wide.map, in);
    }
  }
}

// Rows with very small numbers, infinity or NaN are multiplied as float32, in one call with others.
TEST_P(Gemv, Int8MapsTakeRowsThatCannotBeQuantized) {
  constexpr std::size_t kIn = 257;
  constexpr std::size_t kOut = 40;
  constexpr std::size_t kRows = 5;
  const Stored weight(kIn, kOut, LowPrecisionType::kInt8);
  OwnMap map({kIn, kOut, false, NumberType::kInt8, true});
  map.map.pack(kernels, weight.view);
  std::vector<float> x = numbers(kRows * kIn, 7);
  for (std::size_t i = 0; i < kIn; ++i) x[kIn + i] *= 0x1p-110F;
  x[2 * kIn + 3] = std::numeric_limits<float>::infinity();
  x[3 * kIn + 5] = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> got(kRows * kOut);
  map.map.apply(kernels, {x.data(), kRows, kIn, kIn}, {got.data(), kRows, kOut, kOut});
  for (const std::size_t row : {0U, 1U, 4U}) {
    for (std::size_t o = 0; o < kOut; ++o) {
      double sum = 0;
      double size = 0;
      for (std::size_t i = 0; i < kIn; ++i) {
        const double product = double{x[row * kIn + i]} * weight.floats[i * kOut + o];
        sum += product;
        size += std::abs(product);
      }
      // Half a step of 14 bits, beside the largest number of the row.
      ASSERT_NEAR(got[row * kOut + o], sum, 2e-4 * size) << row << ", " << o;
    }
  }
  for (std::size_t o = 0; o < kOut; ++o) {
    EXPECT_FALSE(std::isfinite(got[2 * kOut + o])) << o;
    EXPECT_TRUE(std::isnan(got[3 * kOut + o])) << o;
  }
}

TEST_P(Gemv, WidenWritesOnlyTheRequestedCount) {
  for (const LowPrecisionType type :
       {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16, LowPrecisionType::kInt8}) {
    for (std::size_t count = 1; count < 30; ++count) {
      const Stored row(1, count, type);
      std::vector<float> scales(kPanel);
      if (row.view.scales != nullptr) {
        std::memcpy(scales.data(), row.view.scales, sizeof(float));
        std::fill(scales.begin(), scales.end(), scales[0]);
      }
      std::vector<float> got(count);
      kernels.widen(got.data(), {row.view.data, row.view.type, scales.data(), 0}, count);
      EXPECT_TRUE(same_bits(got, row.floats)) << count;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Gemv, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
