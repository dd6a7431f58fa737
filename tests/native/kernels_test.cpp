// Each kernel against the same thing in double precision, for sizes around lanes, panels and tiles,
// with rows wider apart than they are long, in buffers of exactly the size that was promised.
#include "kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "support/kernels_under_test.h"

namespace attention::tests {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
const std::vector<std::size_t> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 31, 61, 64, 127, 128};

// A matrix in a buffer that ends with its last row.
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

std::vector<float> pack_keys(const Kernels& kernels, const Matrix<float>& keys, float factor) {
  std::vector<float> packed(round_up_to_panel(keys.rows) * keys.cols, kNaN);
  kernels.pack_keys(packed.data(), keys, factor);
  return packed;
}

std::vector<float> pack_values(const Kernels& kernels, const Matrix<float>& values, bool* finite) {
  std::vector<float> packed(values.rows * round_up_to_panel(values.cols), kNaN);
  *finite = kernels.pack_values(packed.data(), values);
  return packed;
}

TEST_P(KernelsTest, PackKeysTransposesScalesAndPads) {
  for (const std::size_t rows : kSizes) {
    for (const std::size_t cols : {1U, 3U, 4U, 5U, 8U, 17U}) {
      const Owned keys = random_matrix(rows, cols, cols + 3, 1);
      const std::vector<float> packed = pack_keys(kernels, keys.view, 0.5F);
      for (std::size_t j = 0; j < round_up_to_panel(rows); ++j) {
        for (std::size_t c = 0; c < cols; ++c) {
          const float expected = j < rows ? 0.5F * keys.view.row(j)[c] : 0;
          ASSERT_EQ(packed[j / kPanel * kPanel * cols + c * kPanel + j % kPanel], expected)
              << rows << "x" << cols << " at " << j << ", " << c;
        }
      }
    }
  }
}

TEST_P(KernelsTest, PackValuesCutsIntoPanelsAndPads) {
  for (const std::size_t rows : {1U, 3U, 8U, 127U}) {
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

TEST_P(KernelsTest, PackValuesTellsWhatIsNotFinite) {
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

TEST_P(KernelsTest, DotProducts) {
  for (const std::size_t queries : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 61U, 64U}) {
    for (const std::size_t keys : {1U, 7U, 8U, 9U, 16U, 61U, 128U}) {
      for (const std::size_t dim : {1U, 3U, 4U, 8U, 33U}) {
        const Owned query = random_matrix(queries, dim, dim + 5, 5);
        const Owned key = random_matrix(keys, dim, dim, 6);
        const std::vector<float> packed = pack_keys(kernels, key.view, 1);
        const std::size_t width = round_up_to_panel(keys);
        Owned scores(queries, width, width + 8);
        kernels.dot_products(scores.view, query.view, packed.data());
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t j = 0; j < keys; ++j) {
            double expected = 0;
            for (std::size_t c = 0; c < dim; ++c) {
              expected += double{query.view.row(i)[c]} * double{key.view.row(j)[c]};
            }
            // dim roundings of terms no larger than 1.
            ASSERT_NEAR(scores.view.row(i)[j], expected, 1.2e-7 * static_cast<double>(dim))
                << queries << "x" << keys << "x" << dim << " at " << i << ", " << j;
          }
        }
      }
    }
  }
}

TEST_P(KernelsTest, WeighValues) {
  for (const std::size_t queries : {1U, 2U, 3U, 4U, 5U, 9U, 64U}) {
    for (const std::size_t keys : {1U, 5U, 8U, 128U}) {
      for (const std::size_t dim : {1U, 3U, 7U, 8U, 9U, 24U, 33U}) {
        const Owned weights = random_matrix(queries, keys, keys + 2, 7);
        const Owned values = random_matrix(keys, dim, dim + 4, 8);
        const Owned carry = random_matrix(1, queries, queries, 9);
        const Owned before = random_matrix(queries, dim, dim + 3, 10);
        Owned output = before;
        output.view.data = output.numbers.data();
        bool finite = false;
        const std::vector<float> packed = pack_values(kernels, values.view, &finite);
        kernels.weigh_values(output.view, carry.numbers.data(), weights.view,
                             {packed.data(), keys * kPanel});
        for (std::size_t i = 0; i < queries; ++i) {
          for (std::size_t c = 0; c < dim; ++c) {
            double expected = double{carry.numbers[i]} * double{before.numbers[i * (dim + 3) + c]};
            for (std::size_t j = 0; j < keys; ++j) {
              expected += double{weights.view.row(i)[j]} * double{values.view.row(j)[c]};
            }
            ASSERT_NEAR(output.view.row(i)[c], expected, 1.2e-7 * static_cast<double>(keys + 2));
          }
          // What lies between the rows is not ours.
          for (std::size_t c = dim; i + 1 < queries && c < dim + 3; ++c) {
            ASSERT_EQ(output.numbers[i * (dim + 3) + c], before.numbers[i * (dim + 3) + c]);
          }
        }
      }
    }
  }
}

// The bits of a product do not depend on the rows beside it.
TEST_P(KernelsTest, RowsDoNotKnowTheirNeighbours) {
  const std::size_t dim = 19;
  const Owned query = random_matrix(11, dim, dim, 11);
  const Owned key = random_matrix(24, dim, dim, 12);
  const std::vector<float> packed = pack_keys(kernels, key.view, 0.3F);
  Owned together(11, 24, 24);
  kernels.dot_products(together.view, query.view, packed.data());
  for (std::size_t i = 0; i < 11; ++i) {
    Owned alone(1, 24, 24);
    kernels.dot_products(alone.view, query.view.block(i, 1), packed.data());
    ASSERT_EQ(std::memcmp(alone.numbers.data(), together.view.row(i), 24 * sizeof(float)), 0);
  }
}

TEST_P(KernelsTest, MaximumNeverSeesNaN) {
  for (const std::size_t count : {8U, 16U, 24U, 128U}) {
    for (std::size_t at = 0; at < count; ++at) {
      Owned row = random_matrix(1, count, count, 13);
      row.numbers[at] = 3;
      row.numbers[(at + 1) % count] = kNaN;
      ASSERT_EQ(kernels.maximum(row.numbers.data(), count), 3.0F) << at << " of " << count;
    }
  }
  const std::vector<float> nothing(16, -kInfinity);
  EXPECT_EQ(kernels.maximum(nothing.data(), 16), -kInfinity);
  const std::vector<float> poison(8, kNaN);
  EXPECT_EQ(kernels.maximum(poison.data(), 8), -kInfinity);
}

TEST_P(KernelsTest, ExponentiateIsGoodToTwoUlp) {
  double worst = 0;
  std::vector<float> row(1024);
  for (int round = 0; round < 200; ++round) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      row[j] = -87.3F * static_cast<float>(round * 1024 + static_cast<int>(j)) / (200 * 1024);
    }
    const std::vector<float> before = row;
    const float sum = kernels.exponentiate(row.data(), row.size(), 0);
    double expected_sum = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double expected = std::exp(double{before[j]});
      expected_sum += expected;
      const double ulp = std::exp2(std::floor(std::log2(expected)) - 23);
      worst = std::max(worst, std::abs(double{row[j]} - expected) / ulp);
    }
    ASSERT_NEAR(sum, expected_sum, 1e-4 * expected_sum);
  }
  EXPECT_LE(worst, 2.0);
  RecordProperty("worst_ulp_hundredths", static_cast<int>(worst * 100));
}

TEST_P(KernelsTest, ExponentiateAtTheEdges) {
  std::vector<float> row = {0, -0.0F, -kInfinity, kNaN, -1000, -104, kInfinity, -1};
  kernels.exponentiate(row.data(), row.size(), 0);
  EXPECT_EQ(row[0], 1.0F);
  EXPECT_EQ(row[1], 1.0F);
  EXPECT_EQ(row[2], 0.0F);
  EXPECT_TRUE(std::isnan(row[3]));
  EXPECT_EQ(row[4], 0.0F);
  EXPECT_LT(row[5], 1e-37F);
  std::vector<float> overflow(8, kInfinity);
  kernels.exponentiate(overflow.data(), overflow.size(), kInfinity);
  EXPECT_TRUE(std::isnan(overflow[0]));
}

TEST_P(KernelsTest, NormaliseWorksForAnyCountAndHidesWhatIsHidden) {
  for (const std::size_t count : kSizes) {
    Owned row = random_matrix(1, count, count, 14);
    row.numbers[count / 2] = -kInfinity;
    const std::vector<float> before = row.numbers;
    kernels.normalise(row.numbers.data(), count, 1, 0.25F);
    for (std::size_t j = 0; j < count; ++j) {
      ASSERT_NEAR(row.numbers[j], 0.25 * std::exp(double{before[j]} - 1), 1e-7);
    }
    row.numbers = before;
    kernels.normalise(row.numbers.data(), count, 1, kNaN);
    ASSERT_EQ(row.numbers[count / 2], 0.0F) << "hidden even in a row that is not a number";
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

INSTANTIATE_TEST_SUITE_P(Every, KernelsTest, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
