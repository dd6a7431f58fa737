// Calls of Transformer layers: forward(), and the projection of keys and values, which the pool
// computes once for all workers.
#include "attention/transformer.h"

#include "calls/call.h"
#include "calls/edits.h"
#include "calls/sequences.h"

namespace attention::calls {
namespace {

// Cross-attention has its own mask, key lengths and requested weights.
struct TransformerCall : Call, Options, RequestedResults, InterventionFields {
  double layer;                 // address of a TransformerLayer
  Tensor x;                     // [batch ×] length × model_dim
  Tensor self_key, self_value;  // projected from the whole sequence, of which x holds some rows
  double cache;                 // x is appended to it first
  Tensor memory;                // [batch ×] length × memory_dim
  Tensor memory_key, memory_value;
  double memory_cache;
  MaskTensor cross_mask;
  List cross_key_lengths;
  double return_cross_weights;
  double return_projections;
  Result cross_weights;
  Result query, key, value, cross_query, cross_key, cross_value;  // [batch ×] heads × length × dim
  Result output;                                                  // dims of x

  void fields(auto&& field) {
    Call::fields(field);
    Options::fields(field);
    field("weights", weights, "layer", layer, "x", x, "selfKey", self_key, "selfValue", self_value,
          "cache", cache, "memory", memory, "memoryKey", memory_key, "memoryValue", memory_value,
          "memoryCache", memory_cache, "crossMask", cross_mask, "crossMaskIsAdditive",
          cross_mask.additive, "crossKeyLengths", cross_key_lengths, "returnCrossWeights",
          return_cross_weights, "returnProjections", return_projections, "crossWeights",
          cross_weights, "query", query, "key", key, "value", value, "crossQuery", cross_query,
          "crossKey", cross_key, "crossValue", cross_value, "output", output);
    InterventionFields::fields(field);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_attention(rules, transformer().self, self_context(), *this, sizes)) return false;
    Options only_weights{};
    only_weights.return_weights = return_weights;
    set_requested_results(rules, only_weights, sizes, x.rank, true, *this);
    if (return_projections != 0) set_projections(rules, sizes, x.rank, query, key, value);
    if (!check_memory(rules)) return false;
    if (transformer().is_decoder) {
      const Options options = cross_options();
      if (!check_attention(rules, transformer().cross, memory_context(), options, sizes,
                           {"crossKeyLengths", "crossMask"})) {
        return false;
      }
      RequestedResults requested{};
      set_requested_results(rules, options, sizes, x.rank, true, requested);
      cross_weights = requested.weights;
      if (return_projections != 0) {
        set_projections(rules, sizes, x.rank, cross_query, cross_key, cross_value);
      }
    }
    rules.set_result_in_place(output, x);
    if (!has_interventions()) return true;
    const bool edits_keys[] = {self_context().projects(), memory_context().projects()};
    return check_interventions(rules, places(Block(this)), edits_keys, x.batch());
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    TransformerOptions options;
    options.self = attention_options(*this, block);
    RequestedResults cross{};
    // An encoder ignores the cross-attention fields, which may hold anything.
    if (transformer().is_decoder) {
      options.cross = attention_options(cross_options(), block);
      cross.weights = cross_weights;
    }
    Interventions interventions;
    if (has_interventions())
      interventions = view_interventions(places(block), x.batch(), block, workspace);
    forward(kernels, transformer(), block.sequences(x), context(block), options,
            {attention_results(*this, *this, block),
             attention_results(cross_options(), cross, block),
             {block.numbers(query), block.numbers(key), block.numbers(value)},
             {block.numbers(cross_query), block.numbers(cross_key), block.numbers(cross_value)}},
            workspace, has_interventions() ? &interventions : nullptr);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }

  ContextFields self_context() const {
    return {.x = x,
            .name = "x",
            .cache = cache,
            .appends = cache != 0,
            .key = self_key,
            .value = self_value};
  }
  ContextFields memory_context() const {
    return {.x = x,
            .name = "memory",
            .rows = memory,
            .cache = memory_cache,
            .key = memory_key,
            .value = memory_value};
  }

  TransformerContext context(const Block& block) const {
    TransformerContext context;
    context.self = context_view(self_context(), block);
    if (transformer().is_decoder) context.memory = context_view(memory_context(), block);
    return context;
  }

  ByPlace<PlaceShape> places(const Block& block) const {
    return places_of(transformer(), block.sequences(x), context(block));
  }

  Options cross_options() const {
    Options options{};
    options.mask = cross_mask;
    options.key_lengths = cross_key_lengths;
    options.return_weights = return_cross_weights;
    return options;
  }

  // A decoder needs a memory; an encoder must not have one.
  bool check_memory(Rules& rules) const {
    if (transformer().is_decoder) {
      if (memory.is_present() || memory_cache != 0 || memory_key.is_present()) return true;
      return rules.fail("memory is missing");
    }
    const char* argument = memory.is_present() || memory_cache != 0 ? "memory"
                           : cross_mask.is_present()                ? "crossMask"
                           : cross_key_lengths.is_present()         ? "crossKeyLengths"
                                                                    : nullptr;
    if (argument == nullptr) return true;
    return rules.fail("$ is given but the layer has no cross-attention", argument);
  }
};

// Projects keys and values of some rows of x and memory, for a TransformerCall.
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
    rules.set_result(self_key, with_width(x, static_cast<double>(self.key.out)));
    rules.set_result(self_value, with_width(x, static_cast<double>(self.value.out)));
    if (!transformer().is_decoder) return true;
    const MultiHeadAttention& cross = transformer().cross;
    if (!check_sequence(rules, "memory", memory, cross.key.in, "memory_dim")) return false;
    rules.set_result(memory_key, with_width(memory, static_cast<double>(cross.key.out)));
    rules.set_result(memory_value, with_width(memory, static_cast<double>(cross.value.out)));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const bool is_decoder = transformer().is_decoder;
    project(kernels, transformer(), block.sequences(x),
            block.sequences(is_decoder ? memory : kAbsent),
            {block.sequences(self_key), block.sequences(self_value), block.sequences(memory_key),
             block.sequences(memory_value)},
            workspace);
  }

 private:
  const TransformerLayer& transformer() const { return object_at<const TransformerLayer>(layer); }
};

// Returns the address of the cross-attention in a layer, for calls of MultiHeadAttention.
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
    return rules.fail("the layer has no cross-attention");
  }

  void run(const Kernels&, const Block&) const {}
};

const Registration kTransformerCalls{
    entry<TransformerCall>("transformerLayer"),
    entry<ProjectLayerCall>("projectLayer"),
    entry<MemoryOfTransformerCall>("memoryOfTransformer"),
};

}  // namespace
}  // namespace attention::calls
