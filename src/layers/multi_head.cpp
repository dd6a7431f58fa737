// Projections around attend(): the call's attention part is a Request of its own, whose query, key
// and value are written into the block by the projections instead of by the caller.
#include "attention/multi_head.h"

#include <algorithm>

#include "attention/workspace.h"
#include "kernels/kernels.h"
#include "layers/weights.h"

namespace attention {
namespace {

std::size_t size(double number) { return static_cast<std::size_t>(number); }

const MultiHeadAttention& layer_at(double address) {
  return object_at<const MultiHeadAttention>(address);
}

float* floats(const TensorArgument& tensor, void* block) {
  return reinterpret_cast<float*>(static_cast<std::byte*>(block) + size(tensor.place));
}

double rows_of(const TensorArgument& tensor) {
  double rows = 1;
  for (std::size_t axis = 0; axis + 1 < size(tensor.rank); ++axis) rows *= tensor.dims[axis];
  return rows;
}

double last(const TensorArgument& tensor) { return tensor.dims[size(tensor.rank) - 1]; }

double length_of(const TensorArgument& tensor) { return tensor.dims[size(tensor.rank) - 2]; }

double batch_of(const TensorArgument& tensor) { return tensor.rank == 3 ? tensor.dims[0] : 1; }

Matrix<float> matrix(const TensorArgument& tensor, void* block) {
  const std::size_t cols = size(last(tensor));
  return {floats(tensor, block), size(rows_of(tensor)), cols, cols};
}

// The dims of a projection of a sequence: those of the sequence but for the last.
TensorArgument projected(const TensorArgument& sequence, double width) {
  TensorArgument tensor = sequence;
  tensor.place = tensor.type = 0;
  tensor.dims[size(tensor.rank) - 1] = width;
  tensor.count = product(tensor);
  return tensor;
}

Heads<float> heads_of(const TensorArgument& packed, double heads, void* block) {
  return Heads<float>::packed(floats(packed, block), size(batch_of(packed)), size(heads),
                              size(length_of(packed)), size(last(packed) / heads));
}

// Packed heads as head-major ones.
void rearrange(Heads<const float> from, float* to) {
  if (from.rows == 0) return;
  for (std::size_t batch = 0; batch < from.batch; ++batch) {
    for (std::size_t head = 0; head < from.heads; ++head) {
      const Matrix<const float> rows = from.at(batch, head);
      for (std::size_t i = 0; i < rows.rows; ++i) to = std::copy_n(rows.row(i), rows.cols, to);
    }
  }
}

class SequenceRules : public Rules {
 public:
  bool sequence(std::string_view name, const TensorArgument& tensor, std::size_t width,
                std::string_view meaning) {
    if (!Rules::tensor(name, tensor, 2, 3)) return false;
    const auto expected = static_cast<double>(width);
    if (last(tensor) == expected) return true;
    return broken(name, " has dims ", tensor, " but the layer takes rows of ", expected,
                  ": the last axis must be ", meaning);
  }

  bool x_and_context(const MultiHeadAttention& layer, const TensorArgument& x,
                     const TensorArgument& context, std::string_view context_name) {
    if (!sequence("x", x, layer.query.in, "model_dim")) return false;
    if (context.given == 0) {
      return sequence("x", x, layer.key.in, "that of the context, which x is here");
    }
    if (!sequence(context_name, context, layer.key.in, "context_dim") ||
        !same_rank(context_name, context, "x", x)) {
      return false;
    }
    if (batch_of(x) == batch_of(context)) return true;
    return broken(context_name, " has dims ", context, " but x has ", x,
                  ": the first axes must both be batch");
  }

  bool cache_suits(const MultiHeadAttention& layer, const KeyValueCache& cache, double batch) {
    if (cache.kv_heads == layer.kv_heads && cache.key_dim == layer.key_dim &&
        cache.value_dim == layer.value_dim && static_cast<double>(cache.batch) == batch) {
      return true;
    }
    const auto numbers = [](double b, std::size_t kv_heads, std::size_t key_dim,
                            std::size_t value_dim) {
      return sentence("batch ", b, ", kvHeads ", static_cast<double>(kv_heads), ", keyDim ",
                      static_cast<double>(key_dim), " and valueDim ",
                      static_cast<double>(value_dim));
    };
    return broken(
        "the cache has ",
        numbers(static_cast<double>(cache.batch), cache.kv_heads, cache.key_dim, cache.value_dim),
        " but must have ", numbers(batch, layer.kv_heads, layer.key_dim, layer.value_dim));
  }
};

}  // namespace

std::string check(MultiHeadRequest& request) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  const auto heads = static_cast<double>(layer.heads);
  const auto key_width = static_cast<double>(layer.kv_heads * layer.key_dim);
  const auto value_width = static_cast<double>(layer.kv_heads * layer.value_dim);
  Request& inner = request.attention;
  const TensorArgument& keys_from = request.context.given != 0 ? request.context : request.x;
  if (inner.cache == 0) request.appends = 0;
  const bool projects_keys = inner.cache == 0 || request.appends != 0;
  const std::string_view context_name = inner.cross != 0 ? "memory" : "context";

  SequenceRules rules;
  const bool kept = projects_keys
                        ? rules.x_and_context(layer, request.x, request.context, context_name)
                        : rules.sequence("x", request.x, layer.query.in, "model_dim");
  if (!kept) return rules.problem();
  if (inner.cache != 0 && !rules.cache_suits(layer, cache_of(inner), batch_of(request.x))) {
    return rules.problem();
  }

  inner.step = static_cast<double>(static_cast<int>(Step::kAttention));
  inner.heads = {1, heads};
  inner.query = projected(request.x, heads * static_cast<double>(layer.key_dim));
  inner.appended = request.appends != 0 ? length_of(keys_from) : 0;
  if (inner.cache == 0) {
    inner.kv_heads = {1, static_cast<double>(layer.kv_heads)};
    inner.key = projected(keys_from, key_width);
    inner.value = projected(keys_from, value_width);
  }
  std::string problem = check(inner);
  if (!problem.empty()) return problem;

  request.new_key.given = request.new_value.given = 0;
  if (request.appends != 0) {
    request.new_key = projected(keys_from, key_width);
    request.new_value = projected(keys_from, value_width);
  }
  const bool projects_output = layer.output.out != 0;
  request.output = projected(
      request.x,
      static_cast<double>(projects_output ? layer.output.out : layer.heads * layer.value_dim));
  request.head_outputs.given = 0;
  if (request.wants_head_outputs != 0) {
    const auto value_dim = static_cast<double>(layer.value_dim);
    request.head_outputs = request.x.rank == 3
                               ? tensor_of({inner.batch, heads, inner.q_len, value_dim})
                               : tensor_of({heads, inner.q_len, value_dim});
  }
  Layout layout(inner.bytes);
  for (TensorArgument* tensor : {&request.x, &request.context, &request.new_key, &request.new_value,
                                 &request.head_outputs}) {
    layout.place(*tensor);
  }
  // Without a projection of the heads together they are the output as they are.
  request.output.place = inner.output.place;
  if (projects_output) layout.place(request.output);
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const MultiHeadRequest& request, void* block) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  const Request& inner = request.attention;
  const Matrix<float> x = matrix(request.x, block);
  const bool projects_keys = inner.cache == 0 || request.appends != 0;
  const Matrix<float> keys_from =
      projects_keys && request.context.given != 0 ? matrix(request.context, block) : x;
  const auto kv_heads = static_cast<double>(layer.kv_heads);

  layer.query.apply(kernels, x, matrix(inner.query, block));
  if (request.appends != 0) {
    layer.key.apply(kernels, keys_from, matrix(request.new_key, block));
    layer.value.apply(kernels, keys_from, matrix(request.new_value, block));
    object_at<KeyValueCache>(inner.cache)
        .append(kernels, heads_of(request.new_key, kv_heads, block),
                heads_of(request.new_value, kv_heads, block));
  } else if (inner.cache == 0) {
    layer.key.apply(kernels, keys_from, matrix(inner.key, block));
    layer.value.apply(kernels, keys_from, matrix(inner.value, block));
  }
  run(kernels, inner, block);
  if (layer.output.out != 0) {
    layer.output.apply(kernels, matrix(inner.output, block), matrix(request.output, block));
  }
  if (request.head_outputs.given != 0) {
    rearrange(heads_of(inner.output, static_cast<double>(layer.heads), block),
              floats(request.head_outputs, block));
  }
}

std::string check(ProjectRequest& request) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  SequenceRules rules;
  if (!rules.x_and_context(layer, request.x, request.context, "context")) return rules.problem();
  const TensorArgument& keys_from = request.context.given != 0 ? request.context : request.x;
  const auto result = [](const TensorArgument& from, std::size_t heads, std::size_t dim) {
    return tensor_of(
        {batch_of(from), static_cast<double>(heads), length_of(from), static_cast<double>(dim)});
  };
  request.query = result(request.x, layer.heads, layer.key_dim);
  request.key = result(keys_from, layer.kv_heads, layer.key_dim);
  request.value = result(keys_from, layer.kv_heads, layer.value_dim);
  Layout layout(0);
  for (TensorArgument* tensor :
       {&request.x, &request.context, &request.query, &request.key, &request.value}) {
    layout.place(*tensor);
  }
  const double largest = std::max({request.query.count, request.key.count, request.value.count});
  request.workspace = layout.reserve(largest * sizeof(float));
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const ProjectRequest& request, void* block) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  const auto project = [&](const LinearMap& map, const TensorArgument& from,
                           const TensorArgument& to) {
    TensorArgument packed = projected(from, static_cast<double>(map.out));
    packed.place = request.workspace;
    map.apply(kernels, matrix(from, block), matrix(packed, block));
    rearrange(heads_of(packed, to.dims[1], block), floats(to, block));
  };
  const TensorArgument& keys_from = request.context.given != 0 ? request.context : request.x;
  project(layer.query, request.x, request.query);
  project(layer.key, keys_from, request.key);
  project(layer.value, keys_from, request.value);
}

std::string check(ContextRequest& request) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  SequenceRules rules;
  if (!rules.sequence(request.cross != 0 ? "memory" : "context", request.context, layer.key.in,
                      "context_dim")) {
    return rules.problem();
  }
  request.batch = batch_of(request.context);
  request.length = length_of(request.context);
  if (request.cache != 0 &&
      !rules.cache_suits(layer, object_at<const KeyValueCache>(request.cache), request.batch)) {
    return rules.problem();
  }
  request.key = projected(request.context, static_cast<double>(layer.key.out));
  request.value = projected(request.context, static_cast<double>(layer.value.out));
  Layout layout(0);
  for (TensorArgument* tensor : {&request.context, &request.key, &request.value}) {
    layout.place(*tensor);
  }
  request.bytes = layout.end();
  return layout.fits() ? "" : layout.problem();
}

void run(const Kernels& kernels, const ContextRequest& request, void* block) {
  const MultiHeadAttention& layer = layer_at(request.layer);
  const auto kv_heads = static_cast<double>(layer.kv_heads);
  layer.key.apply(kernels, matrix(request.context, block), matrix(request.key, block));
  layer.value.apply(kernels, matrix(request.context, block), matrix(request.value, block));
  object_at<KeyValueCache>(request.cache)
      .append(kernels, heads_of(request.key, kv_heads, block),
              heads_of(request.value, kv_heads, block));
}

}  // namespace attention
