// What a layer knows of positions: how its heads are turned, and its biases of distances.
#pragma once

#include "attention/multi_head.h"
#include "attention/positions.h"
#include "calls/call.h"

namespace attention::calls {

struct LayerPositions {
  double rotary;         // whether heads are turned
  Optional width, base;  // all of a head, 10000
  List frequencies;      // width / 2, instead of base
  Optional factor;       // of cosines and sines
  double interleaved;
  double relative;       // whether there are biases of distances
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

  // Says in the shape how much room they need.
  void shape(MultiHeadShape& shape, double key_dim) const;
  // Writes them into a layer of that shape.
  void write(const Block& block, MultiHeadAttention& layer) const;

 private:
  DistanceBuckets buckets() const;
};

}  // namespace attention::calls
