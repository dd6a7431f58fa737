// TransformerEncoderLayer and TransformerDecoderLayer: making one, forward(), and for the pool the
// projections of keys and values on their own.
#include "attention/transformer.h"

#include <algorithm>
#include <array>

#include "calls/entries.h"
#include "calls/multi_head_weights.h"
#include "calls/sequences.h"

namespace attention::calls {
namespace {

constexpr std::array<const char*, 3> kNormWeights = {"norm1.weight", "norm2.weight",
                                                     "norm3.weight"};
constexpr std::array<const char*, 3> kNormBiases = {"norm1.bias", "norm2.bias", "norm3.bias"};

const Tensor nothing{};

struct NewTransformerCall : MakingCall {
  double decoder;
  Optional heads;
  double norm_first, activation, rms, epsilon;  // activation: an Activation
  MultiHeadWeights self, cross;
  WeightTensor widen, narrow;
  Tensor widen_bias, narrow_bias;
  std::array<Tensor, 3> norms, norm_biases;  // of the parts in their order

  void fields(auto&& field) {
    MakingCall::fields(field);
    field("decoder", decoder, "heads", heads, "normFirst", norm_first, "activation", activation,
          "rms", rms, "epsilon", epsilon);
    self.fields(field);
    field.begin("cross");
    cross.fields(field);
    field.begin("");
    field("widen", widen, "widenBias", widen_bias, "narrow", narrow, "narrowBias", narrow_bias,
          "norm1", norms[0], "norm2", norms[1], "norm3", norms[2], "norm1Bias", norm_biases[0],
          "norm2Bias", norm_biases[1], "norm3Bias", norm_biases[2]);
  }

  bool check(Rules& rules) {
    const Optional as_many{};
    if (!self.check(rules, true, "self_attn.", heads, as_many) ||
        (is_decoder() && !cross.check(rules, true, "multihead_attn.", heads, as_many)) ||
        !check_widths(rules) || !check_feed_forward(rules) || !check_norms(rules)) {
      return false;
    }
    object_bytes = bytes_of<TransformerLayer>(shape());
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    auto& layer = make_at<TransformerLayer>(object, shape());
    layer.norm_first = norm_first != 0;
    layer.activation = value_of<Activation>(activation);
    self.pack(kernels, block, true, layer.self);
    if (is_decoder()) cross.pack(kernels, block, true, layer.cross);
    layer.widen.pack_transposed(kernels, block.stored(widen), block.numbers(widen_bias));
    layer.narrow.pack_transposed(kernels, block.stored(narrow), block.numbers(narrow_bias));
    std::size_t part = 0;
    copy_norm(block, part++, layer.self_norm);
    if (is_decoder()) copy_norm(block, part++, layer.cross_norm);
    copy_norm(block, part, layer.feed_forward_norm);
  }

 private:
  bool is_decoder() const { return decoder != 0; }
  std::size_t parts() const { return is_decoder() ? 3 : 2; }

  TransformerShape shape() const {
    TransformerShape shape;
    shape.self = self.shape(true);
    shape.is_decoder = is_decoder();
    if (is_decoder()) shape.cross = cross.shape(true);
    shape.widen = {size(widen.dims[1]), size(widen.dims[0]), widen_bias.is_given()};
    shape.narrow = {size(narrow.dims[1]), size(narrow.dims[0]), narrow_bias.is_given()};
    keep_type(shape.widen, widen, true);
    keep_type(shape.narrow, narrow, true);
    shape.self_norm_bias = norm_biases[0].is_given();
    shape.cross_norm_bias = norm_biases[1].is_given();
    shape.feed_forward_norm_bias = norm_biases[parts() - 1].is_given();
    return shape;
  }

  void copy_norm(const Block& block, std::size_t part, Norm& norm) const {
    norm.epsilon = real(epsilon);
    norm.rms = rms != 0;
    std::copy_n(block.numbers(norms[part]), size(self.model_dim), norm.weight);
    if (norm.bias == nullptr) return;
    std::copy_n(block.numbers(norm_biases[part]), size(self.model_dim), norm.bias);
  }

  // What goes round in a layer has one width.
  bool check_widths(Rules& rules) const {
    const auto is_wide = [&](const char* name, double found, const char* axis) {
      if (found == self.model_dim) return true;
      return rules.broken({name, " has ", found, " ", axis,
                           " but the layer is d_model = ", self.model_dim, " wide"});
    };
    return is_wide("self_attn.out_proj.weight", self.out_dim, "rows") &&
           is_wide("self_attn.in_proj_weight", self.context_dim, "columns") &&
           (!is_decoder() ||
            (is_wide("multihead_attn.in_proj_weight", cross.model_dim, "columns") &&
             is_wide("multihead_attn.out_proj.weight", cross.out_dim, "rows")));
  }

  bool check_feed_forward(Rules& rules) const {
    const double width = self.model_dim;
    return rules.tensor("linear1.weight", widen, 2, 2) &&
           rules.tensor("linear2.weight", narrow, 2, 2) &&
           rules.same_dims("linear1.weight", widen, "out × d_model",
                           tensor_of({widen.dims[0], width})) &&
           rules.same_dims("linear2.weight", narrow, "d_model × the rows of linear1.weight",
                           tensor_of({width, widen.dims[0]})) &&
           rules.matrix("linear1.weight", widen) &&
           rules.row("linear1.bias", widen_bias, "out", widen.dims[0]) &&
           rules.row("linear2.bias", narrow_bias, "out", width);
  }

  bool check_norms(Rules& rules) const {
    if (!rules.at_least_0("epsilon", epsilon)) return false;
    for (std::size_t part = 0; part < parts(); ++part) {
      const Tensor& weight = norms[part];
      const Tensor& bias = norm_biases[part];
      if (!weight.is_given()) return rules.broken({kNormWeights[part], " is missing"});
      if (!rules.row(kNormWeights[part], weight, "out", self.model_dim)) return false;
      if (rms != 0 && bias.is_given()) {
        return rules.broken({kNormBiases[part], " is given but an RMS norm has none"});
      }
      if (!rules.row(kNormBiases[part], bias, "out", self.model_dim)) return false;
    }
    return true;
  }
};

// The options of a decoder's attention to the memory are its own.
struct TransformerCall : Call, Options, Kept {
  double layer;       // address of a TransformerLayer
  Tensor x;           // [batch ×] length × model_dim
  Tensor key, value;  // the sequence's, projected already; x may then be some of its rows
  double cache;       // x goes into it first
  double appends;
  Tensor memory;  // [batch ×] length × memory_dim
  Tensor memory_key, memory_value;
  double memory_cache;
  MaskTensor cross_mask;
  List cross_key_lengths;
  double wants_cross_weights;
  Result cross_weights;
  Result output;  // as x

  void fields(auto&& field) {
    Call::fields(field);
    Options::fields(field);
    field("weights", weights, "layer", layer, "x", x, "key", key, "value", value, "cache", cache,
          "appends", appends, "memory", memory, "memoryKey", memory_key, "memoryValue",
          memory_value, "memoryCache", memory_cache, "crossMask", cross_mask, "crossMaskIsAdditive",
          cross_mask.additive, "crossKeyLengths", cross_key_lengths, "wantsCrossWeights",
          wants_cross_weights, "crossWeights", cross_weights, "output", output);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_part(rules, transformer().self, looked_into(), *this, {}, sizes)) return false;
    Options wanted{};
    wanted.wants_weights = wants_weights;
    give_kept(rules, wanted, sizes, x.rank, true, *this);
    if (transformer().is_decoder) {
      const Options options = cross_options();
      if (!check_part(rules, transformer().cross, remembered(), options,
                      {"crossKeyLengths", "crossMask"}, sizes)) {
        return false;
      }
      Kept kept{};
      give_kept(rules, options, sizes, x.rank, true, kept);
      cross_weights = kept.weights;
    }
    rules.give_in_place(output, x);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    TransformerOptions options;
    options.self = attention_options(*this, block);
    Kept cross{};
    // Of an encoder they are not looked at, whatever they hold.
    if (transformer().is_decoder) {
      options.cross = attention_options(cross_options(), block);
      cross.weights = cross_weights;
    }
    forward(
        kernels, transformer(), block.sequences(x), context(block), options,
        {attention_results(*this, *this, block), attention_results(cross_options(), cross, block)},
        workspace);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }

  ContextFields looked_into() const { return {"x", nothing, cache, appends != 0, key, value}; }
  ContextFields remembered() const {
    return {"memory", memory, memory_cache, false, memory_key, memory_value};
  }

  TransformerContext context(const Block& block) const {
    TransformerContext context;
    context.self = context_view(x, looked_into(), block);
    if (transformer().is_decoder) context.memory = context_view(x, remembered(), block);
    return context;
  }

  Options cross_options() const {
    Options options{};
    options.mask = cross_mask;
    options.key_lengths = cross_key_lengths;
    options.wants_weights = wants_cross_weights;
    return options;
  }

  bool check_part(Rules& rules, const MultiHeadAttention& attention, const ContextFields& context,
                  const Options& options, const VisibilityNames& names, Sizes& sizes) const {
    if (!check_context(rules, attention, x, context, sizes)) return false;
    const bool cached = context.cache != 0;
    if (cached) {
      const auto& held = object_at<const KeyValueCache>(context.cache);
      const KeyValueCache after = held.with(context.appends ? size(x.length()) : 0);
      if (!check_cached_offset(rules, options, after, sizes.q_len)) return false;
    }
    return check_attention_options(rules, options, sizes, cached, names);
  }
};

// The keys and values that a TransformerCall may be given, of some rows of its sequences.
struct ProjectLayerCall : Call {
  double layer;
  Tensor x, memory;
  Result key, value, memory_key, memory_value;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "memory", memory, "key", key, "value", value, "memoryKey",
          memory_key, "memoryValue", memory_value);
  }

  bool check(Rules& rules) {
    const MultiHeadAttention& self = transformer().self;
    if (!check_sequence(rules, "x", x, self.key.in, "model_dim")) return false;
    rules.give(key, with_width(x, static_cast<double>(self.key.out)));
    rules.give(value, with_width(x, static_cast<double>(self.value.out)));
    if (!transformer().is_decoder) return true;
    const MultiHeadAttention& cross = transformer().cross;
    if (!check_sequence(rules, "memory", memory, cross.key.in, "memory_dim")) return false;
    rules.give(memory_key, with_width(memory, static_cast<double>(cross.key.out)));
    rules.give(memory_value, with_width(memory, static_cast<double>(cross.value.out)));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const bool remembers = transformer().is_decoder;
    project(kernels, transformer(), block.sequences(x),
            block.sequences(remembers ? memory : nothing),
            {block.sequences(key), block.sequences(value), block.sequences(memory_key),
             block.sequences(memory_value)},
            workspace);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }
};

// The addresses of the attentions inside a layer, for the calls of MultiHeadAttention.
struct TransformerPartsCall : Call {
  double layer;
  Fact self, cross;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "self", self, "cross", cross);
  }

  bool check(Rules&) {
    const auto& transformer = object_at<const TransformerLayer>(layer);
    self = address_of(&transformer.self);
    cross = address_of(&transformer.cross);
    return true;
  }

  void run(const Kernels&, const Block&) const {}
};

}  // namespace

constinit const Entry new_transformer_call = entry<NewTransformerCall>("newTransformerLayer");
constinit const Entry transformer_call = entry<TransformerCall>("transformerLayer");
constinit const Entry project_layer_call = entry<ProjectLayerCall>("projectLayer");
constinit const Entry transformer_parts_call = entry<TransformerPartsCall>("transformerParts");

}  // namespace attention::calls
