// How the drivers walk: blocks of queries against tiles of keys, over scratch memory of one call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "attention/workspace.h"
#include "kernels/kernels.h"

namespace attention {

// Calls visit(first, count) for each block of at most size out of total.
template <class Visit>
void for_each_block(std::size_t total, std::size_t size, Visit visit) {
  for (std::size_t first = 0; first < total; first += size) {
    visit(first, std::min(size, total - first));
  }
}

// Room for one packed tile of k_len keys or values, dim numbers each.
inline std::uint64_t packed_tile_floats(std::size_t k_len, std::size_t dim) {
  const std::uint64_t rows =
      std::min<std::uint64_t>(kTileKeys, round_up_to_panel<std::uint64_t>(k_len));
  return rows * round_up_to_panel<std::uint64_t>(dim);
}

// The scores of one block against one tile.
inline float* take_score_tile(Workspace& workspace) {
  return workspace.take<float>(kBlockQueries * kTileKeys);
}

}  // namespace attention
