// The rules of shapes and values, each written once, as the sentence that is thrown when it is
// broken; then where everything lies in the block.
#include "attention/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "attention/sentence.h"
#include "attention/workspace.h"

namespace attention {
namespace {

// WebAssembly's 32-bit memory, less a page that keeps sizes from wrapping to 0.
constexpr double kMaximumBytes = 4294967296.0 - 65536.0;
constexpr double kMaximumDimension = 4294967295.0;
constexpr double kMaximumWhole = 9007199254740991.0;  // 2^53 - 1

bool is_whole(double number) {
  return std::abs(number) <= kMaximumWhole && std::floor(number) == number;
}

// Finite as the float it becomes.
bool is_finite(double number) { return std::isfinite(static_cast<float>(number)); }

double product(const TensorArgument& tensor) {
  double count = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
    count *= tensor.dims[axis];
  }
  return count;
}

TensorArgument tensor_of(std::initializer_list<double> dims) {
  TensorArgument tensor{1, static_cast<double>(dims.size()), {}, 0, 0};
  std::copy(dims.begin(), dims.end(), tensor.dims);
  tensor.count = product(tensor);
  return tensor;
}

std::string head_product(std::string_view heads_name, double heads, std::string_view dim_name,
                         double dim) {
  return sentence(heads_name, " × ", dim_name, " = ", heads, " × ", dim, " = ", heads * dim);
}

// Walks through the rules in order and stops at the first that is broken.
class Rules {
 public:
  explicit Rules(Request& request) : r_(request) {}

  std::string check() {
    const Step step = step_of(r_);
    bool kept = false;
    switch (step) {
      case Step::kAttention:
        kept = check_attention();
        break;
      case Step::kScores:
        kept = check_scores();
        break;
      case Step::kSoftmax:
        kept = check_softmax();
        break;
      case Step::kWeightedSum:
        kept = check_weighted_sum();
        break;
    }
    if (kept) lay_out(step);
    return problem_;
  }

 private:
  template <class... Parts>
  bool broken(const Parts&... parts) {
    problem_ = sentence(parts...);
    return false;
  }

  bool check_attention() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           tensor("value", r_.value, 2) && same_rank("key", r_.key, "query", r_.query) &&
           same_rank("value", r_.value, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && value_against("key", r_.key) && score_options() && visibility() &&
           per_head("sinks", r_.sinks, true) && results();
  }

  bool check_scores() {
    return tensor("query", r_.query, 2) && tensor("key", r_.key, 2) &&
           same_rank("key", r_.key, "query", r_.query) && head_counts("query", r_.query) &&
           query_and_key() && score_options() && visibility() && results();
  }

  bool check_softmax() {
    return tensor("scores", r_.matrix, 2) && matrix_dims() && visibility() &&
           per_head("sinks", r_.sinks, true) && results();
  }

  bool check_weighted_sum() {
    return tensor("weights", r_.matrix, 2) && tensor("value", r_.value, 2) && matrix_dims() &&
           weights_and_value() && results();
  }

  bool tensor(std::string_view name, const TensorArgument& tensor, double least_rank) {
    if (tensor.rank < least_rank || tensor.rank > kMaximumRank) {
      return broken(name, " has ", tensor.rank, tensor.rank == 1 ? " dimension (" : " dimensions (",
                    tensor, ") but must have from ", least_rank, " to ", double{kMaximumRank});
    }
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
      const double dim = tensor.dims[axis];
      if (!(is_whole(dim) && dim >= 0 && dim <= kMaximumDimension)) {
        return broken(name, ".dims[", static_cast<double>(axis), "] is ", dim,
                      " but must be a whole number from 0 to ", kMaximumDimension);
      }
    }
    if (product(tensor) != tensor.count) {
      return broken(name, " has dims ", tensor, " = ", product(tensor),
                    " numbers but its data holds ", tensor.count);
    }
    return true;
  }

  bool same_rank(std::string_view name, const TensorArgument& tensor, std::string_view other_name,
                 const TensorArgument& other) {
    if (tensor.rank == other.rank) return true;
    return broken(name, " has dims ", tensor, " but ", other_name, " has ", other,
                  ": both must have the same number of dimensions");
  }

  bool count_option(std::string_view name, const OptionalNumber& option) {
    if (option.given == 0 || (is_whole(option.value) && option.value >= 1)) return true;
    return broken(name, " is ", option.value, " but must be a whole number of at least 1");
  }

  // At rank 4 the head counts are those of the shapes, below they are options.
  bool head_counts(std::string_view name, const TensorArgument& tensor) {
    if (!count_option("heads", r_.heads) || !count_option("kvHeads", r_.kv_heads)) return false;
    if (tensor.rank == 4) {
      r_.head_count = tensor.dims[1];
      const TensorArgument& shared = r_.key.given != 0 ? r_.key : r_.value;
      r_.kv_head_count = shared.dims[1];
      if (r_.heads.given != 0 && r_.heads.value != r_.head_count) {
        return broken("heads is ", r_.heads.value, " but ", name, " has dims ", tensor,
                      ": at 4 dimensions the second is heads");
      }
      if (r_.kv_heads.given != 0 && r_.kv_heads.value != r_.kv_head_count) {
        return broken("kvHeads is ", r_.kv_heads.value, " but ",
                      r_.key.given != 0 ? "key" : "value", " has dims ", shared,
                      ": at 4 dimensions the second is kvHeads");
      }
    } else {
      r_.head_count = r_.heads.given != 0 ? r_.heads.value : 1;
      r_.kv_head_count = r_.kv_heads.given != 0 ? r_.kv_heads.value : r_.head_count;
    }
    return heads_are_shared();
  }

  bool heads_are_shared() {
    const bool shared = r_.kv_head_count == 0 ? r_.head_count == 0
                                              : std::fmod(r_.head_count, r_.kv_head_count) == 0;
    if (shared) return true;
    return broken("heads is ", r_.head_count, " but kvHeads is ", r_.kv_head_count,
                  ": heads must be a multiple of kvHeads");
  }

  bool same_batch(std::string_view name, const TensorArgument& tensor, std::string_view other_name,
                  const TensorArgument& other) {
    if (tensor.rank < 3 || tensor.dims[0] == other.dims[0]) return true;
    return broken(name, " has dims ", tensor, " but ", other_name, " has ", other,
                  ": the first axes must both be batch");
  }

  bool splits_into(std::string_view name, const TensorArgument& tensor, std::string_view heads_name,
                   double heads, std::string_view dim_name) {
    if (std::fmod(last(tensor), heads) == 0) return true;
    return broken(name, " has dims ", tensor, " but ", heads_name, " is ", heads,
                  ": the last axis must be ", heads_name, " × ", dim_name);
  }

  static double last(const TensorArgument& tensor) {
    return tensor.dims[static_cast<std::size_t>(tensor.rank) - 1];
  }

  // The axis of positions: q_len of a query, k_len of a key or value.
  static double length(const TensorArgument& tensor) {
    return tensor.dims[tensor.rank == 3 ? 1 : static_cast<std::size_t>(tensor.rank) - 2];
  }

  bool query_and_key() {
    const bool packed = r_.query.rank < 4;
    const double heads = packed ? r_.head_count : 1;
    const double kv_heads = packed ? r_.kv_head_count : 1;
    if (!splits_into("query", r_.query, "heads", heads, "d_k")) return false;
    r_.key_dim = last(r_.query) / heads;
    if (r_.key_dim == 0) {
      return broken("query has dims ", r_.query, ": d_k must be at least 1");
    }
    if (last(r_.key) != kv_heads * r_.key_dim) {
      if (!packed) {
        return broken("key has dims ", r_.key, " but query has ", r_.query,
                      ": the last axes must both be d_k = ", r_.key_dim);
      }
      if (heads == kv_heads) {
        return broken("key has dims ", r_.key, " but query has ", r_.query,
                      ": the last axes must both be ",
                      head_product("heads", heads, "d_k", r_.key_dim));
      }
      return broken("key has dims ", r_.key, " but query has ", r_.query,
                    ": the last axis of key must be ",
                    head_product("kvHeads", kv_heads, "d_k", r_.key_dim));
    }
    if (!same_batch("key", r_.key, "query", r_.query)) return false;
    r_.batch = r_.query.rank == 2 ? 1 : r_.query.dims[0];
    r_.q_len = length(r_.query);
    r_.k_len = length(r_.key);
    return true;
  }

  bool value_against(std::string_view name, const TensorArgument& other) {
    const bool packed = r_.value.rank < 4;
    const double kv_heads = packed ? r_.kv_head_count : 1;
    if (!same_batch("value", r_.value, name, other)) return false;
    if (!packed && r_.value.dims[1] != r_.kv_head_count) {
      return broken("value has dims ", r_.value, " but key has ", r_.key,
                    ": the second axes must both be kvHeads");
    }
    if (length(r_.value) != r_.k_len) {
      return broken("value has dims ", r_.value, " but ", name, " has ", other,
                    ": there must be as many values as keys, k_len = ", r_.k_len);
    }
    if (!splits_into("value", r_.value, "kvHeads", kv_heads, "d_v")) return false;
    r_.value_dim = last(r_.value) / kv_heads;
    return true;
  }

  // softmax() and weightedSum() take [[batch ×] heads ×] q_len × k_len.
  bool matrix_dims() {
    const TensorArgument& matrix = r_.matrix;
    const auto rank = static_cast<std::size_t>(matrix.rank);
    r_.batch = rank == 4 ? matrix.dims[0] : 1;
    r_.head_count = rank >= 3 ? matrix.dims[rank - 3] : 1;
    r_.kv_head_count = r_.head_count;
    r_.q_len = matrix.dims[rank - 2];
    r_.k_len = matrix.dims[rank - 1];
    return true;
  }

  bool weights_and_value() {
    const TensorArgument& weights = r_.matrix;
    const TensorArgument& value = r_.value;
    if (!count_option("kvHeads", r_.kv_heads)) return false;
    if ((weights.rank == 4) != (value.rank > 2)) {
      return broken("value has dims ", value, " but weights have ", weights,
                    ": weights of 4 dimensions go with a value of 3 or 4, others with one of 2");
    }
    if (value.rank == 4) {
      r_.kv_head_count = value.dims[1];
      if (r_.kv_heads.given != 0 && r_.kv_heads.value != r_.kv_head_count) {
        return broken("kvHeads is ", r_.kv_heads.value, " but value has dims ", value,
                      ": at 4 dimensions the second is kvHeads");
      }
    } else if (r_.kv_heads.given != 0) {
      r_.kv_head_count = r_.kv_heads.value;
    }
    if (!heads_are_shared()) return false;
    if (value.rank > 2 && value.dims[0] != r_.batch) {
      return broken("value has dims ", value, " but weights have ", weights,
                    ": the first axes must both be batch");
    }
    return value_against("weights", weights);
  }

  bool score_options() {
    if (r_.scale.given != 0 && !is_finite(r_.scale.value)) {
      return broken("scale is ", r_.scale.value, " but must be a finite float32 number");
    }
    if (r_.softcap.given != 0 &&
        !(is_finite(r_.softcap.value) && static_cast<float>(r_.softcap.value) > 0)) {
      return broken("softcap is ", r_.softcap.value,
                    " but must be a finite float32 number above 0");
    }
    return per_head("slopes", r_.slopes, false) && slopes_have_an_offset();
  }

  bool slopes_have_an_offset() { return r_.slopes.given == 0 || has_offset("slopes"); }

  // Whoever looks at positions must know where the queries are.
  bool has_offset(std::string_view name) {
    if (r_.q_len == r_.k_len || r_.offset.given != 0 || r_.offsets.given != 0) return true;
    return broken(name,
                  " needs an offset, the number of keys before the first query, because q_len is ",
                  r_.q_len, " and k_len is ", r_.k_len,
                  ": offset 0 aligns the queries with the first keys, offset ", r_.k_len - r_.q_len,
                  " with the last");
  }

  bool per_head(std::string_view name, const ListArgument& list, bool may_be_minus_infinity) {
    if (list.given == 0) return true;
    if (list.count != r_.head_count) {
      return broken(
          name, list.count == 1 ? " holds 1 number" : sentence(" holds ", list.count, " numbers"),
          " but must hold one per head, ", r_.head_count);
    }
    std::size_t at = 0;
    for (const double number : numbers(list)) {
      const bool allowed = is_finite(number) || (may_be_minus_infinity && number < 0);
      if (!allowed) {
        return broken(name, "[", static_cast<double>(at), "] is ", number,
                      may_be_minus_infinity ? " but must be a number below Infinity"
                                            : " but must be a finite float32 number");
      }
      ++at;
    }
    return true;
  }

  bool per_batch_entry(std::string_view name, const ListArgument& list, double least, double most) {
    if (list.given == 0) return true;
    if (list.count != r_.batch) {
      return broken(
          name, list.count == 1 ? " holds 1 number" : sentence(" holds ", list.count, " numbers"),
          " but must hold one per batch entry, ", r_.batch);
    }
    std::size_t at = 0;
    for (const double number : numbers(list)) {
      if (!is_whole(number)) {
        return broken(name, "[", static_cast<double>(at), "] is ", number,
                      " but must be a whole number");
      }
      if (number < least || number > most) {
        return broken(name, "[", static_cast<double>(at), "] is ", number, " but must be from ",
                      least, " to k_len = ", most);
      }
      ++at;
    }
    return true;
  }

  bool window_side(std::string_view name, const OptionalNumber& side) {
    if (side.given == 0 || (is_whole(side.value) && side.value >= 0)) return true;
    return broken("window holds ", side.value, " on the ", name,
                  " but must hold whole numbers of at least 0, or null for an unbounded side");
  }

  bool visibility() {
    if (r_.offset.given != 0 && !is_whole(r_.offset.value)) {
      return broken("offset is ", r_.offset.value, " but must be a whole number");
    }
    return (r_.causal == 0 || has_offset("causal")) && (r_.window == 0 || has_offset("window")) &&
           window_side("left", r_.window_left) && window_side("right", r_.window_right) &&
           per_batch_entry("offset", r_.offsets, -kMaximumWhole, kMaximumWhole) &&
           per_batch_entry("keyLengths", r_.key_lengths, 0, r_.k_len) && mask();
  }

  bool mask() {
    if (r_.mask.given == 0) return true;
    if (!tensor("mask", r_.mask, 1)) return false;
    const TensorArgument full = tensor_of({r_.batch, r_.head_count, r_.q_len, r_.k_len});
    const std::size_t missing = kMaximumRank - static_cast<std::size_t>(r_.mask.rank);
    for (std::size_t axis = missing; axis < kMaximumRank; ++axis) {
      const double dim = r_.mask.dims[axis - missing];
      if (dim != 1 && dim != full.dims[axis]) {
        return broken("mask has dims ", r_.mask,
                      " but must broadcast, aligned to the right, to batch × ",
                      "heads × q_len × k_len = ", full);
      }
    }
    return true;
  }

  // The dimensions of what comes out.
  bool results() {
    r_.output.given = r_.weights.given = r_.scores.given = r_.log_sum_exp.given = 0;
    switch (step_of(r_)) {
      case Step::kAttention:
        r_.output = output_dims(r_.query.rank);
        if (r_.wants_weights != 0)
          r_.weights = matrix_result(r_.wants_weights == Request::kAveraged);
        if (r_.wants_scores != 0) r_.scores = matrix_result(false);
        if (r_.wants_log_sum_exp != 0) r_.log_sum_exp = row_result();
        break;
      case Step::kScores:
        r_.scores = matrix_result(false);
        break;
      case Step::kSoftmax:
        r_.weights = r_.matrix;
        break;
      case Step::kWeightedSum:
        r_.output = output_dims(r_.value.rank);
        break;
    }
    return true;
  }

  TensorArgument output_dims(double rank) const {
    if (rank == 4) return tensor_of({r_.batch, r_.head_count, r_.q_len, r_.value_dim});
    if (rank == 3) return tensor_of({r_.batch, r_.q_len, r_.head_count * r_.value_dim});
    return tensor_of({r_.q_len, r_.head_count * r_.value_dim});
  }

  TensorArgument matrix_result(bool averaged) const {
    if (r_.query.rank > 2) {
      if (averaged) return tensor_of({r_.batch, r_.q_len, r_.k_len});
      return tensor_of({r_.batch, r_.head_count, r_.q_len, r_.k_len});
    }
    if (averaged || r_.heads.given == 0) return tensor_of({r_.q_len, r_.k_len});
    return tensor_of({r_.head_count, r_.q_len, r_.k_len});
  }

  TensorArgument row_result() const {
    if (r_.query.rank > 2) return tensor_of({r_.batch, r_.head_count, r_.q_len});
    if (r_.heads.given == 0) return tensor_of({r_.q_len});
    return tensor_of({r_.head_count, r_.q_len});
  }

  void place(TensorArgument& tensor, double bytes_each) {
    if (tensor.given == 0) return;
    tensor.place = r_.bytes;
    reserve(tensor.count * bytes_each);
  }

  void reserve(double bytes) {
    constexpr auto kAlignment = static_cast<double>(Workspace::kAlignment);
    r_.bytes += std::ceil(bytes / kAlignment) * kAlignment;
  }

  bool lay_out(Step step) {
    r_.bytes = 0;
    for (TensorArgument* tensor : {&r_.query, &r_.key, &r_.value, &r_.matrix, &r_.output,
                                   &r_.weights, &r_.scores, &r_.log_sum_exp}) {
      place(*tensor, sizeof(float));
    }
    place(r_.mask, r_.mask_is_additive != 0 ? sizeof(float) : 1);
    r_.workspace = r_.bytes;
    if (r_.bytes <= kMaximumBytes) reserve(workspace_bytes(step));
    if (r_.bytes <= kMaximumBytes) return true;
    constexpr double kGigabyte = 1073741824.0;
    return broken("this call needs ", std::ceil(r_.bytes / kGigabyte * 10) / 10,
                  " GiB for its arguments and results but WebAssembly can address 4 GiB");
  }

  double workspace_bytes(Step step) const {
    const Shape shape = shape_of(r_);
    switch (step) {
      case Step::kAttention:
        return static_cast<double>(
            attend_workspace_bytes(shape, r_.wants_weights == Request::kAveraged));
      case Step::kScores:
        return static_cast<double>(scores_workspace_bytes(shape));
      case Step::kWeightedSum:
        return static_cast<double>(weighted_sum_workspace_bytes(shape));
      case Step::kSoftmax:
        break;
    }
    return 0;
  }

  Request& r_;
  std::string problem_;
};

}  // namespace

Shape shape_of(const Request& request) {
  const auto size = [](double number) { return static_cast<std::size_t>(number); };
  return {size(request.batch),    size(request.head_count), size(request.kv_head_count),
          size(request.q_len),    size(request.k_len),      size(request.key_dim),
          size(request.value_dim)};
}

std::string check(Request& request) { return Rules(request).check(); }

}  // namespace attention
