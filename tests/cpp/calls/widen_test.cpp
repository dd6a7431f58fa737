// float16, bfloat16 and int8 tensors: all values convert to the correct float32, and calls give the
// same bits as for float32 tensors.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/low_precision.h"
#include "support/cpp/record.h"
#include "support/cpp/vector_call.h"

namespace attention::tests {
namespace {

class LowPrecision : public KernelsTest {
 protected:
  // Width 0: the output equals the input.
  std::vector<float> taken_in(const LowPrecisionTensor& tensor) const {
    const Answer answer = Record("rotaryEmbedding").set("x", tensor).set("width", 0).call(kernels);
    EXPECT_EQ(answer.problem, "");
    return answer.results.at("output").numbers;
  }
};

std::vector<float> floats_of(const VectorTensor& tensor) {
  return {tensor.numbers.begin(), tensor.numbers.end()};
}

// Includes subnormal numbers, infinities and NaN.
TEST_P(LowPrecision, WidensEvery16BitValue) {
  std::vector<std::uint16_t> all;
  for (int bits = 0; bits <= 0xFFFF; ++bits) all.push_back(static_cast<std::uint16_t>(bits));
  for (const LowPrecisionType type : {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16}) {
    const LowPrecisionTensor tensor = tensor_of_bits({1024, 64}, type, all);
    EXPECT_TRUE(same_bits(taken_in(tensor), floats_of(to_float32(tensor))));
  }
}

// Rows of any width with one scale each; the last row ends at the end of the block.
TEST_P(LowPrecision, WidensEveryInt8Value) {
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
      const LowPrecisionTensor tensor =
          tensor_of_int8({static_cast<double>(rows), static_cast<double>(width)}, numbers, scales);
      std::vector<float> expected;
      for (std::size_t at = 0; at < numbers.size(); ++at) {
        expected.push_back(static_cast<float>(numbers[at]) * scales[at / width]);
      }
      EXPECT_TRUE(same_bits(taken_in(tensor), expected)) << rows << " × " << width;
    }
  }
}

// Inputs and weights of every test vector, but no int8 weights: they are multiplied as integers.
// int8 rows have at least two numbers.
TEST_P(LowPrecision, ResultsEqualThoseOfFloat32) {
  int low_precision_tensors = 0;
  for (const LowPrecisionType type :
       {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16, LowPrecisionType::kInt8}) {
    const auto put = [&](bool as_floats) -> Put {
      return [=, &low_precision_tensors](Record& record, const std::string& field,
                                         const VectorTensor& tensor) {
        const LowPrecisionTensor cut = to_low_precision(tensor, type);
        if (as_floats || (type == LowPrecisionType::kInt8 && tensor.dims.back() < 2)) {
          record.set(field, to_float32(cut));
        } else {
          record.set(field, cut);
          ++low_precision_tensors;
        }
      };
    };
    for (const Vector& vector : vectors()) {
      const VectorLayer low_precision_layer(kernels, vector, put(type == LowPrecisionType::kInt8));
      const VectorLayer float_layer(kernels, vector, put(true));
      const Answer cut =
          record_of(vector, low_precision_layer.address(), put(false))->call(kernels);
      const Answer floats = record_of(vector, float_layer.address(), put(true))->call(kernels);
      ASSERT_EQ(cut.problem, "") << vector.name;
      ASSERT_EQ(cut.results.size(), floats.results.size());
      for (const auto& [name, result] : cut.results) {
        EXPECT_TRUE(same_bits(result, floats.results.at(name))) << vector.name << ": " << name;
      }
    }
  }
  EXPECT_GT(low_precision_tensors, 5000);
}

INSTANTIATE_TEST_SUITE_P(Every, LowPrecision, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
