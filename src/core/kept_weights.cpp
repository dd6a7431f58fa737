// A row's maximum may rise from tile to tile; what each tile's exponentials are relative to is kept
// beside them.
#include "core/kept_weights.h"

#include <algorithm>

#include "core/tiles.h"

namespace attention {
namespace {

// So few that the exponentials are still in a cache when they become weights; so many that packing
// every tile anew for them is a small part of the work.
std::size_t span_of(const Shape& shape, bool average) {
  constexpr std::size_t kSpanRows = 512;
  return std::min(shape.q_len, std::max(kBlockQueries, kSpanRows / heads_together(shape, average)));
}

// At most: the first and the last tile may be cut.
std::size_t tiles_of(const Shape& shape) { return shape.k_len / kTileKeys + 2; }

}  // namespace

KeptWeights::Scratch::Scratch(Workspace& workspace, const Shape& shape, bool average)
    : tile_maxima(workspace.take<float>(std::uint64_t{span_of(shape, average)} *
                                        heads_together(shape, average) * tiles_of(shape))),
      head_weights(average ? workspace.take<float>(std::uint64_t{shape.q_len} * shape.k_len)
                           : nullptr) {}

KeptWeights::KeptWeights(const Kernels& kernels, const Shape& shape,
                         const AttentionResults& results, bool exponential, KeyRange existing,
                         const Scratch& scratch)
    : kernels_(kernels),
      shape_(shape),
      weights_(results.weights),
      average_(results.average_weights),
      exponential_(exponential),
      existing_(existing),
      scratch_(scratch),
      span_(span_of(shape, results.average_weights != nullptr)) {}

KeptMatrix KeptWeights::matrix(const Head& head) const {
  float* data = scratch_.head_weights;
  if (weights_ != nullptr) {
    data = weights_ + (head.batch * shape_.heads + head.head) * shape_.q_len * shape_.k_len;
  }
  return {data, exponential_ ? 0 : SoftmaxRow::kMinusInfinity};
}

// One for each tile.
float* KeptWeights::tile_maxima(const Head& head, std::size_t query) const {
  return scratch_.tile_maxima + (head.in_group * span_ + query % span_) * tiles_of(shape_);
}

std::size_t KeptWeights::first_tile() const { return existing_.first / kTileKeys * kTileKeys; }

void KeptWeights::begin(const Head& head, Queries queries) const {
  if (!wanted()) return;
  std::fill_n(tile_maxima(head, queries.first), queries.count * tiles_of(shape_),
              SoftmaxRow::kMinusInfinity);
}

void KeptWeights::take_unseen(const Head& head, const TilePlace& place) const {
  if (wanted()) matrix(head).keep(kernels_, {}, place, {});
}

void KeptWeights::take(const Head& head, const TilePlace& place, Matrix<const float> tile,
                       KeyRange columns, const SoftmaxRow* rows) const {
  if (!wanted()) return;
  matrix(head).keep(kernels_, tile, place, columns);
  if (!exponential_) return;
  const std::size_t index = (place.first_key - first_tile()) / kTileKeys;
  for (std::size_t i = 0; i < place.queries; ++i) {
    tile_maxima(head, place.first_query + i)[index] = rows[i].maximum;
  }
}

void KeptWeights::end(const Head& head, std::size_t query, const SoftmaxRow& row) const {
  if (!wanted()) return;
  float* weights = matrix(head).data + query * shape_.k_len;
  if (!exponential_) {
    row.divide(weights, shape_.k_len);
  } else if (row.sees && !row.undefined() && !row.poisoned()) {
    const float* maximum = tile_maxima(head, query);
    for_each_block(existing_.last - first_tile(), kTileKeys,
                   [&](std::size_t first, std::size_t keys) {
                     const std::size_t tile = first_tile() + first;
                     const std::size_t count = tile + keys - std::max(existing_.first, tile);
                     row.weigh(kernels_, weights, count, *maximum++);
                     weights += count;
                   });
  }
}

void KeptWeights::end(const Head& head, Queries queries) const {
  if (average_ != nullptr) add_to_average(head, queries);
}

void KeptWeights::add_to_average(const Head& head, Queries queries) const {
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
