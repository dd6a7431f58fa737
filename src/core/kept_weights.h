// The weights of attend() that its caller asked for: the exponentials of the stream, kept as they
// are formed and multiplied when the sums of their rows are known; similarities that are no
// exponentials, divided then. Few queries at a time, so that what is kept is still in a cache.
#pragma once

#include <cstddef>

#include "attention/scaled_dot_product.h"
#include "attention/workspace.h"
#include "core/score_tile.h"
#include "core/softmax_row.h"

namespace attention {

// Averaging keeps the weights of one head at a time, so heads then go one by one.
inline std::size_t heads_together(const Shape& shape, bool average) {
  return average || shape.kv_heads == 0 || shape.heads == 0 ? 1 : shape.heads / shape.kv_heads;
}

class KeptWeights {
 public:
  // Scratch memory, used again by every group of heads.
  struct Scratch {
    Scratch(Workspace& workspace, const Shape& shape, bool average);

    float* tile_maxima;   // heads of a group × span × tiles: each row's, after each tile
    float* head_weights;  // q_len × k_len of one head, while weights are averaged and not wanted
  };

  // A head, and which it is of the group that goes together.
  struct Head {
    std::size_t batch;
    std::size_t head;
    std::size_t in_group;
  };

  // Queries first, first + 1, ... of a head.
  struct Queries {
    std::size_t first;
    std::size_t count;
  };

  // existing: the keys that there are.
  KeptWeights(const Kernels& kernels, const Shape& shape, const AttentionResults& results,
              bool exponential, KeyRange existing, const Scratch& scratch);

  bool wanted() const { return weights_ != nullptr || average_ != nullptr; }
  // Queries of each head that are taken through all tiles together.
  std::size_t span() const { return span_; }

  void begin(const Head& head, Queries queries) const;

  // A tile of which no query sees anything.
  void take_unseen(const Head& head, const TilePlace& place) const;
  // tile: exponentials relative to the maxima of rows, or biased similarities.
  void take(const Head& head, const TilePlace& place, Matrix<const float> tile, KeyRange columns,
            const SoftmaxRow* rows) const;

  // After the last tile: turns what was kept of a query into weights.
  void end(const Head& head, std::size_t query, const SoftmaxRow& row) const;
  // After the last query of a head: adds its weights to the average, if that is what is wanted.
  void end(const Head& head, Queries queries) const;

 private:
  KeptMatrix matrix(const Head& head) const;
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
