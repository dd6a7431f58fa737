// Views: the addresses of their numbers.
#include "attention/matrix.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "attention/stored_matrix.h"

namespace attention::tests {
namespace {

// The numbers of the buffer equal their index.
TEST(Views, IndexTheirNumbers) {
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

TEST(Views, StoredMatricesHaveStrides) {
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

}  // namespace
}  // namespace attention::tests
