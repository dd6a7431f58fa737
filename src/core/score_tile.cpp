// Computes scores in the order of scaled_dot_product.h: scaled dot products, cap, biases. Scores of
// invisible keys are replaced by -inf, not computed from their value.
#include "core/score_tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// Adds -slope · |p - j| to the scores of the keys j in range.
void add_slope(float* row, KeyRange range, float slope, std::int64_t position) {
  for (std::size_t j = range.first; j < range.last; ++j) {
    row[j] -= slope * static_cast<float>(std::abs(position - static_cast<std::int64_t>(j)));
  }
}

void add_distance_bias(float* row, KeyRange range, const DistanceBias& bias, std::size_t head,
                       std::int64_t position) {
  const float* numbers = bias.numbers + head * bias.buckets;
  bias.runs.split(range, position, [&](KeyRange keys, std::size_t bucket) {
    const float number = numbers[bucket];
    for (std::size_t j = keys.first; j < keys.last; ++j) row[j] += number;
  });
}

void add_position_scores(float* row, KeyRange range, const PositionScores& scores,
                         const TileExtent& extent, std::size_t query, std::int64_t position) {
  const auto add = [&](const Heads<float>& terms, std::size_t first_row, std::size_t step) {
    if (terms.cols == 0) return;
    const Matrix<float> rows = terms.at(extent.batch, extent.head);
    scores.runs.split(range, position, [&](KeyRange keys, std::size_t bucket) {
      for (std::size_t j = keys.first; j < keys.last; ++j) {
        row[j] += rows.row(first_row + j * step)[bucket];
      }
    });
  };
  add(scores.of_queries, query, 0);
  add(scores.of_keys, extent.first_key, 1);
}

void apply_mask(float* row, KeyRange range, const Mask& mask, std::size_t index) {
  for (std::size_t j = range.first; j < range.last; ++j) {
    const std::size_t at = index + j * mask.key_stride;
    if (mask.hides(at)) {
      row[j] = kMinusInfinity;
    } else if (mask.bias != nullptr) {
      row[j] += mask.bias[at];
    }
  }
}

// Adds biases and applies the mask in range; sets the columns outside range to -inf.
void bias_row(float* row, KeyRange columns, KeyRange range, const AttentionOptions& options,
              const TileExtent& extent, std::size_t query) {
  if (range.empty()) range = {columns.first, columns.first};
  std::fill(row + columns.first, row + range.first, kMinusInfinity);
  std::fill(row + range.last, row + columns.last, kMinusInfinity);
  if (range.empty()) return;
  const Visibility& visibility = options.visibility;
  const std::int64_t position =
      visibility.position(extent.batch, query) - static_cast<std::int64_t>(extent.first_key);
  if (!options.slopes.empty()) {
    add_slope(row, range, static_cast<float>(options.slopes[extent.head]), position);
  }
  if (options.distance_bias.numbers != nullptr) {
    add_distance_bias(row, range, options.distance_bias, extent.head, position);
  }
  if (options.position_scores.is_set()) {
    add_position_scores(row, range, options.position_scores, extent, query, position);
  }
  if (visibility.mask.is_set()) {
    apply_mask(row, range, visibility.mask,
               visibility.mask.index(extent.batch, extent.head, query,
                                     extent.first_key - extent.existing.first));
  }
}

float power(float base, int exponent) {
  float result = 1;
  for (; exponent > 0; exponent /= 2, base *= base) {
    if (exponent % 2 != 0) result *= base;
  }
  return result;
}

void divide_by_lengths(Matrix<float> scores, const float* query_lengths, const float* key_lengths) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.cols; ++j) {
      scores.row(i)[j] *= query_lengths[i] * key_lengths[j];
    }
  }
}

void raise(Matrix<float> scores, const Similarity& similarity) {
  for (std::size_t i = 0; i < scores.rows; ++i) {
    for (std::size_t j = 0; j < scores.cols; ++j) {
      scores.row(i)[j] = power(scores.row(i)[j] + similarity.constant, similarity.degree);
    }
  }
}

// A power of two that scales a row with this largest magnitude so that squares neither overflow nor
// underflow. 1 for magnitudes from 2^-50 to 2^50.
float rescaling_factor(float largest) {
  if (largest < 0x1p-50F) return 0x1p100F;
  return largest > 0x1p50F ? 0x1p-75F : 1;
}

// One block of queries against some columns of a tile of keys.
struct Comparison {
  const Kernels& kernels;
  Matrix<float> scores;  // queries × columns
  Matrix<const float> queries;
  float* packed_queries;
  const KeyTile& keys;
  const AttentionOptions& options;
  const TileExtent& extent;
  KeyRange columns;  // whole panels; the last may extend beyond the keys

  std::size_t existing_columns() const {
    return std::min(columns.last, extent.keys) - columns.first;
  }
  PackedRows rows() const { return {packed_queries, queries.cols}; }
  const float* packed_keys() const { return keys.packed + columns.first * queries.cols; }
  const Similarity& similarity() const { return options.similarity; }
};

void score_in_place(const Comparison& c) {
  const std::size_t existing = c.existing_columns();
  for (std::size_t i = 0; i < c.scores.rows; ++i) {
    float* row = c.scores.row(i);
    c.kernels.score_row(row, c.queries.row(i), c.keys.in_place.block(c.columns.first, existing),
                        *c.options.scale);
    std::fill(row + existing, row + c.scores.cols, 0.0F);
  }
}

void score_dot_products(const Comparison& c) {
  c.kernels.dot_products(c.scores, c.rows(), c.packed_keys(), *c.options.scale);
}

void score_gaussian(const Comparison& c) {
  const float bandwidth = *c.similarity().bandwidth;
  c.kernels.distances(c.scores, c.rows(), c.packed_keys(), Distance::kSquared,
                      -0.5F / (bandwidth * bandwidth));
}

void score_laplacian(const Comparison& c) {
  c.kernels.distances(c.scores, c.rows(), c.packed_keys(), Distance::kAbsolute,
                      -1 / *c.similarity().bandwidth);
}

void score_cosine(const Comparison& c) {
  std::array<float, kBlockQueries> query_lengths;
  inverse_lengths(c.queries, c.packed_queries, kRowPanel, query_lengths.data());
  c.kernels.dot_products(c.scores, c.rows(), c.packed_keys(), 1);
  divide_by_lengths(c.scores, query_lengths.data(), c.keys.inverse_lengths + c.columns.first);
}

void score_polynomial(const Comparison& c) {
  score_dot_products(c);
  raise(c.scores, c.similarity());
}

void copy_precomputed(const Comparison& c) {
  const Matrix<const float> head = c.similarity().precomputed.at(c.extent.batch, c.extent.head);
  for (std::size_t i = 0; i < c.scores.rows; ++i) {
    std::copy_n(head.row(c.extent.first_query + i) + c.extent.first_key + c.columns.first,
                c.existing_columns(), c.scores.row(i));
  }
}

// Computes the raw scores: log sim if the similarity is exponential, else sim.
void compare(const Comparison& c) {
  using Kind = Similarity::Kind;
  if (c.keys.in_place.data != nullptr) return score_in_place(c);
  switch (c.similarity().kind) {
    case Kind::kExponential:
      return score_dot_products(c);
    case Kind::kGaussian:
      return score_gaussian(c);
    case Kind::kLaplacian:
      return score_laplacian(c);
    case Kind::kCosine:
      return score_cosine(c);
    case Kind::kPolynomial:
      return score_polynomial(c);
    case Kind::kPrecomputed:
      return copy_precomputed(c);
  }
}

}  // namespace

void inverse_lengths(Matrix<const float> rows, float* packed, std::size_t panel, float* result) {
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double square = 0;
    float largest = 0;
    for (std::size_t c = 0; c < rows.cols; ++c) {
      const float number = rows.row(i)[c];
      square += double{number} * number;
      largest = std::max(largest, std::abs(number));
    }
    const float factor = rescaling_factor(largest);
    result[i] = square == 0 ? 0 : static_cast<float>(1 / std::sqrt(square) / factor);
    if (factor == 1) continue;
    float* row = packed + i / panel * panel * rows.cols + i % panel;
    for (std::size_t c = 0; c < rows.cols; ++c) row[c * panel] *= factor;
  }
}

BlockView view_block(const Visibility& visibility, const TileExtent& extent) {
  BlockView view;
  view.columns = {extent.keys, 0};
  view.visible_to_all = {0, extent.keys};
  const bool rows_differ = visibility.mask.is_set() || !visibility.is_uniform();
  for (std::size_t i = 0; i < extent.queries; ++i) {
    if (i > 0 && !rows_differ) {
      view.rows[i] = view.rows[0];
      continue;
    }
    const std::size_t query = extent.first_query + i;
    KeyRange range = visibility.keys(extent.existing, extent.batch, query);
    range.first = std::max(range.first, extent.first_key);
    range.last = std::min(range.last, extent.first_key + extent.keys);
    if (range.first >= range.last ||
        !visibility.any(extent.existing, extent.batch, extent.head, query, range)) {
      view.rows[i] = {};
      view.visible_to_all.last = 0;
      continue;
    }
    range = {range.first - extent.first_key, range.last - extent.first_key};
    view.rows[i] = range;
    view.visible_to_all.first = std::max(view.visible_to_all.first, range.first);
    view.visible_to_all.last = std::min(view.visible_to_all.last, range.last);
    view.columns.first = std::min(view.columns.first, range.first);
    view.columns.last = std::max(view.columns.last, range.last);
  }
  if (view.columns.first >= view.columns.last) view.columns = {};
  return view;
}

void score_tile(const Kernels& kernels, Matrix<float> tile, Matrix<const float> queries,
                float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
                const TileExtent& extent, const BlockView& view, const ReturnedScores& returned) {
  const std::size_t first_key = std::max(extent.existing.first, extent.first_key);
  const KeyRange all{first_key - extent.first_key, extent.keys};
  const KeyRange columns = whole_panels(returned.includes_invisible() ? all : view.columns);
  const std::size_t width = columns.last - columns.first;
  kernels.pack_rows(packed_queries, queries);
  compare({kernels,
           {tile.data + columns.first, tile.rows, width, tile.stride},
           queries,
           packed_queries,
           keys,
           options,
           extent,
           columns});
  returned.at(Stage::kRaw).store(kernels, tile, extent, all);
  if (options.softcap > 0) {
    for (std::size_t i = 0; i < tile.rows; ++i) {
      kernels.soft_cap(tile.row(i) + columns.first, width, options.softcap);
    }
  }
  returned.at(Stage::kCapped).store(kernels, tile, extent, all);
  for (std::size_t i = 0; i < tile.rows; ++i) {
    bias_row(tile.row(i), columns, view.rows[i], options, extent, extent.first_query + i);
  }
  returned.at(Stage::kBiased).store(kernels, tile, extent, view.columns);
}

}  // namespace attention
