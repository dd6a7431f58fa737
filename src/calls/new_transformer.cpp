// Making a layer of a Transformer: TransformerLayer with names of its own, TransformerEncoderLayer
// and TransformerDecoderLayer with those of torch.nn.
#include <algorithm>
#include <array>
#include <utility>

#include "attention/transformer.h"
#include "calls/entries.h"
#include "calls/layer_positions.h"
#include "calls/multi_head_weights.h"

namespace attention::calls {
namespace {

struct NormNames {
  const char* weight;
  const char* bias;
};
constexpr NormNames kTorchNorms[] = {
    {"norm1.weight", "norm1.bias"}, {"norm2.weight", "norm2.bias"}, {"norm3.weight", "norm3.bias"}};
constexpr NormNames kSelfNorm = {"selfNorm", "selfNormBias"};
constexpr NormNames kCrossNorm = {"crossNorm", "crossNormBias"};
constexpr NormNames kFeedForwardNorm = {"feedForwardNorm", "feedForwardNormBias"};

struct NewTransformerCall : MakingCall {
  double torch;     // named as in a state dict of torch.nn, matrices out × in
  double in_first;  // of the others: in × out
  double decoder;
  Optional heads, kv_heads, scale, norm_first;
  double parallel, activation, rms, epsilon;  // activation: an Activation
  MultiHeadWeights self, cross;
  Tensor query_norm, key_norm, cross_query_norm, cross_key_norm;  // d_k
  LayerPositions positions;
  WeightTensor widen, gate, narrow;
  Tensor widen_bias, gate_bias, narrow_bias;
  std::array<Tensor, 3> norms, norm_biases;  // of the parts in their order
  Tensor self_scale, feed_forward_scale;

  void fields(auto&& field) {
    MakingCall::fields(field);
    field("torch", torch, "inFirst", in_first, "decoder", decoder, "heads", heads, "kvHeads",
          kv_heads, "scale", scale, "normFirst", norm_first, "parallel", parallel, "activation",
          activation, "rms", rms, "epsilon", epsilon);
    self.fields(field);
    field.begin("cross");
    cross.fields(field);
    field.begin("");
    field("queryNorm", query_norm, "keyNorm", key_norm, "crossQueryNorm", cross_query_norm,
          "crossKeyNorm", cross_key_norm);
    positions.fields(field);
    field("widen", widen, "widenBias", widen_bias, "gate", gate, "gateBias", gate_bias, "narrow",
          narrow, "narrowBias", narrow_bias, "norm1", norms[0], "norm2", norms[1], "norm3",
          norms[2], "norm1Bias", norm_biases[0], "norm2Bias", norm_biases[1], "norm3Bias",
          norm_biases[2], "selfScale", self_scale, "feedForwardScale", feed_forward_scale);
  }

  bool check(Rules& rules) {
    if (!check_attention(rules, form().name("self.", "self_attn."), self, query_norm, key_norm) ||
        (is_decoder() && !check_attention(rules, form().name("cross.", "multihead_attn."), cross,
                                          cross_query_norm, cross_key_norm)) ||
        !check_self(rules) || !check_feed_forward(rules) || !check_parts(rules) ||
        !check_norms(rules)) {
      return false;
    }
    object_bytes = bytes_of<TransformerLayer>(shape());
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    auto& layer = make_at<TransformerLayer>(object, shape());
    layer.parallel = parallel != 0;
    layer.norm_first = norms_first();
    layer.activation = value_of<Activation>(activation);
    layer.self.scale = layer.cross.scale = real(scale);
    self.pack(kernels, block, out_first(), layer.self);
    copy_head_norms(block, query_norm, key_norm, layer.self);
    positions.write(block, layer.self);
    if (is_decoder()) {
      cross.pack(kernels, block, out_first(), layer.cross);
      copy_head_norms(block, cross_query_norm, cross_key_norm, layer.cross);
    }
    const auto pack = [&](LinearMap& map, const WeightTensor& weight, const Tensor& bias) {
      pack_map(kernels, map, block.stored(weight), out_first(), block.numbers(bias));
    };
    pack(layer.widen, widen, widen_bias);
    if (gate.is_given()) pack(layer.gate, gate, gate_bias);
    pack(layer.narrow, narrow, narrow_bias);
    std::size_t part = 0;
    copy_norm(block, part++, layer.self_norm);
    if (is_decoder()) copy_norm(block, part++, layer.cross_norm);
    copy_norm(block, part, layer.feed_forward_norm);
    copy(block, self_scale, layer.self_scale);
    copy(block, feed_forward_scale, layer.feed_forward_scale);
  }

 private:
  bool is_decoder() const { return decoder != 0; }
  bool norms_first() const { return norm_first.value_or(parallel) != 0; }
  bool out_first() const { return torch != 0 || in_first == 0; }
  std::size_t parts() const { return is_decoder() ? 3 : 2; }

  WeightForm form() const { return {torch != 0, out_first()}; }

  const NormNames& norm_names(std::size_t part) const {
    if (torch != 0) return kTorchNorms[part];
    return part == 0 ? kSelfNorm : part + 1 < parts() ? kCrossNorm : kFeedForwardNorm;
  }

  TransformerShape shape() const {
    const auto linear = [&](const Tensor& matrix, const Tensor& bias) {
      LinearShape map{size(form().in(matrix)), size(form().out(matrix)), bias.is_given()};
      keep_type(map, matrix, out_first());
      return map;
    };
    TransformerShape shape;
    shape.self = self.shape(out_first());
    shape.self.query_norm = query_norm.is_given();
    shape.self.key_norm = key_norm.is_given();
    positions.shape(shape.self, self.key_dim);
    shape.is_decoder = is_decoder();
    if (is_decoder()) {
      shape.cross = cross.shape(out_first());
      shape.cross.query_norm = cross_query_norm.is_given();
      shape.cross.key_norm = cross_key_norm.is_given();
    }
    shape.widen = linear(widen, widen_bias);
    if (gate.is_given()) shape.gate = linear(gate, gate_bias);
    shape.narrow = linear(narrow, narrow_bias);
    shape.feed_forward_norm = norms[parts() - 1].is_given();
    shape.self_norm_bias = norm_biases[0].is_given();
    shape.cross_norm_bias = norm_biases[1].is_given();
    shape.feed_forward_norm_bias = norm_biases[parts() - 1].is_given();
    shape.self_scale = self_scale.is_given();
    shape.feed_forward_scale = feed_forward_scale.is_given();
    return shape;
  }

  static void copy(const Block& block, const Tensor& row, float* to) {
    if (row.is_given()) std::copy_n(block.numbers(row), size(row.count), to);
  }

  void copy_norm(const Block& block, std::size_t part, Norm& norm) const {
    norm.epsilon = real(epsilon);
    norm.rms = rms != 0;
    copy(block, norms[part], norm.weight);
    copy(block, norm_biases[part], norm.bias);
  }

  void copy_head_norms(const Block& block, const Tensor& query, const Tensor& key,
                       MultiHeadAttention& layer) const {
    layer.query_norm.epsilon = layer.key_norm.epsilon = real(epsilon);
    copy(block, query, layer.query_norm.weight);
    copy(block, key, layer.key_norm.weight);
  }

  // What goes round in a layer has one width.
  bool is_wide(Rules& rules, const char* name, double found, bool is_out) const {
    if (found == self.model_dim) return true;
    return rules.broken("$$ has #$ but the layer is d_model = # wide", rules.part(), name, found,
                        is_out == out_first() ? " rows" : " columns", self.model_dim);
  }

  bool check_attention(Rules& rules, const char* part, MultiHeadWeights& weights,
                       const Tensor& of_query, const Tensor& of_key) const {
    const char* output = form().name("output", "out_proj.weight");
    rules.begin(part);
    const bool fits =
        weights.check(rules, form(), heads, kv_heads) && rules.matrix(output, weights.output) &&
        is_wide(rules, output, weights.out_dim, true) &&
        is_wide(rules, form().name("query", "in_proj_weight"), weights.model_dim, false) &&
        rules.row("queryNorm", of_query, "d_k", weights.key_dim) &&
        rules.row("keyNorm", of_key, "d_k", weights.key_dim);
    rules.begin("");
    return fits;
  }

  bool check_self(Rules& rules) const {
    rules.begin(form().name("self.", "self_attn."));
    const bool fits =
        is_wide(rules, form().name("key", "in_proj_weight"), self.context_dim, false) &&
        positions.check_biases(rules, self.heads);
    rules.begin("");
    return fits && rules.finite_option("scale", scale) &&
           positions.check_rotary(rules, self.key_dim);
  }

  // That a matrix is out × in, or the other way round as they all are.
  bool check_matrix(Rules& rules, const char* name, const Tensor& matrix, const char* out,
                    double out_width, const char* in, double in_width) const {
    if (!rules.tensor(name, matrix, 2, 2)) return false;
    if (form().out(matrix) == out_width && form().in(matrix) == in_width) return true;
    if (!out_first()) {
      std::swap(out, in);
      std::swap(out_width, in_width);
    }
    return rules.broken("$ has dims @ but must be $ × $ = #×#", name, matrix, out, in, out_width,
                        in_width);
  }

  bool check_feed_forward(Rules& rules) const {
    const double width = self.model_dim;
    const double wide = form().out(widen);
    const char* widen_name = form().name("widen", "linear1.weight");
    const char* hidden = torch != 0    ? "the rows of linear1.weight"
                         : out_first() ? "the rows of widen"
                                       : "the columns of widen";
    const bool has_gate = gate.is_given() || gate_bias.is_given();
    return check_matrix(rules, widen_name, widen, "out", wide, "d_model", width) &&
           check_matrix(rules, form().name("narrow", "linear2.weight"), narrow, "d_model", width,
                        hidden, wide) &&
           rules.matrix(widen_name, widen) &&
           (!has_gate || check_matrix(rules, "gate", gate, hidden, wide, "d_model", width)) &&
           rules.row(form().name("widenBias", "linear1.bias"), widen_bias, "out", wide) &&
           rules.row("gateBias", gate_bias, "out", wide) &&
           rules.row(form().name("narrowBias", "linear2.bias"), narrow_bias, "out", width) &&
           rules.row("selfScale", self_scale, "d_model", width) &&
           rules.row("feedForwardScale", feed_forward_scale, "d_model", width);
  }

  // How parts come together.
  bool check_parts(Rules& rules) const {
    if (parallel == 0) return true;
    if (is_decoder()) {
      return rules.broken(
          "parallel is true but attention to a memory looks at what self-attention gave, so there "
          "must be no cross");
    }
    if (norms_first()) return true;
    return rules.broken("parallel is true but normFirst is false: parallel parts take x normed");
  }

  bool check_norms(Rules& rules) const {
    if (!rules.at_least_0("epsilon", epsilon)) return false;
    for (std::size_t part = 0; part < parts(); ++part) {
      const NormNames& names = norm_names(part);
      const Tensor& bias = norm_biases[part];
      const bool is_shared = parallel != 0 && part == 1 && !bias.is_given();
      if (!norms[part].is_given() && is_shared) continue;
      if (!norms[part].is_given()) return rules.broken("$ is missing", names.weight);
      if (!rules.row(names.weight, norms[part], "out", self.model_dim)) return false;
      if (rms != 0 && bias.is_given()) {
        return rules.broken("$ is given but an RMS norm has none", names.bias);
      }
      if (!rules.row(names.bias, bias, "out", self.model_dim)) return false;
    }
    return true;
  }
};

}  // namespace

constinit const Entry new_transformer_call = entry<NewTransformerCall>("newTransformerLayer");

}  // namespace attention::calls
