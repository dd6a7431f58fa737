// Edge cases of attend() that no test vector covers, compared with an equivalent call.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"

namespace attention::tests {
namespace {

class CornerCases : public KernelsTest {};

VectorTensor waves(const std::vector<double>& dims, double step) {
  VectorTensor tensor{dims, std::vector<double>(count_of(dims))};
  for (std::size_t at = 0; at < tensor.numbers.size(); ++at) {
    tensor.numbers[at] = double{static_cast<float>(std::sin(step * static_cast<double>(at)))};
  }
  return tensor;
}

// Rows of a tensor with one head.
VectorTensor rows_of(const VectorTensor& tensor, std::size_t first, std::size_t count) {
  const auto width = static_cast<std::size_t>(tensor.dims.back());
  const auto begin = tensor.numbers.begin();
  return {{1, 1, static_cast<double>(count), tensor.dims.back()},
          {begin + static_cast<std::ptrdiff_t>(first * width),
           begin + static_cast<std::ptrdiff_t>((first + count) * width)}};
}

// Without heads the average weights are zeros, whatever the memory contained.
TEST_P(CornerCases, AverageOfNoHeadsIsZero) {
  for (const char* function : {"attention", "linearAttention"}) {
    Record call(function);
    call.set("query", waves({2, 0, 3, 4}, 1)).set("key", waves({2, 0, 5, 4}, 1));
    call.set("value", waves({2, 0, 5, 4}, 1));
    ASSERT_EQ(call.call(kernels).problem, "");
    const Answer answer = call.set("returnWeights", "average").call(kernels);
    ASSERT_EQ(answer.problem, "");
    EXPECT_EQ(answer.results.at("weights").numbers, std::vector<float>(2 * 3 * 5, 0.0F));
  }
}

// Cosine similarity does not depend on the lengths of rows. Only the last row of a panel is
// extreme.
TEST_P(CornerCases, CosinesOfVeryShortAndVeryLongRows) {
  const auto cosines = [&](double query_factor, double key_factor) {
    const auto scaled = [](VectorTensor tensor, double factor) {
      const auto width = static_cast<std::size_t>(tensor.dims.back());
      for (std::size_t at = 3 * width; at < 5 * width; ++at) tensor.numbers[at] *= factor;
      return tensor;
    };
    Record call("kernelAttention");
    call.set("similarity", "cosine").set("returnWeights", "perHead");
    call.set("query", scaled(waves({1, 1, 6, 7}, 1.3), query_factor));
    call.set("key", scaled(waves({1, 1, 10, 7}, 0.7), key_factor));
    call.set("value", waves({1, 1, 10, 2}, 1));
    return call.call(kernels).results;
  };
  const Results expected = cosines(1, 1);
  const std::vector<double> factors = {0x1p-110, 0x1p-83, 0x1p-51, 0x1p-40,
                                       0x1p40,   0x1p51,  0x1p83,  0x1p110};
  for (const double factor : factors) {
    for (const double other : {factor, 1.0, 1 / factor}) {
      if (other > 0x1p110 || other < 0x1p-110) continue;  // the row would lose precision
      const Results got = cosines(factor, other);
      for (const char* name : {"output", "weights"}) {
        EXPECT_TRUE(same_bits(got.at(name), expected.at(name)))
            << name << ", " << factor << ", " << other;
      }
    }
  }
}

TEST_P(CornerCases, CosinesOfSingleNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<double, double>> outputs = {
      {1e-45, 3}, {1e-40, 3}, {1e-25, 3}, {5e-20, 3},      {1, 3},    {1e25, 3},
      {1e38, 3},  {-1e38, 3}, {0, 0},     {infinity, nan}, {nan, nan}};
  for (const auto& [number, output] : outputs) {
    Record call("kernelAttention");
    const VectorTensor x{{1, 1}, {number}};
    call.set("similarity", "cosine").set("query", x).set("key", x).set("value", {{1, 1}, {3.0}});
    const Result got = call.call(kernels).results.at("output");
    if (std::isnan(output)) {
      EXPECT_TRUE(std::isnan(got.numbers.at(0))) << number;
    } else {
      EXPECT_NEAR(got.numbers.at(0), output, 1e-6) << number;
    }
  }
}

// The window hides the first keys of the tile, which are not compared.
TEST_P(CornerCases, CosinesWithAWindow) {
  constexpr std::size_t kQueries = 6, kKeys = 40, kWidth = 7, kOffset = 34, kLeft = 9;
  const auto positive = [](std::size_t rows, double step) {
    VectorTensor tensor{{1, 1, static_cast<double>(rows), kWidth}, {}};
    for (std::size_t at = 0; at < rows * kWidth; ++at) {
      const auto row = static_cast<double>(at / kWidth);
      tensor.numbers.push_back((1 + row) * (1.5 + std::sin(step * static_cast<double>(at))));
    }
    return tensor;
  };
  const VectorTensor query = positive(kQueries, 1.3);
  const VectorTensor key = positive(kKeys, 0.7);
  Record call("kernelAttention");
  call.set("similarity", "cosine").set("returnWeights", "perHead").set("causal", 1);
  call.set("offset", kOffset).set("window", 1).set("windowLeft", kLeft);
  call.set("query", query).set("key", key).set("value", waves({1, 1, kKeys, 2}, 1));
  const std::vector<float> weights = call.call(kernels).results.at("weights").numbers;
  const auto product = [](const VectorTensor& a, std::size_t i, const VectorTensor& b,
                          std::size_t j) {
    const double* first = &a.numbers[i * kWidth];
    return std::inner_product(first, first + kWidth, &b.numbers[j * kWidth], 0.0);
  };
  for (std::size_t i = 0; i < kQueries; ++i) {
    std::array<double, kKeys> cosines = {};
    for (std::size_t j = kOffset + i - kLeft; j <= kOffset + i; ++j) {
      cosines[j] = product(query, i, key, j) /
                   std::sqrt(product(query, i, query, i) * product(key, j, key, j));
    }
    const double sum = std::accumulate(cosines.begin(), cosines.end(), 0.0);
    for (std::size_t j = 0; j < kKeys; ++j) {
      EXPECT_NEAR(weights[i * kKeys + j], cosines[j] / sum, 1e-6) << i << ", " << j;
    }
  }
}

// One query with several heads per KV head; each head has its own mask.
TEST_P(CornerCases, HeadsWithSharedKeysHaveTheirOwnMasks) {
  VectorTensor mask{{2, 4, 1, 9}, {}, true};
  for (int at = 0; at < 2 * 4 * 9; ++at) mask.numbers.push_back(at * at % 7 < 4 ? 1 : 0);
  const auto call = [&](const VectorTensor& key, const VectorTensor& value) {
    Record record("attention");
    record.set("query", waves({2, 4, 1, 5}, 1.1)).set("key", key).set("value", value);
    record.set("mask", mask).set("returnWeights", "perHead");
    return record.call(kernels).results;
  };
  const auto twice = [](const VectorTensor& two) {
    VectorTensor all{{2, 4, two.dims[2], two.dims[3]}, {}};
    const std::size_t one = two.numbers.size() / 4;
    for (std::size_t head = 0; head < 8; ++head) {
      const auto begin = two.numbers.begin() + static_cast<long>(head / 2 * one);
      all.numbers.insert(all.numbers.end(), begin, begin + static_cast<long>(one));
    }
    return all;
  };
  const VectorTensor key = waves({2, 2, 9, 5}, 0.7);
  const VectorTensor value = waves({2, 2, 9, 6}, 0.3);
  const Results shared = call(key, value);
  const Results apart = call(twice(key), twice(value));
  EXPECT_TRUE(same_bits(shared.at("output"), apart.at("output")));
  EXPECT_TRUE(same_bits(shared.at("weights"), apart.at("weights")));
}

TEST_P(CornerCases, SharedKeysEqualRepeatedKeys) {
  constexpr double kRows = 70;
  const VectorTensor key = waves({1, 1, kRows, 5}, 0.7);
  const VectorTensor value = waves({1, 1, kRows, 6}, 0.3);
  const auto four_times = [](const VectorTensor& one) {
    VectorTensor all{{1, 4, one.dims[2], one.dims[3]}, {}};
    for (int head = 0; head < 4; ++head) {
      all.numbers.insert(all.numbers.end(), one.numbers.begin(), one.numbers.end());
    }
    return all;
  };
  for (const double causal : {0, 1}) {
    const auto call = [&](const VectorTensor& keys, const VectorTensor& values) {
      Record record("linearAttention");
      record.set("query", waves({1, 4, kRows, 5}, 0.9)).set("key", keys).set("value", values);
      record.set("featureMap", "elu").set("causal", causal).set("returnWeights", "perHead");
      return record.call(kernels);
    };
    const Answer shared = call(key, value);
    const Answer own = call(four_times(key), four_times(value));
    ASSERT_EQ(shared.problem + own.problem, "");
    for (const char* result : {"output", "weights"}) {
      EXPECT_TRUE(same_bits(shared.results.at(result).numbers, own.results.at(result).numbers))
          << result;
    }
  }
}

// A single query reads keys in place, from its first visible key to its last. The last key is
// visible to the second query only, whatever its value.
TEST_P(CornerCases, TwoQueriesDoNotAttendToHiddenKeys) {
  const VectorTensor query = waves({1, 1, 2, 5}, 1.1);
  const VectorTensor key = waves({1, 1, 9, 5}, 0.7);
  VectorTensor value = waves({1, 1, 9, 6}, 0.3);
  value.numbers.back() = std::nan("");
  const auto call = [&](const VectorTensor& queries, double rows) {
    Record record("attention");
    record.set("query", queries).set("key", rows_of(key, 0, static_cast<std::size_t>(rows)));
    record.set("value", rows_of(value, 0, static_cast<std::size_t>(rows)));
    record.set("causal", 1).set("offset", 7);
    return record.call(kernels).results.at("output").numbers;
  };
  const std::vector<float> both = call(query, 9);
  EXPECT_TRUE(same_bits({both.begin(), both.begin() + 6}, call(rows_of(query, 0, 1), 8)));
  EXPECT_TRUE(std::isnan(both.back()));
}

TEST_P(CornerCases, OneQueryReadsOnlyTheKeysOfItsWindow) {
  VectorTensor key = waves({1, 1, 120, 4}, 0.7);
  VectorTensor value = waves({1, 1, 120, 4}, 0.3);
  Record windowed("attention");
  windowed.set("query", waves({1, 1, 1, 4}, 0.9)).set("key", key).set("value", value);
  windowed.set("causal", 1).set("offset", 90).set("window", 1).set("windowLeft", 17);
  Record alone("attention");
  alone.set("query", waves({1, 1, 1, 4}, 0.9)).set("key", rows_of(key, 73, 18));
  alone.set("value", rows_of(value, 73, 18));
  const Answer got = windowed.call(kernels);
  const Answer expected = alone.call(kernels);
  ASSERT_EQ(got.problem + expected.problem, "");
  for (std::size_t at = 0; at < 4; ++at) {
    EXPECT_NEAR(got.results.at("output").numbers[at], expected.results.at("output").numbers[at],
                1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, CornerCases, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
