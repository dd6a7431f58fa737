// What is refused, in which words, beside what is nearly the same and let through.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/cpp/written_calls.h"

namespace attention::tests {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const WrittenCalls& calls() {
  static const WrittenCalls made;
  return made;
}

// A call with something that is refused, why, and with the next that is not.
struct Refusal {
  Written call;
  Recipe refused;
  const char* problem;
  Recipe allowed = as_it_is;
};

void expect_all(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    EXPECT_EQ(refusal.call.problem(refusal.refused), refusal.problem) << refusal.call.function;
    EXPECT_EQ(refusal.call.problem(refusal.allowed), "")
        << refusal.call.function << ", allowed, beside: " << refusal.problem;
  }
}

Recipe same_sized(const Dims& query, const Dims& key, const Dims& value) {
  return all({sized("query", query), sized("key", key), sized("value", value)});
}

TEST(Refusals, OfShapesOfAttention) {
  const WrittenCalls& c = calls();
  const Recipe heads = all({is("heads", 4), is("kvHeads", 2)});
  const Recipe packed = all({same_sized({3, 20}, {7, 10}, {7, 12}), heads});
  expect_all({
      {c.attention, sized("key", {2, 7, 10}),
       "key has dims 2×7×10 but query has 2×4×3×5: both must have the same number of dimensions"},
      {c.attention, sized("value", {2, 7, 12}),
       "value has dims 2×7×12 but query has 2×4×3×5: both must have the same number of "
       "dimensions"},
      {c.attention, is("heads", 3),
       "heads is 3 but query has dims 2×4×3×5: at 4 dimensions the second is heads",
       is("heads", 4)},
      {c.attention, is("kvHeads", 4),
       "kvHeads is 4 but key has dims 2×2×7×5: at 4 dimensions the second is kvHeads",
       is("kvHeads", 2)},
      {c.attention, sized("query", {2, 3, 3, 5}),
       "heads is 3 but kvHeads is 2: heads must be a multiple of kvHeads",
       sized("query", {2, 2, 3, 5})},
      {c.attention, same_sized({2, 4, 3, 5}, {2, 0, 7, 5}, {2, 0, 7, 6}),
       "heads is 4 but kvHeads is 0: heads must be a multiple of kvHeads",
       same_sized({2, 0, 3, 5}, {2, 0, 7, 5}, {2, 0, 7, 6})},
      {c.attention, sized("key", {2, 2, 7, 4}),
       "key has dims 2×2×7×4 but query has 2×4×3×5: the last axes must both be d_k = 5"},
      {c.attention, same_sized({2, 4, 3, 0}, {2, 2, 7, 0}, {2, 2, 7, 6}),
       "query has dims 2×4×3×0: d_k must be at least 1",
       same_sized({2, 4, 3, 1}, {2, 2, 7, 1}, {2, 2, 7, 6})},
      {c.attention, sized("key", {3, 2, 7, 5}),
       "key has dims 3×2×7×5 but query has 2×4×3×5: the first axes must both be batch"},
      {c.attention, sized("value", {3, 2, 7, 6}),
       "value has dims 3×2×7×6 but key has 2×2×7×5: the first axes must both be batch"},
      {c.attention, sized("value", {2, 4, 7, 6}),
       "value has dims 2×4×7×6 but key has 2×2×7×5: the second axes must both be kvHeads"},
      {c.attention, sized("value", {2, 2, 6, 6}),
       "value has dims 2×2×6×6 but key has 2×2×7×5: there must be as many values as keys, "
       "k_len = 7"},
      {c.attention, all({packed, sized("query", {3, 21})}),
       "query has dims 3×21 but heads is 4: the last axis must be heads × d_k", packed},
      {c.attention, all({packed, sized("value", {7, 13})}),
       "value has dims 7×13 but kvHeads is 2: the last axis must be kvHeads × d_v", packed},
      {c.attention, all({packed, sized("key", {7, 20})}),
       "key has dims 7×20 but query has 3×20: the last axis of key must be kvHeads × d_k = "
       "2 × 5 = 10"},
      {c.attention, all({packed, without("kvHeads")}),
       "key has dims 7×10 but query has 3×20: the last axes must both be heads × d_k = "
       "4 × 5 = 20"},
      {c.attention, all({packed, sized("key", {1, 7, 10})}),
       "key has dims 1×7×10 but query has 3×20: both must have the same number of dimensions"},
      {c.scores, sized("key", {2, 2, 7, 4}),
       "key has dims 2×2×7×4 but query has 2×4×3×5: the last axes must both be d_k = 5"},
  });
}

TEST(Refusals, OfHeadsAndOffsetsWithACache) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.cached, is("kvHeads", 1), "kvHeads is 1 but the cache has 2", is("kvHeads", 2)},
      {c.cached, is("heads", 2),
       "heads is 2 but query has dims 2×4×3×5: at 4 dimensions the second is heads",
       is("heads", 4)},
      {c.cached, sized("query", {2, 3, 3, 5}),
       "heads is 3 but kvHeads is 2: heads must be a multiple of kvHeads"},
      {c.cached, sized("query", {2, 4, 3, 6}),
       "query has dims 2×4×3×6 but the cache has d_k = 5: the last axis of query must be d_k"},
      {c.cached, all({sized("query", {2, 3, 25}), is("heads", 4)}),
       "query has dims 2×3×25 but the cache has d_k = 5: the last axis of query must be heads × "
       "d_k = 4 × 5 = 20",
       all({sized("query", {2, 3, 20}), is("heads", 4)})},
      // As many heads as the cache has, unless they are told.
      {c.cached, sized("query", {2, 3, 20}),
       "query has dims 2×3×20 but the cache has d_k = 5: the last axis of query must be heads × "
       "d_k = 2 × 5 = 10",
       sized("query", {2, 3, 10})},
      {c.cached, sized("query", {1, 4, 3, 5}), "query has dims 1×4×3×5 but the cache has batch 2"},
      {c.cached, sized("query", {3, 10}), "query has dims 3×10 but the cache has batch 2"},
      {c.cached, is("offset", 4), "offset is given but the cache supplies its own, 4",
       all({is("causal", 1), is("window", 1), listed("slopes", {1, 1, 1, 1})})},
      {c.cached, listed("offsets", {4, 4}), "offset is given but the cache supplies its own, 4"},
      {c.multi_head_cached, is("offset", 4), "offset is given but the cache supplies its own, 4",
       is("causal", 1)},
      {c.multi_head_cached, all({is("appends", 0), without("context"), is("offset", 4)}),
       "offset is given but the cache supplies its own, -3",
       all({is("appends", 0), without("context")})},
  });
}

TEST(Refusals, OfListsPerHeadOrEntry) {
  const WrittenCalls& c = calls();
  const Recipe placed = is("offset", 0);
  const auto slopes = [&](std::vector<double> list) {
    return all({placed, listed("slopes", list)});
  };
  expect_all({
      {c.attention, slopes({1}), "slopes holds 1 number but must hold one per head, 4",
       slopes({1, 0, -1, 2})},
      {c.attention, slopes({1, 2, 3}), "slopes holds 3 numbers but must hold one per head, 4"},
      {c.attention, slopes({1, -kInfinity, 0, 0}),
       "slopes[1] is -Infinity but must be a finite float32 number"},
      {c.attention, listed("slopes", {1, 1, 1, 1}),
       "slopes needs an offset, the number of keys before the first query, because q_len is 3 and "
       "k_len is 7: offset 0 aligns the queries with the first keys, offset 4 with the last"},
      {c.attention, listed("sinks", {0, 0, kInfinity, 0}),
       "sinks[2] is Infinity but must be a number below Infinity",
       listed("sinks", {0, -kInfinity, 1, -1})},
      {c.attention, listed("sinks", {0, 0, 0, std::nan("")}),
       "sinks[3] is NaN but must be a number below Infinity"},
      {c.softmax, listed("sinks", {0, 0, 0}), "sinks holds 3 numbers but must hold one per head, 4",
       listed("sinks", {0, 0, 0, 0})},
      {c.attention, listed("offsets", {1, 2, 3}),
       "offset holds 3 numbers but must hold one per batch entry, 2", listed("offsets", {-1, 9})},
      {c.attention, listed("offsets", {1, 1.5}), "offset[1] is 1.5 but must be a whole number"},
      {c.attention, is("offset", 0.5), "offset is 0.5 but must be a whole number",
       is("offset", -0x1p40)},
      {c.attention, listed("keyLengths", {7}),
       "keyLengths holds 1 number but must hold one per batch entry, 2",
       listed("keyLengths", {7, 0})},
      {c.attention, listed("keyLengths", {7, 8}),
       "keyLengths[1] is 8 but must be from 0 to k_len = 7"},
      {c.attention, listed("keyLengths", {-1, 7}),
       "keyLengths[0] is -1 but must be from 0 to k_len = 7"},
      {c.attention, listed("keyLengths", {7, 2.5}),
       "keyLengths[1] is 2.5 but must be a whole number"},
      {c.linear_attention, listed("keyLengths", {7, 8}),
       "keyLengths[1] is 8 but must be from 0 to k_len = 7", listed("keyLengths", {7, 0})},
      {c.decoder, listed("crossKeyLengths", {7, 8}),
       "crossKeyLengths[1] is 8 but must be from 0 to k_len = 7",
       listed("crossKeyLengths", {7, 0})},
  });
}

TEST(Refusals, OfWhatIsSeen) {
  const WrittenCalls& c = calls();
  const Recipe window = all({is("window", 1), is("offset", 0)});
  const char* const needs =
      " needs an offset, the number of keys before the first query, because q_len is 3 and k_len "
      "is 7: offset 0 aligns the queries with the first keys, offset 4 with the last";
  const std::string causal_needs = std::string("causal") + needs;
  const std::string window_needs = std::string("window") + needs;
  const char* const must_broadcast =
      " but must broadcast, aligned to the right, to batch × heads × q_len × k_len = 2×4×3×7";
  std::vector<std::string> of_masks;
  for (const char* dims : {"1×4×3×6", "2×4×2×7", "2×2×3×7", "3×4×3×7", "0×4×3×7", "6"}) {
    of_masks.push_back(std::string("mask has dims ") + dims + must_broadcast);
  }
  expect_all({
      {c.attention, is("causal", 1), causal_needs.c_str(), all({is("causal", 1), is("offset", 0)})},
      {c.attention, is("window", 1), window_needs.c_str(),
       all({is("window", 1), listed("offsets", {0, 0})})},
      {c.attention, is("causal", 1), causal_needs.c_str(),
       all({is("causal", 1), is("window", 1), sized("query", {2, 4, 7, 5})})},
      {c.attention, all({window, is("windowLeft", -1)}),
       "window holds -1 on the left but must hold whole numbers of at least 0, or null for an "
       "unbounded side",
       all({window, is("windowLeft", 0)})},
      {c.attention, all({window, is("windowRight", 0.5)}),
       "window holds 0.5 on the right but must hold whole numbers of at least 0, or null for an "
       "unbounded side",
       all({window, is("windowRight", 0)})},
      {c.attention, sized("mask", {1, 4, 3, 6}), of_masks[0].c_str(), sized("mask", {1, 4, 3, 1})},
      {c.attention, sized("mask", {2, 4, 2, 7}), of_masks[1].c_str(), sized("mask", {2, 4, 1, 7})},
      {c.attention, sized("mask", {2, 2, 3, 7}), of_masks[2].c_str(), sized("mask", {2, 1, 3, 7})},
      {c.attention, sized("mask", {3, 4, 3, 7}), of_masks[3].c_str(), sized("mask", {2, 4, 3, 7})},
      {c.attention, sized("mask", {0, 4, 3, 7}), of_masks[4].c_str(), sized("mask", {4, 3, 7})},
      {c.attention, sized("mask", {6}), of_masks[5].c_str(), sized("mask", {7})},
      {c.multi_head, is("causal", 1), causal_needs.c_str(),
       all({is("causal", 1), is("offset", 0)})},
      {c.rows_of_encoder, is("causal", 1), causal_needs.c_str(),
       all({is("causal", 1), listed("offsets", {1, 2})})},
      {c.scores, is("causal", 1), causal_needs.c_str(), all({is("causal", 1), is("offset", 0)})},
      {c.scores, sized("mask", {6}), of_masks[5].c_str(), sized("mask", {7})},
      {c.softmax, is("causal", 1), causal_needs.c_str(), all({is("causal", 1), is("offset", 0)})},
      {c.softmax, sized("mask", {6}), of_masks[5].c_str(), sized("mask", {7})},
      {c.decoder, sized("crossMask", {6}),
       "crossMask has dims 6 but must broadcast, aligned to the right, to batch × heads × q_len × "
       "k_len = 2×4×3×7",
       sized("crossMask", {7})},
  });
}

TEST(Refusals, OfWeightedSums) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.weighted_sum, sized("value", {14, 12}),
       "value has dims 14×12 but weights have 2×4×3×7: weights of 4 dimensions go with a value of "
       "3 or 4, others with one of 2",
       sized("value", {2, 7, 12})},
      {c.weighted_sum, sized("matrix", {4, 3, 7}),
       "value has dims 2×2×7×6 but weights have 4×3×7: weights of 4 dimensions go with a value of "
       "3 or 4, others with one of 2",
       all({sized("matrix", {4, 3, 7}), sized("value", {7, 12})})},
      {c.weighted_sum, is("kvHeads", 1),
       "kvHeads is 1 but value has dims 2×2×7×6: at 4 dimensions the second is kvHeads",
       is("kvHeads", 2)},
      {c.weighted_sum, sized("value", {2, 3, 7, 6}),
       "heads is 4 but kvHeads is 3: heads must be a multiple of kvHeads"},
      {c.weighted_sum, sized("value", {1, 2, 7, 6}),
       "value has dims 1×2×7×6 but weights have 2×4×3×7: the first axes must both be batch"},
      {c.weighted_sum, sized("value", {2, 2, 6, 6}),
       "value has dims 2×2×6×6 but weights has 2×4×3×7: there must be as many values as keys, "
       "k_len = 7"},
      {c.weighted_sum, all({sized("value", {2, 7, 13}), is("kvHeads", 2)}),
       "value has dims 2×7×13 but kvHeads is 2: the last axis must be kvHeads × d_v",
       all({sized("value", {2, 7, 12}), is("kvHeads", 2)})},
  });
}

TEST(Refusals, OfSimilarities) {
  const WrittenCalls& c = calls();
  const Recipe additive = all({sized("mask", {7}), is("maskIsAdditive", 1)});
  expect_all({
      {c.kernel_attention, is("degree", 1001), "degree is 1001 but must be at most 1000",
       is("degree", 1000)},
      {c.kernel_attention, additive,
       "mask holds numbers to add to scores, which kernelAttention() does not have: give a "
       "Uint8Array",
       sized("mask", {7})},
  });
  struct Option {
    const char* name;
    std::string where;
    std::vector<std::string> kinds;
  };
  for (const auto& [name, where, kinds] :
       {Option{"scale", "similarities exponential and polynomial", {"exponential", "polynomial"}},
        Option{"bandwidth", "similarities gaussian and laplacian", {"gaussian", "laplacian"}},
        Option{"constant", "similarity polynomial", {"polynomial"}},
        Option{"degree", "similarity polynomial", {"polynomial"}}}) {
    for (const char* kind :
         {"exponential", "gaussian", "laplacian", "cosine", "polynomial", "given"}) {
      const bool belongs = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
      EXPECT_EQ(c.kernel_attention.problem(all({chosen("similarity", kind), is(name, 2)})),
                belongs ? "" : std::string(name) + " is given but belongs to the " + where)
          << kind;
    }
  }
}

TEST(Refusals, OfLinearAttention) {
  const WrittenCalls& c = calls();
  const Recipe efficient =
      all({chosen("featureMap", "efficient"), is("wantsState", 0), without("sums")});
  const Recipe as_many = sized("query", {2, 4, 7, 5});
  expect_all({
      {c.linear_attention, all({efficient, as_many, is("causal", 1)}),
       "causal is true but the feature map efficient looks at all positions at once: it has no "
       "causal form",
       all({efficient, as_many})},
      {c.linear_attention, is("causal", 1),
       "causal is true but q_len is 3 and k_len is 7: they must be equal, with earlier keys in a "
       "state",
       all({as_many, is("causal", 1)})},
      {c.linear_attention, all({efficient, is("epsilon", 1)}),
       "epsilon is given but the feature map efficient divides by nothing", efficient},
      {c.linear_attention, all({efficient, is("wantsState", 1)}),
       "state is given but the feature map efficient has none", efficient},
      {c.linear_attention, all({efficient, sized("sums", {2, 2, 5, 6})}),
       "state is given but the feature map efficient has none", efficient},
      {c.linear_attention, sized("sums", {2, 4, 5, 6}),
       "state.S has dims 2×4×5×6 but must be batch × kvHeads × d_k × d_v = 2×2×5×6",
       all({without("sums"), without("normaliser")})},
      {c.linear_attention, sized("normaliser", {2, 2, 6}),
       "state.z has dims 2×2×6 but must be batch × kvHeads × d_k = 2×2×5", is("wantsState", 0)},
      {c.linear_attention, without("normaliser"), "state.z is missing"},
  });
}

TEST(Refusals, OfPositions) {
  const WrittenCalls& c = calls();
  const Recipe tables = all({sized("cos", {3, 8}), sized("sin", {3, 8})});
  expect_all({
      {c.sinusoidal, is("dim", 5), "dim is 5 but must be even", is("dim", 0)},
      {c.sinusoidal, is("offset", kInfinity), "offset is Infinity but must be a finite number",
       is("offset", -1e300)},
      {c.rotary, is("heads", 3),
       "x has dims 2×3×16 but heads is 3: the last axis must be heads × d", is("heads", 4)},
      {c.rotary, all({sized("x", {2, 4, 3, 8}), is("heads", 2)}),
       "heads is 2 but x has dims 2×4×3×8: at 4 dimensions the second is heads",
       all({sized("x", {2, 4, 3, 8}), is("heads", 4)})},
      {c.rotary, is("width", 18), "width is 18 but must be an even number from 0 to d = 16",
       is("width", 16)},
      {c.rotary, is("width", 7), "width is 7 but must be an even number from 0 to d = 16",
       is("width", 0)},
      {c.rotary, is("width", -2), "width is -2 but must be an even number from 0 to d = 16"},
      {c.rotary, all({is("width", 10), is("heads", 2)}),
       "width is 10 but must be an even number from 0 to d = 8",
       all({is("width", 8), is("heads", 2)})},
      {c.rotary, all({sized("x", {2, 4, 3, 8}), is("width", 10)}),
       "width is 10 but must be an even number from 0 to d = 8",
       all({sized("x", {2, 4, 3, 8}), is("width", 8)})},
      {c.rotary, sized("cos", {3, 8}), "cos is given without sin", tables},
      {c.rotary, sized("sin", {3, 8}), "sin is given without cos", tables},
      {c.rotary, all({tables, is("base", 2), is("offset", 2)}),
       "cos and sin are given and so are base, which they replace"},
      {c.rotary, all({tables, is("offset", 2), listed("positions", {0, 0, 0})}),
       "cos and sin are given and so are offset, which they replace"},
      {c.rotary, all({tables, listed("positions", {0, 0, 0})}),
       "cos and sin are given and so are positions, which they replace"},
      {c.rotary, all({tables, sized("cos", {3, 7})}),
       "cos has dims 3×7 but must be len × width / 2 = 3×8"},
      {c.rotary, all({tables, sized("sin", {2, 8})}),
       "sin has dims 2×8 but must be len × width / 2 = 3×8"},
      {c.rotary, is("offset", std::nan("")), "offset is NaN but must be a finite number",
       is("offset", 1e300)},
      {c.rotary, all({is("offset", 2), listed("positions", {0, 0, 0})}),
       "offset and positions are given, but one replaces the other",
       listed("positions", {0, 0, 0})},
      {c.rotary, listed("positions", {0, 0}),
       "positions holds 2 numbers but must hold one per row, 3, or one per row of each batch "
       "entry, "
       "6",
       listed("positions", {0, 0, 0, 0, 0, 0})},
      {c.rotary, listed("positions", {0, 0, kInfinity}),
       "positions[2] is Infinity but must be a finite number",
       listed("positions", {0, 0.5, -1e300})},
  });
}

TEST(Refusals, OfCaches) {
  const WrittenCalls& c = calls();
  const Recipe packed = all({sized("key", {2, 2, 10}), sized("value", {2, 2, 12})});
  expect_all({
      {c.new_cache, is("capacity", 0x1p24),
       "a cache of 16777216 keys of 2 × 2 × 5 needs more than the 4 GiB that WebAssembly can "
       "address",
       is("capacity", 0x1p23)},
      {c.append, sized("value", {2, 2, 12}),
       "value has dims 2×2×12 but key has 2×2×2×5: both must have the same number of dimensions",
       packed},
      {c.append, sized("key", {2, 1, 2, 5}),
       "key has dims 2×1×2×5 but the cache has batch 2, kvHeads 2 and d_k 5: expected 2×2×2×5"},
      {c.append, sized("value", {2, 2, 2, 5}),
       "value has dims 2×2×2×5 but the cache has batch 2, kvHeads 2 and d_v 6: expected 2×2×2×6"},
      {c.append, all({packed, sized("key", {1, 2, 10})}),
       "key has dims 1×2×10 but the cache has batch 2, kvHeads 2 and d_k 5: expected 2×2×10",
       packed},
      {c.append, all({sized("key", {2, 10}), sized("value", {2, 12})}),
       "key has dims 2×10 but the cache has batch 2"},
      {c.append, sized("value", {2, 2, 1, 6}),
       "value has dims 2×2×1×6 but key has 2×2×2×5: there must be as many values as keys"},
      {c.append, all({sized("key", {2, 2, 3, 5}), sized("value", {2, 2, 3, 6})}),
       "the cache holds 7 of 9 keys: there is no room for 3 more"},
      {c.rewind, is("length", 8), "length is 8 but must be a whole number from 0 to 7",
       is("length", 0)},
      {c.rewind, is("length", 2.5), "length is 2.5 but must be a whole number from 0 to 7",
       is("length", 1)},
      {c.rewind, is("length", -1), "length is -1 but must be a whole number from 0 to 7"},
  });
}

TEST(Refusals, OfLinearMaps) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.new_linear, sized("weight", {6, 0}), "weight has dims 6×0 but no axis may be 0",
       sized("weight", {1, 1})},
      {c.linear, sized("x", {2, 3, 4}),
       "x has dims 2×3×4 but the layer takes rows of 6: the last axis must be in", sized("x", {6})},
      {c.fill, sized("weight", {3, 4}),
       "weightRows has dims 3×4 but the layer takes rows of 6: the last axis must be in"},
      {c.fill, is("firstRow", 2), "weightRows end at row 5 but the layer has 4", is("firstRow", 0)},
      {c.fill, sized("bias", {3}), "biasPart is given but the layer has no bias"},
      {c.fill, sized("weight", {5, 6}, NarrowType::kBfloat16),
       "weightRows end at row 6 but the layer has 4",
       sized("weight", {3, 6}, NarrowType::kBfloat16)},
      {c.fill_narrow, sized("weight", {3, 6}, NarrowType::kBfloat16),
       "weightRows are of another type than the layer keeps"},
      {c.fill_narrow, sized("weight", {3, 6}),
       "weightRows are of another type than the layer keeps"},
      {c.rows, listed("ids", {3, 4}), "ids[1] is 4 but must be a whole number from 0 to 3",
       listed("ids", {3})},
      {c.rows, listed("ids", {-1}), "ids[0] is -1 but must be a whole number from 0 to 3",
       listed("ids", {0})},
      {c.rows, listed("ids", {0, 0, 0.5}), "ids[2] is 0.5 but must be a whole number from 0 to 3",
       listed("ids", {})},
  });
}

TEST(Refusals, OfWeightsOfHeads) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.new_multi_head, without("heads"), "heads must be given"},
      {c.new_multi_head, is("kvHeads", 3),
       "heads is 4 but kvHeads is 3: heads must be a multiple of kvHeads"},
      {c.new_multi_head, sized("query", {6, 14}),
       "query has dims 6×14 but heads is 4: 14 is not a multiple of it"},
      {c.new_multi_head, sized("value", {5, 5}),
       "value has dims 5×5 but kvHeads is 2: 5 is not a multiple of it",
       all({sized("value", {5, 2}), sized("output", {4, 6})})},
      {c.new_multi_head, sized("key", {5, 8}),
       "key has dims 5×8 but query has 6×12 and heads is 4: keys must be kvHeads × d_k = 2 × 3 = 6 "
       "wide"},
      {c.new_multi_head, sized("value", {6, 4}),
       "value has dims 6×4 but key has 5×6: keys and values are made of one context, so both must "
       "take rows of its width"},
      {c.new_multi_head, sized("output", {6, 8}),
       "output has dims 6×8 but must take heads × d_v = 4 × 2 = 8 numbers", without("output")},
      {c.new_multi_head, all({without("output"), sized("outputBias", {6})}),
       "outputBias needs output, whose rows it is added to"},
      {c.new_torch, sized("output", {4, 6}),
       "out_proj.weight has dims 4×6 but must take heads × d_v = 2 × 2 = 4 numbers"},
      {c.new_torch, sized("key", {5, 6}),
       "k_proj_weight has dims 5×6 but q_proj_weight has 6×6 and heads is 2: keys must be kvHeads "
       "× d_k = 2 × 3 = 6 wide"},
      {c.new_torch, sized("value", {4, 6}),
       "v_proj_weight has dims 4×6 but k_proj_weight has 6×5: keys and values are made of one "
       "context, so both must take rows of its width"},
      {c.new_stacked, is("kvHeads", 1),
       "kvHeads is 1 but heads is 2: in_proj_weight holds as many heads of keys as of queries",
       is("kvHeads", 2)},
      {c.new_stacked, sized("stacked", {17, 6}),
       "in_proj_weight has dims 17×6 but its first axis must be a multiple of 3"},
      {c.new_stacked, sized("stacked", {15, 6}),
       "in_proj_weight has dims 15×6 but heads is 2: 5 is not a multiple of it"},
      {c.new_stacked, sized("stacked", {0, 6}), "in_proj_weight has dims 0×6 but no axis may be 0"},
  });
}

TEST(Refusals, OfSequencesAndContexts) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.multi_head, sized("x", {2, 3, 5}),
       "x has dims 2×3×5 but the layer takes rows of 6: the last axis must be model_dim"},
      {c.multi_head, without("context"),
       "x has dims 2×3×6 but the layer takes rows of 5: the last axis must be that of the context, "
       "which x is here"},
      {c.multi_head, sized("context", {2, 7, 6}),
       "context has dims 2×7×6 but the layer takes rows of 5: the last axis must be context_dim"},
      {c.multi_head, sized("context", {7, 5}),
       "context has dims 7×5 but x has 2×3×6: both must have the same number of dimensions",
       all({sized("context", {7, 5}), sized("x", {3, 6})})},
      {c.multi_head, sized("context", {3, 7, 5}),
       "context has dims 3×7×5 but x has 2×3×6: the first axes must both be batch"},
      {c.project, sized("context", {2, 7, 6}),
       "context has dims 2×7×6 but the layer takes rows of 5: the last axis must be context_dim"},
      {c.project_context, sized("context", {2, 7, 6}),
       "context has dims 2×7×6 but the layer takes rows of 5: the last axis must be context_dim"},
      {c.project_context, all({sized("context", {2, 7, 6}), is("cross", 1)}),
       "memory has dims 2×7×6 but the layer takes rows of 5: the last axis must be context_dim",
       is("cross", 1)},
      {c.project_context, sized("context", {2, 10, 5}),
       "the cache holds 0 of 9 keys: there is no room for 10 more", sized("context", {2, 9, 5})},
      {c.project_context, is("cache", c.other_cache),
       "the cache has batch 1, kvHeads 1, keyDim 7 and valueDim 8 but must have batch 2, kvHeads "
       "2, "
       "keyDim 3 and valueDim 2",
       is("cache", 0)},
      {c.multi_head_cached, is("cache", c.other_cache),
       "the cache has batch 1, kvHeads 1, keyDim 7 and valueDim 8 but must have batch 2, kvHeads "
       "2, "
       "keyDim 3 and valueDim 2"},
      {c.multi_head_cached, sized("context", {2, 10, 5}),
       "the cache holds 0 of 9 keys: there is no room for 10 more", sized("context", {2, 9, 5})},
      {c.multi_head_cached, all({sized("x", {1, 3, 6}), sized("context", {1, 7, 5})}),
       "the cache has batch 2, kvHeads 2, keyDim 3 and valueDim 2 but must have batch 1, kvHeads "
       "2, "
       "keyDim 3 and valueDim 2"},
      {c.self_attention,
       all({is("cache", c.layer_cache), is("appends", 1), sized("x", {2, 10, 6})}),
       "the cache holds 0 of 9 keys: there is no room for 10 more",
       all({is("cache", c.layer_cache), is("appends", 1), sized("x", {2, 9, 6})})},
  });
}

TEST(Refusals, OfWhatLayersLookInto) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.encoder, sized("x", {2, 3, 5}),
       "x has dims 2×3×5 but the layer takes rows of 6: the last axis must be model_dim"},
      {c.encoder, sized("memory", {2, 7, 5}),
       "memory is given but the layer has no attention to a memory"},
      {c.encoder, is("memoryCache", c.layer_cache),
       "memory is given but the layer has no attention to a memory"},
      {c.encoder, sized("crossMask", {3, 7}),
       "crossMask is given but the layer has no attention to a memory"},
      {c.encoder, listed("crossKeyLengths", {1, 1}),
       "crossKeyLengths is given but the layer has no attention to a memory"},
      {c.decoder, without("memory"), "memory is missing"},
      {c.decoder, sized("memory", {2, 7, 6}),
       "memory has dims 2×7×6 but the layer takes rows of 5: the last axis must be context_dim"},
      {c.decoder, sized("memory", {1, 7, 5}),
       "memory has dims 1×7×5 but x has 2×3×6: the first axes must both be batch"},
      {c.decoder, all({without("memory"), is("memoryCache", c.other_cache)}),
       "the cache has batch 1, kvHeads 1, keyDim 7 and valueDim 8 but must have batch 2, kvHeads "
       "2, "
       "keyDim 3 and valueDim 2",
       all({without("memory"), is("memoryCache", c.layer_cache)})},
      {c.decoder, all({is("cache", c.layer_cache), is("appends", 1), sized("x", {2, 10, 6})}),
       "the cache holds 0 of 9 keys: there is no room for 10 more",
       all({is("cache", c.layer_cache), is("appends", 1), sized("x", {2, 9, 6})})},
      {c.decoder, all({is("cache", c.layer_cache), is("appends", 1), is("offset", 0)}),
       "offset is given but the cache supplies its own, 0"},
      {c.rows_of_encoder, sized("selfKey", {7, 6}),
       "key has dims 7×6 but x has 2×3×6: both must have the same number of dimensions"},
      {c.rows_of_encoder, sized("selfKey", {1, 7, 6}),
       "key has dims 1×7×6 but x has 2×3×6: the first axes must both be batch"},
      {c.rows_of_encoder, sized("selfKey", {2, 7, 5}), "key has dims 2×7×5 but must be rows of 6"},
      {c.rows_of_encoder, sized("selfValue", {2, 7, 5}),
       "value has dims 2×7×5 but must be rows of 4"},
      {c.rows_of_encoder, sized("selfValue", {2, 6, 4}),
       "value has dims 2×6×4 but key has 2×7×6: there must be as many values as keys, k_len = 7"},
      {c.rows_of_decoder, sized("memoryKey", {2, 7, 5}),
       "key has dims 2×7×5 but must be rows of 6"},
      {c.project_encoder, sized("x", {2, 3, 5}),
       "x has dims 2×3×5 but the layer takes rows of 6: the last axis must be model_dim",
       sized("x", {3, 6})},
      {c.project_decoder, sized("memory", {2, 7, 6}),
       "memory has dims 2×7×6 but the layer takes rows of 5: the last axis must be memory_dim"},
  });
  EXPECT_EQ(c.memory_of_encoder.problem(), "the layer has no attention to a memory");
}

TEST(Refusals, OfWeightsOfLayers) {
  const WrittenCalls& c = calls();
  expect_all({
      {c.new_encoder, sized("output", {8, 5}),
       "self.output has 5 columns but the layer is d_model = 6 wide"},
      {c.new_torch_encoder, sized("output", {5, 6}),
       "self_attn.out_proj.weight has 5 rows but the layer is d_model = 6 wide"},
      {c.new_encoder, all({sized("key", {5, 6}), sized("value", {5, 4})}),
       "self.key has 5 rows but the layer is d_model = 6 wide"},
      {c.new_decoder, sized("crossQuery", {5, 12}),
       "cross.query has 5 rows but the layer is d_model = 6 wide"},
      {c.new_decoder, sized("crossOutput", {8, 5}),
       "cross.output has 5 columns but the layer is d_model = 6 wide"},
      {c.new_torch_decoder, sized("crossStacked", {18, 5}),
       "multihead_attn.in_proj_weight has 5 columns but the layer is d_model = 6 wide"},
      {c.new_encoder, without("output"), "self.output is missing"},
      {c.new_encoder, sized("widen", {5, 10}),
       "widen has dims 5×10 but must be d_model × out = 6×10"},
      {c.new_encoder, sized("narrow", {9, 6}),
       "narrow has dims 9×6 but must be the columns of widen × d_model = 10×6"},
      {c.new_encoder, sized("gate", {6, 9}),
       "gate has dims 6×9 but must be d_model × the columns of widen = 6×10", without("gate")},
      {c.new_encoder, all({without("gate"), sized("gateBias", {10})}), "gate is missing",
       sized("gateBias", {10})},
      {c.new_encoder, all({sized("widen", {6, 0}), sized("narrow", {0, 6}), without("gate")}),
       "widen has dims 6×0 but no axis may be 0"},
      {c.new_torch_encoder, sized("widen", {10, 5}),
       "linear1.weight has dims 10×5 but must be out × d_model = 10×6"},
      {c.new_torch_encoder, sized("narrow", {6, 9}),
       "linear2.weight has dims 6×9 but must be d_model × the rows of linear1.weight = 6×10"},
      {c.new_decoder, is("parallel", 1),
       "parallel is true but attention to a memory looks at what self-attention gave, so there "
       "must "
       "be no cross"},
      {c.new_parallel, is("normFirst", 0),
       "parallel is true but normFirst is false: parallel parts take x normed", is("normFirst", 1)},
      {c.new_encoder, without("norm1"), "selfNorm is missing"},
      {c.new_encoder, without("norm2"), "feedForwardNorm is missing"},
      {c.new_decoder, without("norm2"), "crossNorm is missing"},
      {c.new_decoder, without("norm3"), "feedForwardNorm is missing"},
      {c.new_torch_decoder, without("norm3"), "norm3.weight is missing"},
      {c.new_parallel, sized("norm2Bias", {6}), "feedForwardNorm is missing",
       all({sized("norm2", {6}), sized("norm2Bias", {6})})},
      {c.new_parallel, without("norm1"), "selfNorm is missing"},
      {c.new_encoder, all({is("rms", 1), sized("norm2Bias", {6})}),
       "feedForwardNormBias is given but an RMS norm has none", is("rms", 1)},
  });
}

TEST(Refusals, OfPositionsOfLayers) {
  const WrittenCalls& c = calls();
  const Recipe rotary = all({is("rotary", 1), is("rotaryWidth", 2)});
  const Recipe biases =
      all({is("relative", 1), sized("relativeBias", {8, 4}), is("maxDistance", 5)});
  const Recipe both = all({biases, is("bidirectional", 1), is("maxDistance", 3)});
  expect_all({
      {c.new_encoder, is("rotary", 1),
       "rotary.width is 3 but must be an even number from 0 to d = 3", rotary},
      {c.new_encoder, all({rotary, is("rotaryWidth", 4)}),
       "rotary.width is 4 but must be an even number from 0 to d = 3"},
      {c.new_encoder, all({rotary, is("rotaryBase", 2), listed("rotaryFrequencies", {1})}),
       "rotary.base and rotary.frequencies are given, but one replaces the other",
       all({rotary, listed("rotaryFrequencies", {1})})},
      {c.new_encoder, all({rotary, listed("rotaryFrequencies", {1, 2})}),
       "rotary.frequencies holds 2 numbers but must hold width / 2 = 1"},
      {c.new_encoder, all({rotary, listed("rotaryFrequencies", {kInfinity})}),
       "rotary.frequencies[0] is Infinity but must be a finite number"},
      {c.new_encoder, sized("relativeBias", {8, 4}),
       "self.relativeBias is given without relativePositions", biases},
      {c.new_encoder, all({biases, sized("relativeBias", {8, 3})}),
       "self.relativeBias has dims 8×3 but must be buckets × heads = 8×4"},
      {c.new_encoder, all({biases, sized("relativeBias", {1, 4})}),
       "the number of buckets is 1 but must be a whole number of at least 2",
       all({biases, sized("relativeBias", {2, 4})})},
      {c.new_encoder, all({both, sized("relativeBias", {3, 4})}),
       "half of the buckets is 1.5 but must be a whole number of at least 2",
       all({both, sized("relativeBias", {4, 4})})},
      {c.new_encoder, all({both, sized("relativeBias", {2, 4})}),
       "half of the buckets is 1 but must be a whole number of at least 2"},
      // 8 buckets, the first half of them for a distance each.
      {c.new_encoder, all({biases, is("maxDistance", 4)}),
       "relativePositions.maxDistance is 4 but must be a whole number of at least 5", biases},
      {c.new_encoder, all({both, is("maxDistance", 2)}),
       "relativePositions.maxDistance is 2 but must be a whole number of at least 3", both},
  });
}

}  // namespace
}  // namespace attention::tests
