// The weights of multi-head attention in both their forms, and the rules for them.
#include <algorithm>
#include <array>
#include <new>

#include "attention/multi_head.h"
#include "kernels/kernels.h"
#include "layers/weights.h"

namespace attention {
namespace {

class MultiHeadRules : public WeightRules {
 public:
  explicit MultiHeadRules(MultiHeadWeights& weights) : w_(weights) {}

  std::string check() {
    if (!(head_counts() && (w_.stacked.given != 0 ? stacked() : separate()) && output() &&
          biases())) {
      return problem();
    }
    Layout layout(w_.start);
    for (TensorArgument* tensor :
         {&w_.query, &w_.key, &w_.value, &w_.output, &w_.stacked, &w_.query_bias, &w_.key_bias,
          &w_.value_bias, &w_.output_bias, &w_.stacked_bias}) {
      layout.place(*tensor);
    }
    w_.bytes = layout.end();
    return layout.fits() ? "" : layout.problem();
  }

 private:
  std::string name(std::string_view ours, std::string_view torch) const {
    if (w_.torch == 0) return std::string(ours);
    const std::string_view part = w_.part == 0   ? ""
                                  : w_.part == 1 ? "self_attn."
                                                 : "multihead_attn.";
    return sentence(part, torch);
  }

  double in(const TensorArgument& matrix) const { return matrix.dims[w_.torch != 0 ? 1 : 0]; }
  double out(const TensorArgument& matrix) const { return matrix.dims[w_.torch != 0 ? 0 : 1]; }

  bool head_counts() {
    if (w_.heads.given == 0) return broken("heads must be given");
    if (!is_option_whole("heads", w_.heads, 1) || !is_option_whole("kvHeads", w_.kv_heads, 1)) {
      return false;
    }
    w_.head_count = w_.heads.value;
    w_.kv_head_count = w_.kv_heads.given != 0 ? w_.kv_heads.value : w_.head_count;
    if (std::fmod(w_.head_count, w_.kv_head_count) == 0) return true;
    return broken("heads is ", w_.head_count, " but kvHeads is ", w_.kv_head_count,
                  ": heads must be a multiple of kvHeads");
  }

  bool matrix(const std::string& name, const TensorArgument& matrix) {
    if (!tensor(name, matrix, 2, 2)) return false;
    if (matrix.count > 0) return true;
    return broken(name, " has dims ", matrix, " but no axis may be 0");
  }

  // Splits the width of a projection into heads.
  bool split(const std::string& name, const TensorArgument& matrix, double width,
             std::string_view heads_name, double heads, double& dim) {
    dim = width / heads;
    if (is_whole(dim)) return true;
    return broken(name, " has dims ", matrix, " but ", heads_name, " is ", heads, ": ", width,
                  " is not a multiple of it");
  }

  bool separate() {
    const std::string query = name("query", "q_proj_weight");
    const std::string key = name("key", "k_proj_weight");
    const std::string value = name("value", "v_proj_weight");
    if (!matrix(query, w_.query) || !matrix(key, w_.key) || !matrix(value, w_.value) ||
        !split(query, w_.query, out(w_.query), "heads", w_.head_count, w_.key_dim) ||
        !split(value, w_.value, out(w_.value), "kvHeads", w_.kv_head_count, w_.value_dim)) {
      return false;
    }
    w_.model_dim = in(w_.query);
    w_.context_dim = in(w_.key);
    if (out(w_.key) != w_.kv_head_count * w_.key_dim) {
      return broken(key, " has dims ", w_.key, " but ", query, " has ", w_.query, " and heads is ",
                    w_.head_count, ": keys must be kvHeads × d_k = ", w_.kv_head_count, " × ",
                    w_.key_dim, " = ", w_.kv_head_count * w_.key_dim, " wide");
    }
    if (in(w_.value) == w_.context_dim) return true;
    return broken(value, " has dims ", w_.value, " but ", key, " has ", w_.key,
                  ": keys and values are made of one context, so both must take rows of its width");
  }

  // in_proj_weight: the three matrices above each other, out × in.
  bool stacked() {
    const std::string stacked = name("", "in_proj_weight");
    if (w_.kv_head_count != w_.head_count) {
      return broken("kvHeads is ", w_.kv_head_count, " but heads is ", w_.head_count, ": ", stacked,
                    " holds as many heads of keys as of queries");
    }
    if (!matrix(stacked, w_.stacked)) return false;
    const double width = w_.stacked.dims[0] / 3;
    if (!is_whole(width)) {
      return broken(stacked, " has dims ", w_.stacked,
                    " but its first axis must be a multiple of 3");
    }
    w_.model_dim = w_.context_dim = w_.stacked.dims[1];
    if (!split(stacked, w_.stacked, width, "heads", w_.head_count, w_.key_dim)) return false;
    w_.value_dim = w_.key_dim;
    return true;
  }

  bool output() {
    // Without one the heads are put together and left as they are.
    w_.out_dim = 0;
    if (w_.output.given == 0) return true;
    const std::string output = name("output", "out_proj.weight");
    if (!matrix(output, w_.output)) return false;
    w_.out_dim = out(w_.output);
    const double width = w_.head_count * w_.value_dim;
    if (in(w_.output) == width) return true;
    return broken(output, " has dims ", w_.output, " but must take heads × d_v = ", w_.head_count,
                  " × ", w_.value_dim, " = ", width, " numbers");
  }

  bool biases() {
    const double query = w_.head_count * w_.key_dim;
    const double key = w_.kv_head_count * w_.key_dim;
    const double value = w_.kv_head_count * w_.value_dim;
    return bias("queryBias", w_.query_bias, query) && bias("keyBias", w_.key_bias, key) &&
           bias("valueBias", w_.value_bias, value) &&
           bias(name("outputBias", "out_proj.bias"), w_.output_bias, w_.out_dim) &&
           bias(name("", "in_proj_bias"), w_.stacked_bias, query + key + value);
  }

  MultiHeadWeights& w_;
};

MultiHeadAttention& layer_of(const NewMultiHead& request) {
  return object_at<MultiHeadAttention>(request.object);
}

}  // namespace

std::string check(MultiHeadWeights& weights) { return MultiHeadRules(weights).check(); }

MultiHeadAttention build(const Kernels& kernels, const MultiHeadWeights& weights, const void* block,
                         Workspace& memory) {
  const auto size = [](double number) { return static_cast<std::size_t>(number); };
  MultiHeadAttention layer;
  layer.heads = size(weights.head_count);
  layer.kv_heads = size(weights.kv_head_count);
  layer.key_dim = size(weights.key_dim);
  layer.value_dim = size(weights.value_dim);

  struct Projection {
    LinearMap& map;
    const TensorArgument& matrix;
    const TensorArgument& bias;
    std::size_t out;
  };
  const std::array<Projection, 3> projections = {{
      {layer.query, weights.query, weights.query_bias, layer.heads * layer.key_dim},
      {layer.key, weights.key, weights.key_bias, layer.kv_heads * layer.key_dim},
      {layer.value, weights.value, weights.value_bias, layer.kv_heads * layer.value_dim},
  }};
  const bool torch = weights.torch != 0;
  std::size_t before = 0;  // numbers of the projections before, where they are stacked
  for (const Projection& projection : projections) {
    WeightMatrix matrix;
    if (weights.stacked.given != 0) {
      const std::size_t in = size(weights.stacked.dims[1]);
      matrix = {weights_at(weights.stacked, block) + before * in, projection.out, in, true};
    } else {
      matrix = matrix_at(projection.matrix, torch, block);
    }
    const float* bias = weights.stacked_bias.given != 0
                            ? weights_at(weights.stacked_bias, block) + before
                            : weights_at(projection.bias, block);
    projection.map = build(kernels, matrix, bias, memory);
    before += projection.out;
  }
  if (weights.output.given == 0) return layer;
  layer.output = build(kernels, matrix_at(weights.output, torch, block),
                       weights_at(weights.output_bias, block), memory);
  return layer;
}

std::string check(NewMultiHead& request) {
  std::string problem = check(request.weights);
  if (!problem.empty()) return problem;
  Workspace counting;
  counting.take<MultiHeadAttention>(1);
  build(reference_kernels(), request.weights, &request, counting);
  request.object_bytes = static_cast<double>(counting.used());
  request.bytes = request.weights.bytes;
  return "";
}

void run(const Kernels& kernels, const NewMultiHead& request, void* block) {
  Workspace memory(&layer_of(request));
  memory.take<MultiHeadAttention>(1);
  new (&layer_of(request)) MultiHeadAttention(build(kernels, request.weights, block, memory));
}

}  // namespace attention
