// The test vectors of tests/fixtures, as C++ sees them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/cpp/vector_file.h"

namespace attention::tests {

struct VectorMask {
  VectorTensor tensor;
  bool additive = false;
};

struct Vector {
  std::string name;
  std::vector<std::string> flags;
  VectorTensor query, key, value;
  std::optional<VectorMask> mask;
  std::optional<double> heads, kv_heads, scale, softcap, offset, window_left, window_right;
  bool causal = false;
  bool windowed = false;
  std::optional<std::vector<double>> offsets, key_lengths, slopes, sinks;
  std::optional<VectorExpectation> output, weights, average_weights, log_sum_exp, raw_scores,
      capped_scores, biased_scores;

  bool has_flag(const std::string& flag) const;
};

// Read once. Empty if the files are not there or not understood.
const std::vector<Vector>& vectors();

}  // namespace attention::tests
