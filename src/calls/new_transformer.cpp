// The call that constructs a Transformer layer.
#include <algorithm>
#include <utility>

#include "attention/transformer.h"
#include "calls/call.h"
#include "calls/layer_positions.h"
#include "calls/multi_head_weights.h"

namespace attention::calls {
namespace {

struct NewTransformerCall : ConstructorCall {
  double in_first;  // 0 or 1: matrices are in × out, else out × in
  double decoder;
  Optional heads, kv_heads, scale, norm_first;
  double parallel, activation, rms, epsilon;  // activation: an Activation
  MultiHeadWeights self, cross;
  Tensor query_norm, key_norm, cross_query_norm, cross_key_norm;  // see check_head_norms()
  LayerPositions positions;
  WeightTensor widen, gate, narrow;
  Tensor up_bias, gate_bias, down_bias;
  Tensor self_norm, self_norm_bias, cross_norm, cross_norm_bias;
  Tensor feed_forward_norm, feed_forward_norm_bias;
  Tensor self_output_norm, self_output_norm_bias;
  Tensor feed_forward_output_norm, feed_forward_output_norm_bias;
  Tensor self_scale, feed_forward_scale;

  void fields(auto&& field) {
    ConstructorCall::fields(field);
    field("inFirst", in_first, "decoder", decoder, "heads", heads, "kvHeads", kv_heads, "scale",
          scale, "normFirst", norm_first, "parallel", parallel, "activation", activation, "rms",
          rms, "epsilon", epsilon);
    self.fields(field);
    field.set_prefix("cross");
    cross.fields(field);
    field.set_prefix("");
    field("queryNorm", query_norm, "keyNorm", key_norm, "crossQueryNorm", cross_query_norm,
          "crossKeyNorm", cross_key_norm);
    positions.fields(field);
    field("widen", widen, "widenBias", up_bias, "gate", gate, "gateBias", gate_bias, "narrow",
          narrow, "narrowBias", down_bias, "selfNorm", self_norm, "selfNormBias", self_norm_bias,
          "crossNorm", cross_norm, "crossNormBias", cross_norm_bias, "feedForwardNorm",
          feed_forward_norm, "feedForwardNormBias", feed_forward_norm_bias, "selfOutputNorm",
          self_output_norm, "selfOutputNormBias", self_output_norm_bias, "feedForwardOutputNorm",
          feed_forward_output_norm, "feedForwardOutputNormBias", feed_forward_output_norm_bias,
          "selfScale", self_scale, "feedForwardScale", feed_forward_scale);
  }

  bool check(Rules& rules) {
    if (!check_attention(rules, "", self, query_norm, key_norm) ||
        (is_decoder() &&
         !check_attention(rules, "cross", cross, cross_query_norm, cross_key_norm)) ||
        !check_self(rules) || !check_feed_forward(rules) || !check_sublayers(rules) ||
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
    copy_head_norms(block, query_norm, key_norm, real(epsilon), layer.self);
    positions.write(block, layer.self);
    if (is_decoder()) {
      cross.pack(kernels, block, out_first(), layer.cross);
      copy_head_norms(block, cross_query_norm, cross_key_norm, real(epsilon), layer.cross);
    }
    const auto pack = [&](LinearMap& map, const WeightTensor& weight, const Tensor& bias) {
      pack_map(kernels, map, block.stored(weight), out_first(), block.numbers(bias));
    };
    pack(layer.up, widen, up_bias);
    if (gate.is_present()) pack(layer.gate, gate, gate_bias);
    pack(layer.down, narrow, down_bias);
    copy_norm(block, self_norm, self_norm_bias, layer.self_norm);
    if (is_decoder()) copy_norm(block, cross_norm, cross_norm_bias, layer.cross_norm);
    copy_norm(block, feed_forward_norm, feed_forward_norm_bias, layer.feed_forward_norm);
    copy_norm(block, self_output_norm, self_output_norm_bias, layer.self_output_norm);
    copy_norm(block, feed_forward_output_norm, feed_forward_output_norm_bias,
              layer.feed_forward_output_norm);
    copy(block, self_scale, layer.self_scale);
    copy(block, feed_forward_scale, layer.feed_forward_scale);
  }

 private:
  bool is_decoder() const { return decoder != 0; }
  bool norms_first() const { return norm_first.value_or(parallel) != 0; }
  bool out_first() const { return in_first == 0; }
  WeightForm form() const { return {out_first()}; }

  TransformerShape shape() const {
    const auto linear = [&](const Tensor& matrix, const Tensor& bias) {
      LinearShape map{size(form().in(matrix)), size(form().out(matrix)), bias.is_present()};
      keep_type(map, matrix, out_first());
      return map;
    };
    TransformerShape shape;
    shape.self = self.shape(out_first());
    self.shape_head_norms(shape.self, query_norm, key_norm);
    positions.shape(shape.self, self.key_dim);
    shape.is_decoder = is_decoder();
    if (is_decoder()) {
      shape.cross = cross.shape(out_first());
      cross.shape_head_norms(shape.cross, cross_query_norm, cross_key_norm);
    }
    shape.up = linear(widen, up_bias);
    if (gate.is_present()) shape.gate = linear(gate, gate_bias);
    shape.down = linear(narrow, down_bias);
    shape.self_norm = self_norm.is_present();
    shape.feed_forward_norm = feed_forward_norm.is_present();
    shape.self_output_norm = self_output_norm.is_present();
    shape.self_output_norm_bias = self_output_norm_bias.is_present();
    shape.feed_forward_output_norm = feed_forward_output_norm.is_present();
    shape.feed_forward_output_norm_bias = feed_forward_output_norm_bias.is_present();
    shape.self_norm_bias = self_norm_bias.is_present();
    shape.cross_norm_bias = cross_norm_bias.is_present();
    shape.feed_forward_norm_bias = feed_forward_norm_bias.is_present();
    shape.self_scale = self_scale.is_present();
    shape.feed_forward_scale = feed_forward_scale.is_present();
    return shape;
  }

  static void copy(const Block& block, const Tensor& row, float* to) {
    if (row.is_present()) std::copy_n(block.numbers(row), size(row.count), to);
  }

  void copy_norm(const Block& block, const Tensor& weight, const Tensor& bias, Norm& norm) const {
    norm.epsilon = real(epsilon);
    norm.rms = rms != 0;
    copy(block, weight, norm.weight);
    copy(block, bias, norm.bias);
  }

  // The residual stream has one width, d_model.
  bool is_wide(Rules& rules, const char* name, double found, bool is_out) const {
    if (found == self.model_dim) return true;
    return rules.fail("$ has #$ but the layer is d_model = # wide", rules.field(name), found,
                      is_out == out_first() ? " rows" : " columns", self.model_dim);
  }

  bool check_attention(Rules& rules, const char* prefix, MultiHeadWeights& weights,
                       const Tensor& of_query, const Tensor& of_key) const {
    rules.set_prefix(prefix);
    const bool fits = weights.check(rules, form(), heads, kv_heads) &&
                      rules.matrix("output", weights.output) &&
                      is_wide(rules, "output", weights.out_dim, true) &&
                      is_wide(rules, weights.input("query"), weights.model_dim, false) &&
                      weights.check_head_norms(rules, of_query, of_key);
    rules.set_prefix("");
    return fits;
  }

  bool check_self(Rules& rules) const {
    return is_wide(rules, self.input("key"), self.context_dim, false) &&
           positions.check_biases(rules, self.heads) &&
           positions.check_vectors(rules, self.heads, self.kv_heads, self.key_dim) &&
           rules.finite_option("scale", scale) && positions.check_rotary(rules, self.key_dim);
  }

  // Checks that a matrix is out × in, or in × out if out_first() is false.
  bool check_matrix(Rules& rules, const char* name, const Tensor& matrix, const char* out,
                    double out_width, const char* in, double in_width) const {
    if (!rules.tensor(name, matrix, 2, 2)) return false;
    if (form().out(matrix) == out_width && form().in(matrix) == in_width) return true;
    if (!out_first()) {
      std::swap(out, in);
      std::swap(out_width, in_width);
    }
    return rules.fail("$ has dims @ but must be $ × $ = #×#", rules.field(name), matrix, out, in,
                      out_width, in_width);
  }

  bool check_feed_forward(Rules& rules) const {
    const double width = self.model_dim;
    const double wide = form().out(widen);
    const char* hidden = out_first() ? "the rows of {widen}" : "the columns of {widen}";
    const bool has_gate = gate.is_present() || gate_bias.is_present();
    return check_matrix(rules, "widen", widen, "out", wide, "d_model", width) &&
           check_matrix(rules, "narrow", narrow, "d_model", width, hidden, wide) &&
           rules.matrix("widen", widen) &&
           (!has_gate || check_matrix(rules, "gate", gate, hidden, wide, "d_model", width)) &&
           rules.row("widenBias", up_bias, "out", wide) &&
           rules.row("gateBias", gate_bias, "out", wide) &&
           rules.row("narrowBias", down_bias, "out", width) &&
           rules.row("selfScale", self_scale, "d_model", width) &&
           rules.row("feedForwardScale", feed_forward_scale, "d_model", width);
  }

  // Rules of parallel sublayers.
  bool check_sublayers(Rules& rules) const {
    if (parallel == 0) return true;
    if (is_decoder()) {
      return rules.fail(
          "parallel is true but cross-attention needs the output of self-attention, so there must "
          "be no cross");
    }
    if (norms_first()) return true;
    return rules.fail("parallel is true but normFirst is false: parallel sublayers need normFirst");
  }

  bool check_norms(Rules& rules) const {
    if (!rules.at_least_0("epsilon", epsilon)) return false;
    const bool is_optional = norms_first() && parallel == 0;
    return check_output_norms(rules) &&
           check_optional_norm(rules, is_optional, "selfNorm", self_norm, "selfNormBias",
                               self_norm_bias) &&
           (!is_decoder() ||
            check_norm(rules, "crossNorm", cross_norm, "crossNormBias", cross_norm_bias)) &&
           check_optional_norm(rules, norms_first(), "feedForwardNorm", feed_forward_norm,
                               "feedForwardNormBias", feed_forward_norm_bias);
  }

  // Norms of what sublayers add.
  bool check_output_norms(Rules& rules) const {
    const bool have_any = self_output_norm.is_present() || self_output_norm_bias.is_present() ||
                          feed_forward_output_norm.is_present() ||
                          feed_forward_output_norm_bias.is_present();
    if (have_any && (!norms_first() || parallel != 0)) {
      return rules.fail(
          "norms of the outputs of sublayers (selfOutputNorm, feedForwardOutputNorm) need "
          "normFirst and no parallel");
    }
    return check_optional_norm(rules, true, "selfOutputNorm", self_output_norm,
                               "selfOutputNormBias", self_output_norm_bias) &&
           check_optional_norm(rules, true, "feedForwardOutputNorm", feed_forward_output_norm,
                               "feedForwardOutputNormBias", feed_forward_output_norm_bias);
  }

  bool check_optional_norm(Rules& rules, bool is_optional, const char* name, const Tensor& weight,
                           const char* bias_name, const Tensor& bias) const {
    if (is_optional && !weight.is_present() && !bias.is_present()) return true;
    return check_norm(rules, name, weight, bias_name, bias);
  }

  bool check_norm(Rules& rules, const char* name, const Tensor& weight, const char* bias_name,
                  const Tensor& bias) const {
    if (!rules.tensor(name, weight, 1, 1) || !rules.row(name, weight, "out", self.model_dim)) {
      return false;
    }
    if (rms != 0 && bias.is_present()) {
      return rules.fail("$ is given but an RMS norm has none", rules.field(bias_name));
    }
    return rules.row(bias_name, bias, "out", self.model_dim);
  }
};

const Registration kNewTransformerCalls{
    entry<NewTransformerCall>("newTransformerLayer"),
};

}  // namespace
}  // namespace attention::calls
