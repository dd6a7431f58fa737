// Loops over blocks and tiles, and the sizes of their scratch memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/workspace.h"
#include "kernels/kernels.h"

namespace attention {

// Splits 0 to total - 1 into blocks of up to size elements; calls visit(first, count) for each.
template <class Visit>
void for_each_block(std::size_t total, std::size_t size, Visit visit) {
  for (std::size_t first = 0; first < total; first += size) {
    visit(first, std::min(size, total - first));
  }
}

// Floats in a packed tile of keys or values. k_len: all keys; dim: numbers per key or value.
inline std::uint64_t packed_tile_floats(std::size_t k_len, std::size_t dim) {
  const std::uint64_t rows =
      std::min<std::uint64_t>(kTileKeys, round_up_to_panel<std::uint64_t>(k_len));
  return rows * round_up_to_panel<std::uint64_t>(dim);
}

// Scratch memory for the scores of one block against one tile.
inline float* take_score_tile(Workspace& workspace) {
  return workspace.take<float>(kBlockQueries * kTileKeys);
}

}  // namespace attention
