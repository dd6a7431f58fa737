// Kernels of int8 products, each against its definition: extremes, odd sizes, and buffers of
// exactly their size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
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

TEST_P(Integers, QuantizeRoundsTiesToEven) {
  for (std::size_t count = 1; count < 40; ++count) {
    std::vector<float> x(count);
    for (std::size_t k = 0; k < count; ++k) {
      x[k] = (k % 2 == 0 ? 1.0F : -1.0F) * (static_cast<float>(k * 251) + 0.5F) / 4;
    }
    x[count / 2] = -8191.0F / 2;
    std::vector<std::int16_t> got(count);
    kernels.quantize(got.data(), x.data(), count, 2);
    for (std::size_t k = 0; k < count; ++k) {
      const double scaled = double{x[k]} * 2;
      const double floor = std::floor(scaled);
      const double rest = scaled - floor;
      const bool is_even = std::fmod(floor, 2) == 0;
      EXPECT_EQ(got[k], rest < 0.5 || (rest == 0.5 && is_even) ? floor : floor + 1) << scaled;
    }
  }
}

// Panels for rows of any type: the number of input k and column c, with extremes in two columns.
int weight_at(std::size_t k, std::size_t c) {
  if (c == 1) return -128;
  if (c == 2) return 127;
  return static_cast<int>((k * 37 + c * 101) % 256) - 128;
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
      for (const std::size_t rows : {1U, 3U, 4U, 7U, 16U}) {
        std::vector<std::int16_t> x((rows - 1) * kIntegerStride + 2 * pairs);
        const auto number = [&](std::size_t i, std::size_t k) {
          return i == 0 ? -8191 : static_cast<int>((k * 911 + i * 7) % 16383) - 8191;
        };
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t k = 0; k < 2 * pairs; ++k) {
            x[i * kIntegerStride + k] = static_cast<std::int16_t>(number(i, k));
          }
        }
        for (const float before : {0.25F, 0.0F}) {
          std::vector<float> y(rows * columns, before == 0 ? kInfinity : before);
          kernels.integer_product({y.data(), rows, columns, columns}, x.data(),
                                  {panels.data(), stride, pairs, before != 0});
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t c = 0; c < columns; ++c) {
              std::int64_t sum = 0;
              for (std::size_t k = 0; k < 2 * pairs; ++k) sum += number(i, k) * weight_at(k, c);
              ASSERT_EQ(y[i * columns + c], before + static_cast<float>(sum))
                  << pairs << " pairs, row " << i << " of " << rows << ", column " << c;
            }
          }
        }
      }
    }
  }
}

TEST_P(Integers, ScalesSums) {
  for (std::size_t count = 1; count < 20; ++count) {
    std::vector<float> sums(count), scales(count), bias(count);
    for (std::size_t c = 0; c < count; ++c) {
      sums[c] = static_cast<float>(c) * 1000 - 7.5F;
      scales[c] = 0.3F / static_cast<float>(c + 1);
      bias[c] = static_cast<float>(c) - 2.7F;
    }
    for (const bool has_scales : {false, true}) {
      for (const bool has_bias : {false, true}) {
        std::vector<float> y = sums;
        kernels.scale_sums(y.data(), count, 0.7F, has_scales ? scales.data() : nullptr,
                           has_bias ? bias.data() : nullptr);
        for (std::size_t c = 0; c < count; ++c) {
          const float scale = has_scales ? 0.7F * scales[c] : 0.7F;
          const float scaled = sums[c] * scale;
          EXPECT_EQ(y[c], scaled + (has_bias ? bias[c] : 0));
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Integers, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
