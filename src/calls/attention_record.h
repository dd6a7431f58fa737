// Record fields, sizes and rules that attention(), its three steps and the layers share.
#pragma once

#include <cmath>

#include "attention/linear_attention.h"
#include "attention/scaled_dot_product.h"
#include "calls/call.h"

namespace attention::calls {

// Values of return_weights; 0: no weights.
inline constexpr double kWeightsPerHead = 1;
inline constexpr double kAverageWeights = 2;

// The feature map of efficient_attention(), in addition to the values of FeatureMap.
inline constexpr double kEfficient = 3;

constexpr double stage_bit(Stage stage) { return 1 << static_cast<int>(stage); }

// The options that attention() and the layers share.
struct Options {
  Optional scale, softcap;
  double causal;
  Optional offset;
  double window;  // 0 or 1; an absent side is unbounded
  Optional window_left, window_right;
  List offsets, key_lengths, slopes, sinks;
  MaskTensor mask;
  double return_weights;  // 0, kWeightsPerHead or kAverageWeights
  double return_scores;   // a sum of stage_bit()
  double return_log_sum_exp;

  bool averages() const { return return_weights == kAverageWeights; }
  bool returns(Stage stage) const {
    return std::fmod(std::floor(return_scores / stage_bit(stage)), 2) == 1;
  }

  void fields(auto&& field) {
    field("scale", scale, "softcap", softcap, "causal", causal, "offset", offset, "window", window,
          "windowLeft", window_left, "windowRight", window_right, "offsets", offsets, "keyLengths",
          key_lengths, "slopes", slopes, "sinks", sinks, "mask", mask, "maskIsAdditive",
          mask.additive, "returnWeights", return_weights, "returnScores", return_scores,
          "returnLogSumExp", return_log_sum_exp);
  }
};

// Optional results, requested by the return_* options.
struct RequestedResults {
  Result weights;
  Result scores[kStages];  // by Stage
  Result log_sum_exp;

  void fields(auto&& field) {
    field("weights", weights, "rawScores", scores[0], "cappedScores", scores[1], "biasedScores",
          scores[2], "logSumExp", log_sum_exp);
  }
};

// The fields of Shape, as facts.
struct Sizes {
  Fact batch, heads, kv_heads, q_len, k_len, key_dim, value_dim;

  void fields(auto&& field) {
    field("batch", batch, "heads", heads, "kvHeads", kv_heads, "qLen", q_len, "kLen", k_len,
          "keyDim", key_dim, "valueDim", value_dim);
  }

  Shape shape() const {
    return {size(batch), size(heads),   size(kv_heads), size(q_len),
            size(k_len), size(key_dim), size(value_dim)};
  }
};

// The record of attention(), its steps and its variants. matrix: the scores of softmax(), the
// weights of weightedSum(), the precomputed similarities of kernelAttention().
struct AttentionTensors : Call, Options, RequestedResults, Sizes {
  Tensor query, key, value, matrix;
  Optional heads_option, kv_heads_option;
  Result output;

  void fields(auto&& field) {
    Call::fields(field);
    field("query", query, "key", key, "value", value, "matrix", matrix, "heads", heads_option,
          "kvHeads", kv_heads_option);
    Options::fields(field);
    field("output", output);
    RequestedResults::fields(field);
    Sizes::fields(field);
  }

  // Rules of the tensors; they also set the sizes.
  bool check_query_and_key(Rules& rules);
  bool check_query_key_value(Rules& rules);
  bool check_value(Rules& rules, const char* other_name, const Tensor& other);
  // Sets the sizes from matrix, [[batch ×] heads ×] q_len × k_len.
  void take_matrix_sizes();

  void set_output(Rules& rules, double rank);
  // Sets the dims of the requested weights, scores and log_sum_exp.
  void set_requested_results(Rules& rules);

  Heads<float> query_view(const Block& block) const { return block.heads(query, heads); }
  Heads<float> key_view(const Block& block) const { return block.heads(key, kv_heads); }
  Heads<float> value_view(const Block& block) const { return block.heads(value, kv_heads); }
  Heads<float> output_view(const Block& block) const { return block.heads(output, heads); }
  Heads<float> matrix_view(const Block& block) const;
  AttentionResults results(const Block& block) const;

 private:
  bool check_head_counts(Rules& rules);
};

// Rules of scale, softcap and slopes. cached: the cache supplies the offset.
bool check_score_options(Rules& rules, const Options& options, const Sizes& sizes, bool cached);

// Names of the visibility options in error messages.
struct VisibilityNames {
  const char* key_lengths = "keyLengths";
  const char* mask = "mask";
};
bool check_visibility(Rules& rules, const Options& options, const Sizes& sizes, bool cached,
                      const VisibilityNames& names = {});
bool check_key_lengths(Rules& rules, const char* name, const List& list, const Sizes& sizes);
bool check_sinks(Rules& rules, const Options& options, const Sizes& sizes);

// Score options, visibility and sinks of attention with or without a cache.
bool check_attention_options(Rules& rules, const Options& options, const Sizes& sizes, bool cached,
                             const VisibilityNames& names = {});
// A cache supplies the offset of its newest queries, so offset options are rejected.
bool check_cached_offset(Rules& rules, const Options& options, const KeyValueCache& cache,
                         double q_len);

// Sets the dims of the requested results. rank: of the query. At rank 2 results have a heads axis
// only if heads_named.
void set_requested_results(Rules& rules, const Options& options, const Sizes& sizes, double rank,
                           bool heads_named, RequestedResults& requested);

AttentionOptions attention_options(const Options& options, const Block& block);
// The views of the requested results, without the output.
AttentionResults attention_results(const Options& options, const RequestedResults& requested,
                                   const Block& block);

}  // namespace attention::calls
