// Making a layer of a Transformer: TransformerLayer with names of its own, TransformerEncoderLayer
// and TransformerDecoderLayer with those of torch.nn.
#include <algorithm>
#include <array>

#include "attention/transformer.h"
#include "calls/entries.h"
#include "calls/layer_positions.h"
#include "calls/multi_head_weights.h"

namespace attention::calls {
namespace {

constexpr std::array<const char*, 3> kTorchNorms = {"norm1.weight", "norm2.weight", "norm3.weight"};
constexpr std::array<const char*, 3> kTorchNormBiases = {"norm1.bias", "norm2.bias", "norm3.bias"};

struct NewTransformerCall : MakingCall {
  double torch;     // named as in a state dict of torch.nn, matrices out × in
  double in_first;  // of the others: in × out
  double decoder;
  Optional heads, kv_heads, scale, norm_first;
  double parallel, activation, rms, epsilon;  // activation: an Activation
  MultiHeadWeights self, cross;
  Tensor query_norm, key_norm, cross_query_norm, cross_key_norm;  // d_k
  LayerPositions positions;
  Tensor widen, widen_bias, gate, gate_bias, narrow, narrow_bias;
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
    if (!self.check(rules, form("self.", "self_attn."), heads, kv_heads) ||
        (is_decoder() && !cross.check(rules, form("cross.", "multihead_attn."), heads, kv_heads)) ||
        !check_widths(rules) || !check_heads(rules) || !check_feed_forward(rules) ||
        !check_parts(rules) || !check_norms(rules)) {
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
    pack_map(kernels, layer.widen, block.rows(widen), out_first(), block.numbers(widen_bias));
    if (gate.is_given()) {
      pack_map(kernels, layer.gate, block.rows(gate), out_first(), block.numbers(gate_bias));
    }
    pack_map(kernels, layer.narrow, block.rows(narrow), out_first(), block.numbers(narrow_bias));
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

  WeightForm form(const char* our_prefix = "", const char* their_prefix = "") const {
    return {torch != 0, out_first(), torch != 0 ? their_prefix : our_prefix};
  }

  std::string norm_name(std::size_t part) const {
    if (torch != 0) return kTorchNorms[part];
    return part == 0 ? "selfNorm" : part + 1 < parts() ? "crossNorm" : "feedForwardNorm";
  }
  std::string norm_bias_name(std::size_t part) const {
    return torch != 0 ? kTorchNormBiases[part] : sentence({norm_name(part), "Bias"});
  }

  TransformerShape shape() const {
    const auto linear = [&](const Tensor& matrix, const Tensor& bias) {
      return LinearShape{size(form().in(matrix)), size(form().out(matrix)), bias.is_given()};
    };
    TransformerShape shape;
    shape.self = self.shape();
    shape.self.query_norm = query_norm.is_given();
    shape.self.key_norm = key_norm.is_given();
    positions.shape(shape.self, self.key_dim);
    shape.is_decoder = is_decoder();
    if (is_decoder()) {
      shape.cross = cross.shape();
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
  bool check_widths(Rules& rules) const {
    const auto is_wide = [&](const std::string& name, double found, const char* axis) {
      if (found == self.model_dim) return true;
      return rules.broken({name, " has ", found, " ", axis,
                           " but the layer is d_model = ", self.model_dim, " wide"});
    };
    const auto projects_back = [&](const WeightForm& form, const MultiHeadWeights& weights) {
      const std::string name = form.name("output", "out_proj.weight");
      return rules.matrix(name.c_str(), weights.output) &&
             is_wide(name, weights.out_dim, form.out_axis());
    };
    const WeightForm of_self = form("self.", "self_attn.");
    const WeightForm of_cross = form("cross.", "multihead_attn.");
    return projects_back(of_self, self) &&
           is_wide(of_self.name("key", "in_proj_weight"), self.context_dim, form().in_axis()) &&
           (!is_decoder() ||
            (is_wide(of_cross.name("query", "in_proj_weight"), cross.model_dim, form().in_axis()) &&
             projects_back(of_cross, cross)));
  }

  bool check_heads(Rules& rules) const {
    return rules.finite_option("scale", scale) &&
           rules.row("self.queryNorm", query_norm, "d_k", self.key_dim) &&
           rules.row("self.keyNorm", key_norm, "d_k", self.key_dim) &&
           rules.row("cross.queryNorm", cross_query_norm, "d_k", cross.key_dim) &&
           rules.row("cross.keyNorm", cross_key_norm, "d_k", cross.key_dim) &&
           positions.check(rules, self.heads, self.key_dim);
  }

  bool check_matrix(Rules& rules, const std::string& name, const Tensor& matrix, const char* out,
                    double out_width, const char* in, double in_width) const {
    return out_first() ? rules.same_dims(name.c_str(), matrix, sentence({out, " × ", in}).c_str(),
                                         tensor_of({out_width, in_width}))
                       : rules.same_dims(name.c_str(), matrix, sentence({in, " × ", out}).c_str(),
                                         tensor_of({in_width, out_width}));
  }

  bool check_feed_forward(Rules& rules) const {
    const double width = self.model_dim;
    const std::string widen_name = form().name("widen", "linear1.weight");
    const std::string narrow_name = form().name("narrow", "linear2.weight");
    const std::string hidden = sentence({"the ", form().out_axis(), " of ", widen_name});
    if (!rules.tensor(widen_name.c_str(), widen, 2, 2) ||
        !rules.tensor(narrow_name.c_str(), narrow, 2, 2)) {
      return false;
    }
    const double wide = form().out(widen);
    if (!check_matrix(rules, widen_name, widen, "out", wide, "d_model", width) ||
        !check_matrix(rules, narrow_name, narrow, "d_model", width, hidden.c_str(), wide) ||
        !rules.matrix(widen_name.c_str(), widen)) {
      return false;
    }
    if (gate.is_given() &&
        !(rules.tensor("gate", gate, 2, 2) &&
          check_matrix(rules, "gate", gate, hidden.c_str(), wide, "d_model", width))) {
      return false;
    }
    if (!gate.is_given() && gate_bias.is_given()) {
      return rules.broken({"gateBias is given without gate"});
    }
    return rules.row(form().name("widenBias", "linear1.bias").c_str(), widen_bias, "out", wide) &&
           rules.row("gateBias", gate_bias, "out", wide) &&
           rules.row(form().name("narrowBias", "linear2.bias").c_str(), narrow_bias, "out",
                     width) &&
           rules.row("selfScale", self_scale, "d_model", width) &&
           rules.row("feedForwardScale", feed_forward_scale, "d_model", width);
  }

  // How parts come together.
  bool check_parts(Rules& rules) const {
    if (parallel == 0) return true;
    if (is_decoder()) {
      return rules.broken({"parallel is true but attention to a memory looks at what ",
                           "self-attention gave, so there must be no cross"});
    }
    if (norms_first()) return true;
    return rules.broken({"parallel is true but normFirst is false: parallel parts take x normed"});
  }

  bool check_norms(Rules& rules) const {
    if (!rules.at_least_0("epsilon", epsilon)) return false;
    for (std::size_t part = 0; part < parts(); ++part) {
      const std::string name = norm_name(part);
      const std::string bias_name = norm_bias_name(part);
      const Tensor& weight = norms[part];
      const Tensor& bias = norm_biases[part];
      const bool is_shared = parallel != 0 && part == 1;
      if (!weight.is_given() && !(is_shared && !bias.is_given())) {
        return rules.broken({name, " is missing"});
      }
      if (!rules.row(name.c_str(), weight, "out", self.model_dim)) return false;
      if (rms != 0 && bias.is_given()) {
        return rules.broken({bias_name, " is given but an RMS norm has none"});
      }
      if (!rules.row(bias_name.c_str(), bias, "out", self.model_dim)) return false;
    }
    return true;
  }
};

}  // namespace

constinit const Entry new_transformer_call = entry<NewTransformerCall>("newTransformerLayer");

}  // namespace attention::calls
