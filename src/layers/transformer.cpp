// One pass through a layer over the sequence, which stands in the output and is changed in place.
#include "attention/transformer.h"

#include <algorithm>
#include <new>
#include <string_view>

#include "attention/tiles.h"
#include "attention/workspace.h"
#include "kernels/kernels.h"
#include "layers/weights.h"

namespace attention {
namespace {

// Rows that go through the feed-forward part together.
constexpr std::size_t kBlockRows = 128;

constexpr std::string_view kNormWeights[] = {"norm1.weight", "norm2.weight", "norm3.weight"};
constexpr std::string_view kNormBiases[] = {"norm1.bias", "norm2.bias", "norm3.bias"};

class NewLayerRules : public WeightRules {
 public:
  explicit NewLayerRules(NewTransformerLayer& request) : r_(request) {}

  std::string check() {
    r_.self.torch = r_.cross.torch = 1;
    r_.self.part = 1;
    r_.cross.part = 2;
    r_.cross.heads = r_.self.heads;
    std::string inner = attention::check(r_.self);
    double end = r_.self.bytes;
    if (inner.empty() && r_.decoder != 0) {
      r_.cross.start = end;
      inner = attention::check(r_.cross);
      end = r_.cross.bytes;
    }
    if (!inner.empty()) return inner;
    if (!(widths() && feed_forward() && norms())) return problem();
    Layout layout(end);
    for (TensorArgument* tensor : {&r_.widen, &r_.widen_bias, &r_.narrow, &r_.narrow_bias}) {
      layout.place(*tensor);
    }
    for (TensorArgument& tensor : r_.norm_weights) layout.place(tensor);
    for (TensorArgument& tensor : r_.norm_biases) layout.place(tensor);
    r_.bytes = layout.end();
    return layout.fits() ? "" : layout.problem();
  }

 private:
  // What goes round in a layer has one width.
  bool widths() {
    const double width = r_.self.model_dim;
    return is_wide("self_attn.out_proj.weight", r_.self.out_dim, "rows", width) &&
           is_wide("self_attn.in_proj_weight", r_.self.context_dim, "columns", width) &&
           (r_.decoder == 0 ||
            (is_wide("multihead_attn.in_proj_weight", r_.cross.model_dim, "columns", width) &&
             is_wide("multihead_attn.out_proj.weight", r_.cross.out_dim, "rows", width)));
  }

  bool is_wide(std::string_view name, double found, std::string_view axis, double width) {
    if (found == width) return true;
    return broken(name, " has ", found, " ", axis, " but the layer is d_model = ", width, " wide");
  }

  bool feed_forward() {
    const double width = r_.self.model_dim;
    if (!tensor("linear1.weight", r_.widen, 2, 2) || !tensor("linear2.weight", r_.narrow, 2, 2) ||
        !same_dims("linear1.weight", r_.widen, "out × d_model",
                   tensor_of({r_.widen.dims[0], width})) ||
        !same_dims("linear2.weight", r_.narrow, "d_model × the rows of linear1.weight",
                   tensor_of({width, r_.widen.dims[0]}))) {
      return false;
    }
    if (r_.widen.count == 0) {
      return broken("linear1.weight has dims ", r_.widen, " but no axis may be 0");
    }
    return bias("linear1.bias", r_.widen_bias, r_.widen.dims[0]) &&
           bias("linear2.bias", r_.narrow_bias, width);
  }

  bool norms() {
    if (!(is_finite(r_.epsilon) && r_.epsilon >= 0)) {
      return broken("epsilon is ", r_.epsilon,
                    " but must be a finite float32 number of at least 0");
    }
    for (std::size_t n = 0; n < (r_.decoder != 0 ? 3U : 2U); ++n) {
      if (r_.norm_weights[n].given == 0) return broken(kNormWeights[n], " is missing");
      if (!bias(kNormWeights[n], r_.norm_weights[n], r_.self.model_dim)) return false;
      if (r_.rms != 0 && r_.norm_biases[n].given != 0) {
        return broken(kNormBiases[n], " is given but an RMS norm has none");
      }
      if (!bias(kNormBiases[n], r_.norm_biases[n], r_.self.model_dim)) return false;
    }
    return true;
  }

  NewTransformerLayer& r_;
};

class RowsRules : public Rules {
 public:
  bool rows(std::string_view name, const TensorArgument& tensor, std::size_t width) {
    if (!Rules::tensor(name, tensor, 2, 3)) return false;
    const auto expected = static_cast<double>(width);
    if (tensor.dims[static_cast<std::size_t>(tensor.rank) - 1] == expected) return true;
    return broken(name, " has dims ", tensor, " but must be rows of ", expected);
  }
};

TransformerLayer build_layer(const Kernels& kernels, const NewTransformerLayer& r,
                             const void* block, Workspace& memory) {
  TransformerLayer layer;
  layer.is_decoder = r.decoder != 0;
  layer.norm_first = r.norm_first != 0;
  layer.activation = static_cast<int>(r.activation);
  layer.self = build(kernels, r.self, block, memory);
  if (layer.is_decoder) layer.cross = build(kernels, r.cross, block, memory);
  layer.widen =
      build(kernels, matrix_at(r.widen, true, block), weights_at(r.widen_bias, block), memory);
  layer.narrow =
      build(kernels, matrix_at(r.narrow, true, block), weights_at(r.narrow_bias, block), memory);
  for (std::size_t n = 0; n < layer.norms.size(); ++n) {
    const std::size_t width = layer.self.query.in;
    layer.norms[n] = {build(weights_at(r.norm_weights[n], block), width, memory),
                      build(weights_at(r.norm_biases[n], block), width, memory),
                      static_cast<float>(r.epsilon), r.rms != 0};
  }
  return layer;
}

const TransformerLayer& layer_at(double address) {
  return object_at<const TransformerLayer>(address);
}

double address_of(const MultiHeadAttention& layer) {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(&layer));
}

Matrix<float> rows_at(const TensorArgument& tensor, std::size_t width, void* block) {
  return {const_cast<float*>(weights_at(tensor, block)),
          static_cast<std::size_t>(tensor.count) / width, width, width};
}

TensorArgument with_width(TensorArgument rows, std::size_t width) {
  rows.place = rows.type = 0;
  rows.dims[static_cast<std::size_t>(rows.rank) - 1] = static_cast<double>(width);
  rows.count = product(rows);
  return rows;
}

void apply(const Kernels& kernels, const LinearMap& map, const TensorArgument& from,
           const TensorArgument& to, void* block) {
  map.apply(kernels, rows_at(from, map.in, block), rows_at(to, map.out, block));
}

// Attention to keys and values that came along: as MultiHeadRequest without their projections.
std::string check_projected(MultiHeadRequest& request) {
  const auto& layer = object_at<const MultiHeadAttention>(request.layer);
  Request& inner = request.attention;
  RowsRules rules;
  if (!(rules.rows("x", request.x, layer.query.in) && rules.rows("key", inner.key, layer.key.out) &&
        rules.rows("value", inner.value, layer.value.out))) {
    return rules.problem();
  }
  inner.step = static_cast<double>(static_cast<int>(Step::kAttention));
  inner.heads = {1, static_cast<double>(layer.heads)};
  inner.kv_heads = {1, static_cast<double>(layer.kv_heads)};
  inner.query = with_width(request.x, layer.query.out);
  std::string problem = check(inner);
  if (!problem.empty()) return problem;
  request.output = with_width(request.x, layer.output.out);
  Layout layout(inner.bytes);
  layout.place(request.x);
  layout.place(request.output);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run_projected(const Kernels& kernels, const MultiHeadRequest& request, void* block) {
  const auto& layer = object_at<const MultiHeadAttention>(request.layer);
  apply(kernels, layer.query, request.x, request.attention.query, block);
  run(kernels, request.attention, block);
  apply(kernels, layer.output, request.attention.output, request.output, block);
}

void copy(Matrix<const float> from, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) std::copy_n(from.row(i), from.cols, to.row(i));
}

void add(Matrix<const float> from, Matrix<float> to) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    for (std::size_t c = 0; c < from.cols; ++c) to.row(i)[c] += from.row(i)[c];
  }
}

// Scratch memory of the feed-forward part.
struct Scratch {
  Scratch(Workspace& workspace, const TransformerLayer& layer)
      : input{workspace.take<float>(std::uint64_t{kBlockRows} * layer.widen.in), kBlockRows,
              layer.widen.in, layer.widen.in},
        hidden{workspace.take<float>(std::uint64_t{kBlockRows} * layer.widen.out), kBlockRows,
               layer.widen.out, layer.widen.out},
        output{workspace.take<float>(std::uint64_t{kBlockRows} * layer.narrow.out), kBlockRows,
               layer.narrow.out, layer.narrow.out} {}

  Matrix<float> input;
  Matrix<float> hidden;
  Matrix<float> output;
};

// x: the sequence, changed in place. norm: the one that belongs to the part.
void attend(const Kernels& kernels, const TransformerLayer& layer, const Norm& norm,
            const MultiHeadRequest& request, bool projected, Matrix<float> x, void* block) {
  const Matrix<float> input = rows_at(request.x, x.cols, block);
  if (layer.norm_first) {
    norm.apply(x, input);
  } else {
    copy(x, input);
  }
  if (projected) {
    run_projected(kernels, request, block);
  } else {
    run(kernels, request, block);
  }
  add(rows_at(request.output, x.cols, block), x);
  if (!layer.norm_first) norm.apply(x, x);
}

void feed_forward(const Kernels& kernels, const TransformerLayer& layer, const Norm& norm,
                  Matrix<float> x, const Scratch& scratch) {
  for_each_block(x.rows, kBlockRows, [&](std::size_t first, std::size_t count) {
    const Matrix<float> rows = x.block(first, count);
    const Matrix<float> hidden = scratch.hidden.block(0, count);
    const Matrix<float> output = scratch.output.block(0, count);
    Matrix<const float> input = rows;
    if (layer.norm_first) {
      norm.apply(rows, scratch.input.block(0, count));
      input = scratch.input.block(0, count);
    }
    layer.widen.apply(kernels, input, hidden);
    kernels.apply(hidden.data, count * hidden.cols, static_cast<Function>(layer.activation));
    layer.narrow.apply(kernels, hidden, output);
    add(output, rows);
    if (!layer.norm_first) norm.apply(rows, rows);
  });
}

}  // namespace

std::string check(NewTransformerLayer& request) {
  NewLayerRules rules(request);
  std::string problem = rules.check();
  if (!problem.empty()) return problem;
  Workspace counting;
  counting.take<TransformerLayer>(1);
  build_layer(reference_kernels(), request, &request, counting);
  request.object_bytes = static_cast<double>(counting.used());
  return "";
}

void run(const Kernels& kernels, const NewTransformerLayer& request, void* block) {
  auto& layer = object_at<TransformerLayer>(request.object);
  Workspace memory(&layer);
  memory.take<TransformerLayer>(1);
  new (&layer) TransformerLayer(build_layer(kernels, request, block, memory));
}

std::string check(TransformerRequest& request) {
  const TransformerLayer& layer = layer_at(request.layer);
  request.projected = request.self.attention.key.given;
  const auto check_part = [&request](MultiHeadRequest& part) {
    return request.projected != 0 ? check_projected(part) : check(part);
  };
  request.self.layer = address_of(layer.self);
  request.self.x = request.x;
  std::string problem = check_part(request.self);
  double end = request.self.bytes;
  if (problem.empty() && layer.is_decoder) {
    request.cross.attention.cross = 1;
    request.cross.attention.start = end;
    request.cross.layer = address_of(layer.cross);
    request.cross.x = request.x;
    problem = check_part(request.cross);
    end = request.cross.bytes;
  }
  if (!problem.empty()) return problem;
  Layout layout(end);
  layout.place(request.x);
  // The result stands where the argument stood.
  request.output = request.x;
  Workspace counting;
  const Scratch scratch(counting, layer);
  request.workspace = layout.reserve(static_cast<double>(counting.used()));
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const TransformerRequest& request, void* block) {
  const TransformerLayer& layer = layer_at(request.layer);
  const Matrix<float> x = rows_at(request.x, layer.widen.in, block);
  Workspace workspace(static_cast<std::byte*>(block) + static_cast<std::size_t>(request.workspace));
  const Scratch scratch(workspace, layer);
  const Norm* norm = layer.norms.data();
  const bool projected = request.projected != 0;
  attend(kernels, layer, *norm++, request.self, projected, x, block);
  if (layer.is_decoder) attend(kernels, layer, *norm++, request.cross, projected, x, block);
  feed_forward(kernels, layer, *norm, x, scratch);
}

std::string check(LayerProjection& request) {
  const TransformerLayer& layer = layer_at(request.layer);
  RowsRules rules;
  if (!rules.rows("x", request.x, layer.self.key.in)) return rules.problem();
  request.key = with_width(request.x, layer.self.key.out);
  request.value = with_width(request.x, layer.self.value.out);
  if (layer.is_decoder) {
    if (!rules.rows("memory", request.memory, layer.cross.key.in)) return rules.problem();
    request.memory_key = with_width(request.memory, layer.cross.key.out);
    request.memory_value = with_width(request.memory, layer.cross.value.out);
  }
  Layout layout(0);
  for (TensorArgument* tensor : {&request.x, &request.memory, &request.key, &request.value,
                                 &request.memory_key, &request.memory_value}) {
    layout.place(*tensor);
  }
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const LayerProjection& request, void* block) {
  const TransformerLayer& layer = layer_at(request.layer);
  if (layer.norm_first) {
    const Matrix<float> x = rows_at(request.x, layer.self.key.in, block);
    layer.norms[0].apply(x, x);
  }
  apply(kernels, layer.self.key, request.x, request.key, block);
  apply(kernels, layer.self.value, request.x, request.value, block);
  if (!layer.is_decoder) return;
  apply(kernels, layer.cross.key, request.memory, request.memory_key, block);
  apply(kernels, layer.cross.value, request.memory, request.memory_value, block);
}

std::string check(TransformerParts& request) {
  const TransformerLayer& layer = layer_at(request.layer);
  request.self = address_of(layer.self);
  request.cross = address_of(layer.cross);
  request.bytes = 0;
  return "";
}

}  // namespace attention
