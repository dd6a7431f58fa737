// Compares all paths of attend() with the definition in double: reference and SIMD kernels, with
// and without optional results, over a cache filled in several steps, as three steps, and for a
// single query. All paths of an implementation give the same bits, and NaN exactly where the oracle
// has NaN.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "attention/attention.h"
#include "fuzz/attention_input.h"
#include "support/cpp/exact_memory.h"

namespace {

using namespace attention;
using fuzz::AttentionInput;
using fuzz::Numbers;
using fuzz::Problem;
using tests::ExactMemory;

// Tolerances above the documented bounds: the fuzzer looks for wrong results; tests check
// precision.
constexpr double kBound = 64 * 0x1p-24;
// Subnormal numbers and their products may become 0.
constexpr double kSmallest = 0x1p-120;

[[noreturn]] void fail(const char* what, std::size_t at, double found, double expected) {
  std::fprintf(stderr, "%s at %zu: %.9g, expected %.9g\n", what, at, found, expected);
  std::abort();
}

template <class Compute>
void in_exact_scratch(Compute compute) {
  Workspace counting;
  compute(counting);
  const ExactMemory memory(static_cast<double>(counting.used()));
  Workspace scratch(memory.get());
  compute(scratch);
}

// All results of attend().
struct Results {
  explicit Results(const Problem& p, std::size_t q_len)
      : rows(p.batch * p.heads * q_len),
        output(rows * p.value_dim),
        weights(rows * p.k_len),
        average(p.batch * q_len * p.k_len),
        raw(rows * p.k_len),
        capped(rows * p.k_len),
        biased(rows * p.k_len),
        log_sum_exp(rows),
        view(Heads<float>::head_major(output.data(), p.batch, p.heads, q_len, p.value_dim)) {}

  AttentionResults only_output() const { return {.output = view}; }
  AttentionResults all() const {
    return {view,
            weights.data(),
            average.data(),
            {raw.data(), capped.data(), biased.data()},
            log_sum_exp.data()};
  }

  std::size_t rows;
  Numbers output, weights, average, raw, capped, biased, log_sum_exp;
  Heads<float> view;
};

bool same_bits(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_same(const char* what, const float* found, const float* expected, std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) {
    if (!same_bits(found[at], expected[at])) fail(what, at, found[at], expected[at]);
  }
}

void expect_near(const char* what, std::size_t at, double found, double expected, double size) {
  if (std::isnan(expected) ? std::isnan(found) : found == expected) return;
  // A dot product can overflow before it is scaled.
  if (!(size < 1e30)) return;
  if (std::abs(found - expected) <= kBound * size + kSmallest) return;
  fail(what, at, found, expected);
}

// The oracle's rows for every query of every head.
std::vector<fuzz::Row> rows_of(const Problem& p) {
  std::vector<fuzz::Row> rows;
  for (std::size_t b = 0; b < p.batch; ++b) {
    for (std::size_t h = 0; h < p.heads; ++h) {
      for (std::size_t i = 0; i < p.q_len; ++i) rows.push_back(fuzz::attend(p, b, h, i));
    }
  }
  return rows;
}

void compare_with_oracle(const Problem& p, const std::vector<fuzz::Row>& rows,
                         const Results& results) {
  std::size_t row_at = 0;
  for (std::size_t b = 0; b < p.batch; ++b) {
    for (std::size_t h = 0; h < p.heads; ++h) {
      for (std::size_t i = 0; i < p.q_len; ++i, ++row_at) {
        const fuzz::Row& row = rows[row_at];
        const std::size_t first = row_at * p.k_len;
        const std::size_t kv_head = h / (p.heads / p.kv_heads);
        for (std::size_t j = 0; j < p.k_len; ++j) {
          const double size = 1 + row.raw_magnitude;
          expect_near("raw score", first + j, results.raw.data()[first + j], row.raw[j], size);
          expect_near("capped score", first + j, results.capped.data()[first + j], row.capped[j],
                      size);
          expect_near("biased score", first + j, results.biased.data()[first + j], row.biased[j],
                      size + row.magnitude);
        }
        if (row.is_undefined) continue;
        const double size = 1 + std::max(row.raw_magnitude, row.magnitude);
        expect_near("log sum exp", row_at, results.log_sum_exp.data()[row_at], row.log_sum_exp,
                    size);
        for (std::size_t j = 0; j < p.k_len; ++j) {
          expect_near("weight", first + j, results.weights.data()[first + j], row.weights[j], size);
        }
        for (std::size_t c = 0; c < p.value_dim; ++c) {
          double largest = 0;
          // With an infinite value, a weight of 0 gives NaN but a tiny weight gives infinity.
          bool is_certain = true;
          for (std::size_t j = 0; j < p.k_len; ++j) {
            if (!row.seen[j]) continue;
            const double number = p.value(b, kv_head, j, c);
            if (std::isfinite(number)) {
              largest = std::max(largest, std::abs(number));
            } else if (row.weights[j] < 1e-30) {
              is_certain = false;
            }
          }
          const std::size_t at = row_at * p.value_dim + c;
          if (is_certain)
            expect_near("output", at, results.output.data()[at], row.output[c], size * largest);
        }
      }
    }
  }
}

void attend_in_exact_scratch(const Kernels& kernels, const AttentionInput& input,
                             const AttentionResults& to) {
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, input.query, input.key, input.value, input.options, to, scratch);
  });
}

// Appends the keys to a cache in several steps, then attends with all queries.
void compare_with_cache(const Kernels& kernels, const AttentionInput& input,
                        const Results& expected) {
  const Problem& p = input.problem;
  KeyValueCache cache{.batch = p.batch,
                      .kv_heads = p.kv_heads,
                      .key_dim = p.key_dim,
                      .value_dim = p.value_dim,
                      .capacity = p.k_len};
  const ExactMemory memory(static_cast<double>(cache.bytes()));
  cache.attach(memory.get());
  const auto rows = [](Heads<const float> tensor, std::size_t first, std::size_t count) {
    tensor.data += first * tensor.row_stride;
    tensor.rows = count;
    return tensor;
  };
  std::size_t first = 0;
  for (const std::size_t count : input.appends) {
    cache.append(kernels, rows(input.key, first, count), rows(input.value, first, count));
    first += count;
  }
  const Results results(p, p.q_len);
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, input.query, cache, input.options, results.all(), scratch);
  });
  expect_same("output over a cache", results.output.data(), expected.output.data(),
              results.output.count);
  expect_same("weight over a cache", results.weights.data(), expected.weights.data(),
              results.weights.count);
}

// A single query gives the same results.
void compare_with_lone_row(const Kernels& kernels, const AttentionInput& input,
                           const Results& expected) {
  const Problem& p = input.problem;
  if (p.q_len == 0) return;
  const std::size_t row = input.lone_row;
  Heads<const float> query = input.query;
  query.data += row * query.row_stride;
  query.rows = 1;
  std::vector<double> offsets(input.options.visibility.offsets.begin(),
                              input.options.visibility.offsets.end());
  for (double& offset : offsets) offset += static_cast<double>(row);
  AttentionOptions options = input.options;
  options.visibility.offsets = offsets;
  Mask& mask = options.visibility.mask;
  const std::size_t skipped = row * mask.query_stride;
  if (mask.allowed != nullptr) mask.allowed += skipped;
  if (mask.bias != nullptr) mask.bias += skipped;
  const Results results(p, 1);
  in_exact_scratch([&](Workspace& scratch) {
    attend(kernels, query, input.key, input.value, options, results.all(), scratch);
  });
  for (std::size_t group = 0; group < p.batch * p.heads; ++group) {
    const auto compare = [&](const char* what, const Numbers& alone, const Numbers& whole,
                             std::size_t width) {
      expect_same(what, alone.data() + group * width,
                  whole.data() + (group * p.q_len + row) * width, width);
    };
    compare("output of a query alone", results.output, expected.output, p.value_dim);
    compare("weight of a query alone", results.weights, expected.weights, p.k_len);
    compare("log sum exp of a query alone", results.log_sum_exp, expected.log_sum_exp, 1);
  }
}

// scores() equals the scores of attend(), and softmax() its weights, except in rows where softmax()
// cannot know the visibility.
void compare_with_steps(const Kernels& kernels, const AttentionInput& input,
                        const std::vector<fuzz::Row>& rows, const Results& expected) {
  const Problem& p = input.problem;
  const Numbers found(expected.weights.count);
  in_exact_scratch([&](Workspace& scratch) {
    scores(kernels, input.query, input.key, input.options, Stage::kBiased, found.data(), scratch);
  });
  expect_same("score of its own step", found.data(), expected.biased.data(), found.count);
  const bool has_low = std::any_of(found.data(), found.data() + found.count,
                                   [](float score) { return std::isnan(score); });
  if (has_low) return;
  const auto view =
      Heads<const float>::head_major(found.data(), p.batch, p.heads, p.q_len, p.k_len);
  softmax(kernels, view, input.options, found.data());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].is_undefined) continue;
    expect_same("weight of its own step", found.data() + row * p.k_len,
                expected.weights.data() + row * p.k_len, p.k_len);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const AttentionInput input(bytes, count);
  const std::vector<fuzz::Row> rows = rows_of(input.problem);
  for (const Kernels* kernels : {&reference_kernels(), &simd_kernels()}) {
    const Results all(input.problem, input.problem.q_len);
    attend_in_exact_scratch(*kernels, input, all.all());
    const Results plain(input.problem, input.problem.q_len);
    attend_in_exact_scratch(*kernels, input, plain.only_output());
    expect_same("output alone", plain.output.data(), all.output.data(), all.output.count);
    compare_with_oracle(input.problem, rows, all);
    compare_with_cache(*kernels, input, all);
    compare_with_lone_row(*kernels, input, all);
    compare_with_steps(*kernels, input, rows, all);
  }
  return 0;
}
