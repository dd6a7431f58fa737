// Positional record fields of a layer: rotary embedding and relative position biases.
#pragma once

#include "attention/multi_head.h"
#include "attention/positions.h"
#include "calls/call.h"

namespace attention::calls {

struct LayerPositions {
  double rotary;         // 0 or 1: rotary embedding
  Optional width, base;  // default: key_dim, 10000
  List frequencies;      // width / 2 numbers, instead of base
  Optional factor;       // multiplies cosines and sines
  double interleaved;
  double relative;       // 0 or 1: relative position bias
  Tensor relative_bias;  // buckets × heads
  double max_distance, bidirectional;

  void fields(auto&& field) {
    field("rotary", rotary, "rotaryWidth", width, "rotaryBase", base, "rotaryFrequencies",
          frequencies, "rotaryFactor", factor, "rotaryInterleaved", interleaved, "relative",
          relative, "relativeBias", relative_bias, "maxDistance", max_distance, "bidirectional",
          bidirectional);
  }

  bool check_rotary(Rules& rules, double key_dim) const;
  bool check_biases(Rules& rules, double heads) const;

  // Sets rotary_width and max_distance of the shape.
  void shape(MultiHeadShape& shape, double key_dim) const;
  // Writes frequencies and biases into a layer of that shape.
  void write(const Block& block, MultiHeadAttention& layer) const;

 private:
  DistanceBuckets buckets() const;
};

}  // namespace attention::calls
