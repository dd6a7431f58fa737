// The call linearAttention(): linear attention with a feature map, or efficient attention.
#include "attention/linear_attention.h"

#include "calls/attention_record.h"
#include "calls/call.h"

namespace attention::calls {
namespace {

struct LinearAttentionCall : AttentionTensors {
  double feature_map;  // a FeatureMap, or kEfficient
  Optional epsilon;
  double return_state;
  Tensor sums, normalizer;  // the initial state, S and z
  Result new_sums, new_normalizer;

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("featureMap", feature_map, "epsilon", epsilon, "returnState", return_state, "sums", sums,
          "normalizer", normalizer, "newSums", new_sums, "newNormalizer", new_normalizer);
  }

  bool check(Rules& rules) {
    if (!check_query_key_value(rules) || !check_options(rules) || !check_state(rules)) return false;
    set_output(rules, query.rank);
    Options requested{};
    requested.return_weights = return_weights;
    calls::set_requested_results(rules, requested, *this, query.rank, heads_option.is_present(),
                                 *this);
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
                     results, {block.numbers(sums), block.numbers(normalizer)},
                     {block.numbers(new_sums), block.numbers(new_normalizer)}, workspace);
  }

 private:
  bool is_efficient() const { return feature_map == kEfficient; }

  bool check_options(Rules& rules) {
    if (causal != 0 && is_efficient()) {
      return rules.fail(
          "causal is true but the feature map efficient uses all positions at once: it has no "
          "causal form");
    }
    if (causal != 0 && q_len != k_len) {
      return rules.fail(
          "causal is true but q_len is # and k_len is #: they must be equal, with earlier keys in "
          "a state",
          q_len, k_len);
    }
    if (epsilon.is_present()) {
      if (is_efficient()) {
        return rules.fail("epsilon is given but the feature map efficient divides by nothing");
      }
      if (!rules.at_least_0("epsilon", epsilon.value)) return false;
    }
    return check_key_lengths(rules, "keyLengths", key_lengths, *this);
  }

  bool check_state(Rules& rules) {
    if (return_state == 0 && !sums.is_present()) return true;
    if (is_efficient()) {
      return rules.fail("state is given but the feature map efficient has none");
    }
    const Tensor s = tensor_of({batch, kv_heads, key_dim, value_dim});
    const Tensor z = tensor_of({batch, kv_heads, key_dim});
    rules.set_result(new_sums, s);
    rules.set_result(new_normalizer, z);
    if (!sums.is_present()) return true;
    return rules.tensor("state.S", sums, 4, 4) && rules.tensor("state.z", normalizer, 3, 3) &&
           rules.same_dims("state.S", sums, "batch × kvHeads × d_k × d_v", s) &&
           rules.same_dims("state.z", normalizer, "batch × kvHeads × d_k", z);
  }
};

const Registration kLinearAttentionCalls{
    entry<LinearAttentionCall>("linearAttention"),
};

}  // namespace
}  // namespace attention::calls
