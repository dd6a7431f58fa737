// scores(), softmax() and weightedSum(): the three steps of attention(). Each takes all options and
// uses what belongs to it.
#include "calls/attention_parts.h"
#include "calls/entries.h"

namespace attention::calls {
namespace {

struct ScoresCall : AttentionTensors {
  bool check(Rules& rules) {
    if (!(rules.tensor("query", query, 2) && rules.tensor("key", key, 2) &&
          check_query_and_key(rules) && check_score_options(rules, *this, *this, false) &&
          check_visibility(rules, *this, *this, false))) {
      return false;
    }
    Options wanted = *this;
    wanted.wants_weights = wanted.wants_log_sum_exp = 0;
    calls::give_kept(rules, wanted, *this, query.rank, heads_option.is_given(), *this);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    for (const Stage stage : {Stage::kRaw, Stage::kCapped, Stage::kBiased}) {
      float* result = block.numbers(Kept::scores[static_cast<std::size_t>(stage)]);
      if (result == nullptr) continue;
      workspace.lend([&](Workspace& lent) {
        attention::scores(kernels, query_view(block), key_view(block),
                          attention_options(*this, block), stage, result, lent);
      });
    }
  }
};

struct SoftmaxCall : AttentionTensors {
  bool check(Rules& rules) {
    if (!rules.tensor("scores", matrix, 2)) return false;
    take_matrix_sizes();
    if (!check_visibility(rules, *this, *this, false) || !check_sinks(rules, *this, *this)) {
      return false;
    }
    rules.give(weights, matrix);
    return true;
  }

  void run(const Kernels& kernels, const Block& block) const {
    softmax(kernels, matrix_view(block), attention_options(*this, block), block.numbers(weights));
  }
};

struct WeightedSumCall : AttentionTensors {
  bool check(Rules& rules) {
    if (!rules.tensor("weights", matrix, 2) || !rules.tensor("value", value, 2)) return false;
    take_matrix_sizes();
    if (!rules.count("kvHeads", kv_heads_option.value_or(1), 1)) return false;
    if ((matrix.rank == 4) != (value.rank > 2)) {
      return rules.broken(
          "value has dims @ but weights have @: weights of 4 dimensions go with a value of 3 or 4, "
          "others with one of 2",
          value, matrix);
    }
    if (value.rank == 4) {
      kv_heads = value.dims[1];
      if (!rules.heads_of("kvHeads", kv_heads_option, "value", value)) return false;
    } else {
      kv_heads = kv_heads_option.value_or(kv_heads);
    }
    if (!rules.shared_heads(heads, kv_heads) || !check_value(rules, "weights", matrix)) {
      return false;
    }
    give_output(rules, value.rank);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    weighted_sum(kernels, matrix_view(block), value_view(block), output_view(block), workspace);
  }
};

}  // namespace

constinit const Entry scores_call = entry<ScoresCall>("scores");
constinit const Entry softmax_call = entry<SoftmaxCall>("softmax");
constinit const Entry weighted_sum_call = entry<WeightedSumCall>("weightedSum");

}  // namespace attention::calls
