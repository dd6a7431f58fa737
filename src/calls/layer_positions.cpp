// Biases come by bucket, and lie in the layer by distance.
#include "calls/layer_positions.h"

#include <cmath>
#include <cstdint>

namespace attention::calls {

bool LayerPositions::check(Rules& rules, double heads, double key_dim) const {
  return (rotary == 0 || check_rotary(rules, key_dim)) && check_relative(rules, heads);
}

bool LayerPositions::check_rotary(Rules& rules, double key_dim) const {
  if (!rules.rotated("rotary.width", width.value_or(key_dim), key_dim) ||
      !rules.positive_option("rotary.base", base) ||
      !rules.finite_option("rotary.factor", factor)) {
    return false;
  }
  if (!frequencies.is_given()) return true;
  if (base.is_given()) {
    return rules.broken(
        {"rotary.base and rotary.frequencies are given, but one replaces the other"});
  }
  const double pairs = width.value_or(key_dim) / 2;
  if (frequencies.count != pairs) {
    return rules.broken({"rotary.frequencies holds ", frequencies.count,
                         " numbers but must hold one per pair of numbers, ", pairs});
  }
  double index = 0;
  for (const double frequency : numbers(frequencies)) {
    const std::string name = sentence({"rotary.frequencies[", index++, "]"});
    if (!rules.finite_double(name.c_str(), frequency)) return false;
  }
  return true;
}

bool LayerPositions::check_relative(Rules& rules, double heads) const {
  const char* name = "self.relativeBias";
  if (relative == 0) {
    if (!relative_bias.is_given()) return true;
    return rules.broken({name, " is given without relativePositions"});
  }
  if (!rules.tensor(name, relative_bias, 2, 2) ||
      !rules.same_dims(name, relative_bias, "buckets × heads",
                       tensor_of({relative_bias.dims[0], heads}))) {
    return false;
  }
  const double directions = bidirectional != 0 ? 2 : 1;
  const double in_direction = relative_bias.dims[0] / directions;
  if (!(is_whole(in_direction) && in_direction >= 2)) {
    return rules.broken({name, " has dims ", relative_bias, " but there must be at least ",
                         2 * directions, " buckets",
                         bidirectional != 0 ? ", an even number of them" : ""});
  }
  return rules.count("relativePositions.maxDistance", max_distance,
                     std::floor(in_direction / 2) + 1);
}

DistanceBuckets LayerPositions::buckets() const {
  return {size(relative_bias.dims[0]), size(max_distance), bidirectional != 0};
}

void LayerPositions::shape(MultiHeadShape& shape, double key_dim) const {
  if (rotary != 0) shape.rotary_width = size(width.value_or(key_dim));
  if (relative != 0) shape.reach = size(max_distance);
}

void LayerPositions::write(const Block& block, MultiHeadAttention& layer) const {
  Rotation& rotation = layer.rotation;
  rotation.interleaved = interleaved != 0;
  rotation.factor = factor.value_or(1);
  const double usual_base = RotaryOptions().base;
  for (std::size_t pair = 0; pair < rotation.width / 2; ++pair) {
    rotation.frequencies[pair] =
        frequencies.is_given() ? numbers(frequencies)[pair]
                               : rotary_frequency(pair, rotation.width, base.value_or(usual_base));
  }
  const auto reach = static_cast<std::int64_t>(layer.distance_bias.reach);
  float* to = layer.distance_biases;
  for (std::size_t head = 0; reach > 0 && head < layer.heads; ++head) {
    for (std::int64_t distance = -reach; distance <= reach; ++distance) {
      *to++ = block.rows(relative_bias).row(buckets().of(distance))[head];
    }
  }
}

}  // namespace attention::calls
