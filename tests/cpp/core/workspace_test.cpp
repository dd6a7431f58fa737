// Workspace: counted bytes equal allocated bytes; lend() reuses memory.
#include "attention/workspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "attention/key_value_cache.h"
#include "attention/linear_map.h"
#include "attention/multi_head.h"
#include "attention/positions.h"
#include "attention/rotary.h"
#include "kernels/kernels.h"

namespace attention::tests {
namespace {

TEST(Workspace, BlocksAreAlignedTo16Bytes) {
  alignas(16) std::array<std::byte, 64> block;
  Workspace memory(block.data());
  EXPECT_EQ(memory.take<std::byte>(1), block.data());
  EXPECT_EQ(memory.take<std::uint32_t>(4), reinterpret_cast<std::uint32_t*>(block.data() + 16));
  EXPECT_EQ(memory.take<double>(0), reinterpret_cast<double*>(block.data() + 32));
  EXPECT_EQ(memory.take<std::byte>(17), block.data() + 32);
  EXPECT_EQ(memory.used(), 64U);
  EXPECT_FALSE(memory.counts());
  EXPECT_EQ(Workspace().used(), 0U);
}

TEST(Workspace, LentMemoryIsReused) {
  alignas(16) std::array<std::byte, 96> block;
  Workspace memory(block.data());
  memory.take<float>(4);
  for (const std::uint64_t bytes : {32, 80, 16}) {
    memory.lend(
        [&](Workspace& lent) { EXPECT_EQ(lent.take<std::byte>(bytes), block.data() + 16); });
  }
  // The maximum of both.
  EXPECT_EQ(memory.used(), 96U);
  EXPECT_EQ(memory.take<std::byte>(1), block.data() + 16);
}

TEST(Workspace, HugeSizesDoNotWrap) {
  Workspace counting;
  for (int i = 0; i < 9; ++i) {
    const std::uint64_t before = counting.used();
    counting.take<double>(~std::uint64_t{0});
    EXPECT_GE(counting.used(), std::max(before, std::uint64_t{1} << 59));
  }
}

// A low-precision map needs the bytes of its weights, and scales only for int8.
TEST(Workspace, LinearMapsTakeTheBytesOfTheirType) {
  const auto bytes = [](const LinearShape& shape) {
    Workspace counting;
    LinearMap::reserve(counting, shape);
    return counting.used();
  };
  const std::uint64_t numbers = 24 * 16;
  EXPECT_EQ(bytes({.in = 24, .out = 9}), numbers * 4);
  EXPECT_EQ(bytes({.in = 24, .out = 9, .bias = true}), numbers * 4 + 48);
  EXPECT_EQ(bytes({.in = 24, .out = 9, .type = NumberType::kBfloat16}), numbers * 2);
  EXPECT_EQ(bytes({.in = 24, .out = 9, .type = NumberType::kInt8}), numbers + 16 * 4);
  EXPECT_EQ(bytes({.in = 24, .out = 9, .type = NumberType::kInt8, .scaled_by_input = true}),
            numbers + 24 * 8 * 4);
}

// One frequency per rotated pair, one bias per head and bucket, one run per bucket.
TEST(Workspace, HeadsTakeTheBytesOfTheirPositions) {
  const auto bytes = [](std::size_t rotary_width, std::size_t buckets) {
    Workspace counting;
    MultiHeadAttention::reserve(
        counting, {.heads = 2, .rotary_width = rotary_width, .distance_buckets = buckets});
    return counting.used();
  };
  EXPECT_EQ(bytes(4, 0) - bytes(0, 0), 16U);
  EXPECT_EQ(bytes(8, 0) - bytes(0, 0), 32U);
  EXPECT_EQ(bytes(0, 3) - bytes(0, 0), 32U + 3 * sizeof(DistanceRun));
}

// The first key of a sliding cache can be anywhere in a tile.
TEST(Workspace, SlidingCacheHasOneMoreTile) {
  KeyValueCache cache;
  cache.batch = 2;
  cache.kv_heads = 3;
  cache.key_dim = 5;
  cache.value_dim = 7;
  cache.capacity = 2 * kTileKeys;
  const std::uint64_t tile = 2 * 3 * kTileKeys * (5 + 8) * sizeof(float);
  EXPECT_EQ(cache.bytes(), 2 * tile + 16);
  cache.capacity = kTileKeys + 1;
  EXPECT_EQ(cache.bytes(), 2 * tile + 16);
  cache.sliding = true;
  EXPECT_EQ(cache.bytes(), 3 * tile + 32);
}

TEST(Workspace, ClearedMapReturnsItsBias) {
  for (const NumberType type : {NumberType::kFloat32, NumberType::kBfloat16, NumberType::kInt8}) {
    alignas(16) std::array<std::byte, 2048> block;
    block.fill(std::byte{0xFF});
    Workspace memory(block.data());
    LinearMap map = LinearMap::reserve(memory, {.in = 5, .out = 19, .bias = true, .type = type});
    map.clear();
    const std::array<float, 5> x = {1, 2, 3, 4, 5};
    std::array<float, 19> y;
    y.fill(1);
    map.apply(simd_kernels(), {x.data(), 1, 5, 5}, {y.data(), 1, 19, 19});
    EXPECT_EQ(std::count(y.begin(), y.end(), 0.0F), 19) << static_cast<int>(type);
  }
}

TEST(Workspace, RotatingNoEntriesChangesNothing) {
  Rotation rotation;
  rotation.width = 2;
  rotation.apply(Heads<float>::packed(nullptr, 0, 1, 3, 2), std::array{1.0, 2.0});
}

// A loop over all pairs would take minutes.
TEST(Workspace, BillionsOfPairsWithoutPositionsReturnAtOnce) {
  sinusoidal_positions({nullptr, 0, 0xFFFFFFFE, 0xFFFFFFFE});
}

TEST(Workspace, ScratchMemoryIsReusedWhileLargeEnough) {
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
