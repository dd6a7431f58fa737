// linearAttention(): linear attention with a feature map, or efficient attention.
#include "attention/linear_attention.h"

#include "calls/attention_parts.h"
#include "calls/entries.h"

namespace attention::calls {
namespace {

struct LinearAttentionCall : AttentionTensors {
  double feature_map;  // a FeatureMap, or kEfficient
  Optional epsilon;
  double wants_state;
  Tensor sums, normaliser;  // the state to go on from, S and z
  Result new_sums, new_normaliser;

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("featureMap", feature_map, "epsilon", epsilon, "wantsState", wants_state, "sums", sums,
          "normaliser", normaliser, "newSums", new_sums, "newNormaliser", new_normaliser);
  }

  bool check(Rules& rules) {
    if (!check_query_key_value(rules) || !check_options(rules) || !check_state(rules)) return false;
    give_output(rules, query.rank);
    Options wanted{};
    wanted.wants_weights = wants_weights;
    calls::give_kept(rules, wanted, *this, query.rank, heads_option.is_given(), *this);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const AttentionResults all = results(block);
    const LinearAttentionResults results{all.output, all.weights, all.average_weights};
    if (is_efficient()) {
      efficient_attention(kernels, query_view(block), key_view(block), value_view(block),
                          numbers(key_lengths), results, workspace);
      return;
    }
    LinearAttentionOptions options;
    options.feature_map = value_of<FeatureMap>(feature_map);
    options.causal = causal != 0;
    options.epsilon = real(epsilon.value_or(0));
    options.key_lengths = numbers(key_lengths);
    linear_attention(kernels, query_view(block), key_view(block), value_view(block), options,
                     results, {block.numbers(sums), block.numbers(normaliser)},
                     {block.numbers(new_sums), block.numbers(new_normaliser)}, workspace);
  }

 private:
  bool is_efficient() const { return feature_map == kEfficient; }

  bool check_options(Rules& rules) {
    if (causal != 0 && is_efficient()) {
      return rules.broken(
          "causal is true but the feature map efficient looks at all positions at once: it has no "
          "causal form");
    }
    if (causal != 0 && q_len != k_len) {
      return rules.broken(
          "causal is true but q_len is # and k_len is #: they must be equal, with earlier keys in "
          "a state",
          q_len, k_len);
    }
    if (epsilon.is_given()) {
      if (is_efficient()) {
        return rules.broken("epsilon is given but the feature map efficient divides by nothing");
      }
      if (!rules.at_least_0("epsilon", epsilon.value)) return false;
    }
    return check_key_lengths(rules, "keyLengths", key_lengths, *this);
  }

  bool check_state(Rules& rules) {
    if (wants_state == 0 && !sums.is_given()) return true;
    if (is_efficient()) {
      return rules.broken("state is given but the feature map efficient has none");
    }
    const Tensor s = tensor_of({batch, kv_heads, key_dim, value_dim});
    const Tensor z = tensor_of({batch, kv_heads, key_dim});
    rules.give(new_sums, s);
    rules.give(new_normaliser, z);
    if (!sums.is_given()) return true;
    return rules.tensor("state.S", sums, 4, 4) && rules.tensor("state.z", normaliser, 3, 3) &&
           rules.same_dims("state.S", sums, "batch × kvHeads × d_k × d_v", s) &&
           rules.same_dims("state.z", normaliser, "batch × kvHeads × d_k", z);
  }
};

}  // namespace

constinit const Entry linear_attention_call = entry<LinearAttentionCall>("linearAttention");

}  // namespace attention::calls
