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
  LayerScratch(Workspace& memory, const TransformerLayer& layer, const Sequences<const float>& x)
      : normalized(take_rows(memory, layer.norm_first ? x.batch * x.rows : 0, x.cols)),
        output(take_rows(memory, x.batch * x.rows, x.cols)),
        feed_forward_input(take_rows(memory, kBlockRows, layer.up.in)),
        hidden(take_rows(memory, kBlockRows, layer.up.out)),
        gated(take_rows(memory, kBlockRows, layer.gate.out)),
        feed_forward_output(take_rows(memory, kBlockRows, layer.down.out)) {}

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

// Adds an attention sublayer to x. attention(input) writes its output to scratch.output.
template <class Attention>
void add_attention(const TransformerLayer& layer, const Norm& norm, const float* scale,
                   Sequences<float> x, const LayerScratch& scratch, Attention attention) {
  Sequences<const float> input = x;
  if (layer.norm_first) {
    norm.apply(x.all(), scratch.normalized);
    input.data = scratch.normalized.data;
  }
  attention(input);
  // Parallel: feed-forward needs the same x, so add_feed_forward() adds this output later.
  if (layer.parallel) return;
  add(scratch.output, scale, x.all());
  if (!layer.norm_first) norm.apply(x.all(), x.all());
}

void add_feed_forward(const Kernels& kernels, const TransformerLayer& layer, Matrix<float> x,
                      const LayerScratch& scratch) {
  const Norm& norm = layer.feed_forward_norm;
  for_each_block(x.rows, kBlockRows, [&](std::size_t first, std::size_t count) {
    const Matrix<float> rows = x.block(first, count);
    const Matrix<float> feed_forward_output = scratch.feed_forward_output.block(0, count);
    Matrix<const float> input = rows;
    if (norm.weight == nullptr) {
      input = scratch.normalized.block(first, count);
    } else if (layer.norm_first) {
      norm.apply(rows, scratch.feed_forward_input.block(0, count));
      input = scratch.feed_forward_input.block(0, count);
    }
    const Matrix<float> hidden = scratch.hidden.block(0, count);
    project_up(kernels, layer.up, layer.gate, layer.activation, input, hidden,
               scratch.gated.block(0, count));
    layer.down.apply(kernels, hidden, feed_forward_output);
    if (layer.parallel) add(scratch.output.block(first, count), layer.self_scale, rows);
    add(feed_forward_output, layer.feed_forward_scale, rows);
    if (!layer.norm_first) norm.apply(rows, rows);
  });
}

}  // namespace

TransformerLayer TransformerLayer::reserve(Workspace& memory, const TransformerShape& shape) {
  const std::size_t dim = shape.self.query.in;
  TransformerLayer layer;
  layer.is_decoder = shape.is_decoder;
  layer.self = MultiHeadAttention::reserve(memory, shape.self);
  layer.self_norm.reserve(memory, dim, shape.self_norm_bias);
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
             const TransformerResults& results, Workspace& workspace) {
  assert(x.cols == layer.up.in);
  assert(!layer.parallel || (layer.norm_first && !layer.is_decoder));
  assert(layer.feed_forward_norm.weight != nullptr || layer.parallel);
  const LayerScratch scratch(workspace, layer, x);
  const Sequences<float> output{scratch.output.data, x.batch, x.rows, x.cols};
  const auto self = [&](Sequences<const float> input) {
    workspace.lend([&](Workspace& rest) {
      forward(kernels, layer.self, input, self_context(context.self, input), options.self,
              {output, nullptr, results.self, results.self_projections}, rest);
    });
  };
  const auto cross = [&](Sequences<const float> input) {
    workspace.lend([&](Workspace& rest) {
      forward(kernels, layer.cross, input, context.memory, options.cross,
              {output, nullptr, results.cross, results.cross_projections}, rest);
    });
  };
  if (workspace.counts()) {
    self(x);
    if (layer.is_decoder) cross(x);
    return;
  }
  add_attention(layer, layer.self_norm, layer.self_scale, x, scratch, self);
  if (layer.is_decoder) add_attention(layer, layer.cross_norm, nullptr, x, scratch, cross);
  add_feed_forward(kernels, layer, x.all(), scratch);
}

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace) {
  Sequences<const float> input = x;
  const std::size_t rows = x.batch * x.rows;
  const Matrix<float> normalized = take_rows(workspace, layer.norm_first ? rows : 0, x.cols);
  if (workspace.counts()) return;
  if (layer.norm_first) {
    layer.self_norm.apply(x.all(), normalized);
    input.data = normalized.data;
  }
  project(kernels, layer.self, input, to.key, to.value, 0);
  if (layer.is_decoder) project(kernels, layer.cross, memory, to.memory_key, to.memory_value, 0);
}

}  // namespace attention
