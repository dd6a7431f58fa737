// Attention by definition in double, without the library's code.
#include "fuzz/oracle.h"

#include <algorithm>
#include <cmath>

namespace fuzz {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Scores are float32: numbers beyond its range become infinite.
double in_float_range(double score) {
  const auto result = static_cast<float>(score);
  return std::isfinite(result) ? score : static_cast<double>(result);
}

bool is_visible(const Problem& p, std::size_t batch, std::size_t head, std::size_t query,
                std::size_t key) {
  const long position = p.offsets[batch] + static_cast<long>(query);
  const long j = static_cast<long>(key);
  if (key >= p.lengths[batch]) return false;
  if (p.causal && j > position) return false;
  if (p.left && j < position - *p.left) return false;
  if (p.right && j > position + *p.right) return false;
  if (p.allows) return p.allows(batch, head, query, key);
  return !p.adds || p.adds(batch, head, query, key) != -std::numeric_limits<float>::infinity();
}

void weigh(const Problem& p, std::size_t head, Row& row) {
  const std::size_t count = row.seen.size();
  row.weights.assign(count, 0);
  if (std::find(row.seen.begin(), row.seen.end(), true) == row.seen.end()) return;
  bool has_nan = false, has_low = false;
  double largest = p.sinks.empty() ? -kInfinity : p.sinks[head];
  for (std::size_t j = 0; j < count; ++j) {
    if (!row.seen[j]) continue;
    const double score = row.biased[j];
    has_nan = has_nan || std::isnan(score) || score == kInfinity;
    has_low = has_low || score == -kInfinity;
    largest = std::max(largest, score);
  }
  row.is_undefined = (has_nan && has_low) || (!has_nan && largest == -kInfinity);
  if (row.is_undefined) return;
  double sum = p.sinks.empty() ? 0 : std::exp(p.sinks[head] - largest);
  for (std::size_t j = 0; j < count; ++j) {
    if (!row.seen[j]) continue;
    row.weights[j] = has_nan ? std::nan("") : std::exp(row.biased[j] - largest);
    sum += row.weights[j];
  }
  for (std::size_t j = 0; j < count; ++j) row.weights[j] /= row.seen[j] ? sum : 1;
  row.log_sum_exp = has_nan ? std::nan("") : largest + std::log(sum);
}

}  // namespace

Row attend(const Problem& p, std::size_t batch, std::size_t head, std::size_t query) {
  Row row;
  const std::size_t kv_head = head / (p.heads / p.kv_heads);
  const double scale = p.scale ? *p.scale : 1 / std::sqrt(static_cast<double>(p.key_dim));
  for (std::size_t j = 0; j < p.k_len; ++j) {
    double dot = 0, size = 0;
    for (std::size_t c = 0; c < p.key_dim; ++c) {
      const double product =
          static_cast<double>(p.query(batch, head, query, c)) * p.key(batch, kv_head, j, c);
      dot += product;
      size += std::abs(product);
    }
    size *= std::abs(scale);
    row.raw_magnitude = std::max(row.raw_magnitude, std::isfinite(size) ? size : 0);
    row.raw.push_back(in_float_range(scale * dot));
    row.capped.push_back(p.softcap == 0 ? row.raw[j]
                                        : p.softcap * std::tanh(row.raw[j] / p.softcap));
    row.seen.push_back(is_visible(p, batch, head, query, j));
    double biased = row.capped[j];
    const double mask = p.adds ? p.adds(batch, head, query, j) : 0;
    const double distance = std::abs(static_cast<double>(p.offsets[batch]) +
                                     static_cast<double>(query) - static_cast<double>(j));
    const double bias = p.slopes.empty() ? 0 : p.slopes[head] * distance;
    biased = in_float_range(in_float_range(biased + mask) - bias);
    row.biased.push_back(row.seen[j] ? biased : -kInfinity);
    // The cap makes infinite scores finite.
    const double capped_size = p.softcap > 0 && !std::isfinite(size) ? p.softcap : size;
    const double reach = capped_size + std::abs(mask) + std::abs(bias);
    if (row.seen[j] && std::isfinite(reach)) row.magnitude = std::max(row.magnitude, reach);
  }
  if (!p.sinks.empty()) row.magnitude = std::max(row.magnitude, std::abs(p.sinks[head]));
  weigh(p, head, row);
  for (std::size_t c = 0; c < p.value_dim; ++c) {
    double sum = 0;
    for (std::size_t j = 0; j < p.k_len; ++j) {
      if (row.seen[j]) sum += row.weights[j] * p.value(batch, kv_head, j, c);
    }
    row.output.push_back(sum);
  }
  return row;
}

}  // namespace fuzz
