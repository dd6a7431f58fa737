// Tensors of 16 bits and of int8: every number there is becomes the float32 that it stands for, and
// every call gives the bits that it gives for those.
#include "support/cpp/narrow_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"
#include "support/cpp/vector_call.h"

namespace attention::tests {
namespace {

class NarrowNumbers : public KernelsTest {
 protected:
  // Nothing is rotated, so what comes out is what came in.
  std::vector<float> taken_in(const NarrowTensor& tensor) const {
    const Answer answer = Record("rotaryEmbedding").set("x", tensor).set("width", 0).call(kernels);
    EXPECT_EQ(answer.problem, "");
    return answer.results.at("output").numbers;
  }
};

std::vector<float> floats_of(const VectorTensor& tensor) {
  return {tensor.numbers.begin(), tensor.numbers.end()};
}

// Subnormal ones, infinities and NaN too.
TEST_P(NarrowNumbers, EveryOneOfSixteenBits) {
  std::vector<std::uint16_t> all;
  for (int bits = 0; bits <= 0xFFFF; ++bits) all.push_back(static_cast<std::uint16_t>(bits));
  for (const NarrowType type : {NarrowType::kFloat16, NarrowType::kBfloat16}) {
    const NarrowTensor tensor = tensor_of_bits({1024, 64}, type, all);
    EXPECT_TRUE(same_bits(taken_in(tensor), floats_of(widened(tensor))));
  }
}

// In rows of any width, each with a scale of its own; the last row ends where the block does.
TEST_P(NarrowNumbers, EveryOneOfInt8) {
  for (const std::size_t width : {2U, 3U, 4U, 5U, 16U, 17U, 256U}) {
    for (const std::size_t rows : {1U, 2U, 7U, 130U}) {
      std::vector<std::int8_t> numbers;
      std::vector<float> scales;
      for (std::size_t row = 0; row < rows; ++row) {
        scales.push_back(static_cast<float>(row % 5) * 0.37F - 0.5F);
        for (std::size_t c = 0; c < width; ++c) {
          const std::size_t at = row * width + c;
          numbers.push_back(static_cast<std::int8_t>(static_cast<int>(at % 256) - 128));
        }
      }
      const NarrowTensor tensor =
          tensor_of_int8({static_cast<double>(rows), static_cast<double>(width)}, numbers, scales);
      std::vector<float> expected;
      for (std::size_t at = 0; at < numbers.size(); ++at) {
        expected.push_back(static_cast<float>(numbers[at]) * scales[at / width]);
      }
      EXPECT_TRUE(same_bits(taken_in(tensor), expected)) << rows << " × " << width;
    }
  }
}

// Inputs and weights of every vector. A row of int8 has two numbers at least.
TEST_P(NarrowNumbers, GiveTheBitsOfTheirFloats) {
  int narrow = 0;
  for (const NarrowType type : {NarrowType::kFloat16, NarrowType::kBfloat16, NarrowType::kInt8}) {
    const auto put = [&](bool as_floats) -> Put {
      return [=, &narrow](Record& record, const std::string& field, const VectorTensor& tensor) {
        const NarrowTensor cut = narrowed(tensor, type);
        if (as_floats || (type == NarrowType::kInt8 && tensor.dims.back() < 2)) {
          record.set(field, widened(cut));
        } else {
          record.set(field, cut);
          ++narrow;
        }
      };
    };
    for (const Vector& vector : vectors()) {
      const VectorLayer narrow_layer(kernels, vector, put(false));
      const VectorLayer float_layer(kernels, vector, put(true));
      const Answer cut = record_of(vector, narrow_layer.address(), put(false))->call(kernels);
      const Answer floats = record_of(vector, float_layer.address(), put(true))->call(kernels);
      ASSERT_EQ(cut.problem, "") << vector.name;
      ASSERT_EQ(cut.results.size(), floats.results.size());
      for (const auto& [name, result] : cut.results) {
        EXPECT_TRUE(same_bits(result, floats.results.at(name))) << vector.name << ": " << name;
      }
    }
  }
  EXPECT_GT(narrow, 6000);
}

INSTANTIATE_TEST_SUITE_P(Every, NarrowNumbers, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
