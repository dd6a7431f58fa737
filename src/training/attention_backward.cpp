// One pass over tiles of keys and blocks of queries, five products in each: scores, dO·v, dV, dQ,
// dK. A key/value head's gradients are summed over blocks in the order of the queries, a query's
// over tiles in the order of the keys, so the bits are the same everywhere.
#include "attention/attention_backward.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/score_tile.h"
#include "core/tiles.h"
#include "kernels/gradient_kernels.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

constexpr std::array<float, kBlockQueries> kOnes = [] {
  std::array<float, kBlockQueries> ones{};
  for (float& one : ones) one = 1;
  return ones;
}();

std::uint64_t packed_block_floats(std::size_t dim) {
  return std::uint64_t{kBlockQueries} * round_up_to_panel<std::uint64_t>(dim);
}

// Scratch memory, reused by every tile and block.
struct Scratch {
  Scratch(Workspace& workspace, const Shape& shape, const AttentionOptions& options,
          const AttentionGradients& gradients)
      : packed_keys(workspace.take<float>(packed_tile_floats(shape.k_len, shape.key_dim))),
        keys(workspace.take<float>(packed_tile_floats(shape.k_len, shape.key_dim))),
        packed_values(workspace.take<float>(packed_tile_floats(shape.k_len, shape.value_dim))),
        packed_queries(workspace.take<float>(packed_block_floats(shape.key_dim))),
        queries(workspace.take<float>(packed_block_floats(shape.key_dim))),
        packed_rows(workspace.take<float>(packed_block_floats(shape.value_dim))),
        rows(workspace.take<float>(packed_block_floats(shape.value_dim))),
        weights(take_score_tile(workspace)),
        gradients(take_score_tile(workspace)),
        capped(options.softcap > 0 ? take_score_tile(workspace) : nullptr),
        deltas(workspace.take<float>(std::uint64_t{shape.heads} * shape.q_len)),
        mask(workspace.take<double>(gradients.mask.size())) {}

  float* packed_keys;     // keys of a tile, for dot products
  float* keys;            // the same as values, for dQ
  float* packed_values;   // values of a tile, for dot products
  float* packed_queries;  // queries of a block, for dot products
  float* queries;         // the same as values, for dK
  float* packed_rows;     // dO of a block, for dot products
  float* rows;            // the same as values, for dV
  float* weights;         // kBlockQueries × kTileKeys: scores, then P
  float* gradients;       // kBlockQueries × kTileKeys: dO·v, then dS, then scale · dr
  float* capped;          // kBlockQueries × kTileKeys: t
  float* deltas;          // D of a batch entry: heads × q_len
  double* mask;           // dmask
};

struct Context {
  const Kernels& kernels;
  const GradientKernels& gradient_kernels;
  const Shape& shape;
  const AttentionForward& forward;
  const AttentionOptions& options;
  const AttentionGradients& gradients;
  const Scratch& scratch;
};

double dot(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t c = 0; c < count; ++c) sum += double{a[c]} * b[c];
  return sum;
}

// Rows as values of a product, and whether all of them are finite: only then may invisible pairs
// take part with weight 0.
struct Packed {
  PackedValues values;
  bool is_finite;

  Packed(const Kernels& kernels, Matrix<const float> rows, float* memory)
      : values{memory, rows.rows * kPanel}, is_finite(kernels.pack_values(memory, rows)) {}

  const float* column(std::size_t c) const {
    return values.data + c / kPanel * values.panel_stride + c % kPanel;
  }
};

// One tile of keys and values of a key/value head against the query heads that read it.
class TileBackward {
 public:
  TileBackward(const Context& context, std::size_t batch, std::size_t kv_head,
               std::size_t first_key, std::size_t keys)
      : context_(context),
        batch_(batch),
        kv_head_(kv_head),
        first_key_(first_key),
        keys_(keys),
        key_rows_(context.forward.key.at(batch, kv_head).block(first_key, keys)),
        values_(context.kernels, key_rows_, context.scratch.keys) {
    context.kernels.pack_keys(context.scratch.packed_keys, key_rows_);
    context.kernels.pack_keys(context.scratch.packed_values,
                              context.forward.value.at(batch, kv_head).block(first_key, keys));
  }

  void run(std::size_t head) const {
    for_each_block(context_.shape.q_len, kBlockQueries, [&](std::size_t first, std::size_t count) {
      process({batch_, head, first, count, first_key_, keys_, {0, context_.shape.k_len}});
    });
  }

 private:
  // As in attend(), blocks with different visible ranges are divided.
  void process(const TileExtent& extent) const {
    const BlockView view = view_block(context_.options.visibility, extent);
    if (view.columns.empty()) return;
    if (extent.queries <= kBlockSplit || !view.is_ragged()) return add_gradients(extent, view);
    for_each_block(extent.queries, kBlockSplit, [&](std::size_t first, std::size_t queries) {
      TileExtent tile = extent;
      tile.first_query += first;
      tile.queries = queries;
      process(tile);
    });
  }

  void add_gradients(const TileExtent& extent, const BlockView& view) const {
    const Scratch& scratch = context_.scratch;
    const AttentionForward& forward = context_.forward;
    const Matrix<const float> queries = block(forward.query, extent);
    const Matrix<const float> rows = block(forward.output_gradient, extent);
    score(scratch.weights, context_.options, extent, view);
    compute_score_gradients(extent, view, rows);

    const Packed packed_rows(context_.kernels, rows, scratch.rows);
    const Packed packed_queries(context_.kernels, queries, scratch.queries);
    add_to_queries(extent, view);
    add_to_keys(context_.gradients.value, scratch.weights, packed_rows, extent, view);
    add_to_keys(context_.gradients.key, scratch.gradients, packed_queries, extent, view);
  }

  template <class T>
  static Matrix<T> block(const Heads<T>& heads, const TileExtent& extent) {
    return heads.at(extent.batch, extent.head).block(extent.first_query, extent.queries);
  }

  // The visible columns of a tile, extended to whole panels.
  static Matrix<float> visible(float* tile, const TileExtent& extent, const BlockView& view) {
    const KeyRange columns = whole_panels(view.columns);
    return {tile + columns.first, extent.queries, columns.last - columns.first, kTileKeys};
  }

  void score(float* tile, const AttentionOptions& options, const TileExtent& extent,
             const BlockView& view) const {
    score_tile(context_.kernels, {tile, extent.queries, kTileKeys, kTileKeys},
               block(context_.forward.query, extent), context_.scratch.packed_queries,
               {context_.scratch.packed_keys}, options, extent, view, {});
  }

  // Replaces scores by P and gradients by scale · dr; also computes gradients of mask and slopes.
  void compute_score_gradients(const TileExtent& extent, const BlockView& view,
                               Matrix<const float> rows) const {
    const Scratch& scratch = context_.scratch;
    const AttentionOptions& options = context_.options;
    const Matrix<float> weights = visible(scratch.weights, extent, view);
    const Matrix<float> gradients = visible(scratch.gradients, extent, view);
    const std::size_t first_panel = whole_panels(view.columns).first;
    context_.kernels.pack_rows(scratch.packed_rows, rows);
    context_.kernels.dot_products(gradients, {scratch.packed_rows, rows.cols},
                                  scratch.packed_values + first_panel * rows.cols, 1);
    std::array<float, kBlockQueries> shifts;
    const float* log_sum_exp = context_.forward.log_sum_exp + row_index(extent);
    for (std::size_t i = 0; i < extent.queries; ++i) {
      const bool attends_to_nothing = log_sum_exp[i] == -std::numeric_limits<float>::infinity();
      shifts[i] = attends_to_nothing ? 0 : log_sum_exp[i];
    }
    const float* deltas = scratch.deltas + extent.head * context_.shape.q_len + extent.first_query;
    const bool needs_score_gradients = options.softcap > 0 || !context_.gradients.mask.empty() ||
                                       !context_.gradients.slopes.empty();
    context_.gradient_kernels.softmax_gradient(weights, gradients, shifts.data(), deltas,
                                               needs_score_gradients ? 1 : *options.scale);
    if (!needs_score_gradients) return;
    if (!context_.gradients.mask.empty()) add_to_mask(extent, view);
    if (!context_.gradients.slopes.empty()) add_to_slopes(extent, view);
    if (options.softcap > 0) multiply_by_derivative_of_cap(extent, view);
    for (std::size_t i = 0; i < extent.queries; ++i) {
      context_.kernels.scale(gradients.row(i), gradients.row(i), gradients.cols, *options.scale);
    }
  }

  std::size_t row_index(const TileExtent& extent) const {
    return (extent.batch * context_.shape.heads + extent.head) * context_.shape.q_len +
           extent.first_query;
  }

  // Calls visit(query, key, dS) for each pair within the ranges, keys counted from the first of
  // all.
  template <class Visit>
  void for_each_pair(const TileExtent& extent, const BlockView& view, Visit visit) const {
    for (std::size_t i = 0; i < extent.queries; ++i) {
      const float* gradients = context_.scratch.gradients + i * kTileKeys;
      for (std::size_t j = view.rows[i].first; j < view.rows[i].last; ++j) {
        visit(extent.first_query + i, extent.first_key + j, gradients[j]);
      }
    }
  }

  void add_to_mask(const TileExtent& extent, const BlockView& view) const {
    const Mask& mask = context_.options.visibility.mask;
    for_each_pair(extent, view, [&](std::size_t query, std::size_t key, float gradient) {
      context_.scratch.mask[mask.index(extent.batch, extent.head, query, key)] += gradient;
    });
  }

  void add_to_slopes(const TileExtent& extent, const BlockView& view) const {
    double sum = 0;
    for_each_pair(extent, view, [&](std::size_t query, std::size_t key, float gradient) {
      const std::int64_t position = context_.options.visibility.position(extent.batch, query);
      const auto distance = std::abs(position - static_cast<std::int64_t>(key));
      sum += gradient * static_cast<double>(distance);
    });
    context_.gradients.slopes[extent.head] -= static_cast<float>(sum);
  }

  // d/dr cap·tanh(r/cap) = 1 - (t/cap)². t is computed again, without biases.
  void multiply_by_derivative_of_cap(const TileExtent& extent, const BlockView& view) const {
    AttentionOptions unbiased;
    unbiased.scale = context_.options.scale;
    const float cap = unbiased.softcap = context_.options.softcap;
    BlockView all = view;
    std::fill_n(all.rows.begin(), extent.queries, view.columns);
    score(context_.scratch.capped, unbiased, extent, all);
    const Matrix<float> gradients = visible(context_.scratch.gradients, extent, view);
    const Matrix<float> capped = visible(context_.scratch.capped, extent, view);
    for (std::size_t i = 0; i < gradients.rows; ++i) {
      for (std::size_t j = 0; j < gradients.cols; ++j) {
        float& gradient = gradients.row(i)[j];
        const float ratio = capped.row(i)[j] / cap;
        if (gradient != 0) gradient *= 1 - ratio * ratio;
      }
    }
  }

  bool is_visible(const TileExtent& extent, std::size_t i, std::size_t j) const {
    return context_.options.visibility.is_visible(extent.existing, extent.batch, extent.head,
                                                  extent.first_query + i, extent.first_key + j);
  }

  // dQ_i += Σ_j scale · dr_ij k_j
  void add_to_queries(const TileExtent& extent, const BlockView& view) const {
    const Matrix<float> output = block(context_.gradients.query, extent);
    const float* gradients = context_.scratch.gradients;
    const KeyRange columns = view.columns;
    if (values_.is_finite) {
      context_.kernels.accumulate_values(
          output, kOnes.data(), {gradients + columns.first, columns.last - columns.first},
          {values_.values.data + columns.first * kPanel, values_.values.panel_stride});
      return;
    }
    for (std::size_t i = 0; i < output.rows; ++i) {
      for (std::size_t c = 0; c < output.cols; ++c) {
        float sum = 0;
        for (std::size_t j = columns.first; j < columns.last; ++j) {
          if (!is_visible(extent, i, j)) continue;
          sum += gradients[i * kTileKeys + j] * values_.column(c)[j * kPanel];
        }
        output.row(i)[c] += sum;
      }
    }
  }

  // dK_j or dV_j += Σ_i weights_ij row_i
  void add_to_keys(const Heads<float>& gradients, const float* weights, const Packed& rows,
                   const TileExtent& extent, const BlockView& view) const {
    const KeyRange columns = view.columns;
    const std::size_t keys = columns.last - columns.first;
    const Matrix<float> output =
        gradients.at(batch_, kv_head_).block(first_key_ + columns.first, keys);
    weights += columns.first;
    if (rows.is_finite) {
      context_.gradient_kernels.add_transposed_product(
          output, {weights, extent.queries, keys, kTileKeys}, rows.values);
      return;
    }
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t c = 0; c < output.cols; ++c) {
        float sum = 0;
        for (std::size_t i = 0; i < extent.queries; ++i) {
          if (!is_visible(extent, i, columns.first + j)) continue;
          sum += weights[i * kTileKeys + j] * rows.column(c)[i * kPanel];
        }
        output.row(j)[c] += sum;
      }
    }
  }

  const Context& context_;
  std::size_t batch_;
  std::size_t kv_head_;
  std::size_t first_key_;
  std::size_t keys_;
  Matrix<const float> key_rows_;
  Packed values_;  // the keys, as values of the product that gives dQ
};

void clear(const Heads<float>& heads) {
  for (std::size_t batch = 0; batch < heads.batch; ++batch) {
    for (std::size_t head = 0; head < heads.heads; ++head) {
      const Matrix<float> rows = heads.at(batch, head);
      for (std::size_t i = 0; i < rows.rows; ++i) std::fill_n(rows.row(i), rows.cols, 0.0F);
    }
  }
}

// D of every row of a batch entry, and the gradients of sinks.
void compute_deltas(const Context& context, std::size_t batch) {
  const Shape& shape = context.shape;
  for (std::size_t head = 0; head < shape.heads; ++head) {
    const Matrix<const float> rows = context.forward.output_gradient.at(batch, head);
    const Matrix<const float> output = context.forward.output.at(batch, head);
    const std::size_t first = (batch * shape.heads + head) * shape.q_len;
    double sink_gradient = 0;
    for (std::size_t i = 0; i < shape.q_len; ++i) {
      const double delta = dot(rows.row(i), output.row(i), shape.value_dim);
      context.scratch.deltas[head * shape.q_len + i] = static_cast<float>(delta);
      const float log_sum_exp = context.forward.log_sum_exp[first + i];
      const bool attends_to_nothing = log_sum_exp == -std::numeric_limits<float>::infinity();
      if (context.gradients.sinks.empty() || attends_to_nothing) continue;
      const auto sink = static_cast<float>(context.options.sinks[head]);
      sink_gradient -= double{std::exp(sink - log_sum_exp)} * delta;
    }
    if (!context.gradients.sinks.empty()) {
      context.gradients.sinks[head] += static_cast<float>(sink_gradient);
    }
  }
}

}  // namespace

void attention_backward(const Kernels& kernels, const AttentionForward& forward,
                        const AttentionOptions& requested_options,
                        const AttentionGradients& gradients, Workspace& workspace) {
  const Shape shape = shape_of(forward.query, forward.key, forward.value);
  assert(requested_options.similarity.is_exponential() &&
         requested_options.distance_bias.numbers == nullptr &&
         !requested_options.position_scores.is_set());
  const AttentionOptions options = with_defaults(requested_options, shape.key_dim);
  const Scratch scratch(workspace, shape, options, gradients);
  if (workspace.counts()) return;
  const Context context{kernels, gradient_kernels(kernels), shape, forward, options, gradients,
                        scratch};
  clear(gradients.query);
  clear(gradients.key);
  clear(gradients.value);
  std::fill_n(scratch.mask, gradients.mask.size(), 0.0);
  std::fill(gradients.slopes.begin(), gradients.slopes.end(), 0.0F);
  std::fill(gradients.sinks.begin(), gradients.sinks.end(), 0.0F);
  const std::size_t group = shape.kv_heads == 0 ? 0 : shape.heads / shape.kv_heads;
  for (std::size_t batch = 0; batch < shape.batch; ++batch) {
    compute_deltas(context, batch);
    if (shape.q_len == 0) continue;
    for (std::size_t kv_head = 0; kv_head < shape.kv_heads; ++kv_head) {
      for_each_block(shape.k_len, kTileKeys, [&](std::size_t first_key, std::size_t keys) {
        const TileBackward tile(context, batch, kv_head, first_key, keys);
        for (std::size_t h = 0; h < group; ++h) tile.run(kv_head * group + h);
      });
    }
  }
  for (std::size_t at = 0; at < gradients.mask.size(); ++at) {
    gradients.mask[at] = static_cast<float>(scratch.mask[at]);
  }
}

}  // namespace attention
