// A record holds biases per bucket; the layer stores them per distance.
#include "calls/layer_positions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace attention::calls {

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

DistanceBuckets LayerPositions::buckets() const {
  return {size(relative_bias.dims[0]), size(max_distance), bidirectional != 0};
}

void LayerPositions::shape(MultiHeadShape& shape, double key_dim) const {
  if (rotary != 0) shape.rotary_width = size(width.value_or(key_dim));
  if (relative != 0) shape.max_distance = size(max_distance);
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
  const auto farthest = static_cast<std::int64_t>(layer.distance_bias.max_distance);
  float* to = layer.distance_biases;
  for (std::size_t head = 0; farthest > 0 && head < layer.heads; ++head) {
    for (std::int64_t distance = -farthest; distance <= farthest; ++distance) {
      *to++ = block.rows(relative_bias).row(buckets().of(distance))[head];
    }
  }
}

}  // namespace attention::calls
