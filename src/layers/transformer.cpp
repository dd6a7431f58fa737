// One pass through a layer over the sequence, which is changed in place part by part.
#include "attention/transformer.h"

#include <cassert>

#include "core/tiles.h"
#include "kernels/kernels.h"

namespace attention {
namespace {

// Rows that go through the feed-forward part together.
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
    case Activation::kGeluTanh:
      break;
  }
  return Function::kGeluTanh;
}

// The context of self-attention: its input, unless its keys and values came along.
Context self_context(const Context& given, const Sequences<const float>& input) {
  Context context = given;
  if (given.key.cols == 0) context.rows = input;
  return context;
}

struct Scratch {
  Scratch(Workspace& memory, const TransformerLayer& layer, const Sequences<const float>& x)
      : normed(take_rows(memory, layer.norm_first ? x.batch * x.rows : 0, x.cols)),
        output(take_rows(memory, x.batch * x.rows, x.cols)),
        widened_from(take_rows(memory, kBlockRows, layer.widen.in)),
        hidden(take_rows(memory, kBlockRows, layer.widen.out)),
        narrowed(take_rows(memory, kBlockRows, layer.narrow.out)) {}

  Matrix<float> normed;        // x as the attentions take it, where it is normed first
  Matrix<float> output;        // of an attention
  Matrix<float> widened_from;  // some rows of x, normed
  Matrix<float> hidden;        // the same rows in the middle of feed-forward
  Matrix<float> narrowed;      // and at its end
};

void add(Matrix<const float> from, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    for (std::size_t c = 0; c < from.cols; ++c) to.row(i)[c] += from.row(i)[c];
  }
}

// attention: takes the input; its output goes to the scratch memory.
template <class Attention>
void add_attention(const TransformerLayer& layer, const Norm& norm, Sequences<float> x,
                   const Scratch& scratch, Attention attention) {
  Sequences<const float> input = x;
  if (layer.norm_first) {
    norm.apply(x.all(), scratch.normed);
    input.data = scratch.normed.data;
  }
  attention(input);
  add(scratch.output, x.all());
  if (!layer.norm_first) norm.apply(x.all(), x.all());
}

void add_feed_forward(const Kernels& kernels, const TransformerLayer& layer, Matrix<float> x,
                      const Scratch& scratch) {
  const Norm& norm = layer.feed_forward_norm;
  for_each_block(x.rows, kBlockRows, [&](std::size_t first, std::size_t count) {
    const Matrix<float> rows = x.block(first, count);
    const Matrix<float> hidden = scratch.hidden.block(0, count);
    const Matrix<float> narrowed = scratch.narrowed.block(0, count);
    Matrix<const float> input = rows;
    if (layer.norm_first) {
      norm.apply(rows, scratch.widened_from.block(0, count));
      input = scratch.widened_from.block(0, count);
    }
    layer.widen.apply(kernels, input, hidden);
    kernels.apply(hidden.data, count * hidden.cols, function_of(layer.activation));
    layer.narrow.apply(kernels, hidden, narrowed);
    add(narrowed, rows);
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
  layer.widen = LinearMap::reserve(memory, shape.widen);
  layer.narrow = LinearMap::reserve(memory, shape.narrow);
  layer.feed_forward_norm.reserve(memory, dim, shape.feed_forward_norm_bias);
  return layer;
}

void forward(const Kernels& kernels, const TransformerLayer& layer, Sequences<float> x,
             const TransformerContext& context, const TransformerOptions& options,
             const TransformerResults& results, Workspace& workspace) {
  assert(x.cols == layer.widen.in);
  const Scratch scratch(workspace, layer, x);
  const Sequences<float> output{scratch.output.data, x.batch, x.rows, x.cols};
  const auto self = [&](Sequences<const float> input) {
    workspace.lend([&](Workspace& rest) {
      forward(kernels, layer.self, input, self_context(context.self, input), options.self,
              {output, nullptr, results.self}, rest);
    });
  };
  const auto cross = [&](Sequences<const float> input) {
    workspace.lend([&](Workspace& rest) {
      forward(kernels, layer.cross, input, context.memory, options.cross,
              {output, nullptr, results.cross}, rest);
    });
  };
  if (workspace.counts()) {
    self(x);
    if (layer.is_decoder) cross(x);
    return;
  }
  add_attention(layer, layer.self_norm, x, scratch, self);
  if (layer.is_decoder) add_attention(layer, layer.cross_norm, x, scratch, cross);
  add_feed_forward(kernels, layer, x.all(), scratch);
}

void project(const Kernels& kernels, const TransformerLayer& layer, Sequences<const float> x,
             Sequences<const float> memory, const LayerProjection& to, Workspace& workspace) {
  Matrix<const float> input = x.all();
  const Matrix<float> normed = take_rows(workspace, layer.norm_first ? input.rows : 0, x.cols);
  if (workspace.counts()) return;
  if (layer.norm_first) {
    layer.self_norm.apply(input, normed);
    input = normed;
  }
  layer.self.key.apply(kernels, input, to.key.all());
  layer.self.value.apply(kernels, input, to.value.all());
  if (!layer.is_decoder) return;
  layer.cross.key.apply(kernels, memory.all(), to.memory_key.all());
  layer.cross.value.apply(kernels, memory.all(), to.memory_value.all());
}

}  // namespace attention
