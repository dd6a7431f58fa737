// Average weights equal, bit by bit, the sum over heads in order divided by the number of heads,
// for any number of query spans.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"

namespace attention::tests {
namespace {

class Averages : public KernelsTest {};

VectorTensor normal_tensor(const std::vector<double>& dims, unsigned seed) {
  VectorTensor tensor{dims, std::vector<double>(count_of(dims))};
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (double& number : tensor.numbers) number = double{normal(generator)};
  return tensor;
}

// The mean over heads of batch × heads × q_len × k_len.
std::vector<float> mean_of(const Result& weights) {
  const auto batch = static_cast<std::size_t>(weights.dims[0]);
  const auto heads = static_cast<std::size_t>(weights.dims[1]);
  const std::size_t inner = weights.numbers.size() / batch / heads;
  std::vector<float> mean(batch * inner);
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t at = 0; at < inner; ++at) {
      float sum = 0;
      for (std::size_t h = 0; h < heads; ++h) sum += weights.numbers[(b * heads + h) * inner + at];
      mean[b * inner + at] = sum / static_cast<float>(heads);
    }
  }
  return mean;
}

// A span is 512 rows: queries of all heads of a KV group.
TEST_P(Averages, EqualTheMeanOfTheHeads) {
  for (const double queries : {1, 7, 511, 512, 513, 1100}) {
    for (const double kv_heads : {1, 2, 4}) {
      const auto write = [&](Record& record) {
        record.set("query", normal_tensor({2, 4, queries, 3}, 1))
            .set("key", normal_tensor({2, kv_heads, 5, 3}, 2))
            .set("value", normal_tensor({2, kv_heads, 5, 2}, 3));
      };
      Record separate("attention");
      write(separate);
      const Answer heads = separate.set("returnWeights", "perHead").call(kernels);
      Record together("attention");
      write(together);
      const Answer averaged = together.set("returnWeights", "average").call(kernels);
      ASSERT_EQ(heads.problem + averaged.problem, "");
      EXPECT_TRUE(
          same_bits(averaged.results.at("weights").numbers, mean_of(heads.results.at("weights"))))
          << queries << " queries, " << kv_heads << " heads of keys";
      EXPECT_TRUE(same_bits(averaged.results.at("output"), heads.results.at("output")));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Averages, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
