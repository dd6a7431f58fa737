// Attention by its definition in double, one number at a time, for the fuzz targets. It knows
// nothing of the library.
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
  // By batch entry, head, row and column, whatever lies where.
  std::function<float(std::size_t, std::size_t, std::size_t, std::size_t)> query, key, value;

  std::optional<float> scale;
  float softcap = 0;  // 0: none
  bool causal = false;
  std::optional<long> left, right;   // the window
  std::vector<long> offsets;         // one per batch entry
  std::vector<std::size_t> lengths;  // one per batch entry
  // By batch entry, head, query and key; none: everything, 0.
  std::function<bool(std::size_t, std::size_t, std::size_t, std::size_t)> allows;
  std::function<float(std::size_t, std::size_t, std::size_t, std::size_t)> adds;
  std::vector<double> slopes, sinks;  // none, or one per head
};

// A row of results: what the query of one head sees.
struct Row {
  std::vector<bool> seen;
  std::vector<double> raw, capped, biased;  // scores; biased -inf where not seen
  std::vector<double> weights;
  std::vector<double> output;
  double log_sum_exp = -std::numeric_limits<double>::infinity();
  // The largest number that meets another in a visible score, and in a raw one: what rounding can
  // move.
  double magnitude = 0, raw_magnitude = 0;
  // NaN and -inf meet, or all visible scores are -inf: what comes out is nobody's promise.
  bool is_undefined = false;
};

Row attend(const Problem& problem, std::size_t batch, std::size_t head, std::size_t query);

}  // namespace fuzz
