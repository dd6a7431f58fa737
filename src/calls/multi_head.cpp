// Calls of MultiHeadAttention: construction, forward(), project(), projectContext().
#include "attention/multi_head.h"

#include "calls/call.h"
#include "calls/edits.h"
#include "calls/layer_positions.h"
#include "calls/multi_head_weights.h"
#include "calls/sequences.h"

namespace attention::calls {
namespace {

// The fields from scale on are those of a Transformer layer, of which the pool creates some heads.
struct NewMultiHeadCall : ConstructorCall {
  double out_first;  // 0 or 1: matrices are out × in, else in × out
  Optional heads, kv_heads, scale;
  MultiHeadWeights weights;
  Tensor query_norm, key_norm;  // see check_head_norms()
  double epsilon;
  LayerPositions positions;

  void fields(auto&& field) {
    ConstructorCall::fields(field);
    field("outFirst", out_first, "heads", heads, "kvHeads", kv_heads, "scale", scale);
    weights.fields(field);
    field("queryNorm", query_norm, "keyNorm", key_norm, "epsilon", epsilon);
    positions.fields(field);
  }

  bool check(Rules& rules) {
    if (!weights.check(rules, {out_first != 0}, heads, kv_heads) ||
        !rules.finite_option("scale", scale) ||
        !weights.check_head_norms(rules, query_norm, key_norm) ||
        !positions.check_biases(rules, weights.heads) ||
        !positions.check_vectors(rules, weights.heads, weights.kv_heads, weights.key_dim) ||
        !positions.check_rotary(rules, weights.key_dim)) {
      return false;
    }
    object_bytes = bytes_of<MultiHeadAttention>(shape());
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    auto& layer = make_at<MultiHeadAttention>(object, shape());
    weights.pack(kernels, block, out_first != 0, layer);
    layer.scale = real(scale);
    copy_head_norms(block, query_norm, key_norm, real(epsilon), layer);
    positions.write(block, layer);
  }

 private:
  MultiHeadShape shape() const {
    MultiHeadShape shape = weights.shape(out_first != 0);
    weights.shape_head_norms(shape, query_norm, key_norm);
    positions.shape(shape, weights.key_dim);
    return shape;
  }
};

struct MultiHeadCall : Call, Options, RequestedResults, InterventionFields {
  double layer;    // address of a MultiHeadAttention
  Tensor x;        // [batch ×] q_len × model_dim
  Tensor context;  // [batch ×] k_len × context_dim; x if not given
  double cache;    // address of a KeyValueCache to attend to, or 0
  double appends;  // 0 or 1: first append the keys and values of context (or x) to the cache
  double return_head_outputs, return_projections;
  Result output;             // [batch ×] q_len × out
  Result head_outputs;       // [batch ×] heads × q_len × value_dim
  Result query, key, value;  // [batch ×] heads × length × dim

  void fields(auto&& field) {
    Call::fields(field);
    Options::fields(field);
    RequestedResults::fields(field);
    InterventionFields::fields(field);
    field("layer", layer, "x", x, "context", context, "cache", cache, "appends", appends,
          "returnHeadOutputs", return_head_outputs, "returnProjections", return_projections,
          "output", output, "headOutputs", head_outputs, "query", query, "key", key, "value",
          value);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_attention(rules, attention(), fields_of_context(), *this, sizes)) return false;
    set_requested_results(rules, *this, sizes, x.rank, true, *this);
    rules.set_result(output, with_width(x, static_cast<double>(attention().out())));
    if (return_projections != 0) set_projections(rules, sizes, x.rank, query, key, value);
    if (has_interventions()) {
      const bool edits_keys[] = {fields_of_context().projects(), false};
      if (!check_interventions(rules, places(Block(this)), edits_keys, x.batch())) return false;
    }
    if (return_head_outputs == 0) return true;
    rules.set_result(head_outputs,
                     x.rank == 3
                         ? tensor_of({sizes.batch, sizes.heads, sizes.q_len, sizes.value_dim})
                         : tensor_of({sizes.heads, sizes.q_len, sizes.value_dim}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    Interventions interventions;
    if (has_interventions())
      interventions = view_interventions(places(block), x.batch(), block, workspace);
    forward(kernels, attention(), block.sequences(x), context_view(fields_of_context(), block),
            attention_options(*this, block),
            {block.sequences(output),
             block.numbers(head_outputs),
             attention_results(*this, *this, block),
             {block.numbers(query), block.numbers(key), block.numbers(value)}},
            workspace, has_interventions() ? &interventions : nullptr);
  }

 private:
  const MultiHeadAttention& attention() const { return object_at<const MultiHeadAttention>(layer); }

  ContextFields fields_of_context() const {
    return {.x = x, .rows = context, .cache = cache, .appends = appends != 0};
  }

  ByPlace<PlaceShape> places(const Block& block) const {
    ByPlace<PlaceShape> places = {};
    add_places(attention(), size(x.length()), context_view(fields_of_context(), block),
               places.data());
    return places;
  }
};

// Queries, keys and values before normalization and rotation.
struct ProjectCall : Call {
  double layer;
  Tensor x, context;         // as in MultiHeadCall
  Result query, key, value;  // batch × heads × length × dim

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "context", context, "query", query, "key", key, "value", value);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_context(rules, attention(), {.x = x, .rows = context}, sizes)) return false;
    const Sizes& s = sizes;
    rules.set_result(query, tensor_of({s.batch, s.heads, s.q_len, s.key_dim}));
    rules.set_result(key, tensor_of({s.batch, s.kv_heads, s.k_len, s.key_dim}));
    rules.set_result(value, tensor_of({s.batch, s.kv_heads, s.k_len, s.value_dim}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const auto project_to = [&](const LinearMap& map, const Tensor& from, const Result& to) {
      workspace.lend([&](Workspace& lent) {
        project(kernels, map, block.sequences(from), block.heads(to, 0), lent);
      });
    };
    project_to(attention().query, x, query);
    project_to(attention().key, keys_from(), key);
    project_to(attention().value, keys_from(), value);
  }

 private:
  const MultiHeadAttention& attention() const { return object_at<const MultiHeadAttention>(layer); }
  const Tensor& keys_from() const { return context.is_present() ? context : x; }
};

// Projects keys and values of a context and appends them to a cache. Without a cache, only checks
// the context and returns its sizes.
struct ProjectContextCall : Call, EditFields {
  double layer, cache;
  double cross;  // 0 or 1: error messages say "memory" instead of "context"
  Tensor context;
  Fact batch, length;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "cache", cache, "cross", cross, "context", context, "batch", batch,
          "length", length);
    EditFields::fields(field);
  }

  bool check(Rules& rules) {
    if (!check_sequence(rules, cross != 0 ? "memory" : "context", context, attention().key.in,
                        "context_dim")) {
      return false;
    }
    batch = context.batch();
    length = context.length();
    if (edits.is_present() && !check_key_edits(rules)) return false;
    if (cache == 0) return true;
    return check_cache(rules, attention(), kv_cache(), batch) && rules.has_room(kv_cache(), length);
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    if (cache == 0) return;
    Interventions interventions;
    interventions.edits = view_edits(block, workspace);
    interventions.is_cross = cross != 0;
    append(kernels, attention(), block.sequences(context), kv_cache(), workspace, &interventions);
  }

 private:
  const MultiHeadAttention& attention() const { return object_at<const MultiHeadAttention>(layer); }
  KeyValueCache& kv_cache() const { return object_at<KeyValueCache>(cache); }

  bool check_key_edits(Rules& rules) const {
    ByPlace<PlaceShape> places = {};
    const MultiHeadAttention& projecting = attention();
    places[index_of(Place::kKey, cross != 0)] = {projecting.kv_heads, size(length),
                                                 projecting.key_dim};
    places[index_of(Place::kValue, cross != 0)] = {projecting.kv_heads, size(length),
                                                   projecting.value_dim};
    const bool edits_keys[] = {true, true};
    return check_edits(rules, places, edits_keys);
  }
};

const Registration kMultiHeadCalls{
    entry<NewMultiHeadCall>("newMultiHead"),
    entry<MultiHeadCall>("multiHead"),
    entry<ProjectCall>("project"),
    entry<ProjectContextCall>("projectContext"),
};

}  // namespace
}  // namespace attention::calls
