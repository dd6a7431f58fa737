// forward() of the Transformer's layers, and for the pool the projections of keys and values on
// their own.
#include "attention/transformer.h"

#include "calls/entries.h"
#include "calls/sequences.h"

namespace attention::calls {
namespace {

const Tensor nothing{};

// The options of a decoder's attention to the memory are its own.
struct TransformerCall : Call, Options, Kept {
  double layer;                 // address of a TransformerLayer
  Tensor x;                     // [batch ×] length × model_dim
  Tensor self_key, self_value;  // the sequence's, projected already; x may then be some of its rows
  double cache;                 // x goes into it first
  Tensor memory;                // [batch ×] length × memory_dim
  Tensor memory_key, memory_value;
  double memory_cache;
  MaskTensor cross_mask;
  List cross_key_lengths;
  double wants_cross_weights;
  double wants_projections;
  Result cross_weights;
  Result query, key, value, cross_query, cross_key, cross_value;  // [batch ×] heads × length × dim
  Result output;                                                  // as x

  void fields(auto&& field) {
    Call::fields(field);
    Options::fields(field);
    field("weights", weights, "layer", layer, "x", x, "selfKey", self_key, "selfValue", self_value,
          "cache", cache, "memory", memory, "memoryKey", memory_key, "memoryValue", memory_value,
          "memoryCache", memory_cache, "crossMask", cross_mask, "crossMaskIsAdditive",
          cross_mask.additive, "crossKeyLengths", cross_key_lengths, "wantsCrossWeights",
          wants_cross_weights, "wantsProjections", wants_projections, "crossWeights", cross_weights,
          "query", query, "key", key, "value", value, "crossQuery", cross_query, "crossKey",
          cross_key, "crossValue", cross_value, "output", output);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_part(rules, transformer().self, looked_into(), *this, {}, sizes)) return false;
    Options wanted{};
    wanted.wants_weights = wants_weights;
    give_kept(rules, wanted, sizes, x.rank, true, *this);
    if (wants_projections != 0) give_projections(rules, sizes, query, key, value);
    if (!check_memory(rules)) return false;
    if (transformer().is_decoder) {
      const Options options = cross_options();
      if (!check_part(rules, transformer().cross, remembered(), options,
                      {"crossKeyLengths", "crossMask"}, sizes)) {
        return false;
      }
      Kept kept{};
      give_kept(rules, options, sizes, x.rank, true, kept);
      cross_weights = kept.weights;
      if (wants_projections != 0) {
        give_projections(rules, sizes, cross_query, cross_key, cross_value);
      }
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
    forward(kernels, transformer(), block.sequences(x), context(block), options,
            {attention_results(*this, *this, block),
             attention_results(cross_options(), cross, block),
             {block.numbers(query), block.numbers(key), block.numbers(value)},
             {block.numbers(cross_query), block.numbers(cross_key), block.numbers(cross_value)}},
            workspace);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }

  ContextFields looked_into() const {
    return {"x", nothing, cache, cache != 0, self_key, self_value};
  }
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

  void give_projections(Rules& rules, const Sizes& sizes, Result& queries, Result& keys,
                        Result& values) const {
    const auto give = [&](Result& result, double heads, double rows, double dim) {
      rules.give(result, x.rank == 3 ? tensor_of({sizes.batch, heads, rows, dim})
                                     : tensor_of({heads, rows, dim}));
    };
    give(queries, sizes.heads, sizes.q_len, sizes.key_dim);
    give(keys, sizes.kv_heads, sizes.k_len, sizes.key_dim);
    give(values, sizes.kv_heads, sizes.k_len, sizes.value_dim);
  }

  // That there is one where it is looked into, and nowhere else.
  bool check_memory(Rules& rules) const {
    if (transformer().is_decoder) {
      if (memory.is_given() || memory_cache != 0 || memory_key.is_given()) return true;
      return rules.broken("memory is missing");
    }
    const char* given = memory.is_given() || memory_cache != 0 ? "memory"
                        : cross_mask.is_given()                ? "crossMask"
                        : cross_key_lengths.is_given()         ? "crossKeyLengths"
                                                               : nullptr;
    if (given == nullptr) return true;
    return rules.broken("$ is given but the layer has no attention to a memory", given);
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
  Result self_key, self_value, memory_key, memory_value;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "memory", memory, "selfKey", self_key, "selfValue", self_value,
          "memoryKey", memory_key, "memoryValue", memory_value);
  }

  bool check(Rules& rules) {
    const MultiHeadAttention& self = transformer().self;
    if (!check_sequence(rules, "x", x, self.key.in, "model_dim")) return false;
    rules.give(self_key, with_width(x, static_cast<double>(self.key.out)));
    rules.give(self_value, with_width(x, static_cast<double>(self.value.out)));
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
            {block.sequences(self_key), block.sequences(self_value), block.sequences(memory_key),
             block.sequences(memory_value)},
            workspace);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }
};

// The address of the attention to a memory inside a layer, for the calls of MultiHeadAttention.
struct MemoryOfTransformerCall : Call {
  double layer;
  Fact cross;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "cross", cross);
  }

  bool check(Rules& rules) {
    const auto& transformer = object_at<const TransformerLayer>(layer);
    cross = address_of(&transformer.cross);
    if (transformer.is_decoder) return true;
    return rules.broken("the layer has no attention to a memory");
  }

  void run(const Kernels&, const Block&) const {}
};

}  // namespace

constinit const Entry transformer_call = entry<TransformerCall>("transformerLayer");
constinit const Entry project_layer_call = entry<ProjectLayerCall>("projectLayer");
constinit const Entry memory_of_transformer_call =
    entry<MemoryOfTransformerCall>("memoryOfTransformer");

}  // namespace attention::calls
