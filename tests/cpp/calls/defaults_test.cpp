// What views and options are before anybody says anything: empty, one head, or what the headers
// say, and where views find their numbers.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "attention/attention.h"

namespace attention::tests {
namespace {

TEST(Defaults, ViewsAreEmpty) {
  const Matrix<float> matrix;
  EXPECT_EQ(matrix.rows + matrix.cols + matrix.stride, 0U);
  const Heads<float> heads;
  EXPECT_EQ(heads.batch + heads.heads + heads.rows + heads.cols, 0U);
  EXPECT_EQ(heads.batch_stride + heads.head_stride + heads.row_stride, 0U);
  const Sequences<float> sequences;
  EXPECT_EQ(sequences.batch + sequences.rows + sequences.cols, 0U);
  const StoredMatrix stored;
  EXPECT_EQ(stored.rows + stored.cols + stored.stride + stored.scale_stride, 0U);
  const KeyRange range;
  EXPECT_EQ(range.first, 0U);
  EXPECT_EQ(range.last, 0U);
  EXPECT_TRUE(range.empty());
  const Shape shape;
  for (const std::size_t number : {shape.batch, shape.heads, shape.kv_heads, shape.q_len,
                                   shape.k_len, shape.key_dim, shape.value_dim}) {
    EXPECT_EQ(number, 0U);
  }
}

TEST(Defaults, LayersAreOfOneHeadAndNothingBeside) {
  const MultiHeadShape shape;
  EXPECT_EQ(shape.heads, 1U);
  EXPECT_EQ(shape.kv_heads, 1U);
  EXPECT_EQ(shape.rotary_width, 0U);
  EXPECT_EQ(shape.reach, 0U);
  const MultiHeadAttention layer;
  for (const std::size_t one : {layer.heads, layer.kv_heads, layer.key_dim, layer.value_dim}) {
    EXPECT_EQ(one, 1U);
  }
  EXPECT_EQ(layer.rotation.width, 0U);
  EXPECT_EQ(layer.rotation.factor, 1);
  EXPECT_EQ(layer.distance_bias.reach, 0U);
  const LinearShape linear;
  EXPECT_EQ(linear.in + linear.out, 0U);
  const LinearMap map;
  EXPECT_EQ(map.in + map.out, 0U);
  const KeyValueCache cache;
  for (const std::size_t one : {cache.batch, cache.kv_heads, cache.key_dim, cache.value_dim}) {
    EXPECT_EQ(one, 1U);
  }
  EXPECT_EQ(cache.capacity + cache.first + cache.length, 0U);
  const DistanceBuckets buckets;
  EXPECT_EQ(buckets.count + buckets.max_distance, 0U);
}

TEST(Defaults, OptionsAreThoseOfTheHeaders) {
  const AttentionOptions options;
  EXPECT_EQ(options.softcap, 0);
  EXPECT_EQ(options.similarity.constant, 1);
  EXPECT_EQ(options.similarity.degree, 2);
  EXPECT_TRUE(options.visibility.is_alike());
  EXPECT_FALSE(options.visibility.mask.given());
  EXPECT_EQ(LinearAttentionOptions().epsilon, 0);
  EXPECT_EQ(RotaryOptions().base, 10000);
  EXPECT_EQ(RotaryOptions().offset, 0);

  std::array<float, 4> sines;
  sinusoidal_positions({sines.data(), 1, 4, 4});
  EXPECT_EQ(sines[0], 0);
  EXPECT_EQ(sines[1], 1);
  std::array<float, 8> second;
  sinusoidal_positions({second.data(), 2, 4, 4});
  EXPECT_EQ(second[6], static_cast<float>(std::sin(0.01)));
}

// Number n of a view of as many is n.
TEST(Views, FindTheirNumbers) {
  std::vector<float> numbers(2 * 3 * 5 * 7);
  for (std::size_t at = 0; at < numbers.size(); ++at) numbers[at] = static_cast<float>(at);
  const auto head_major = Heads<float>::head_major(numbers.data(), 2, 3, 5, 7);
  const auto packed = Heads<float>::packed(numbers.data(), 2, 3, 5, 7);
  const Sequences<float> sequences{numbers.data(), 2, 5, 21};
  const Heads<float> split = sequences.split(3);
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t h = 0; h < 3; ++h) {
      for (std::size_t i = 0; i < 5; ++i) {
        const std::size_t in_row = ((b * 5 + i) * 3 + h) * 7;
        EXPECT_EQ(head_major.at(b, h).row(i)[6], ((b * 3 + h) * 5 + i) * 7 + 6);
        EXPECT_EQ(packed.at(b, h).row(i)[6], in_row + 6);
        EXPECT_EQ(split.at(b, h).row(i)[6], in_row + 6);
        EXPECT_EQ(sequences.all().row(b * 5 + i)[h * 7], in_row);
      }
    }
  }
  EXPECT_EQ(split.cols, 7U);
  EXPECT_EQ(sequences.split(1).cols, 21U);
  EXPECT_EQ(sequences.split(0).cols, 0U);
  EXPECT_EQ(sequences.all().rows, 10U);
  const Matrix<float> block = sequences.all().block(3, 2);
  EXPECT_EQ(block.rows, 2U);
  EXPECT_EQ(block.row(1)[2], 4 * 21 + 2);
}

TEST(Views, MasksAndStoredMatricesHaveStrides) {
  Mask mask;
  EXPECT_EQ(mask.index(2, 3, 5, 7), 0U);
  mask.batch_stride = 1000;
  mask.head_stride = 100;
  mask.query_stride = 10;
  mask.key_stride = 2;
  EXPECT_EQ(mask.index(2, 3, 5, 7), 2364U);

  const std::array<float, 12> numbers{};
  const StoredMatrix floats(numbers.data(), 4, 2, 3);
  EXPECT_EQ(floats.stride, 12U);
  StoredMatrix part = floats.block(2, 1);
  EXPECT_EQ(part.data, floats.data + 24);
  EXPECT_EQ(part.rows, 1U);
  EXPECT_EQ(part.scales, nullptr);
  StoredMatrix scaled = floats;
  scaled.scales = floats.data;
  scaled.scale_stride = 5;
  EXPECT_EQ(scaled.block(2, 1).scales, floats.data + 10);
}

TEST(Views, VisibilityIsAlikeUnlessPositionsMatter) {
  const auto is_alike = [](bool causal, bool left, bool right, bool together) {
    Visibility visibility;
    visibility.causal = causal;
    if (left) visibility.window_left = 2;
    if (right) visibility.window_right = 2;
    visibility.together = together;
    return visibility.is_alike();
  };
  EXPECT_TRUE(is_alike(false, false, false, false));
  EXPECT_FALSE(is_alike(true, false, false, false));
  EXPECT_FALSE(is_alike(false, true, false, false));
  EXPECT_FALSE(is_alike(false, false, true, false));
  EXPECT_TRUE(is_alike(true, true, true, true));
}

TEST(Views, AContextHasTheKeysOfItsRowsOrThoseProjected) {
  float number = 0;
  EXPECT_EQ((Context{.rows = {&number, 1, 3, 2}}).k_len(), 3U);
  EXPECT_EQ((Context{.key = {&number, 1, 5, 2}}).k_len(), 5U);
  KeyValueCache cache;
  cache.capacity = 9;
  cache.length = 4;
  EXPECT_EQ((Context{.rows = {&number, 1, 3, 2}, .cache = &cache}).k_len(), 7U);
}

TEST(Views, ScratchMemoryIsKeptWhileItIsLargeEnough) {
  std::vector<std::byte> memory;
  const auto take = [&](std::uint64_t floats) {
    int times = 0;
    with_scratch(memory, [&](Workspace& scratch) {
      ++times;
      const float* taken = scratch.take<float>(floats);
      EXPECT_EQ(scratch.counts(), taken == nullptr);
    });
    EXPECT_EQ(times, 2);
    return memory.size();
  };
  EXPECT_EQ(take(9), 48U);
  EXPECT_EQ(take(3), 48U);
  EXPECT_EQ(take(13), 64U);
}

}  // namespace
}  // namespace attention::tests
