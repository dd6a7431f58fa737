// Arguments of attention() and related calls as the library takes them.
#include "calls/attention_record.h"

namespace attention::calls {

Heads<float> AttentionTensors::matrix_view(const Block& block) const {
  return Heads<float>::head_major(block.numbers(matrix), size(batch), size(heads), size(q_len),
                                  size(k_len));
}

AttentionResults AttentionTensors::results(const Block& block) const {
  AttentionResults results = attention_results(*this, *this, block);
  results.output = output_view(block);
  return results;
}

AttentionOptions attention_options(const Options& options, const Block& block) {
  const auto side = [](const Optional& side) {
    return side.is_present() ? static_cast<std::int64_t>(side.value) : Visibility::kUnbounded;
  };
  AttentionOptions result;
  result.scale = real(options.scale);
  result.softcap = real(options.softcap.value_or(0));
  result.slopes = numbers(options.slopes);
  result.sinks = numbers(options.sinks);
  Visibility& visibility = result.visibility;
  visibility.causal = options.causal != 0;
  visibility.window_left = side(options.window_left);
  visibility.window_right = side(options.window_right);
  visibility.offsets =
      options.offset.is_present() ? std::span(&options.offset.value, 1) : numbers(options.offsets);
  visibility.key_lengths = numbers(options.key_lengths);
  visibility.mask = block.mask(options.mask);
  return result;
}

AttentionResults attention_results(const Options& options, const RequestedResults& requested,
                                   const Block& block) {
  AttentionResults results;
  (options.averages() ? results.average_weights : results.weights) =
      block.numbers(requested.weights);
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    results.scores[stage] = block.numbers(requested.scores[stage]);
  }
  results.log_sum_exp = block.numbers(requested.log_sum_exp);
  return results;
}

}  // namespace attention::calls
