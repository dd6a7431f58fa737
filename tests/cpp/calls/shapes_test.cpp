// The rules of shapes: what is refused, and in which words.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "support/cpp/record.h"

namespace attention::tests {
namespace {

using Dims = std::vector<double>;

// attention() of tensors of these dims; only checked.
class Attention : public Record {
 public:
  Attention(const Dims& query, const Dims& key, const Dims& value) : Record("attention") {
    set_dims("query", query).set_dims("key", key).set_dims("value", value);
  }
};

TEST(Shapes, HeadsSplitTheLastAxis) {
  Attention three({2, 4, 32}, {2, 6, 24}, {2, 6, 24});
  EXPECT_EQ(three.set("heads", 2).check(),
            "key has dims 2×6×24 but query has 2×4×32: the last axes must both be heads × d_k = "
            "2 × 16 = 32");
  Attention two({5, 10}, {5, 10}, {5, 10});
  EXPECT_EQ(two.set("heads", 4).check(),
            "query has dims 5×10 but heads is 4: the last axis must be heads × d_k");
  EXPECT_EQ(two.set("heads", 10).set("kvHeads", 4).check(),
            "heads is 10 but kvHeads is 4: heads must be a multiple of kvHeads");
}

TEST(Shapes, CountsAreWholeNumbersWhateverTheyHold) {
  for (const double heads :
       {0.0, -1.0, 1.5, std::nan(""), 1e300, -std::numeric_limits<double>::infinity()}) {
    EXPECT_NE(Attention({4, 8}, {4, 8}, {4, 8}).set("heads", heads).check(), "") << heads;
  }
  EXPECT_EQ(Attention({4, 8}, {4, 8}, {4, 8}).set("heads", 1.5).check(),
            "heads is 1.5 but must be a whole number of at least 1");
}

TEST(Shapes, NumbersMustFillTheDims) {
  Attention few({4, 8}, {4, 8}, {4, 8});
  EXPECT_EQ(few.set("value", VectorTensor{{4, 8}, Dims(31)}).check(),
            "value has dims 4×8 = 32 numbers but its data holds 31");
  EXPECT_EQ(Attention({4, 8}, {4, 8}, {4, -8}).check(),
            "value.dims[1] is -8 but must be a whole number from 0 to 4294967295");
}

TEST(Shapes, PositionsNeedAnOffsetWhenLengthsDiffer) {
  Attention call({3, 8}, {5, 8}, {5, 8});
  EXPECT_EQ(call.check(), "");
  EXPECT_EQ(call.set("causal", 1).check(),
            "causal needs an offset, the number of keys before the first query, because q_len is 3 "
            "and k_len is 5: offset 0 aligns the queries with the first keys, offset 2 with the "
            "last");
  EXPECT_EQ(call.set("offset", 2).check(), "");
}

TEST(Shapes, MoreThanMemoryIsRefusedFromArithmetic) {
  // 70,000² weights are 19.6 GB; nothing of the kind is allocated to find that out.
  Attention call({70000, 1}, {70000, 1}, {70000, 1});
  EXPECT_EQ(call.set("wantsWeights", "perHead").check(),
            "this call needs 18.3 GiB for its arguments and results but WebAssembly can address 4 "
            "GiB");
  EXPECT_EQ(call.set("wantsWeights", "none").check(), "");
}

TEST(Shapes, ResultsHaveTheDimsOfTheContract) {
  Attention call({2, 4, 6, 8}, {2, 2, 5, 8}, {2, 2, 5, 3});
  call.set("wantsLogSumExp", 1);
  ASSERT_EQ(call.set("wantsWeights", "perHead").check(), "");
  EXPECT_EQ(call.dims("output"), (Dims{2, 4, 6, 3}));
  EXPECT_EQ(call.dims("weights"), (Dims{2, 4, 6, 5}));
  EXPECT_EQ(call.dims("logSumExp"), (Dims{2, 4, 6}));
  ASSERT_EQ(call.set("wantsWeights", "average").check(), "");
  EXPECT_EQ(call.dims("weights"), (Dims{2, 6, 5}));
}

}  // namespace
}  // namespace attention::tests
