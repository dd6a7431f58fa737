// MultiHeadAttention: making one, forward(), project(), projectContext().
#include "attention/multi_head.h"

#include "calls/entries.h"
#include "calls/multi_head_weights.h"
#include "calls/sequences.h"

namespace attention::calls {
namespace {

const Tensor nothing{};

struct NewMultiHeadCall : MakingCall {
  double torch;
  Optional heads, kv_heads;
  MultiHeadWeights weights;

  void fields(auto&& field) {
    MakingCall::fields(field);
    field("torch", torch, "heads", heads, "kvHeads", kv_heads);
    weights.fields(field);
  }

  bool check(Rules& rules) {
    if (!weights.check(rules, {torch != 0, torch != 0}, heads, kv_heads)) return false;
    object_bytes = bytes_of<MultiHeadAttention>(weights.shape(torch != 0));
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    weights.pack(kernels, block, torch != 0,
                 make_at<MultiHeadAttention>(object, weights.shape(torch != 0)));
  }
};

struct MultiHeadCall : Call, Options, Kept {
  double layer;    // address of a MultiHeadAttention
  Tensor x;        // [batch ×] q_len × model_dim
  Tensor context;  // [batch ×] k_len × context_dim; x if not given
  double cache;    // address of a KeyValueCache to look into
  double appends;  // the keys and values of x, or of the context, go into the cache first
  double wants_head_outputs;
  Result output;        // [batch ×] q_len × out
  Result head_outputs;  // [batch ×] heads × q_len × value_dim

  void fields(auto&& field) {
    Call::fields(field);
    Options::fields(field);
    Kept::fields(field);
    field("layer", layer, "x", x, "context", context, "cache", cache, "appends", appends,
          "wantsHeadOutputs", wants_head_outputs, "output", output, "headOutputs", head_outputs);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_context(rules, attention(), x, looked_into(), sizes)) return false;
    if (cache != 0) {
      const KeyValueCache after = context_after();
      if (!check_cached_offset(rules, *this, after, sizes.q_len)) return false;
    }
    if (!check_attention_options(rules, *this, sizes, cache != 0)) return false;
    give_kept(rules, *this, sizes, x.rank, true, *this);
    rules.give(output, with_width(x, static_cast<double>(attention().out())));
    if (wants_head_outputs == 0) return true;
    rules.give(head_outputs,
               x.rank == 3 ? tensor_of({sizes.batch, sizes.heads, sizes.q_len, sizes.value_dim})
                           : tensor_of({sizes.heads, sizes.q_len, sizes.value_dim}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    forward(kernels, attention(), block.sequences(x), context_view(x, looked_into(), block),
            attention_options(*this, block),
            {block.sequences(output), block.numbers(head_outputs),
             attention_results(*this, *this, block)},
            workspace);
  }

 private:
  const MultiHeadAttention& attention() const { return object_at<const MultiHeadAttention>(layer); }

  ContextFields looked_into() const {
    return {"context", context, cache, appends != 0, nothing, nothing};
  }

  KeyValueCache context_after() const {
    const auto& held = object_at<const KeyValueCache>(cache);
    return held.with(appends == 0 ? 0 : size((context.is_given() ? context : x).length()));
  }
};

// The projections alone.
struct ProjectCall : Call {
  double layer;
  Tensor x, context;         // as above
  Result query, key, value;  // batch × heads × length × dim

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "x", x, "context", context, "query", query, "key", key, "value", value);
  }

  bool check(Rules& rules) {
    Sizes sizes{};
    if (!check_context(rules, attention(), x, {"context", context, 0, false, nothing, nothing},
                       sizes)) {
      return false;
    }
    const Sizes& s = sizes;
    rules.give(query, tensor_of({s.batch, s.heads, s.q_len, s.key_dim}));
    rules.give(key, tensor_of({s.batch, s.kv_heads, s.k_len, s.key_dim}));
    rules.give(value, tensor_of({s.batch, s.kv_heads, s.k_len, s.value_dim}));
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
  const Tensor& keys_from() const { return context.is_given() ? context : x; }
};

// Projects keys and values of a context and appends them to a cache; without one tells its sizes.
struct ProjectContextCall : Call {
  double layer, cache;
  double cross;  // for the name in sentences: the memory of a decoder
  Tensor context;
  Fact batch, length;

  void fields(auto&& field) {
    Call::fields(field);
    field("layer", layer, "cache", cache, "cross", cross, "context", context, "batch", batch,
          "length", length);
  }

  bool check(Rules& rules) {
    if (!check_sequence(rules, cross != 0 ? "memory" : "context", context, attention().key.in,
                        "context_dim")) {
      return false;
    }
    batch = context.batch();
    length = context.length();
    if (cache == 0) return true;
    return check_cache(rules, attention(), held(), batch) && rules.room_in(held(), length);
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    if (cache == 0) return;
    append(kernels, attention(), block.sequences(context), held(), workspace);
  }

 private:
  const MultiHeadAttention& attention() const { return object_at<const MultiHeadAttention>(layer); }
  KeyValueCache& held() const { return object_at<KeyValueCache>(cache); }
};

}  // namespace

constinit const Entry new_multi_head_call = entry<NewMultiHeadCall>("newMultiHead");
constinit const Entry multi_head_call = entry<MultiHeadCall>("multiHead");
constinit const Entry project_call = entry<ProjectCall>("project");
constinit const Entry project_context_call = entry<ProjectContextCall>("projectContext");

}  // namespace attention::calls
