// The order is that of the header: dot products (scaled when the keys were packed), cap, biases,
// and what may not be seen becomes -inf by selection, never by arithmetic.
#include "core/score_tile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attention {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

// -slope · |p - j|, added to the keys of range.
void add_slope(float* row, KeyRange range, float slope, std::int64_t position) {
  for (std::size_t j = range.first; j < range.last; ++j) {
    row[j] -= slope * static_cast<float>(std::abs(position - static_cast<std::int64_t>(j)));
  }
}

void add_distance_bias(float* row, KeyRange range, const DistanceBias& bias, std::size_t head,
                       std::int64_t position) {
  const auto reach = static_cast<std::int64_t>(bias.reach);
  const float* nearest = bias.numbers + DistanceBias::count(head, bias.reach) + reach;
  for (std::size_t j = range.first; j < range.last; ++j) {
    row[j] += nearest[std::clamp(static_cast<std::int64_t>(j) - position, -reach, reach)];
  }
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

// Leaves -inf in the columns outside range.
void bias_row(float* row, KeyRange columns, KeyRange range, const AttentionOptions& options,
              const TilePlace& place, std::size_t query) {
  if (range.empty()) range = {columns.first, columns.first};
  std::fill(row + columns.first, row + range.first, kMinusInfinity);
  std::fill(row + range.last, row + columns.last, kMinusInfinity);
  if (range.empty()) return;
  const Visibility& visibility = options.visibility;
  const std::int64_t position =
      visibility.position(place.batch, query) - static_cast<std::int64_t>(place.first_key);
  if (!options.slopes.empty()) {
    add_slope(row, range, static_cast<float>(options.slopes[place.head]), position);
  }
  if (options.distance_bias.numbers != nullptr) {
    add_distance_bias(row, range, options.distance_bias, place.head, position);
  }
  if (visibility.mask.given()) {
    apply_mask(row, range, visibility.mask,
               visibility.mask.index(place.batch, place.head, query,
                                     place.first_key - place.existing.first));
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

// Moves the largest numbers that floats can hold, and the smallest, towards 1. Numbers from 2^-50
// to 2^50, whose products floats hold with all their digits, stay.
float towards_one(float largest) {
  if (largest < 0x1p-50F) return 0x1p100F;
  return largest > 0x1p50F ? 0x1p-75F : 1;
}

// Scores of the keys in columns, before anything is hidden: log sim where it is exponential.
void compare(const Kernels& kernels, Matrix<float> scores, Matrix<const float> queries,
             float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
             const TilePlace& place, KeyRange columns) {
  const Similarity& similarity = options.similarity;
  // The last panel may reach beyond the keys.
  const std::size_t given = std::min(columns.last, place.keys) - columns.first;
  if (keys.in_place.data != nullptr) {
    for (std::size_t i = 0; i < scores.rows; ++i) {
      kernels.score_row(scores.row(i), queries.row(i), keys.in_place.block(columns.first, given),
                        *options.scale);
      std::fill(scores.row(i) + given, scores.row(i) + scores.cols, 0.0F);
    }
    return;
  }
  const float* packed = keys.packed + columns.first * queries.cols;
  const PackedRows rows{packed_queries, queries.cols};
  switch (similarity.kind) {
    case Similarity::Kind::kExponential:
      kernels.dot_products(scores, rows, packed, *options.scale);
      break;
    case Similarity::Kind::kGaussian:
      kernels.distances(scores, rows, packed, Distance::kSquared,
                        -0.5F / (*similarity.bandwidth * *similarity.bandwidth));
      break;
    case Similarity::Kind::kLaplacian:
      kernels.distances(scores, rows, packed, Distance::kAbsolute, -1 / *similarity.bandwidth);
      break;
    case Similarity::Kind::kCosine: {
      std::array<float, kBlockQueries> query_lengths;
      inverse_lengths(queries, packed_queries, kRowPanel, query_lengths.data());
      kernels.dot_products(scores, rows, packed, 1);
      divide_by_lengths(scores, query_lengths.data(), keys.inverse_lengths + columns.first);
      break;
    }
    case Similarity::Kind::kPolynomial:
      kernels.dot_products(scores, rows, packed, *options.scale);
      raise(scores, similarity);
      break;
    case Similarity::Kind::kGiven:
      for (std::size_t i = 0; i < scores.rows; ++i) {
        const Matrix<const float> head = similarity.given.at(place.batch, place.head);
        std::copy_n(head.row(place.first_query + i) + place.first_key + columns.first, given,
                    scores.row(i));
      }
      break;
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
    const float factor = towards_one(largest);
    result[i] = square == 0 ? 0 : static_cast<float>(1 / std::sqrt(square) / factor);
    if (factor == 1) continue;
    float* row = packed + i / panel * panel * rows.cols + i % panel;
    for (std::size_t c = 0; c < rows.cols; ++c) row[c * panel] *= factor;
  }
}

BlockView view_block(const Visibility& visibility, const TilePlace& place) {
  BlockView view;
  view.columns = {place.keys, 0};
  view.seen_by_all = {0, place.keys};
  const bool rows_differ = visibility.mask.given() || !visibility.is_alike();
  for (std::size_t i = 0; i < place.queries; ++i) {
    if (i > 0 && !rows_differ) {
      view.rows[i] = view.rows[0];
      continue;
    }
    const std::size_t query = place.first_query + i;
    KeyRange range = visibility.keys(place.existing, place.batch, query);
    range.first = std::max(range.first, place.first_key);
    range.last = std::min(range.last, place.first_key + place.keys);
    if (range.first >= range.last ||
        !visibility.any(place.existing, place.batch, place.head, query, range)) {
      view.rows[i] = {};
      view.seen_by_all.last = 0;
      continue;
    }
    range = {range.first - place.first_key, range.last - place.first_key};
    view.rows[i] = range;
    view.seen_by_all.first = std::max(view.seen_by_all.first, range.first);
    view.seen_by_all.last = std::min(view.seen_by_all.last, range.last);
    view.columns.first = std::min(view.columns.first, range.first);
    view.columns.last = std::max(view.columns.last, range.last);
  }
  if (view.columns.first >= view.columns.last) view.columns = {};
  return view;
}

void KeptMatrix::keep(const Kernels& kernels, Matrix<const float> tile, const TilePlace& place,
                      KeyRange columns) const {
  if (data == nullptr) return;
  const KeyRange existing = place.existing;
  const std::size_t k_len = existing.last - existing.first;
  const std::size_t first = std::max(existing.first, place.first_key) - place.first_key;
  if (columns.empty()) columns = {first, first};
  for (std::size_t i = 0; i < place.queries; ++i) {
    float* row =
        data + (place.first_query + i) * k_len + (place.first_key + first - existing.first);
    row = std::fill_n(row, columns.first - first, unseen);
    if (!columns.empty()) {
      kernels.scale(row, tile.row(i) + columns.first, columns.last - columns.first, 1);
    }
    std::fill(row + columns.last - columns.first, row + place.keys - columns.first, unseen);
  }
}

void score_tile(const Kernels& kernels, Matrix<float> tile, Matrix<const float> queries,
                float* packed_queries, const KeyTile& keys, const AttentionOptions& options,
                const TilePlace& place, const BlockView& view, const KeptScores& kept) {
  const std::size_t first_key = std::max(place.existing.first, place.first_key);
  const KeyRange all{first_key - place.first_key, place.keys};
  const KeyRange columns = whole_panels(kept.keeps_unseen() ? all : view.columns);
  const std::size_t width = columns.last - columns.first;
  kernels.pack_rows(packed_queries, queries);
  compare(kernels, {tile.data + columns.first, tile.rows, width, tile.stride}, queries,
          packed_queries, keys, options, place, columns);
  kept.at(Stage::kRaw).keep(kernels, tile, place, all);
  if (options.softcap > 0) {
    for (std::size_t i = 0; i < tile.rows; ++i) {
      kernels.soft_cap(tile.row(i) + columns.first, width, options.softcap);
    }
  }
  kept.at(Stage::kCapped).keep(kernels, tile, place, all);
  for (std::size_t i = 0; i < tile.rows; ++i) {
    bias_row(tile.row(i), columns, view.rows[i], options, place, place.first_query + i);
  }
  kept.at(Stage::kBiased).keep(kernels, tile, place, view.columns);
}

AttentionOptions with_defaults(AttentionOptions options, std::size_t key_dim) {
  const double root = std::sqrt(static_cast<double>(key_dim));
  if (!options.scale) options.scale = static_cast<float>(1 / root);
  std::optional<float>& bandwidth = options.similarity.bandwidth;
  if (!bandwidth) {
    const bool gaussian = options.similarity.kind == Similarity::Kind::kGaussian;
    bandwidth = static_cast<float>(gaussian ? std::sqrt(root) : root);
  }
  return options;
}

}  // namespace attention
