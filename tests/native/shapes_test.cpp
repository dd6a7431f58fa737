// The rules of shapes: what is refused, and in which words.
#include "attention/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "support/cpp/call.h"

namespace attention::tests {
namespace {

Request attention_of(const std::vector<double>& query, const std::vector<double>& key,
                     const std::vector<double>& value) {
  Request request{};
  request.query = tensor_argument(query);
  request.key = tensor_argument(key);
  request.value = tensor_argument(value);
  return request;
}

std::string problem(Request request) { return check(request); }

TEST(Shapes, HeadsSplitTheLastAxis) {
  Request request = attention_of({2, 4, 32}, {2, 6, 24}, {2, 6, 24});
  request.heads = {1, 2};
  EXPECT_EQ(problem(request),
            "key has dims 2×6×24 but query has 2×4×32: the last axes must both be heads × d_k = "
            "2 × 16 = 32");
  request = attention_of({5, 10}, {5, 10}, {5, 10});
  request.heads = {1, 4};
  EXPECT_EQ(problem(request),
            "query has dims 5×10 but heads is 4: the last axis must be heads × d_k");
  request.heads = {1, 10};
  request.kv_heads = {1, 4};
  EXPECT_EQ(problem(request), "heads is 10 but kvHeads is 4: heads must be a multiple of kvHeads");
}

TEST(Shapes, CountsAreWholeNumbersWhateverTheyHold) {
  for (const double heads :
       {0.0, -1.0, 1.5, std::nan(""), 1e300, -std::numeric_limits<double>::infinity()}) {
    Request request = attention_of({4, 8}, {4, 8}, {4, 8});
    request.heads = {1, heads};
    EXPECT_NE(problem(request), "") << heads;
  }
  Request request = attention_of({4, 8}, {4, 8}, {4, 8});
  request.heads = {1, 1.5};
  EXPECT_EQ(problem(request), "heads is 1.5 but must be a whole number of at least 1");
}

TEST(Shapes, NumbersMustFillTheDims) {
  Request request = attention_of({4, 8}, {4, 8}, {4, 8});
  request.value.count = 31;
  EXPECT_EQ(problem(request), "value has dims 4×8 = 32 numbers but its data holds 31");
  request = attention_of({4, 8}, {4, 8}, {4, -8});
  EXPECT_EQ(problem(request),
            "value.dims[1] is -8 but must be a whole number from 0 to 4294967295");
}

TEST(Shapes, PositionsNeedAnOffsetWhenLengthsDiffer) {
  Request request = attention_of({3, 8}, {5, 8}, {5, 8});
  EXPECT_EQ(problem(request), "");
  request.causal = 1;
  EXPECT_EQ(problem(request),
            "causal needs an offset, the number of keys before the first query, because q_len is 3 "
            "and k_len is 5: offset 0 aligns the queries with the first keys, offset 2 with the "
            "last");
  request.offset = {1, 2};
  EXPECT_EQ(problem(request), "");
}

TEST(Shapes, MoreThanMemoryIsRefusedFromArithmetic) {
  // 70,000² weights are 19.6 GB; nothing of the kind is allocated to find that out.
  Request request = attention_of({70000, 1}, {70000, 1}, {70000, 1});
  request.wants_weights = Request::kPerHead;
  EXPECT_NE(problem(request).find("WebAssembly can address 4 GiB"), std::string::npos);
  request.wants_weights = 0;
  EXPECT_EQ(problem(request), "");
}

TEST(Shapes, ResultsHaveTheDimsOfTheContract) {
  Request request = attention_of({2, 4, 6, 8}, {2, 2, 5, 8}, {2, 2, 5, 3});
  request.wants_weights = Request::kPerHead;
  request.wants_log_sum_exp = 1;
  ASSERT_EQ(check(request), "");
  EXPECT_EQ(request.output.count, 2 * 4 * 6 * 3);
  EXPECT_EQ(request.weights.count, 2 * 4 * 6 * 5);
  EXPECT_EQ(request.log_sum_exp.rank, 3);
  request.wants_weights = Request::kAveraged;
  ASSERT_EQ(check(request), "");
  EXPECT_EQ(request.weights.rank, 3);
  EXPECT_EQ(request.weights.count, 2 * 6 * 5);
}

}  // namespace
}  // namespace attention::tests
