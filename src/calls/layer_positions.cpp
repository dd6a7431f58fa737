// A record holds biases as buckets × heads and a bucket for each distance; the layer has biases as
// heads × buckets and runs of distances.
#include "calls/layer_positions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace attention::calls {
namespace {

// Calls each(first distance, bucket) for each run of a list of buckets by distance.
void for_each_run(std::span<const double> buckets, auto&& each) {
  const auto farthest = static_cast<std::int64_t>(buckets.size() / 2);
  for (std::size_t at = 0; at < buckets.size(); ++at) {
    if (at > 0 && buckets[at] == buckets[at - 1]) continue;
    each(static_cast<std::int64_t>(at) - farthest, static_cast<std::uint32_t>(buckets[at]));
  }
}

}  // namespace

bool LayerPositions::check_rotary(Rules& rules, double key_dim) const {
  if (rotary == 0) return true;
  const double rotated_width = width.value_or(key_dim);
  if (!rules.rotated("rotary.width", rotated_width, key_dim) ||
      !rules.positive_option("rotary.base", base) ||
      !rules.finite_option("rotary.factor", factor)) {
    return false;
  }
  if (!frequencies.is_present()) return true;
  if (base.is_present()) {
    return rules.fail("rotary.base and rotary.frequencies are given, but one replaces the other");
  }
  if (frequencies.count == rotated_width / 2) {
    return rules.finite_doubles("rotary.frequencies", frequencies);
  }
  return rules.fail("rotary.frequencies holds # numbers but must hold width / 2 = #",
                    frequencies.count, rotated_width / 2);
}

bool LayerPositions::check_biases(Rules& rules, double heads) const {
  const char* name = "relativeBias";
  if (relative == 0) {
    if (!relative_bias.is_present()) return true;
    return rules.fail("$ is given without relativePositions", rules.field(name));
  }
  if (!rules.tensor(name, relative_bias, 2, 2)) return false;
  const double count = relative_bias.dims[0];
  const double in_direction = bidirectional != 0 ? count / 2 : count;
  return rules.same_dims(name, relative_bias, "buckets × heads", tensor_of({count, heads})) &&
         rules.count(bidirectional != 0 ? "half of the buckets" : "the number of buckets",
                     in_direction, 2) &&
         rules.count("relativePositions.maxDistance", max_distance,
                     std::floor(in_direction / 2) + 1);
}

bool LayerPositions::check_vectors(Rules& rules, double heads, double kv_heads,
                                   double key_dim) const {
  const bool has_key = position_key.is_present();
  const bool has_query = position_query.is_present();
  const char* name = "positionBuckets";
  if (!has_key && !has_query) {
    return !position_buckets.is_present() ||
           rules.fail("$ is given without positionKey or positionQuery", name);
  }
  const char* first = has_key ? "positionKey" : "positionQuery";
  if (!position_buckets.is_present()) {
    return rules.fail("$ is given without positionBuckets", rules.field(first));
  }
  if (kv_heads != heads) {
    return rules.fail("kvHeads is # but heads is #: with $ they must be equal", kv_heads, heads,
                      rules.field(first));
  }
  const Tensor& vectors = has_key ? position_key : position_query;
  if (!rules.tensor(first, vectors, 2, 2)) return false;
  const double count = vectors.dims[0];
  const Tensor expected = tensor_of({count, heads * key_dim});
  if (!rules.same_dims(first, vectors, "buckets × heads·d_k", expected)) return false;
  if (has_key && has_query &&
      (!rules.tensor("positionQuery", position_query, 2, 2) ||
       !rules.same_dims("positionQuery", position_query, "buckets × heads·d_k", expected))) {
    return false;
  }
  if (std::fmod(position_buckets.count, 2) != 1) {
    return rules.fail("$ holds # numbers but must hold one for each distance, an odd number", name,
                      position_buckets.count);
  }
  const std::span<const double> buckets = numbers(position_buckets);
  for (std::size_t at = 0; at < buckets.size(); ++at) {
    if (buckets[at] >= 0 && buckets[at] < count && std::floor(buckets[at]) == buckets[at]) continue;
    return rules.fail("$[#] is # but must be a whole number from 0, below #", name,
                      static_cast<double>(at), buckets[at], count);
  }
  return true;
}

DistanceBuckets LayerPositions::buckets() const {
  return {size(relative_bias.dims[0]), size(max_distance), bidirectional != 0};
}

void LayerPositions::shape(MultiHeadShape& shape, double key_dim) const {
  if (rotary != 0) shape.rotary_width = size(width.value_or(key_dim));
  if (relative != 0) shape.distance_buckets = size(relative_bias.dims[0]);
  shape.position_key = position_key.is_present();
  shape.position_query = position_query.is_present();
  if (!position_buckets.is_present()) return;
  shape.position_buckets = size((shape.position_key ? position_key : position_query).dims[0]);
  shape.position_runs = 0;
  for_each_run(numbers(position_buckets), [&](auto, auto) { ++shape.position_runs; });
}

void LayerPositions::write_vectors(const Block& block, PositionVectors& vectors) const {
  if (!vectors.is_set()) return;
  DistanceRun* run = vectors.runs.runs;
  for_each_run(numbers(position_buckets), [&](std::int64_t first, std::uint32_t bucket) {
    *run++ = {first, bucket};
  });
  const auto split = [&](const Tensor& rows, const Heads<float>& heads) {
    if (!rows.is_present()) return;
    const Matrix<const float> from = block.rows(rows);
    for (std::size_t head = 0; head < heads.heads; ++head) {
      for (std::size_t bucket = 0; bucket < heads.rows; ++bucket) {
        std::copy_n(from.row(bucket) + head * heads.cols, heads.cols,
                    heads.at(0, head).row(bucket));
      }
    }
  };
  split(position_key, vectors.key);
  split(position_query, vectors.query);
}

void LayerPositions::write(const Block& block, MultiHeadAttention& layer) const {
  Rotation& rotation = layer.rotation;
  rotation.interleaved = interleaved != 0;
  rotation.factor = factor.value_or(1);
  if (rotation.width > 0 && frequencies.is_present()) {
    const std::span<const double> from_caller = numbers(frequencies);
    std::copy(from_caller.begin(), from_caller.end(), rotation.frequencies);
  } else if (rotation.width > 0) {
    rotary_frequencies(rotation.frequencies, rotation.width, base.value_or(RotaryOptions().base));
  }
  write_vectors(block, layer.position_vectors);
  DistanceBias& bias = layer.distance_bias;
  if (bias.buckets == 0) return;
  bias.runs.count = buckets().write_runs(bias.runs.runs);
  const Matrix<const float> rows = block.rows(relative_bias);
  float* to = layer.distance_biases;
  for (std::size_t head = 0; head < layer.heads; ++head) {
    for (std::size_t bucket = 0; bucket < bias.buckets; ++bucket) *to++ = rows.row(bucket)[head];
  }
}

}  // namespace attention::calls
