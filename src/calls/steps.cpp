// The calls scores(), softmax() and weightedSum(), the three steps of attention(). Each record has
// all options of attention(); options that do not apply are ignored.
#include "calls/attention_record.h"
#include "calls/call.h"

namespace attention::calls {
namespace {

struct ScoresCall : AttentionTensors {
  bool check(Rules& rules) {
    if (!(rules.tensor("query", query, 2) && rules.tensor("key", key, 2) &&
          check_query_and_key(rules) && check_score_options(rules, *this, *this, false) &&
          check_visibility(rules, *this, *this, false))) {
      return false;
    }
    Options requested = *this;
    requested.return_weights = requested.return_log_sum_exp = 0;
    calls::set_requested_results(rules, requested, *this, query.rank, heads_option.is_present(),
                                 *this);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    for (const Stage stage : {Stage::kRaw, Stage::kCapped, Stage::kBiased}) {
      float* result = block.numbers(RequestedResults::scores[static_cast<std::size_t>(stage)]);
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
    rules.set_result(weights, matrix);
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
      return rules.fail(
          "value has dims @ but weights have @: weights of 4 dimensions go with a value of 3 or 4, "
          "others with one of 2",
          value, matrix);
    }
    if (value.rank == 4) {
      kv_heads = value.dims[1];
      if (!rules.heads_match("kvHeads", kv_heads_option, "value", value)) return false;
    } else {
      kv_heads = kv_heads_option.value_or(kv_heads);
    }
    if (!rules.heads_divide(heads, kv_heads) || !check_value(rules, "weights", matrix)) {
      return false;
    }
    set_output(rules, value.rank);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    weighted_sum(kernels, matrix_view(block), value_view(block), output_view(block), workspace);
  }
};

const Registration kStepsCalls{
    entry<ScoresCall>("scores"),
    entry<SoftmaxCall>("softmax"),
    entry<WeightedSumCall>("weightedSum"),
};

}  // namespace
}  // namespace attention::calls
