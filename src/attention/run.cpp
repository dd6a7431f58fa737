// From a checked request and its block of memory to the call itself: numbers become views.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "attention/linear_attention.h"
#include "attention/shapes.h"

namespace attention {
namespace {

class Call {
 public:
  Call(const Request& request, void* block)
      : request_(request), block_(static_cast<std::byte*>(block)), shape_(shape_of(request)) {}

  Heads<float> query() const { return heads(request_.query, shape_.heads, shape_.key_dim); }
  Heads<float> key() const { return heads(request_.key, shape_.kv_heads, shape_.key_dim); }
  Heads<float> value() const { return heads(request_.value, shape_.kv_heads, shape_.value_dim); }
  Heads<float> output() const { return heads(request_.output, shape_.heads, shape_.value_dim); }

  // The scores or weights handed to a step.
  Heads<float> matrix() const {
    return Heads<float>::head_major(floats(request_.matrix), shape_.batch, shape_.heads,
                                    shape_.q_len, shape_.k_len);
  }

  float* floats(const TensorArgument& tensor) const {
    return tensor.given == 0 ? nullptr : reinterpret_cast<float*>(at(tensor.place));
  }

  void* workspace() const { return at(request_.workspace); }

  Stage stage() const { return static_cast<Stage>(static_cast<int>(request_.wants_scores)); }

  AttentionOptions options() const {
    AttentionOptions options;
    options.scale = static_cast<float>(or_else(request_.scale, 1 / std::sqrt(request_.key_dim)));
    options.softcap = static_cast<float>(or_else(request_.softcap, 0));
    options.slopes = numbers(request_.slopes);
    options.sinks = numbers(request_.sinks);
    options.visibility = visibility();
    if (step_of(request_) == Step::kKernel) options.similarity = similarity();
    return options;
  }

  LinearAttentionOptions linear_options() const {
    LinearAttentionOptions options;
    options.feature_map = static_cast<FeatureMap>(static_cast<int>(request_.feature_map));
    options.causal = request_.causal != 0;
    options.epsilon = static_cast<float>(or_else(request_.epsilon, 0));
    options.key_lengths = numbers(request_.key_lengths);
    return options;
  }

  LinearAttentionResults linear_results() const {
    const AttentionResults all = results();
    return {all.output, all.weights, all.average_weights};
  }

  AttentionResults results() const {
    AttentionResults results;
    results.output = output();
    const bool averaged = request_.wants_weights == Request::kAveraged;
    (averaged ? results.average_weights : results.weights) = floats(request_.weights);
    results.scores = floats(request_.scores);
    if (results.scores != nullptr) results.scores_stage = stage();
    results.log_sum_exp = floats(request_.log_sum_exp);
    return results;
  }

 private:
  std::byte* at(double place) const { return block_ + static_cast<std::size_t>(place); }

  Heads<float> heads(const TensorArgument& tensor, std::size_t heads, std::size_t dim) const {
    const auto rank = static_cast<std::size_t>(tensor.rank);
    const auto rows = static_cast<std::size_t>(tensor.dims[rank == 3 ? 1 : rank - 2]);
    return rank == 4 ? Heads<float>::head_major(floats(tensor), shape_.batch, heads, rows, dim)
                     : Heads<float>::packed(floats(tensor), shape_.batch, heads, rows, dim);
  }

  // A bandwidth that is not given makes gaussian the softmax of attention() where all keys are
  // equally long, and laplacian as wide as the mean distance of unit-normal vectors.
  Similarity similarity() const {
    Similarity similarity;
    similarity.kind = static_cast<Similarity::Kind>(static_cast<int>(request_.similarity));
    const double root = std::sqrt(request_.key_dim);
    const double usual = similarity.kind == Similarity::Kind::kGaussian ? std::sqrt(root) : root;
    similarity.bandwidth = static_cast<float>(or_else(request_.bandwidth, usual));
    similarity.constant = static_cast<float>(or_else(request_.constant, 1));
    similarity.degree = static_cast<int>(or_else(request_.degree, 2));
    if (similarity.kind == Similarity::Kind::kGiven) similarity.given = matrix();
    return similarity;
  }

  static double or_else(const OptionalNumber& option, double usual) {
    return option.given != 0 ? option.value : usual;
  }

  Visibility visibility() const {
    Visibility visibility;
    visibility.k_len = shape_.k_len;
    if (request_.cache != 0) visibility.first_key = cache_of(request_).first;
    visibility.causal = request_.causal != 0;
    visibility.window_left = window_side(request_.window_left);
    visibility.window_right = window_side(request_.window_right);
    visibility.offsets = offsets();
    visibility.key_lengths = numbers(request_.key_lengths);
    visibility.mask = mask();
    return visibility;
  }

  std::span<const double> offsets() const {
    if (request_.cache != 0) return std::span(&request_.cached_offset, 1);
    if (request_.offset.given != 0) return std::span(&request_.offset.value, 1);
    return numbers(request_.offsets);
  }

  static std::int64_t window_side(const OptionalNumber& side) {
    return side.given != 0 ? static_cast<std::int64_t>(side.value) : Visibility::kUnbounded;
  }

  // Aligned to the right; an axis that is missing or 1 is repeated.
  Mask mask() const {
    Mask mask;
    const TensorArgument& tensor = request_.mask;
    if (tensor.given == 0) return mask;
    if (request_.mask_is_additive != 0) {
      mask.bias = floats(tensor);
    } else {
      mask.allowed = reinterpret_cast<const std::uint8_t*>(at(tensor.place));
    }
    const std::array<std::size_t*, kMaximumRank> strides = {&mask.key_stride, &mask.query_stride,
                                                            &mask.head_stride, &mask.batch_stride};
    if (request_.cache != 0) mask.first_key = cache_of(request_).first;
    std::size_t stride = 1;
    const auto rank = static_cast<std::size_t>(tensor.rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const auto dim = static_cast<std::size_t>(tensor.dims[rank - 1 - axis]);
      *strides[axis] = dim == 1 ? 0 : stride;
      stride *= dim;
    }
    return mask;
  }

  const Request& request_;
  std::byte* block_;
  Shape shape_;
};

}  // namespace

void run(const Kernels& kernels, const Request& request, void* block) {
  double results = 0;
  for (const TensorArgument* result :
       {&request.output, &request.weights, &request.scores, &request.log_sum_exp, &request.new_sums,
        &request.new_normaliser}) {
    if (result->given != 0) results += result->count;
  }
  // A batch of four billion empty sequences is no work.
  if (results == 0) return;
  const Call call(request, block);
  switch (step_of(request)) {
    case Step::kAttention:
      if (request.cache != 0) {
        attend(kernels, call.query(), cache_of(request), call.options(), call.results(),
               call.workspace());
        break;
      }
      [[fallthrough]];
    case Step::kKernel:
      attend(kernels, call.query(), call.key(), call.value(), call.options(), call.results(),
             call.workspace());
      break;
    case Step::kLinear:
      linear_attention(
          kernels, call.query(), call.key(), call.value(), call.linear_options(),
          call.linear_results(), {call.floats(request.sums), call.floats(request.normaliser)},
          {call.floats(request.new_sums), call.floats(request.new_normaliser)}, call.workspace());
      break;
    case Step::kScores:
      scores(kernels, call.query(), call.key(), call.options(), call.stage(),
             call.floats(request.scores), call.workspace());
      break;
    case Step::kSoftmax:
      softmax(kernels, call.matrix(), call.options(), call.floats(request.weights));
      break;
    case Step::kWeightedSum:
      weighted_sum(kernels, call.matrix(), call.value(), call.output(), call.workspace());
      break;
  }
}

}  // namespace attention
