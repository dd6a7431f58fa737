// Positional record fields of a layer: rotary embedding, relative position biases and
// relative position vectors.
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
  Tensor position_key, position_query;  // buckets × heads·d_k
  List position_buckets;                // of distances, 2·max distance + 1

  void fields(auto&& field) {
    field("rotary", rotary, "rotaryWidth", width, "rotaryBase", base, "rotaryFrequencies",
          frequencies, "rotaryFactor", factor, "rotaryInterleaved", interleaved, "relative",
          relative, "relativeBias", relative_bias, "maxDistance", max_distance, "bidirectional",
          bidirectional, "positionKey", position_key, "positionQuery", position_query,
          "positionBuckets", position_buckets);
  }

  bool check_rotary(Rules& rules, double key_dim) const;
  bool check_biases(Rules& rules, double heads) const;
  bool check_vectors(Rules& rules, double heads, double kv_heads, double key_dim) const;

  // Sets the fields of positions in the shape.
  void shape(MultiHeadShape& shape, double key_dim) const;
  // Writes frequencies, biases and vectors into a layer of that shape.
  void write(const Block& block, MultiHeadAttention& layer) const;

 private:
  void write_vectors(const Block& block, PositionVectors& vectors) const;
  DistanceBuckets buckets() const;
};

}  // namespace attention::calls
