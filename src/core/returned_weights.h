// The attention weights that the caller of attend() requested. Exponentials are stored tile by tile
// and normalized when the sum of their row is known. A limited span of queries is processed at a
// time, so that the exponentials are still in the CPU cache when they are normalized.
#pragma once

#include <cstddef>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"

namespace attention {

// Number of heads that are processed together: all that share a KV head, or one if weights are
// averaged, because scratch memory holds the weights of one head.
inline std::size_t heads_per_group(const Shape& shape, bool average) {
  return average || shape.kv_heads == 0 || shape.heads == 0 ? 1 : shape.heads / shape.kv_heads;
}

class ReturnedWeights {
 public:
  // Scratch memory, reused by every group of heads.
  struct Scratch {
    Scratch(Workspace& workspace, const Shape& shape, bool average);

    float* tile_maxima;   // heads of a group × span × tiles: maximum of each row after each tile
    float* head_weights;  // q_len × k_len: weights of one head, to be averaged
  };

  // A head, and its index in its group.
  struct Head {
    std::size_t batch;
    std::size_t head;
    std::size_t index_in_group;
  };

  // The queries first, first + 1, ..., first + count - 1 of a head.
  struct Queries {
    std::size_t first;
    std::size_t count;
  };

  // exponential: the tiles hold exponentials, not plain similarities. existing: existing keys, by
  // position.
  ReturnedWeights(const Kernels& kernels, const Shape& shape, const AttentionResults& results,
                  bool exponential, KeyRange existing, const Scratch& scratch);

  bool requested() const { return weights_ != nullptr || average_ != nullptr; }
  // Number of queries of each head that are processed together.
  std::size_t span() const { return span_; }

  void begin(const Head& head, Queries queries) const;

  // Stores a tile without visible keys.
  void store_invisible(const Head& head, const TileExtent& extent) const;
  // Stores a tile of exponentials relative to the current maxima of rows, or of biased
  // similarities.
  void store_tile(const Head& head, const TileExtent& extent, Matrix<const float> tile,
                  KeyRange columns, const SoftmaxRow* rows) const;

  // After the last tile: turns the stored exponentials of a query into weights.
  void end(const Head& head, std::size_t query, const SoftmaxRow& row) const;
  // After the last query of a span: adds the head's weights to the average, if requested.
  void end(const Head& head, Queries queries) const;

 private:
  ReturnedMatrix matrix(const Head& head) const;
  float* tile_maxima(const Head& head, std::size_t query) const;
  std::size_t first_tile() const;
  void add_to_average(const Head& head, Queries queries) const;

  const Kernels& kernels_;
  const Shape& shape_;
  float* weights_;
  float* average_;
  bool exponential_;
  KeyRange existing_;
  const Scratch& scratch_;
  std::size_t span_;
};

}  // namespace attention
