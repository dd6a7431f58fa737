// Each kernel compared with double precision, for sizes around lanes, panels and tiles, with
// strides larger than rows, in buffers of exactly the documented size.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/cpp/kernels_under_test.h"

namespace attention::tests {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
const std::vector<std::size_t> kSizes = {1,  2,  3,  4,  5,   7,   8,   9,  13,
                                         16, 31, 61, 64, 127, 128, 255, 256};

// A matrix whose buffer ends with its last row.
struct Owned {
  Owned(std::size_t rows, std::size_t cols, std::size_t stride)
      : numbers(rows == 0 ? 0 : (rows - 1) * stride + cols),
        view{numbers.data(), rows, cols, stride} {}

  std::vector<float> numbers;
  Matrix<float> view;
};

Owned random_matrix(std::size_t rows, std::size_t cols, std::size_t stride, unsigned seed) {
  Owned matrix(rows, cols, stride);
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& number : matrix.numbers) number = uniform(generator);
  return matrix;
}

std::vector<float> pack_keys(const Kernels& kernels, const Matrix<float>& keys) {
  std::vector<float> packed(round_up_to_panel(keys.rows) * keys.cols, kNaN);
  kernels.pack_keys(packed.data(), keys);
  return packed;
}

std::vector<float> pack_values(const Kernels& kernels, const Matrix<float>& values, bool* finite) {
  std::vector<float> packed(values.rows * round_up_to_panel(values.cols), kNaN);
  *finite = kernels.pack_values(packed.data(), values);
  return packed;
}

// Packed queries in a buffer that ends with their last panel.
struct PackedQueries {
  PackedQueries(const Kernels& kernels, Matrix<const float> queries)
      : numbers((queries.rows + kRowPanel - 1) / kRowPanel * kRowPanel * queries.cols, kNaN),
        rows{numbers.data(), queries.cols} {
    kernels.pack_rows(numbers.data(), queries);
  }

  std::vector<float> numbers;
  PackedRows rows;
};

TEST_P(KernelsTest, PackRowsTransposesFourAtATime) {
  for (const std::size_t rows : kSizes) {
    for (const std::size_t cols : {1U, 3U, 4U, 5U, 8U, 17U}) {
      const Owned queries = random_matrix(rows, cols, cols + 3, 20);
      const PackedQueries packed(kernels, queries.view);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t c = 0; c < cols; ++c) {
          ASSERT_EQ(
              packed.numbers[i / kRowPanel * kRowPanel * cols + c * kRowPanel + i % kRowPanel],
              queries.view.row(i)[c])
              << rows << "x" << cols << " at " << i << ", " << c;
        }
      }
    }
  }
}

TEST_P(KernelsTest, PackKeysTransposesAndPads) {
  for (const std::size_t rows : kSizes) {
    for (const std::size_t cols : {1U, 3U, 4U, 5U, 8U, 17U}) {
      const Owned keys = random_matrix(rows, cols, cols + 3, 1);
      const std::vector<float> packed = pack_keys(kernels, keys.view);
      for (std::size_t j = 0; j < round_up_to_panel(rows); ++j) {
        for (std::size_t c = 0; c < cols; ++c) {
          const float expected = j < rows ? keys.view.row(j)[c] : 0;
          ASSERT_EQ(packed[j / kPanel * kPanel * cols + c * kPanel + j % kPanel], expected)
              << rows << "x" << cols << " at " << j << ", " << c;
        }
      }
    }
  }
}

TEST_P(KernelsTest, PackValuesCutsIntoPanelsAndPads) {
  for (const std::size_t rows : {1U, 3U, 8U, 255U}) {
    for (const std::size_t cols : kSizes) {
      const Owned values = random_matrix(rows, cols, cols + 1, 2);
      bool finite = false;
      const std::vector<float> packed = pack_values(kernels, values.view, &finite);
      ASSERT_TRUE(finite);
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t c = 0; c < round_up_to_panel(cols); ++c) {
          const float expected = c < cols ? values.view.row(j)[c] : 0;
          ASSERT_EQ(packed[c / kPanel * kPanel * rows + j * kPanel + c % kPanel], expected);
        }
      }
    }
  }
}

TEST_P(KernelsTest, PackValuesReportsNonFiniteValues) {
  for (const float poison : {kNaN, kInfinity, -kInfinity}) {
    for (const std::size_t cols : {1U, 4U, 8U, 11U}) {
      for (std::size_t at = 0; at < 3 * cols; ++at) {
        Owned values = random_matrix(3, cols, cols, 3);
        values.numbers[at] = poison;
        bool finite = true;
        pack_values(kernels, values.view, &finite);
        ASSERT_FALSE(finite) << poison << " at " << at;
      }
    }
  }
  Owned large = random_matrix(5, 9, 9, 4);
  large.numbers[7] = std::numeric_limits<float>::max();
  bool finite = false;
  pack_values(kernels, large.view, &finite);
  EXPECT_TRUE(finite);
}

// Compares a score kernel with factor · Σ_c term (q_c, k_c) in double precision.
template <class Run, class Term>
void expect_scores(const Kernels& kernels, float factor, Run run, Term term) {
  for (const std::size_t queries : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 61U, 64U}) {
    for (const std::size_t keys : {1U, 7U, 8U, 9U, 16U, 61U, 256U}) {
      for (const std::size_t dim : {1U, 3U, 4U, 8U, 33U}) {
        const Owned query = random_matrix(queries, dim, dim + 5, 5);
        const Owned key = random_matrix(keys, dim, dim, 6);
        const std::vector<float> packed = pack_keys(kernels, key.view);
        const std::size_t width = round_up_to_panel(keys);
        const Owned before = random_matrix(queries, width, width + 8, 16);
        Owned scores = before;
        scores.view.data = scores.numbers.data();
        run(scores.view, PackedQueries(kernels, query.view).rows, packed.data(), factor);
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t j = 0; j < keys; ++j) {
            double expected = 0;
            double size = 0;
            for (std::size_t c = 0; c < dim; ++c) {
              const double part = term(double{query.view.row(i)[c]}, double{key.view.row(j)[c]});
              expected += part;
              size += std::abs(part);
            }
            // A term is rounded up to three times by itself and up to dim times in the sum; the sum
            // once more.
            const double tolerance = 0x1p-24 * static_cast<double>(dim + 3) * size;
            ASSERT_NEAR(scores.view.row(i)[j], factor * expected, std::abs(factor) * tolerance)
                << queries << "x" << keys << "x" << dim << " at " << i << ", " << j;
          }
          // The kernel must not write between the rows.
          for (std::size_t j = width; i + 1 < queries && j < width + 8; ++j) {
            ASSERT_EQ(scores.view.row(i)[j], before.numbers[i * (width + 8) + j]);
          }
        }
      }
    }
  }
}

TEST_P(KernelsTest, DotProducts) {
  for (const float factor : {1.0F, 0.125F, -3.0F, 0.0F}) {
    expect_scores(kernels, factor, kernels.dot_products, [](double q, double k) { return q * k; });
  }
}

TEST_P(KernelsTest, Distances) {
  const auto run = [&](Distance distance) {
    return [&kernels = kernels, distance](Matrix<float> scores, PackedRows queries,
                                          const float* packed_keys, float factor) {
      kernels.distances(scores, queries, packed_keys, distance, factor);
    };
  };
  for (const float factor : {1.0F, -0.5F, -3.0F, 0.0F}) {
    expect_scores(kernels, factor, run(Distance::kSquared),
                  [](double q, double k) { return (q - k) * (q - k); });
    expect_scores(kernels, factor, run(Distance::kAbsolute),
                  [](double q, double k) { return std::abs(q - k); });
  }
}

// The distance of a vector to itself is 0; no distance is negative.
TEST_P(KernelsTest, DistanceOfARowToItselfIsZero) {
  const Owned rows = random_matrix(16, 7, 7, 17);
  const std::vector<float> packed = pack_keys(kernels, rows.view);
  for (const Distance distance : {Distance::kSquared, Distance::kAbsolute}) {
    Owned scores(16, 16, 16);
    const PackedQueries queries(kernels, rows.view);
    kernels.distances(scores.view, queries.rows, packed.data(), distance, 1);
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t j = 0; j < 16; ++j) {
        ASSERT_EQ(scores.view.row(i)[j] == 0, i == j);
        ASSERT_GE(scores.view.row(i)[j], 0.0F);
      }
    }
  }
}

TEST_P(KernelsTest, WeighValues) {
  for (const std::size_t queries : {1U, 2U, 3U, 4U, 5U, 9U, 64U}) {
    for (const std::size_t keys : {1U, 5U, 8U, 256U}) {
      for (const std::size_t dim : {1U, 3U, 7U, 8U, 9U, 24U, 33U}) {
        const Owned weights = random_matrix(queries, keys, kTileKeys, 7);
        const Owned values = random_matrix(keys, dim, dim + 4, 8);
        const Owned carry = random_matrix(1, queries, queries, 9);
        const Owned before = random_matrix(queries, dim, dim + 3, 10);
        Owned output = before;
        output.view.data = output.numbers.data();
        bool finite = false;
        const std::vector<float> packed = pack_values(kernels, values.view, &finite);
        kernels.accumulate_values(output.view, carry.numbers.data(), {weights.view.data, keys},
                                  {packed.data(), keys * kPanel});
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t c = 0; c < dim; ++c) {
            double expected = double{carry.numbers[i]} * double{before.numbers[i * (dim + 3) + c]};
            for (std::size_t j = 0; j < keys; ++j) {
              expected += double{weights.view.row(i)[j]} * double{values.view.row(j)[c]};
            }
            ASSERT_NEAR(output.view.row(i)[c], expected, 1.2e-7 * static_cast<double>(keys + 2));
          }
          // The kernel must not write between the rows.
          for (std::size_t c = dim; i + 1 < queries && c < dim + 3; ++c) {
            ASSERT_EQ(output.numbers[i * (dim + 3) + c], before.numbers[i * (dim + 3) + c]);
          }
        }
      }
    }
  }
}

// The bits of a score do not depend on neighboring rows.
TEST_P(KernelsTest, RowsDoNotDependOnTheirNeighbors) {
  const std::size_t dim = 19;
  const Owned query = random_matrix(11, dim, dim, 11);
  const Owned key = random_matrix(24, dim, dim, 12);
  const std::vector<float> packed = pack_keys(kernels, key.view);
  const auto score = [&](Matrix<float> scores, Matrix<const float> queries, int way) {
    const PackedQueries packed_queries(kernels, queries);
    if (way == 0) {
      kernels.dot_products(scores, packed_queries.rows, packed.data(), 0.3F);
    } else {
      const Distance distance = way == 1 ? Distance::kSquared : Distance::kAbsolute;
      kernels.distances(scores, packed_queries.rows, packed.data(), distance, -0.3F);
    }
  };
  for (const int way : {0, 1, 2}) {
    Owned together(11, 24, 24);
    score(together.view, query.view, way);
    for (std::size_t i = 0; i < 11; ++i) {
      Owned alone(1, 24, 24);
      score(alone.view, query.view.block(i, 1), way);
      ASSERT_EQ(std::memcmp(alone.numbers.data(), together.view.row(i), 24 * sizeof(float)), 0);
    }
  }
}

TEST_P(KernelsTest, MaximumIgnoresNaN) {
  for (const std::size_t cols : {8U, 16U, 24U, 256U}) {
    // Row i has its maximum in column i and a NaN next to it.
    Owned rows = random_matrix(cols, cols, cols + 3, 13);
    for (std::size_t i = 0; i < cols; ++i) {
      rows.view.row(i)[i] = static_cast<float>(3 + i);
      rows.view.row(i)[(i + 1) % cols] = kNaN;
    }
    std::vector<float> maxima(cols);
    kernels.maximum(maxima.data(), rows.view);
    for (std::size_t i = 0; i < cols; ++i) {
      ASSERT_EQ(maxima[i], static_cast<float>(3 + i)) << "of " << cols;
    }
  }
  for (const float nothing : {-kInfinity, kNaN}) {
    const std::vector<float> row(16, nothing);
    float maximum = 0;
    kernels.maximum(&maximum, {row.data(), 1, 16, 16});
    EXPECT_EQ(maximum, -kInfinity);
  }
}

TEST_P(KernelsTest, ExponentiateErrsByAtMostTwoUlp) {
  double worst = 0;
  constexpr std::size_t kCols = 1024;
  Owned rows(200, kCols, kCols);
  for (std::size_t j = 0; j < rows.numbers.size(); ++j) {
    rows.numbers[j] = -87.3F * static_cast<float>(j) / (200 * kCols);
  }
  const std::vector<float> before = rows.numbers;
  const std::vector<float> shifts(200, 0.0F);
  std::vector<float> sums(200);
  kernels.exponentiate(sums.data(), rows.view, shifts.data());
  for (std::size_t i = 0; i < 200; ++i) {
    double expected_sum = 0;
    for (std::size_t j = 0; j < kCols; ++j) {
      const double expected = std::exp(double{before[i * kCols + j]});
      expected_sum += expected;
      const double ulp = std::exp2(std::floor(std::log2(expected)) - 23);
      worst = std::max(worst, std::abs(double{rows.view.row(i)[j]} - expected) / ulp);
    }
    ASSERT_NEAR(sums[i], expected_sum, 1e-4 * expected_sum);
  }
  EXPECT_LE(worst, 2.0);
  RecordProperty("worst_ulp_hundredths", static_cast<int>(worst * 100));
}

TEST_P(KernelsTest, ExponentiateAtTheEdges) {
  std::vector<float> row = {0, -0.0F, -kInfinity, kNaN, -1000, -104, kInfinity, -1};
  float sum = 0;
  const float zero = 0;
  kernels.exponentiate(&sum, {row.data(), 1, 8, 8}, &zero);
  EXPECT_EQ(row[0], 1.0F);
  EXPECT_EQ(row[1], 1.0F);
  EXPECT_EQ(row[2], 0.0F);
  EXPECT_TRUE(std::isnan(row[3]));
  EXPECT_EQ(row[4], 0.0F);
  EXPECT_LT(row[5], 1e-37F);
  EXPECT_TRUE(std::isnan(sum));
  std::vector<float> overflow(8, kInfinity);
  kernels.exponentiate(&sum, {overflow.data(), 1, 8, 8}, &kInfinity);
  EXPECT_TRUE(std::isnan(overflow[0]));
}

TEST_P(KernelsTest, ExponentiateTreatsEachRowAlone) {
  const Owned before = random_matrix(7, 40, 43, 14);
  Owned together = before;
  together.view.data = together.numbers.data();
  const std::vector<float> shifts = {0, 1, 2, 3, 4, 5, 6};
  std::vector<float> sums(7);
  kernels.exponentiate(sums.data(), together.view, shifts.data());
  for (std::size_t i = 0; i < 7; ++i) {
    Owned alone = before;
    alone.view.data = alone.numbers.data();
    float sum = 0;
    kernels.exponentiate(&sum, alone.view.block(i, 1), &shifts[i]);
    ASSERT_EQ(sum, sums[i]);
    ASSERT_EQ(std::memcmp(alone.view.row(i), together.view.row(i), 40 * sizeof(float)), 0);
  }
}

TEST_P(KernelsTest, ScaleInPlaceOrNotForAnyCount) {
  for (const std::size_t count : kSizes) {
    const Owned from = random_matrix(1, count, count, 16);
    std::vector<float> to(count);
    kernels.scale(to.data(), from.numbers.data(), count, 0.3F);
    for (std::size_t j = 0; j < count; ++j) ASSERT_EQ(to[j], 0.3F * from.numbers[j]);
    kernels.scale(to.data(), to.data(), count, 1);
    for (std::size_t j = 0; j < count; ++j) ASSERT_EQ(to[j], 0.3F * from.numbers[j]);
  }
}

TEST_P(KernelsTest, SoftCap) {
  for (const std::size_t count : kSizes) {
    for (const float cap : {0.01F, 1.0F, 30.0F}) {
      Owned row = random_matrix(1, count, count, 15);
      for (float& number : row.numbers) number *= 5 * cap;
      const std::vector<float> before = row.numbers;
      kernels.soft_cap(row.numbers.data(), count, cap);
      for (std::size_t j = 0; j < count; ++j) {
        const double expected = cap * std::tanh(double{before[j]} / cap);
        ASSERT_NEAR(row.numbers[j], expected, 4e-7 * std::abs(expected));
      }
    }
  }
  std::vector<float> edges = {kInfinity, -kInfinity, kNaN, 0};
  kernels.soft_cap(edges.data(), edges.size(), 2);
  EXPECT_EQ(edges[0], 2.0F);
  EXPECT_EQ(edges[1], -2.0F);
  EXPECT_TRUE(std::isnan(edges[2]));
  EXPECT_EQ(edges[3], 0.0F);
}

// The activation functions in double precision, by definition.
double relu(double x) { return std::max(x, 0.0); }
double elu_plus_one(double x) { return x > 0 ? x + 1 : std::exp(x); }
double gelu(double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }
double quick_gelu(double x) { return x / (1 + std::exp(-1.702 * x)); }
double silu(double x) { return x / (1 + std::exp(-x)); }
double gelu_tanh(double x) {
  // 1 + tanh y, without cancellation for very negative y.
  const double y = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * y));
}

struct Applied {
  Function function;
  const char* name;
  double (*exact)(double);
  double last;      // tested range: -last to last
  double ulps;      // maximum error: in units in the last place of the result,
  double relative;  // plus a multiple of |x|, for functions that round a probability times x,
  double absolute;  // plus an absolute error
};

// 2^-126, the smallest normal number; smaller results may become 0.
constexpr double kSmallestNormal = 0x1p-126;

const std::vector<Applied> kApplied = {
    {Function::kRelu, "relu", relu, 1e30, 0, 0, 0},
    // e^x within 2 ulp, like exponentiate().
    {Function::kEluPlusOne, "elu + 1", elu_plus_one, 1e30, 2, 0, kSmallestNormal},
    // May be infinite from 88.3762 on, although e^x overflows only at 88.7228.
    {Function::kExp, "exp", [](double x) { return std::exp(x); }, 88.376, 2, 0, kSmallestNormal},
    // The error of the probability is 2^-22 with the polynomial, 2^-23 with tanh.
    {Function::kGelu, "gelu", gelu, 1e30, 0, 0x1p-22, kSmallestNormal},
    {Function::kGeluTanh, "gelu, tanh", gelu_tanh, 1e30, 0, 0x1p-23, kSmallestNormal},
    // Rounding 1.702·x causes a relative error of the exponential proportional to x.
    {Function::kQuickGelu, "quick gelu", quick_gelu, 1e30, 0, 0x1p-22, kSmallestNormal},
    // A factor below 2^-126 may become 0 before it is multiplied by x.
    {Function::kSilu, "silu", silu, 1e30, 5, kSmallestNormal, kSmallestNormal},
};

// Test inputs up to last: evenly spaced from -120 to 120, and every exponent.
std::vector<float> numbers_up_to(double last) {
  std::vector<float> numbers = {0, -0.0F};
  for (int i = -120 * 512; i <= 120 * 512; ++i) {
    numbers.push_back(static_cast<float>(i) / 512 + 1e-4F);
  }
  for (double size = 1e-45; size < 3e38; size *= 1.003) {
    numbers.push_back(static_cast<float>(size));
    numbers.push_back(-static_cast<float>(size));
  }
  std::erase_if(numbers, [&](float number) { return std::abs(number) > last; });
  return numbers;
}

TEST_P(KernelsTest, ActivationsMatchDoublePrecision) {
  for (const Applied& applied : kApplied) {
    const std::vector<float> before = numbers_up_to(applied.last);
    std::vector<float> row = before;
    kernels.apply(row.data(), row.size(), applied.function);
    double worst = 0;  // as a fraction of the allowed error
    float worst_at = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double expected = applied.exact(double{before[j]});
      const double off = std::abs(double{row[j]} - expected);
      if (off == 0) continue;
      const double ulp = std::exp2(std::floor(std::log2(std::abs(expected))) - 23);
      const double allowed = std::max(
          {applied.ulps * ulp, applied.relative * std::abs(double{before[j]}), applied.absolute});
      ASSERT_FALSE(std::isnan(row[j])) << applied.name << " of " << before[j];
      if (!(off / allowed <= worst)) {
        worst = off / allowed;
        worst_at = before[j];
      }
    }
    EXPECT_LE(worst, 1) << applied.name << " is worst at " << worst_at;
    RecordProperty(std::string("worst_percent_of_allowed_") +
                       std::to_string(static_cast<int>(applied.function)),
                   static_cast<int>(worst * 100));
  }
}

TEST_P(KernelsTest, ActivationsAtTheEdges) {
  const auto of = [&](Function function, float x) {
    std::vector<float> row(1, x);
    kernels.apply(row.data(), 1, function);
    return row[0];
  };
  for (const Applied& applied : kApplied) {
    const Function function = applied.function;
    EXPECT_TRUE(std::isnan(of(function, kNaN))) << applied.name;
    EXPECT_EQ(of(function, kInfinity), kInfinity) << applied.name;
    EXPECT_EQ(of(function, -kInfinity), 0.0F) << applied.name;
    const float at_zero =
        function == Function::kExp || function == Function::kEluPlusOne ? 1.0F : 0.0F;
    EXPECT_EQ(of(function, 0), at_zero) << applied.name;
    EXPECT_EQ(of(function, -0.0F), at_zero) << applied.name;
    EXPECT_LT(std::abs(of(function, -104)), kSmallestNormal) << applied.name;
    EXPECT_EQ(std::abs(of(function, -1000)), 0.0F) << applied.name;
  }
  EXPECT_GT(of(Function::kExp, 88.4F), 2.2e38F);
  EXPECT_EQ(of(Function::kExp, 89), kInfinity);
  EXPECT_EQ(of(Function::kEluPlusOne, 88.4F), 89.4F);
  EXPECT_EQ(of(Function::kGelu, 88.4F), 88.4F);
  EXPECT_EQ(of(Function::kGeluTanh, 88.4F), 88.4F);
  EXPECT_EQ(of(Function::kQuickGelu, 88.4F), 88.4F);
  EXPECT_EQ(of(Function::kSilu, 88.4F), 88.4F);
}

// A buffer of exactly that size, in which a sanitizer detects overflows, and a longer one, in which
// the test detects them.
TEST_P(KernelsTest, ActivationsWriteOnlyTheRequestedCount) {
  for (const Applied& applied : kApplied) {
    for (std::size_t count = 0; count <= 21; ++count) {
      const Owned before = random_matrix(1, count + 9, count + 9, 18);
      std::vector<float> row = before.numbers;
      kernels.apply(row.data(), count, applied.function);
      std::vector<float> exact(before.numbers.data(), before.numbers.data() + count);
      kernels.apply(exact.data(), count, applied.function);
      for (std::size_t j = 0; j < row.size(); ++j) {
        if (j < count) {
          std::vector<float> alone(1, before.numbers[j]);
          kernels.apply(alone.data(), 1, applied.function);
          ASSERT_EQ(row[j], alone[0]) << applied.name << " of " << count << " at " << j;
          ASSERT_EQ(row[j], exact[j]);
        } else {
          ASSERT_EQ(row[j], before.numbers[j]) << applied.name << " of " << count << " at " << j;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, KernelsTest, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
