// Attention by definition in double, for the fuzz targets; independent of the library's code.
//
//   s_ij = scale · q_i·k_j → c·tanh (s/c) → + mask − slope·|p − j|     α_ij = softmax over the
//   visible keys o_i  = Σ_j α_ij v_j       p = offset + i
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace fuzz {

struct Problem {
  std::size_t batch = 1, heads = 1, kv_heads = 1, q_len = 0, k_len = 0, key_dim = 1, value_dim = 0;
  // Indexed by batch entry, head, row and column, in any layout.
  std::function<float(std::size_t, std::size_t, std::size_t, std::size_t)> query, key, value;

  std::optional<float> scale;
  float softcap = 0;  // 0: none
  bool causal = false;
  std::optional<long> left, right;   // the window
  std::vector<long> offsets;         // one per batch entry
  std::vector<std::size_t> lengths;  // one per batch entry
  // Indexed by batch entry, head, query and key; unset: all visible, bias 0.
  std::function<bool(std::size_t, std::size_t, std::size_t, std::size_t)> allows;
  std::function<float(std::size_t, std::size_t, std::size_t, std::size_t)> adds;
  std::vector<double> slopes, sinks;  // empty, or one per head
};

// The results of one query of one head.
struct Row {
  std::vector<bool> seen;
  std::vector<double> raw, capped, biased;  // scores; biased: -inf where invisible
  std::vector<double> weights;
  std::vector<double> output;
  double log_sum_exp = -std::numeric_limits<double>::infinity();
  // The largest magnitude in a sum of a visible score, and of a raw one, which bounds rounding
  // errors.
  double magnitude = 0, raw_magnitude = 0;
  // NaN together with -inf, or only -inf among visible scores: results are unspecified.
  bool is_undefined = false;
};

Row attend(const Problem& problem, std::size_t batch, std::size_t head, std::size_t query);

}  // namespace fuzz
