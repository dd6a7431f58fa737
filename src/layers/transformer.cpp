// A Transformer layer: each sublayer is added to x in place.
#include "attention/transformer.h"

#include <cassert>

#include "core/tiles.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Number of rows that the feed-forward sublayer processes together.
constexpr std::size_t kBlockRows = 128;

Matrix<float> take_rows(Workspace& memory, std::size_t rows, std::size_t cols) {
  return {memory.take<float>(std::uint64_t{rows} * cols), rows, cols, cols};
}

Function function_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return Function::kRelu;
    case Activation::kGelu:
      return Function::kGelu;
    case Activation::kQuickGelu:
      return Function::kQuickGelu;
    case Activation::kSilu:
      return Function::kSilu;
    case Activation::kGeluTanh:
      break;
  }
  return Function::kGeluTanh;
}

// The context of self-attention: its input, unless projected keys and values are present.
Context self_context(Context context, const Sequences<const float>& input) {
  if (context.key.cols == 0) context.rows = input;
  return context;
}

struct LayerScratch {
  LayerScratch(Workspace& memory, const TransformerLayer& layer, const Sequences<const float>& x,
               std::size_t block_rows)
      : normalized(take_rows(memory, layer.norm_first ? x.batch * x.rows : 0, x.cols)),
        output(take_rows(memory, x.batch * x.rows, x.cols)),
        feed_forward_input(take_rows(memory, block_rows, layer.up.in)),
        hidden(take_rows(memory, block_rows, layer.up.out)),
        gated(take_rows(memory, block_rows, layer.gate.out)),
        feed_forward_output(take_rows(memory, block_rows, layer.down.out)) {}

  Matrix<float> normalized;           // norm (x), the input of attention, if norm_first
  Matrix<float> output;               // of the attention sublayer
  Matrix<float> feed_forward_input;   // norm (x) for a block of rows
  Matrix<float> hidden;               // W_1 x for the block
  Matrix<float> gated;                // W_g x for the block
  Matrix<float> feed_forward_output;  // of the block
};

// to += scale · from. scale: one factor per column, or null.
void add(Matrix<const float> from, const float* scale, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    const float* x = from.row(i);
    float* sum = to.row(i);
    for (std::size_t c = 0; c < from.cols; ++c) sum[c] += scale == nullptr ? x[c] : scale[c] * x[c];
  }
}

// interventions: null, or in all rows, which are then one block.
void add_feed_forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
                      const LayerScratch& scratch, const Interventions* interventions) {
  const Norm& norm = layer.feed_forward_norm;
  const std::size_t all_rows = x.batch * x.rows;
  for_each_block(all_rows, scratch.hidden.rows, [&](std::size_t first, std::size_t count) {
    const Matrix<float> rows = x.all().block(first, count);
    const Matrix<float> feed_forward_output = scratch.feed_forward_output.block(0, count);
    Matrix<const float> input = rows;
    if (norm.weight == nullptr && layer.parallel) {
      input = scratch.normalized.block(first, count);
    } else if (layer.norm_first && norm.weight != nullptr) {
      norm.apply(rows, scratch.feed_forward_input.block(0, count));
      input = scratch.feed_forward_input.block(0, count);
    }
    const Matrix<float> hidden = scratch.hidden.block(0, count);
    project_up(kernels, layer.up, layer.gate, layer.activation, input, hidden,
               scratch.gated.block(0, count));
    layer.down.apply(kernels, hidden, feed_forward_output);
    const Norm& output_norm = layer.feed_forward_output_norm;
    if (output_norm.weight != nullptr) output_norm.apply(feed_forward_output, feed_forward_output);
    const float* self_scale = layer.self_scale;
    const float* scale = layer.feed_forward_scale;
    if (interventions != nullptr) {
      intervene(*interventions, Place::kFeedForwardOutput,
                {feed_forward_output.data, x.batch, x.rows, x.cols}, 1, scale);
      self_scale = scale = nullptr;  // both outputs are scaled already
    }
    if (layer.parallel) add(scratch.output.block(first, count), self_scale, rows);
    add(feed_forward_output, scale, rows);
    if (!layer.norm_first) norm.apply(rows, rows);
  });
}

}  // namespace

TransformerLayer TransformerLayer::reserve(Workspace& memory, const TransformerShape& shape) {
  const std::size_t dim = shape.self.query.in;
  TransformerLayer layer;
  layer.is_decoder = shape.is_decoder;
  layer.self = MultiHeadAttention::reserve(memory, shape.self);
  if (shape.self_norm) layer.self_norm.reserve(memory, dim, shape.self_norm_bias);
  if (layer.is_decoder) {
    layer.cross = MultiHeadAttention::reserve(memory, shape.cross);
    layer.cross_norm.reserve(memory, dim, shape.cross_norm_bias);
  }
  layer.up = LinearMap::reserve(memory, shape.up);
  if (shape.gate.out != 0) layer.gate = LinearMap::reserve(memory, shape.gate);
  layer.down = LinearMap::reserve(memory, shape.down);
  if (shape.feed_forward_norm) {
    layer.feed_forward_norm.reserve(memory, dim, shape.feed_forward_norm_bias);
  }
  if (shape.self_output_norm) {
    layer.self_output_norm.reserve(memory, dim, shape.self_output_norm_bias);
  }
  if (shape.feed_forward_output_norm) {
    layer.feed_forward_output_norm.reserve(memory, dim, shape.feed_forward_output_norm_bias);
  }
  if (shape.self_scale) layer.self_scale = memory.take<float>(dim);
  if (shape.feed_forward_scale) layer.feed_forward_scale = memory.take<float>(dim);
  return layer;
}

void project_up(const Kernels& kernels, const LinearMap& up, const LinearMap& gate,
                Activation activation, Matrix<const float> x, Matrix<float> hidden,
                Matrix<float> gated) {
  const std::size_t count = hidden.rows * hidden.cols;
  const bool has_gate = gate.out != 0;
  up.apply(kernels, x, hidden);
  if (has_gate) gate.apply(kernels, x, gated);
  kernels.apply(has_gate ? gated.data : hidden.data, count, function_of(activation));
  for (std::size_t at = 0; has_gate && at < count; ++at) hidden.data[at] *= gated.data[at];
}

void forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
             const TransformerContext& context, const TransformerOptions& options,
             const TransformerResults& results, Workspace& workspace,
             const Interventions* interventions) {
  assert(x.cols == layer.up.in);
  assert(!layer.parallel || (layer.norm_first && !layer.is_decoder));
  assert(layer.feed_forward_norm.weight != nullptr || layer.norm_first);
  const LayerScratch scratch(workspace, layer, x,
                             interventions == nullptr ? kBlockRows : x.batch * x.rows);
  const Sequences<float> output{scratch.output.data, x.batch, x.rows, x.cols};
  Interventions in_sublayer;
  if (interventions != nullptr) in_sublayer = *interventions;
  const auto intervene_in_x = [&](Place place) {
    if (interventions != nullptr && !workspace.counts()) intervene(*interventions, place, x, 1);
  };
  intervene_in_x(Place::kResidPre);
  for (const bool is_cross : {false, true}) {
    if (is_cross && !layer.is_decoder) break;
    const Norm& norm = is_cross ? layer.cross_norm : layer.self_norm;
    const float* scale = is_cross ? nullptr : layer.self_scale;
    const Norm* output_norm =
        is_cross || layer.self_output_norm.weight == nullptr ? nullptr : &layer.self_output_norm;
    Sequences<const float> input = x;
    if (layer.norm_first && norm.weight != nullptr && !workspace.counts()) {
      norm.apply(x.all(), scratch.normalized);
      input.data = scratch.normalized.data;
    }
    in_sublayer.is_cross = is_cross;
    in_sublayer.output_norm = output_norm;
    in_sublayer.output_scale = scale;
    workspace.lend([&](Workspace& rest) {
      forward(kernels, is_cross ? layer.cross : layer.self, input,
              is_cross ? context.memory : self_context(context.self, input),
              is_cross ? options.cross : options.self,
              {output, nullptr, is_cross ? results.cross : results.self,
               is_cross ? results.cross_projections : results.self_projections},
              rest, interventions != nullptr ? &in_sublayer : nullptr);
    });
    // Parallel: feed-forward needs the same x, so add_feed_forward() adds this output later.
    if (workspace.counts() || layer.parallel) continue;
    if (output_norm != nullptr && interventions == nullptr) {
      output_norm->apply(scratch.output, scratch.output);
    }
    add(scratch.output, interventions != nullptr ? nullptr : scale, x.all());
    if (!layer.norm_first) norm.apply(x.all(), x.all());
  }
  if (workspace.counts()) return;
  if (!layer.parallel) intervene_in_x(Place::kResidMid);
  add_feed_forward(kernels, layer, x, scratch, interventions);
  intervene_in_x(Place::kResidPost);
}

ByPlace<PlaceShape> places_of(const TransformerLayer& layer, const Sequences<const float>& x,
                              const TransformerContext& context) {
  ByPlace<PlaceShape> places = {};
  add_places(layer.self, x.rows, self_context(context.self, x), places.data());
  if (layer.is_decoder) {
    add_places(layer.cross, x.rows, context.memory, places.data() + kCrossPlaces);
  }
  for (const Place place :
       {Place::kResidPre, Place::kResidMid, Place::kFeedForwardOutput, Place::kResidPost}) {
    if (place == Place::kResidMid && layer.parallel) continue;
    places[index_of(place, false)] = {1, x.rows, x.cols};
  }
  return places;
}

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace) {
  Sequences<const float> input = x;
  const std::size_t rows = x.batch * x.rows;
  const Matrix<float> normalized = take_rows(workspace, layer.norm_first ? rows : 0, x.cols);
  if (workspace.counts()) return;
  if (layer.norm_first && layer.self_norm.weight != nullptr) {
    layer.self_norm.apply(x.all(), normalized);
    input.data = normalized.data;
  }
  project(kernels, layer.self, input, to.key, to.value, 0);
  if (layer.is_decoder) project(kernels, layer.cross, memory, to.memory_key, to.memory_value, 0);
}

}  // namespace attention
