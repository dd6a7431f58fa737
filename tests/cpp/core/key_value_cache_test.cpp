// Attention over a cache gives the same bits as attention() over all keys, however keys were
// appended and evicted. Invisible and evicted keys have no influence.
#include "attention/key_value_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/cpp/kernels_under_test.h"
#include "support/cpp/record.h"
#include "support/cpp/thorough.h"
#include "support/cpp/vector_call.h"

namespace attention::tests {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr std::size_t kBatch = 2;
constexpr std::size_t kHeads = 4;
constexpr std::size_t kKvHeads = 2;
constexpr std::size_t kKeyDim = 5;
constexpr std::size_t kValueDim = 11;

const char* const kStages[] = {"raw", "capped", "biased"};

class Cache : public KernelsTest {};

VectorTensor tensor_of(std::size_t heads, std::size_t rows, std::size_t cols, unsigned seed) {
  VectorTensor tensor{
      {kBatch, static_cast<double>(heads), static_cast<double>(rows), static_cast<double>(cols)},
      std::vector<double>(kBatch * heads * rows * cols)};
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal;
  for (double& number : tensor.numbers) number = double{normal(generator)};
  return tensor;
}

// Rows first, first + 1, ..., along the last axis but one.
VectorTensor rows_of(const VectorTensor& tensor, std::size_t first, std::size_t count) {
  const std::size_t rank = tensor.dims.size();
  const auto rows = static_cast<std::size_t>(tensor.dims[rank - 2]);
  const auto cols = static_cast<std::size_t>(tensor.dims[rank - 1]);
  VectorTensor part{tensor.dims, {}};
  part.dims[rank - 2] = static_cast<double>(count);
  for (std::size_t start = 0; start < tensor.numbers.size(); start += rows * cols) {
    const auto from = tensor.numbers.begin() + static_cast<std::ptrdiff_t>(start + first * cols);
    part.numbers.insert(part.numbers.end(), from, from + static_cast<std::ptrdiff_t>(count * cols));
  }
  return part;
}

// Those rows of a result, from first_column on.
Result part_of(const Result& result, std::size_t first, std::size_t count,
               std::size_t first_column = 0, std::size_t columns = SIZE_MAX) {
  const std::size_t rank = result.dims.size();
  const auto rows = static_cast<std::size_t>(result.dims[rank - 2]);
  const auto cols = static_cast<std::size_t>(result.dims[rank - 1]);
  columns = std::min(columns, cols);
  Result part{result.dims, {}};
  part.dims[rank - 2] = static_cast<double>(count);
  part.dims[rank - 1] = static_cast<double>(columns);
  for (std::size_t start = 0; start < result.numbers.size(); start += rows * cols) {
    for (std::size_t i = first; i < first + count; ++i) {
      const auto from =
          result.numbers.begin() + static_cast<std::ptrdiff_t>(start + i * cols + first_column);
      part.numbers.insert(part.numbers.end(), from, from + static_cast<std::ptrdiff_t>(columns));
    }
  }
  return part;
}

struct Sequence {
  explicit Sequence(std::size_t length)
      : query(tensor_of(kHeads, length, kKeyDim, 1)),
        key(tensor_of(kKvHeads, length, kKeyDim, 2)),
        value(tensor_of(kKvHeads, length, kValueDim, 3)) {}

  // Sets one number of a key or value in every head.
  static void write(VectorTensor& tensor, std::size_t row, double number) {
    const auto rows = static_cast<std::size_t>(tensor.dims[2]);
    const auto cols = static_cast<std::size_t>(tensor.dims[3]);
    for (std::size_t at = row * cols; at < tensor.numbers.size(); at += rows * cols) {
      tensor.numbers[at + row % cols] = number;
    }
  }

  VectorTensor query, key, value;
};

class KeptKeys {
 public:
  KeptKeys(const Kernels& kernels, std::size_t capacity, bool sliding,
           std::size_t kv_heads = kKvHeads, std::size_t key_dim = kKeyDim,
           std::size_t value_dim = kValueDim, std::size_t batch = kBatch)
      : kernels_(kernels) {
    Record record("newCache");
    record.set("batch", static_cast<double>(batch))
        .set("kvHeads", static_cast<double>(kv_heads))
        .set("keyDim", static_cast<double>(key_dim))
        .set("valueDim", static_cast<double>(value_dim))
        .set("capacity", static_cast<double>(capacity))
        .set("sliding", sliding ? 1 : 0);
    object_ = std::make_unique<Object>(kernels, record);
    EXPECT_EQ(object_->problem(), "");
  }

  double address() const { return object_->address(); }

  std::string append(const VectorTensor& key, const VectorTensor& value) const {
    return Record("append")
        .set("cache", address())
        .set("key", key)
        .set("value", value)
        .call(kernels_)
        .problem;
  }
  std::string append(const Sequence& sequence, std::size_t first, std::size_t count) const {
    return append(rows_of(sequence.key, first, count), rows_of(sequence.value, first, count));
  }

  std::string rewind(double length) const {
    return Record("rewind").set("cache", address()).set("length", length).call(kernels_).problem;
  }

  std::string copy_entry(double from, double to) const {
    return Record("copyEntry")
        .set("cache", address())
        .set("from", from)
        .set("to", to)
        .call(kernels_)
        .problem;
  }

  std::size_t length() const { return state("length"); }
  std::size_t kept() const { return state("keyCount"); }
  std::size_t first() const { return length() - kept(); }

  Results attend(const VectorTensor& query, const std::function<void(Record&)>& set_options) const {
    Record record("attention");
    record.set("cache", address()).set("query", query);
    set_options(record);
    const Answer answer = record.call(kernels_);
    EXPECT_EQ(answer.problem, "");
    return answer.results;
  }

 private:
  std::size_t state(const char* fact) const {
    Record record("cacheState");
    record.set("cache", address());
    EXPECT_EQ(record.check(), "");
    return static_cast<std::size_t>(record.fact(fact));
  }

  const Kernels& kernels_;
  std::unique_ptr<Object> object_;
};

// attention() of the queries from `first` on, over all keys up to the last query.
Results attend_at_once(const Kernels& kernels, const Sequence& sequence, std::size_t first,
                       std::size_t count, const std::function<void(Record&)>& set_options) {
  Record record("attention");
  record.set("query", rows_of(sequence.query, first, count))
      .set("key", rows_of(sequence.key, 0, first + count))
      .set("value", rows_of(sequence.value, 0, first + count))
      .set("offset", static_cast<double>(first));
  set_options(record);
  const Answer answer = record.call(kernels);
  EXPECT_EQ(answer.problem, "");
  return answer.results;
}

struct Options {
  const char* name;
  std::function<void(Record&)> set;
};

const std::vector<Options> kOptions = {
    {"plain", [](Record&) {}},
    {"softcap", [](Record& record) { record.set("softcap", 1.5).set("scale", 0.7); }},
    {"slopes",
     [](Record& record) {
       record.set_list("slopes", {0.5, 0.25, 0.01, -0.01});
     }},
    {"sinks",
     [](Record& record) {
       record.set_list("sinks", {0, 1, -2, -kInfinity});
     }},
    {"window", [](Record& record) { record.set("window", 1).set("windowLeft", 40); }},
};

// True if the results of a step are compared. Every step appends; for small steps, only a sample,
// the last step and steps at tile edges are compared.
bool is_compared(std::size_t turn, std::size_t step, std::size_t length, std::size_t total) {
  constexpr std::size_t kSmallStep = 20;
  return step > kSmallStep || turn % sample_stride() == 0 || length % kTileKeys <= 1 ||
         length == total;
}

TEST_P(Cache, StepsEqualOnePass) {
  for (const std::size_t length : {1U, 255U, 256U, 257U, 600U}) {
    const Sequence sequence(length);
    for (const Options& options : kOptions) {
      const auto set = [&](Record& record) {
        options.set(record);
        record.set("causal", 1).set("returnWeights", "perHead").set("returnLogSumExp", 1);
      };
      const Results all = attend_at_once(kernels, sequence, 0, length, set);
      for (const std::size_t step : {1U, 3U, 7U, 256U, 258U}) {
        const KeptKeys cache(kernels, length, false);
        // Each option set starts at a different step.
        std::size_t turn = static_cast<std::size_t>(&options - kOptions.data());
        for (std::size_t first = 0; first < length; first += step, ++turn) {
          const std::size_t count = std::min(step, length - first);
          ASSERT_EQ(cache.append(sequence, first, count), "");
          ASSERT_EQ(cache.length(), first + count);
          if (!is_compared(turn, step, first + count, length)) continue;
          const Results some = cache.attend(rows_of(sequence.query, first, count), set);
          ASSERT_TRUE(same_bits(some.at("output"), part_of(all.at("output"), first, count)))
              << options.name << ", " << length << " by " << step << " at " << first;
          ASSERT_TRUE(same_bits(some.at("weights"),
                                part_of(all.at("weights"), first, count, 0, first + count)))
              << options.name << ", " << length << " by " << step << " at " << first;
          // logSumExp has no key axis.
          Result sums = all.at("logSumExp");
          sums.dims.push_back(1);
          sums = part_of(sums, first, count);
          ASSERT_TRUE(same_bits(some.at("logSumExp").numbers, sums.numbers));
        }
      }
    }
  }
}

// The three tensor layouts give the same results.
TEST_P(Cache, LayoutsGiveEqualResults) {
  const std::size_t length = 21;
  const Sequence sequence(length);
  const auto packed = [&](const VectorTensor& tensor) {
    const auto heads = static_cast<std::size_t>(tensor.dims[1]);
    const auto cols = static_cast<std::size_t>(tensor.dims[3]);
    VectorTensor to{{kBatch, tensor.dims[2], tensor.dims[1] * tensor.dims[3]},
                    std::vector<double>(tensor.numbers.size())};
    for (std::size_t b = 0; b < kBatch; ++b) {
      for (std::size_t h = 0; h < heads; ++h) {
        for (std::size_t i = 0; i < length; ++i) {
          std::copy_n(&tensor.numbers[((b * heads + h) * length + i) * cols], cols,
                      &to.numbers[((b * length + i) * heads + h) * cols]);
        }
      }
    }
    return to;
  };
  const auto entry = [](VectorTensor tensor, std::size_t b) {
    const std::size_t size = tensor.numbers.size() / kBatch;
    const auto from = tensor.numbers.begin() + static_cast<std::ptrdiff_t>(b * size);
    return VectorTensor{{tensor.dims[1], tensor.dims[2]},
                        {from, from + static_cast<std::ptrdiff_t>(size)}};
  };
  const auto set = [](Record& record) { record.set("causal", 1); };
  const auto set_heads = [](Record& record) { record.set("causal", 1).set("heads", kHeads); };

  const KeptKeys by_heads(kernels, length, false);
  const KeptKeys side_by_side(kernels, length, false);
  ASSERT_EQ(by_heads.append(sequence, 0, length), "");
  ASSERT_EQ(side_by_side.append(packed(sequence.key), packed(sequence.value)), "");
  const Results a = by_heads.attend(packed(sequence.query), set_heads);
  const Results b = side_by_side.attend(packed(sequence.query), set_heads);
  EXPECT_TRUE(same_bits(a.at("output"), b.at("output")));
  const Results c = side_by_side.attend(sequence.query, set);
  const VectorTensor together{c.at("output").dims,
                              {c.at("output").numbers.begin(), c.at("output").numbers.end()}};
  const VectorTensor expected = packed(together);
  EXPECT_TRUE(
      same_bits(a.at("output").numbers, {expected.numbers.begin(), expected.numbers.end()}));

  for (std::size_t at = 0; at < kBatch; ++at) {
    const KeptKeys alone(kernels, length, false, kKvHeads, kKeyDim, kValueDim, 1);
    ASSERT_EQ(alone.append(entry(packed(sequence.key), at), entry(packed(sequence.value), at)), "");
    const Results d = alone.attend(entry(packed(sequence.query), at), set_heads);
    const std::size_t size = d.at("output").numbers.size();
    const auto from = a.at("output").numbers.begin() + static_cast<std::ptrdiff_t>(at * size);
    EXPECT_TRUE(
        same_bits(d.at("output").numbers, {from, from + static_cast<std::ptrdiff_t>(size)}));
  }
}

// A mask that hides the keys before first and, if a mask is passed, those that it hides.
VectorTensor mask_from(std::size_t first, std::size_t queries, std::size_t length,
                       const std::function<bool(std::size_t, std::size_t)>& sees) {
  VectorTensor mask{{static_cast<double>(queries), static_cast<double>(length)}, {}, true};
  for (std::size_t i = 0; i < queries; ++i) {
    for (std::size_t j = 0; j < length; ++j) {
      mask.numbers.push_back(j >= first && sees(i, j - first) ? 1 : 0);
    }
  }
  return mask;
}

constexpr auto kSeesAll = [](std::size_t, std::size_t) { return true; };

struct Ring {
  std::size_t capacity, step;
};

// Capacities around the tile size, steps around the panel size and above the capacity.
const std::vector<Ring> kRings = {{1, 1},    {1, 3},    {5, 1},     {5, 7},
                                  {255, 26}, {256, 1},  {256, 128}, {257, 256},
                                  {260, 1},  {400, 66}, {512, 512}, {60, 600}};
// A multiple of each of the steps below.
constexpr std::size_t kLong = 1080;

// A sliding cache gives the same bits as attention() over all keys with evicted keys masked.
TEST_P(Cache, SlidingKeepsTheBitsOfRemainingKeys) {
  const Sequence sequence(kLong);
  // Counts comparisons over all capacities: 15 of them cover every option with every stage.
  std::size_t pair = 0;
  for (const Ring& ring : kRings) {
    const KeptKeys cache(kernels, ring.capacity, true);
    std::size_t turn = 0;
    for (std::size_t first = 0; first < kLong; first += ring.step, ++turn) {
      const std::size_t count = std::min(ring.step, kLong - first);
      ASSERT_EQ(cache.append(sequence, first, count), "");
      const std::size_t length = first + count;
      ASSERT_EQ(cache.length(), length);
      ASSERT_EQ(cache.kept(), std::min(length, ring.capacity));
      if (!is_compared(turn, ring.step, length, kLong)) continue;
      const Options& options = kOptions[pair % kOptions.size()];
      const char* const stage = kStages[pair++ % std::size(kStages)];
      const auto set = [&](Record& record) {
        options.set(record);
        record.set("causal", 1).set("returnWeights", "perHead");
        record.set("returnScores", stage);
      };
      const Results some = cache.attend(rows_of(sequence.query, first, count), set);
      const Results all = attend_at_once(kernels, sequence, first, count, [&](Record& record) {
        set(record);
        record.set("mask", mask_from(cache.first(), count, length, kSeesAll));
      });
      ASSERT_TRUE(same_bits(some.at("output"), all.at("output")))
          << options.name << ", " << ring.capacity << " by " << ring.step << " at " << first;
      const std::string scores = std::string(stage) + "Scores";
      for (const std::string& name : {std::string("weights"), scores}) {
        ASSERT_TRUE(
            same_bits(some.at(name), part_of(all.at(name), 0, count, cache.first(), cache.kept())))
            << name << ", " << options.name << ", " << ring.capacity << " by " << ring.step
            << " at " << first;
      }
    }
  }
}

// Close to attention() over the remaining keys only. Their sums start at another key, so the last
// bits differ.
TEST_P(Cache, SlidingIsAttentionOverTheLastKeys) {
  const Sequence sequence(kLong);
  for (const std::size_t capacity : {7U, 256U, 400U}) {
    const KeptKeys cache(kernels, capacity, true);
    for (std::size_t first = 0; first < kLong; first += 45) {
      ASSERT_EQ(cache.append(sequence, first, 45), "");
      const VectorTensor query = rows_of(sequence.query, first + 44, 1);
      const Results some =
          cache.attend(query, [](Record& record) { record.set("returnWeights", "perHead"); });
      Record record("attention");
      record.set("query", query)
          .set("key", rows_of(sequence.key, cache.first(), cache.kept()))
          .set("value", rows_of(sequence.value, cache.first(), cache.kept()))
          .set("returnWeights", "perHead");
      const Answer alone = record.call(kernels);
      ASSERT_EQ(alone.problem, "");
      for (const char* name : {"output", "weights"}) {
        const Result& expected = alone.results.at(name);
        ASSERT_EQ(some.at(name).dims, expected.dims);
        for (std::size_t at = 0; at < expected.numbers.size(); ++at) {
          // Values up to 4, up to 200 weights with sum 1: at most 200 roundings.
          ASSERT_NEAR(some.at(name).numbers[at], expected.numbers[at], 200 * 4 * 0x1p-24);
        }
      }
    }
  }
}

TEST_P(Cache, MaskAndLengthsCountRetainedKeys) {
  const Sequence sequence(kLong);
  const auto sees = [](std::size_t i, std::size_t j) { return (3 * i + j) % 5 != 0; };
  for (const std::size_t capacity : {9U, 256U, 600U}) {
    const KeptKeys cache(kernels, capacity, true);
    for (std::size_t first = 0; first < kLong; first += 60) {
      ASSERT_EQ(cache.append(sequence, first, 60), "");
      const std::size_t kept = cache.kept();
      const VectorTensor query = rows_of(sequence.query, first, 60);
      for (const bool additive : {false, true}) {
        const auto masked = [&](Record& record, VectorTensor mask) {
          if (additive) {
            for (double& number : mask.numbers) number = number != 0 ? 0.5 : -kInfinity;
            mask.bytes = false;
          }
          record.set("returnWeights", "perHead")
              .set("mask", mask)
              .set("maskIsAdditive", additive ? 1 : 0);
        };
        const Results some = cache.attend(
            query, [&](Record& record) { masked(record, mask_from(0, 60, kept, sees)); });
        const Results all = attend_at_once(kernels, sequence, first, 60, [&](Record& record) {
          masked(record, mask_from(cache.first(), 60, first + 60, sees));
        });
        ASSERT_TRUE(same_bits(some.at("output"), all.at("output"))) << capacity << " at " << first;
        ASSERT_TRUE(
            same_bits(some.at("weights"), part_of(all.at("weights"), 0, 60, cache.first(), kept)));
      }
      // keyLengths: all but two keys in the first batch entry, none in the second.
      const double lengths = static_cast<double>(kept) - 2;
      const Results some = cache.attend(query, [&](Record& record) {
        record.set_list("keyLengths", {lengths, 0});
      });
      const Results all = attend_at_once(kernels, sequence, first, 60, [&](Record& record) {
        record.set("mask", mask_from(cache.first(), 60, first + 60,
                                     [&](std::size_t, std::size_t j) { return j + 2 < kept; }));
      });
      const std::vector<float>& numbers = some.at("output").numbers;
      const std::size_t half = numbers.size() / 2;
      const auto& expected = all.at("output").numbers;
      const auto middle = static_cast<std::ptrdiff_t>(half);
      EXPECT_TRUE(same_bits({numbers.begin(), numbers.begin() + middle},
                            {expected.begin(), expected.begin() + middle}));
      EXPECT_TRUE(std::all_of(numbers.begin() + middle, numbers.end(),
                              [](float number) { return number == 0; }));
    }
  }
}

// Evicted and invisible keys and values can contain anything.
TEST_P(Cache, HiddenKeysDoNotAffectResults) {
  const Sequence clean(kLong);
  Sequence poisoned = clean;
  const double poisons[] = {kNaN, kInfinity, -kInfinity};
  const auto is_poisoned = [](std::size_t position) { return position % 97 == 5; };
  for (std::size_t j = 0; j < kLong; ++j) {
    if (!is_poisoned(j)) continue;
    Sequence::write(poisoned.key, j, poisons[j % 3]);
    Sequence::write(poisoned.value, j, poisons[(j + 1) % 3]);
  }
  for (const Ring& ring : kRings) {
    const KeptKeys good(kernels, ring.capacity, true);
    const KeptKeys bad(kernels, ring.capacity, true);
    std::size_t turn = 0;
    for (std::size_t first = 0; first < kLong; first += ring.step, ++turn) {
      const std::size_t count = std::min(ring.step, kLong - first);
      ASSERT_EQ(good.append(clean, first, count), "");
      ASSERT_EQ(bad.append(poisoned, first, count), "");
      if (!is_compared(turn, ring.step, first + count, kLong)) continue;
      const VectorTensor query = rows_of(clean.query, first, count);
      const std::size_t oldest = good.first();
      const VectorTensor mask = mask_from(0, count, good.kept(), [&](std::size_t, std::size_t j) {
        return !is_poisoned(oldest + j);
      });
      const bool any_kept = std::count(mask.numbers.begin(), mask.numbers.end(), 0) > 0;
      const auto set = [&](Record& record) {
        record.set("causal", 1).set("returnWeights", "perHead");
        if (any_kept) record.set("mask", mask);
      };
      const Results a = good.attend(query, set);
      const Results b = bad.attend(query, set);
      ASSERT_TRUE(same_bits(a.at("output"), b.at("output")))
          << ring.capacity << " by " << ring.step << " at " << first;
      ASSERT_TRUE(same_bits(a.at("weights"), b.at("weights")));
      ASSERT_TRUE(std::none_of(b.at("output").numbers.begin(), b.at("output").numbers.end(),
                               [](float number) { return std::isnan(number); }));
    }
  }
}

TEST_P(Cache, RefusedCallsChangeNothing) {
  const Sequence sequence(20);
  const KeptKeys cache(kernels, 10, false);
  ASSERT_EQ(cache.append(sequence, 0, 7), "");
  const auto look = [&] { return cache.attend(rows_of(sequence.query, 0, 1), [](Record&) {}); };
  const Results before = look();
  EXPECT_NE(cache.append(sequence, 7, 4), "");
  EXPECT_NE(cache.append(rows_of(sequence.key, 7, 2), rows_of(sequence.value, 7, 3)), "");
  EXPECT_NE(cache.append(rows_of(sequence.value, 7, 2), rows_of(sequence.key, 7, 2)), "");
  for (const double length : {-1.0, 1.5, 8.0, 1e300, kNaN, kInfinity}) {
    EXPECT_NE(cache.rewind(length), "") << length;
  }
  EXPECT_EQ(cache.length(), 7U);
  EXPECT_EQ(cache.kept(), 7U);
  EXPECT_TRUE(same_bits(before.at("output"), look().at("output")));
  EXPECT_EQ(cache.append(sequence, 7, 3), "");
  EXPECT_EQ(cache.append(sequence, 10, 0), "");
  EXPECT_NE(cache.append(sequence, 10, 1), "");
}

TEST_P(Cache, QueriesWithoutKeysGiveZeros) {
  const Sequence sequence(3);
  const KeptKeys cache(kernels, 10, false);
  const Results nothing =
      cache.attend(sequence.query, [](Record& record) { record.set("causal", 1); });
  for (const float number : nothing.at("output").numbers) EXPECT_EQ(number, 0.0F);
  // More queries than keys: the last query is at the last position.
  ASSERT_EQ(cache.append(sequence, 0, 1), "");
  const Results one = cache.attend(sequence.query, [](Record& record) { record.set("causal", 1); });
  for (const float number : part_of(one.at("output"), 0, 2).numbers) EXPECT_EQ(number, 0.0F);
  for (const float number : part_of(one.at("output"), 2, 1).numbers) EXPECT_NE(number, 0.0F);
}

// After rewind(), results are as if later keys had never been appended.
TEST_P(Cache, RewoundCacheEqualsANewOne) {
  Sequence wrong(kLong);
  std::swap(wrong.key.numbers.front(), wrong.key.numbers.back());
  for (std::size_t j = 0; j < kLong; j += 3) Sequence::write(wrong.value, j, kNaN);
  const Sequence right(kLong);
  const auto set = [](Record& record) { record.set("causal", 1).set("returnWeights", "perHead"); };
  for (const std::size_t keep : {0U, 1U, 200U, 255U, 256U, 257U, 500U}) {
    for (const std::size_t too_far : {1U, 9U, 260U}) {
      const KeptKeys fresh(kernels, 800, false);
      const KeptKeys rewound(kernels, 800, false);
      ASSERT_EQ(fresh.append(right, 0, keep), "");
      ASSERT_EQ(rewound.append(right, 0, keep), "");
      ASSERT_EQ(rewound.append(wrong, keep, too_far), "");
      ASSERT_EQ(rewound.rewind(static_cast<double>(keep)), "");
      ASSERT_EQ(rewound.length(), keep);
      for (std::size_t at = keep; at < keep + 12; at += 4) {
        ASSERT_EQ(fresh.append(right, at, 4), "");
        ASSERT_EQ(rewound.append(right, at, 4), "");
        const VectorTensor query = rows_of(right.query, at, 4);
        const Results a = fresh.attend(query, set);
        const Results b = rewound.attend(query, set);
        ASSERT_TRUE(same_bits(a.at("output"), b.at("output"))) << keep << ", " << too_far;
        ASSERT_TRUE(same_bits(a.at("weights"), b.at("weights"))) << keep << ", " << too_far;
      }
    }
  }
}

// A copied entry has the same keys and values, including NaN; afterwards both are independent.
TEST_P(Cache, CopiedEntryEqualsItsSource) {
  Sequence sequence(kLong);
  Sequence::write(sequence.value, 3, kNaN);
  Sequence copied = sequence;
  for (VectorTensor* tensor : {&copied.key, &copied.value}) {
    const auto half = static_cast<std::ptrdiff_t>(tensor->numbers.size() / kBatch);
    std::copy_n(tensor->numbers.begin(), half, tensor->numbers.begin() + half);
  }
  for (const bool sliding : {false, true}) {
    for (const std::size_t length : {1U, 8U, 9U, 256U, 300U, 510U}) {
      const KeptKeys cache(kernels, sliding ? 200 : 800, sliding);
      const KeptKeys expected(kernels, sliding ? 200 : 800, sliding);
      ASSERT_EQ(cache.append(sequence, 0, length), "");
      ASSERT_EQ(cache.copy_entry(0, 1), "");
      ASSERT_EQ(expected.append(copied, 0, length), "");
      ASSERT_EQ(cache.append(sequence, length, 5), "");
      ASSERT_EQ(expected.append(sequence, length, 5), "");
      const VectorTensor query = rows_of(sequence.query, length, 5);
      const auto causal = [](Record& record) { record.set("causal", 1); };
      EXPECT_TRUE(same_bits(cache.attend(query, causal).at("output"),
                            expected.attend(query, causal).at("output")))
          << length;
    }
  }
  const KeptKeys cache(kernels, 10, false);
  EXPECT_NE(cache.copy_entry(0, kBatch), "");
  EXPECT_NE(cache.copy_entry(-1, 0), "");
}

// rewind() does not restore keys that a sliding cache has evicted.
TEST_P(Cache, RewoundSlidingCacheHasTheRemainingKeys) {
  const Sequence sequence(kLong);
  for (const std::size_t capacity : {200U, 256U, 400U}) {
    for (const std::size_t back : {1U, 50U, 100U}) {
      const KeptKeys cache(kernels, capacity, true);
      ASSERT_EQ(cache.append(sequence, 0, 500), "");
      const std::size_t oldest = 500 - capacity;
      if (oldest > 0) {
        EXPECT_NE(cache.rewind(static_cast<double>(oldest) - 1), "");
      }
      ASSERT_EQ(cache.rewind(static_cast<double>(500 - back)), "");
      ASSERT_EQ(cache.first(), oldest);
      for (std::size_t first = 500 - back; first + 20 < kLong; first += 20) {
        ASSERT_EQ(cache.append(sequence, first, 20), "");
        ASSERT_EQ(cache.first(), std::max(oldest, first + 20 - std::min(first + 20, capacity)));
        const auto causal = [](Record& record) { record.set("causal", 1); };
        const Results some = cache.attend(rows_of(sequence.query, first, 20), causal);
        const Results all = attend_at_once(kernels, sequence, first, 20, [&](Record& record) {
          causal(record);
          record.set("mask", mask_from(cache.first(), 20, first + 20, kSeesAll));
        });
        ASSERT_TRUE(same_bits(some.at("output"), all.at("output")))
            << capacity << ", back " << back << ", at " << first;
      }
    }
  }
}

bool is_causal(const Vector& vector) { return vector.options.contains("causal"); }

// A layer and the dims of its cache.
class Layer : public VectorLayer {
 public:
  Layer(const Kernels& kernels, const Vector& vector)
      : VectorLayer(kernels, vector), kernels_(kernels) {}

  KeptKeys cache(const VectorTensor& x, std::size_t capacity, const std::string& part = "") const {
    const auto size = [&](const char* ours, const char* crossed) {
      return static_cast<std::size_t>(record().fact(part.empty() ? ours : crossed));
    };
    return {kernels_,
            capacity,
            false,
            size("kvHeads", "crossKvHeads"),
            size("keyDim", "crossKeyDim"),
            size("valueDim", "crossValueDim"),
            x.dims.size() == 3 ? static_cast<std::size_t>(x.dims[0]) : 1};
  }

 private:
  const Kernels& kernels_;
};

std::size_t length_of(const VectorTensor& x) {
  return static_cast<std::size_t>(x.dims[x.dims.size() - 2]);
}

// Every causal layer of the test vectors: with a cache, one or three rows at a time give the same
// bits as the whole sequence; so does a decoder's memory that is projected once.
TEST_P(Cache, LayersStepByStepEqualOnePass) {
  int layers = 0;
  for (const Vector& vector : vectors()) {
    if (!has_layer(vector) || !is_causal(vector) || vector.inputs.contains("context") ||
        vector.inputs.contains("mask") || vector.options.contains("keyLengths") ||
        vector.options.contains("offset")) {
      continue;
    }
    ++layers;
    const Layer layer(kernels, vector);
    const VectorTensor& x = vector.inputs.at("x");
    const Answer all = record_of(vector, layer.address())->call(kernels);
    ASSERT_EQ(all.problem, "") << vector.name;
    for (const std::size_t step : {1U, 3U}) {
      for (const bool memory_cached : {false, true}) {
        if (memory_cached && !vector.inputs.contains("memory")) continue;
        const KeptKeys cache = layer.cache(x, std::max<std::size_t>(1, length_of(x)));
        std::optional<KeptKeys> memory;
        if (memory_cached) {
          const VectorTensor& from = vector.inputs.at("memory");
          Record parts("memoryOfTransformer");
          parts.set("layer", layer.address());
          ASSERT_EQ(parts.check(), "");
          memory.emplace(layer.cache(x, std::max<std::size_t>(1, length_of(from)), "cross"));
          ASSERT_EQ(Record("projectContext")
                        .set("layer", parts.fact("cross"))
                        .set("cache", memory->address())
                        .set("context", from)
                        .call(kernels)
                        .problem,
                    "")
              << vector.name;
        }
        for (std::size_t first = 0; first < length_of(x); first += step) {
          const std::size_t count = std::min(step, length_of(x) - first);
          const std::unique_ptr<Record> record = record_of(vector, layer.address());
          record->set("x", rows_of(x, first, count)).set("cache", cache.address());
          if (vector.function == "multiHeadAttention") record->set("appends", 1);
          if (memory_cached) {
            record->forget("memory");
            record->set("memoryCache", memory->address());
          }
          const Answer some = record->call(kernels);
          ASSERT_EQ(some.problem, "") << vector.name;
          ASSERT_TRUE(
              same_bits(some.results.at("output"), part_of(all.results.at("output"), first, count)))
              << vector.name << " by " << step << " at " << first;
        }
        ASSERT_EQ(cache.length(), length_of(x));
      }
    }
  }
  EXPECT_GE(layers, 15);
}

// A context projected into a cache gives the same results as the context itself.
TEST_P(Cache, ProjectedContextGivesTheSameBits) {
  int layers = 0;
  for (const Vector& vector : vectors()) {
    if (vector.function != "multiHeadAttention" || !vector.inputs.contains("context") ||
        is_causal(vector) || vector.options.contains("slopes") ||
        vector.options.contains("window") || vector.options.contains("offset")) {
      continue;
    }
    ++layers;
    const Layer layer(kernels, vector);
    const VectorTensor& context = vector.inputs.at("context");
    const Answer all = record_of(vector, layer.address())->call(kernels);
    ASSERT_EQ(all.problem, "") << vector.name;
    const KeptKeys cache = layer.cache(context, std::max<std::size_t>(1, length_of(context)));
    Record projection("projectContext");
    projection.set("layer", layer.address()).set("cache", cache.address()).set("context", context);
    ASSERT_EQ(projection.call(kernels).problem, "") << vector.name;
    const std::unique_ptr<Record> record = record_of(vector, layer.address());
    record->forget("context");
    record->set("cache", cache.address());
    const Answer cached = record->call(kernels);
    ASSERT_EQ(cached.problem, "") << vector.name;
    EXPECT_TRUE(same_bits(cached.results.at("output"), all.results.at("output"))) << vector.name;
  }
  EXPECT_GE(layers, 5);
}

// 2^20 keys with 128 + 128 numbers need more than 1 GiB per head and batch entry. check() must
// reject that without allocating it.
TEST_P(Cache, SizeIsAddressable) {
  constexpr double kAddressable = 0x1p32;
  struct Size {
    double batch, kv_heads, key_dim, value_dim, capacity;
    bool fits;
  };
  constexpr double kKeys = 0x1p20;
  for (const Size& size :
       {Size{1, 1, 128, 128, kKeys, true}, Size{3, 1, 128, 128, kKeys, true},
        Size{1, 3, 128, 128, kKeys, true}, Size{4, 1, 128, 128, kKeys, false},
        Size{1, 4, 128, 128, kKeys, false}, Size{2, 2, 128, 128, kKeys, false},
        Size{1, 1, 896, 128, kKeys, false}, Size{1, 1, 128, 896, kKeys, false},
        Size{1, 1, 128, 128, 4 * kKeys, false}, Size{0x1p31, 0x1p31, 1, 1, 1, false}}) {
    Record record("newCache");
    record.set("batch", size.batch)
        .set("kvHeads", size.kv_heads)
        .set("keyDim", size.key_dim)
        .set("valueDim", size.value_dim)
        .set("capacity", size.capacity);
    const std::string problem = record.check();
    EXPECT_EQ(problem.empty(), size.fits)
        << size.batch << " × " << size.kv_heads << ": " << problem;
    if (size.fits) {
      const double numbers =
          size.batch * size.kv_heads * size.capacity * (size.key_dim + size.value_dim);
      EXPECT_GT(record.fact("objectBytes"), numbers * sizeof(float));
      EXPECT_LT(record.fact("objectBytes"), kAddressable);
    } else {
      EXPECT_NE(problem.find("WebAssembly can address"), std::string::npos) << problem;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Cache, all_kernels(), kernels_name);

}  // namespace
}  // namespace attention::tests
