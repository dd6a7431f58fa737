// The call kernelAttention(): attention with another similarity. Similarities from a JavaScript
// function arrive as a precomputed matrix, which is absent while only sizes are queried.
#include "calls/attention_record.h"
#include "calls/call.h"

namespace attention::calls {
namespace {

using SimilarityKind = Similarity::Kind;

bool applies_to(Rules& rules, const char* name, const Optional& option, bool allowed,
                const char* where) {
  if (!option.is_present() || allowed) return true;
  return rules.fail("$ is given but belongs to $", name, where);
}

struct KernelAttentionCall : AttentionTensors {
  double similarity;  // a Similarity::Kind
  Optional bandwidth, constant, degree;

  void fields(auto&& field) {
    AttentionTensors::fields(field);
    field("similarity", similarity, "bandwidth", bandwidth, "constant", constant, "degree", degree);
  }

  bool check(Rules& rules) {
    if (!check_query_key_value(rules) || !check_similarity(rules) ||
        !check_attention_options(rules, *this, *this, false)) {
      return false;
    }
    if (kind() == SimilarityKind::kPrecomputed) {
      const Tensor pairs = tensor_of({batch, heads, q_len, k_len});
      if (matrix.is_present() && matrix.count != pairs.count) {
        return rules.fail("similarity has # numbers for # pairs of a query and a key", matrix.count,
                          pairs.count);
      }
      static_cast<Tensor&>(matrix) = pairs;
    }
    set_output(rules, query.rank);
    set_requested_results(rules);
    return true;
  }

  void run(const Kernels& kernels, const Block& block, Workspace& workspace) const {
    AttentionOptions options = attention_options(*this, block);
    options.similarity.kind = kind();
    options.similarity.bandwidth = real(bandwidth);
    options.similarity.constant = real(constant.value_or(1));
    options.similarity.degree = static_cast<int>(degree.value_or(2));
    if (kind() == SimilarityKind::kPrecomputed) options.similarity.precomputed = matrix_view(block);
    attend(kernels, query_view(block), key_view(block), value_view(block), options, results(block),
           workspace);
  }

 private:
  SimilarityKind kind() const { return value_of<SimilarityKind>(similarity); }

  bool check_similarity(Rules& rules) {
    const bool scaled =
        kind() == SimilarityKind::kExponential || kind() == SimilarityKind::kPolynomial;
    const bool has_bandwidth =
        kind() == SimilarityKind::kGaussian || kind() == SimilarityKind::kLaplacian;
    const bool polynomial = kind() == SimilarityKind::kPolynomial;
    if (!applies_to(rules, "scale", scale, scaled, "the similarities exponential and polynomial") ||
        !applies_to(rules, "bandwidth", bandwidth, has_bandwidth,
                    "the similarities gaussian and laplacian") ||
        !applies_to(rules, "constant", constant, polynomial, "the similarity polynomial") ||
        !applies_to(rules, "degree", degree, polynomial, "the similarity polynomial") ||
        !rules.positive_option("bandwidth", bandwidth) ||
        !rules.finite_option("constant", constant)) {
      return false;
    }
    constexpr double kLargestDegree = 1000;
    if (degree.is_present() && degree.value > kLargestDegree) {
      return rules.fail("degree is # but must be at most #", degree.value, kLargestDegree);
    }
    if (!rules.whole_option("degree", degree, 1)) return false;
    if (!mask.is_present() || mask.additive == 0) return true;
    return rules.fail(
        "mask holds numbers to add to scores, which kernelAttention() does not have: give a "
        "Uint8Array");
  }
};

const Registration kKernelAttentionCalls{
    entry<KernelAttentionCall>("kernelAttention"),
};

}  // namespace
}  // namespace attention::calls
