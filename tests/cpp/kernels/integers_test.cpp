// Kernels of int8 products, each against its definition: extremes, odd sizes, and buffers of
// exactly their size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/kernels.h"
#include "support/cpp/kernels_under_test.h"

namespace attention::tests {
namespace {

class Integers : public KernelsTest {};

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST_P(Integers, LargestBitsOrdersMagnitudes) {
  for (std::size_t count = 0; count < 20; ++count) {
    for (std::size_t at = 0; at < count; ++at) {
      std::vector<float> x(count, -0.5F);
      EXPECT_EQ(kernels.largest_bits(x.data(), count), 0x3F000000U);
      x[at] = -2;
      EXPECT_EQ(kernels.largest_bits(x.data(), count), 0x40000000U);
      x[count - 1 - at] = -kInfinity;
      EXPECT_EQ(kernels.largest_bits(x.data(), count), 0x7F800000U);
      x[at] = std::numeric_limits<float>::quiet_NaN();
      EXPECT_GT(kernels.largest_bits(x.data(), count), 0x7F800000U);
    }
  }
  EXPECT_EQ(kernels.largest_bits(nullptr, 0), 0U);
}

double nearest_even(double number) {
  const double floor = std::floor(number);
  const double rest = number - floor;
  const bool is_even = std::fmod(floor, 2) == 0;
  return rest < 0.5 || (rest == 0.5 && is_even) ? floor : floor + 1;
}

TEST_P(Integers, QuantizeRoundsTiesToEven) {
  for (std::size_t count = 1; count < 40; ++count) {
    std::vector<float> x(count);
    for (std::size_t k = 0; k < count; ++k) {
      x[k] = (k % 2 == 0 ? 1.0F : -1.0F) * (static_cast<float>(k * 251) + 0.5F) / 4;
    }
    x[count / 2] = -8191.0F / 2;
    std::vector<std::int16_t> panel((count - 1) / 2 * 2 * kRowPanel + (count - 1) % 2 + 1, 7);
    kernels.quantize(panel.data(), x.data(), count, 2);
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(panel[k / 2 * 2 * kRowPanel + k % 2], nearest_even(double{x[k]} * 2)) << x[k];
    }
    for (std::size_t at = 0; at < panel.size(); ++at) {
      if (at % (2 * kRowPanel) < 2) continue;
      EXPECT_EQ(panel[at], 7) << "another row's number was written";
    }
  }
}

TEST_P(Integers, QuantizeWeightsRoundsTiesToEven) {
  std::vector<float> all;  // -127 to 127 in steps of 1/4, times 2
  for (int quarters = -4 * 127; quarters <= 4 * 127; ++quarters) {
    all.push_back(static_cast<float>(quarters) / 2);
  }
  for (std::size_t count = 0; count < 40; ++count) {
    for (std::size_t first = 0; first + count <= all.size(); first += 17) {
      const std::vector<float> x(all.data() + first, all.data() + first + count);
      std::vector<std::int8_t> numbers(count);
      kernels.quantize_weights(numbers.data(), x.data(), count, 0.5F);
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_EQ(numbers[k], nearest_even(double{x[k]} / 2)) << x[k] << ", number " << k;
      }
    }
  }
}

// Panels for rows of any type: the number of input k and column c, with extremes in two columns.
int weight_at(std::size_t k, std::size_t c) {
  if (c == 1) return -128;
  if (c == 2) return 127;
  return static_cast<int>((k * 37 + c * 101) % 256) - 128;
}

// Exactly the numbers that a product of `rows` rows may read, in panels: those of missing rows
// are 99.
std::vector<std::int16_t> packed_rows(std::size_t rows, std::size_t pairs,
                                      const std::function<int(std::size_t, std::size_t)>& number) {
  const auto at = [&](std::size_t i, std::size_t k) {
    return ((i / kRowPanel * pairs + k / 2) * kRowPanel + i % kRowPanel) * 2 + k % 2;
  };
  std::vector<std::int16_t> packed((rows + kRowPanel - 1) / kRowPanel * kRowPanel * 2 * pairs, 99);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < 2 * pairs; ++k) {
      packed[at(i, k)] = static_cast<std::int16_t>(number(i, k));
    }
  }
  return packed;
}

// The product of any number of rows, and that of few if they are few.
std::vector<decltype(Kernels::integer_product)> products(const Kernels& kernels, std::size_t rows) {
  if (rows > kRowPanel) return {kernels.integer_product};
  return {kernels.integer_product, kernels.integer_rows};
}

TEST_P(Integers, ProductsAreExactSums) {
  for (const std::size_t pairs : {1U, 2U, 255U, 256U, 257U, 1024U}) {
    for (const std::size_t columns : {1U, 3U, 8U, 31U, 32U, 33U, 67U}) {
      const std::size_t stride = pairs * 2 * kPanel + 16;
      std::vector<std::byte> panels((columns + kPanel - 1) / kPanel * stride - 16);
      for (std::size_t c = 0; c < columns; ++c) {
        for (std::size_t k = 0; k < 2 * pairs; ++k) {
          const std::size_t at = c / kPanel * stride + k / 2 * 2 * kPanel + c % kPanel * 2 + k % 2;
          panels[at] = static_cast<std::byte>(weight_at(k, c));
        }
      }
      for (const std::size_t rows : {1U, 2U, 3U, 4U, 7U, 16U, 22U}) {
        const auto number = [&](std::size_t i, std::size_t k) {
          return i == 0 ? -8191 : static_cast<int>((k * 911 + i * 7) % 16383) - 8191;
        };
        const std::vector<std::int16_t> x = packed_rows(rows, pairs, number);
        std::vector<std::int64_t> sums(rows * columns);
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t c = 0; c < columns; ++c) {
            for (std::size_t k = 0; k < 2 * pairs; ++k) {
              sums[i * columns + c] += std::int64_t{number(i, k)} * weight_at(k, c);
            }
          }
        }
        for (const auto multiply : products(kernels, rows)) {
          for (const float before : {0.25F, 0.0F}) {
            std::vector<float> y(rows * columns, before == 0 ? kInfinity : before);
            multiply({y.data(), rows, columns, columns}, x.data(),
                     {panels.data(), stride, pairs, before != 0}, {});
            for (std::size_t n = 0; n < y.size(); ++n) {
              ASSERT_EQ(y[n], before + static_cast<float>(sums[n]))
                  << pairs << " pairs, number " << n << " of " << rows << " rows";
            }
          }
        }
      }
    }
  }
}

// Halves of inputs, panels of rows and panels of columns of the largest and the smallest number, in
// every combination: sums of such quarters must not overflow.
TEST_P(Integers, QuartersOfExtremesAreExactSums) {
  constexpr std::size_t kRows = 4 * kRowPanel, kColumns = 2 * kPanel;
  for (const std::size_t pairs : {2U, 1024U}) {
    const auto quarter = [pairs](std::size_t panel, std::size_t k) {
      return panel % 2 * 2 + (k < pairs ? 0 : 1);
    };
    for (std::size_t signs = 0; signs < 256; signs += pairs == 2 ? 1 : 15) {
      const auto number = [&](std::size_t i, std::size_t k) {
        return signs >> quarter(i / kRowPanel, k) & 1 ? 8191 : -8191;
      };
      const auto weight = [&](std::size_t k, std::size_t c) {
        return signs >> (4 + quarter(c / kPanel, k)) & 1 ? 127 : -128;
      };
      std::vector<std::byte> panels(2 * pairs * kColumns);
      for (std::size_t c = 0; c < kColumns; ++c) {
        for (std::size_t k = 0; k < 2 * pairs; ++k) {
          panels[c / kPanel * pairs * 2 * kPanel + k / 2 * 2 * kPanel + c % kPanel * 2 + k % 2] =
              static_cast<std::byte>(weight(k, c));
        }
      }
      std::vector<float> y(kRows * kColumns);
      kernels.integer_product({y.data(), kRows, kColumns, kColumns},
                              packed_rows(kRows, pairs, number).data(),
                              {panels.data(), pairs * 2 * kPanel, pairs, false}, {});
      for (std::size_t i = 0; i < kRows; ++i) {
        for (std::size_t c = 0; c < kColumns; ++c) {
          std::int64_t sum = 0;
          for (std::size_t k = 0; k < 2 * pairs; ++k) {
            sum += std::int64_t{number(i, k)} * weight(k, c);
          }
          ASSERT_EQ(y[i * kColumns + c], static_cast<float>(sum))
              << pairs << " pairs, signs " << signs << ", row " << i << ", column " << c;
        }
      }
    }
  }
}

// The largest sums of a block, of both signs.
TEST_P(Integers, RowsOfExtremesAreExactSums) {
  for (const int number : {-8191, 8191}) {
    for (const int weight : {-128, 127}) {
      const std::vector<std::byte> panel(kIntegerBlock * kPanel, static_cast<std::byte>(weight));
      const auto numbers = [number](std::size_t, std::size_t) { return number; };
      float y[kPanel] = {};
      for (const auto multiply : products(kernels, 1)) {
        multiply({y, 1, kPanel, kPanel}, packed_rows(1, kIntegerBlock / 2, numbers).data(),
                 {panel.data(), 0, kIntegerBlock / 2, false}, {});
        const int sum = number * weight * static_cast<int>(kIntegerBlock);
        for (const float result : y) EXPECT_EQ(result, static_cast<float>(sum));
      }
    }
  }
}

TEST_P(Integers, SumsAreScaledAfterAddition) {
  const auto number = [](std::size_t i, std::size_t k) {
    return static_cast<int>(i * 1000 + k) + 1;
  };
  for (std::size_t columns = 1; columns < 20; ++columns) {
    constexpr std::size_t kPairs = 2;
    std::vector<std::byte> panels(round_up_to_panel(columns) * 2 * kPairs);
    std::vector<float> scales(columns), bias(columns);
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t k = 0; k < 2 * kPairs; ++k) {
        panels[(c / kPanel * kPairs + k / 2) * 2 * kPanel + c % kPanel * 2 + k % 2] =
            static_cast<std::byte>(weight_at(k, c));
      }
      scales[c] = 0.3F / static_cast<float>(c + 1);
      bias[c] = static_cast<float>(c) - 2.7F;
    }
    for (const std::size_t rows : {1U, 2U, 4U, 6U, 19U}) {
      std::vector<float> factors(rows);
      for (std::size_t i = 0; i < rows; ++i) factors[i] = 0.7F / static_cast<float>(i + 1);
      for (int options = 0; options < 8; ++options) {
        const bool has_scales = options % 2 != 0, has_bias = options / 2 % 2 != 0;
        const bool adds = options / 4 != 0;
        for (const auto multiply : products(kernels, rows)) {
          std::vector<float> y(rows * columns, adds ? 7.5F : kInfinity);
          multiply({y.data(), rows, columns, columns}, packed_rows(rows, kPairs, number).data(),
                   {panels.data(), kPairs * 2 * kPanel, kPairs, adds},
                   {factors.data(), has_scales ? scales.data() : nullptr,
                    has_bias ? bias.data() : nullptr});
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t c = 0; c < columns; ++c) {
              int exact = 0;
              for (std::size_t k = 0; k < 2 * kPairs; ++k) exact += number(i, k) * weight_at(k, c);
              const float sum = (adds ? 7.5F : 0) + static_cast<float>(exact);
              const float scale = has_scales ? factors[i] * scales[c] : factors[i];
              const float scaled = sum * scale;
              EXPECT_EQ(y[i * columns + c], scaled + (has_bias ? bias[c] : 0));
            }
          }
        }
      }
    }
  }
}

// Else nothing above proves the fused product of few rows.
TEST(FusedIntegers, RunWhereBytesAreUnsigned) {
  EXPECT_NE(fused_kernels().integer_rows, simd_kernels().integer_rows);
}

INSTANTIATE_TEST_SUITE_P(Every, Integers, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
