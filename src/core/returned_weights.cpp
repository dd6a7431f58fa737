// The maximum of a row can grow from tile to tile, so the maximum at the time of each tile is
// stored, to rescale that tile's exponentials at the end.
#include "core/returned_weights.h"

#include <algorithm>

#include "core/tiles.h"

namespace attention {
namespace {

// Small enough that the exponentials are still in the CPU cache when they are normalized; large
// enough that packing all tiles again for each span is a small part of the work.
std::size_t span_of(const Shape& shape, bool average) {
  constexpr std::size_t kSpanRows = 512;
  return std::min(shape.q_len,
                  std::max(kBlockQueries, kSpanRows / heads_per_group(shape, average)));
}

// Upper bound: the first and the last tile may be partial.
std::size_t tiles_of(const Shape& shape) { return shape.k_len / kTileKeys + 2; }

}  // namespace

void ReturnedMatrix::store(const Kernels& kernels, Matrix<const float> tile,
                           const TileExtent& extent, KeyRange columns) const {
  if (data == nullptr) return;
  const KeyRange existing = extent.existing;
  const std::size_t k_len = existing.last - existing.first;
  const std::size_t first = std::max(existing.first, extent.first_key) - extent.first_key;
  if (columns.empty()) columns = {first, first};
  for (std::size_t i = 0; i < extent.queries; ++i) {
    float* row =
        data + (extent.first_query + i) * k_len + (extent.first_key + first - existing.first);
    row = std::fill_n(row, columns.first - first, invisible_value);
    if (!columns.empty()) {
      kernels.scale(row, tile.row(i) + columns.first, columns.last - columns.first, 1);
    }
    std::fill(row + columns.last - columns.first, row + extent.keys - columns.first,
              invisible_value);
  }
}

ReturnedWeights::Scratch::Scratch(Workspace& workspace, const Shape& shape, bool average)
    : tile_maxima(workspace.take<float>(std::uint64_t{span_of(shape, average)} *
                                        heads_per_group(shape, average) * tiles_of(shape))),
      head_weights(average ? workspace.take<float>(std::uint64_t{shape.q_len} * shape.k_len)
                           : nullptr) {}

ReturnedWeights::ReturnedWeights(const Kernels& kernels, const Shape& shape,
                                 const AttentionResults& results, bool exponential,
                                 KeyRange existing, const Scratch& scratch)
    : kernels_(kernels),
      shape_(shape),
      weights_(results.weights),
      average_(results.average_weights),
      exponential_(exponential),
      existing_(existing),
      scratch_(scratch),
      span_(span_of(shape, results.average_weights != nullptr)) {}

ReturnedMatrix ReturnedWeights::matrix(const Head& head) const {
  float* data = scratch_.head_weights;
  if (weights_ != nullptr) {
    data = weights_ + (head.batch * shape_.heads + head.head) * shape_.q_len * shape_.k_len;
  }
  return {data, exponential_ ? 0 : SoftmaxRow::kMinusInfinity};
}

// The row's maxima, one per tile.
float* ReturnedWeights::tile_maxima(const Head& head, std::size_t query) const {
  return scratch_.tile_maxima + (head.index_in_group * span_ + query % span_) * tiles_of(shape_);
}

std::size_t ReturnedWeights::first_tile() const { return existing_.first / kTileKeys * kTileKeys; }

void ReturnedWeights::begin(const Head& head, Queries queries) const {
  if (!requested()) return;
  std::fill_n(tile_maxima(head, queries.first), queries.count * tiles_of(shape_),
              SoftmaxRow::kMinusInfinity);
}

void ReturnedWeights::store_invisible(const Head& head, const TileExtent& extent) const {
  if (requested()) matrix(head).store(kernels_, {}, extent, {});
}

void ReturnedWeights::store_tile(const Head& head, const TileExtent& extent,
                                 Matrix<const float> tile, KeyRange columns,
                                 const SoftmaxRow* rows) const {
  if (!requested()) return;
  matrix(head).store(kernels_, tile, extent, columns);
  if (!exponential_) return;
  const std::size_t index = (extent.first_key - first_tile()) / kTileKeys;
  for (std::size_t i = 0; i < extent.queries; ++i) {
    tile_maxima(head, extent.first_query + i)[index] = rows[i].maximum;
  }
}

void ReturnedWeights::end(const Head& head, std::size_t query, const SoftmaxRow& row) const {
  if (!requested()) return;
  float* weights = matrix(head).data + query * shape_.k_len;
  if (!exponential_) {
    row.divide(weights, shape_.k_len);
  } else if (row.any_visible && !row.is_undefined() && !row.has_nan()) {
    const float* maximum = tile_maxima(head, query);
    for_each_block(existing_.last - first_tile(), kTileKeys,
                   [&](std::size_t first, std::size_t keys) {
                     const std::size_t tile = first_tile() + first;
                     const std::size_t count = tile + keys - std::max(existing_.first, tile);
                     row.normalize(kernels_, weights, count, *maximum++);
                     weights += count;
                   });
  }
}

void ReturnedWeights::end(const Head& head, Queries queries) const {
  if (average_ != nullptr) add_to_average(head, queries);
}

void ReturnedWeights::add_to_average(const Head& head, Queries queries) const {
  const std::size_t count = queries.count * shape_.k_len;
  float* average = average_ + (head.batch * shape_.q_len + queries.first) * shape_.k_len;
  const float* weights = matrix(head).data + queries.first * shape_.k_len;
  const auto all_heads = static_cast<float>(shape_.heads);
  const bool is_last = head.head + 1 == shape_.heads;
  if (head.head == 0) std::fill_n(average, count, 0.0F);
  for (std::size_t n = 0; n < count; ++n) average[n] += weights[n];
  if (!is_last) return;
  for (std::size_t n = 0; n < count; ++n) average[n] /= all_heads;
}

}  // namespace attention
