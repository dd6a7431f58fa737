// attentionBackward(query, key, value, { output, logSumExp }, gradient).
#include "attention/attention_backward.h"

#include "calls/attention_record.h"
#include "calls/call.h"

namespace attention::calls {
namespace {

struct AttentionBackwardCall : AttentionTensors {
  Tensor forward_output, forward_sums;  // output and logSumExp of attention()
  Tensor gradient;                      // as output
  double return_mask_gradient, return_slopes_gradient, return_sinks_gradient;
  Result query_gradient, key_gradient, value_gradient;
  Result mask_gradient, slopes_gradient, sinks_gradient;

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("forwardOutput", forward_output, "forwardLogSumExp", forward_sums, "gradient", gradient,
          "returnMaskGradient", return_mask_gradient, "returnSlopesGradient",
          return_slopes_gradient, "returnSinksGradient", return_sinks_gradient, "queryGradient",
          query_gradient, "keyGradient", key_gradient, "valueGradient", value_gradient,
          "maskGradient", mask_gradient, "slopesGradient", slopes_gradient, "sinksGradient",
          sinks_gradient);
  }

  bool check(Rules& rules) {
    if (!check_query_key_value(rules) || !check_attention_options(rules, *this, *this, false) ||
        !check_forward(rules) || !check_requested(rules)) {
      return false;
    }
    rules.set_result(query_gradient, query);
    rules.set_result(key_gradient, key);
    rules.set_result(value_gradient, value);
    if (return_mask_gradient != 0) rules.set_result(mask_gradient, mask);
    if (return_slopes_gradient != 0) rules.set_result(slopes_gradient, tensor_of({heads}));
    if (return_sinks_gradient != 0) rules.set_result(sinks_gradient, tensor_of({heads}));
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    const auto span_of = [&](const Result& result) {
      return std::span(block.numbers(result), result.is_present() ? size(result.count) : 0);
    };
    attention_backward(
        kernels,
        {query_view(block), key_view(block), value_view(block), block.heads(forward_output, heads),
         block.numbers(forward_sums), block.heads(gradient, heads)},
        attention_options(*this, block),
        {block.heads(query_gradient, heads), block.heads(key_gradient, kv_heads),
         block.heads(value_gradient, kv_heads), span_of(mask_gradient), span_of(slopes_gradient),
         span_of(sinks_gradient)},
        workspace);
  }

 private:
  // Their dims are those that attention() would return; here they are inputs.
  bool check_forward(Rules& rules) {
    set_output(rules, query.rank);
    output.present = 0;
    Options sums_alone = *this;
    sums_alone.return_weights = sums_alone.return_scores = 0;
    sums_alone.return_log_sum_exp = 1;
    RequestedResults sums{};
    calls::set_requested_results(rules, sums_alone, *this, query.rank, heads_option.is_present(),
                                 sums);
    return rules.tensor("output", forward_output, 2) &&
           rules.same_dims("output", forward_output, "that of attention()", output) &&
           rules.tensor("logSumExp", forward_sums, 1) &&
           rules.same_dims("logSumExp", forward_sums, "that of attention()", sums.log_sum_exp) &&
           rules.tensor("gradient", gradient, 2) &&
           rules.same_dims("gradient", gradient, "the dims of output", output);
  }

  bool check_requested(Rules& rules) {
    const bool has_mask = mask.is_present() && mask.additive != 0;
    if (return_mask_gradient != 0 && !has_mask) {
      return rules.fail("gradients names 'mask' but there is no additive mask, a Float32Array");
    }
    if (return_slopes_gradient != 0 && !slopes.is_present()) {
      return rules.fail("gradients names 'slopes' but there are no slopes");
    }
    if (return_sinks_gradient != 0 && !sinks.is_present()) {
      return rules.fail("gradients names 'sinks' but there are no sinks");
    }
    return true;
  }
};

const Registration kAttentionBackwardCalls{entry<AttentionBackwardCall>("attentionBackward")};

}  // namespace
}  // namespace attention::calls
