// Visibility: ranges agree with is_visible(), and is_visible() with the definition in the header.
#include "attention/visibility.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace attention::tests {
namespace {

// The definition in the header, written with plain numbers.
bool should_see(std::int64_t p, std::int64_t j, bool causal, std::int64_t left, std::int64_t right,
                std::int64_t length) {
  if (j >= length) return false;
  if (causal && j > p) return false;
  if (left >= 0 && j < p - left) return false;
  return right < 0 || j <= p + right;
}

TEST(Visibility, ComposesByIntersection) {
  constexpr std::size_t kQueries = 6;
  constexpr std::size_t kKeys = 7;
  constexpr KeyRange kExisting{0, kKeys};
  for (const double offset : {-9.0, -2.0, 0.0, 3.0, 20.0}) {
    for (const bool causal : {false, true}) {
      for (const std::int64_t left : {-1, 0, 2}) {
        for (const std::int64_t right : {-1, 0, 1}) {
          for (const double length : {0.0, 4.0, 7.0}) {
            Visibility visibility;
            visibility.causal = causal;
            if (left >= 0) visibility.window_left = left;
            if (right >= 0) visibility.window_right = right;
            visibility.offsets = std::span(&offset, 1);
            visibility.key_lengths = std::span(&length, 1);
            for (std::size_t i = 0; i < kQueries; ++i) {
              const KeyRange range = visibility.keys(kExisting, 0, i);
              for (std::size_t j = 0; j < kKeys; ++j) {
                const auto p = static_cast<std::int64_t>(offset) + static_cast<std::int64_t>(i);
                const bool expected = should_see(p, static_cast<std::int64_t>(j), causal, left,
                                                 right, static_cast<std::int64_t>(length));
                ASSERT_EQ(j >= range.first && j < range.last, expected);
                ASSERT_EQ(visibility.is_visible(kExisting, 0, 0, i, j), expected);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Visibility, UsesOffsetsAndLengthsOfTheBatchEntry) {
  const std::vector<double> offsets = {0, 2};
  const std::vector<double> lengths = {1, 3};
  Visibility visibility;
  visibility.causal = true;
  visibility.offsets = offsets;
  visibility.key_lengths = lengths;
  EXPECT_EQ(visibility.keys({0, 4}, 0, 1).last, 1U);
  EXPECT_EQ(visibility.keys({0, 4}, 1, 0).last, 3U);
}

TEST(Visibility, MaskHidesOnlyByZeroOrMinusInfinity) {
  const std::vector<std::uint8_t> allowed = {1, 0, 2};
  Visibility visibility;
  visibility.mask.allowed = allowed.data();
  visibility.mask.key_stride = 1;
  EXPECT_TRUE(visibility.is_visible({0, 3}, 0, 0, 5, 0));
  EXPECT_FALSE(visibility.is_visible({0, 3}, 0, 0, 5, 1));
  EXPECT_TRUE(visibility.is_visible({0, 3}, 0, 0, 5, 2));
  EXPECT_FALSE(visibility.any({0, 3}, 0, 0, 5, {1, 2}));
  EXPECT_TRUE(visibility.any({0, 3}, 0, 0, 5, {1, 3}));

  const std::vector<float> bias = {-std::numeric_limits<float>::max(),
                                   -std::numeric_limits<float>::infinity(), 0};
  visibility.mask.allowed = nullptr;
  visibility.mask.bias = bias.data();
  EXPECT_TRUE(visibility.is_visible({0, 3}, 0, 0, 0, 0));
  EXPECT_FALSE(visibility.is_visible({0, 3}, 0, 0, 0, 1));
}

TEST(Visibility, MasksHaveStrides) {
  Mask mask;
  EXPECT_EQ(mask.index(2, 3, 5, 7), 0U);
  mask.batch_stride = 1000;
  mask.head_stride = 100;
  mask.query_stride = 10;
  mask.key_stride = 2;
  EXPECT_EQ(mask.index(2, 3, 5, 7), 2364U);
}

TEST(Visibility, IsUniformUnlessPositionsMatter) {
  const auto is_uniform = [](bool causal, bool left, bool right, bool same_position) {
    Visibility visibility;
    visibility.causal = causal;
    if (left) visibility.window_left = 2;
    if (right) visibility.window_right = 2;
    visibility.same_position = same_position;
    return visibility.is_uniform();
  };
  EXPECT_TRUE(is_uniform(false, false, false, false));
  EXPECT_FALSE(is_uniform(true, false, false, false));
  EXPECT_FALSE(is_uniform(false, true, false, false));
  EXPECT_FALSE(is_uniform(false, false, true, false));
  EXPECT_TRUE(is_uniform(true, true, true, true));
}

}  // namespace
}  // namespace attention::tests
