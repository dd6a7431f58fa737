// Maps names of options and weights to record fields, like web/lib.
#include "support/cpp/vector_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <vector>

namespace attention::tests {
namespace {

using Numbers = std::span<const double>;

// The functions of tests/support/js/similarity_functions.js.
double similarity(const std::string& name, Numbers q, Numbers k) {
  double sum = 0;
  if (name == "constant") return 1;
  if (name == "nothing") return 0;
  if (name == "sameSign") return q[0] * k[0] > 0 ? 1 : 0;
  if (name == "shiftedDot") {
    sum = 4;
    for (std::size_t c = 0; c < q.size(); ++c) sum += q[c] * k[c];
    return sum;
  }
  if (name == "keyLength") {
    for (const double x : k) sum += x * x;
    return sum + (q[0] > 0 ? 1 : 0);
  }
  // inverseDistance
  for (std::size_t c = 0; c < q.size(); ++c) sum += std::abs(q[c] - k[c]);
  return 1 / (1 + sum);
}

// Row `row` of a head.
Numbers row_of(const VectorTensor& tensor, std::size_t heads, std::size_t width, std::size_t batch,
               std::size_t head, std::size_t row) {
  const std::size_t rank = tensor.dims.size();
  const auto rows = static_cast<std::size_t>(tensor.dims[rank - 2]);
  const std::size_t at =
      rank == 4 ? (batch * heads + head) * rows + row : (batch * rows + row) * heads + head;
  return {tensor.numbers.data() + at * width, width};
}

// Precomputed similarities of all pairs, set after the first check().
void put_similarities(Record& record, const Vector& vector, const std::string& name) {
  if (!record.check().empty()) return;
  const auto size = [&](const char* fact) { return static_cast<std::size_t>(record.fact(fact)); };
  const std::size_t heads = size("heads");
  const std::size_t kv_heads = size("kvHeads");
  const std::size_t dim = size("keyDim");
  VectorTensor matrix;
  for (std::size_t b = 0; b < size("batch"); ++b) {
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < size("qLen"); ++i) {
        const Numbers q = row_of(vector.inputs.at("query"), heads, dim, b, h, i);
        for (std::size_t j = 0; j < size("kLen"); ++j) {
          const std::size_t kv_head = h / (heads / kv_heads);
          const Numbers k = row_of(vector.inputs.at("key"), kv_heads, dim, b, kv_head, j);
          matrix.numbers.push_back(similarity(name, q, k));
        }
      }
    }
  }
  matrix.dims = {static_cast<double>(matrix.numbers.size())};
  record.set("matrix", matrix);
}

void put_option(Record& record, const std::string& name, const VectorOption& option) {
  if (const auto* word = std::get_if<std::string>(&option)) {
    const bool function = name == "similarityFunction";
    record.set(function ? "similarity" : name, function ? "precomputed" : *word);
  } else if (const auto* list = std::get_if<std::vector<std::optional<double>>>(&option)) {
    if (name == "window") {
      record.set("window", 1);
      if ((*list)[0].has_value()) record.set("windowLeft", *(*list)[0]);
      if ((*list)[1].has_value()) record.set("windowRight", *(*list)[1]);
      return;
    }
    std::vector<double> numbers;
    for (const std::optional<double>& number : *list) numbers.push_back(number.value());
    record.set_list(name == "offset" ? "offsets" : name, numbers);
  } else {
    record.set(name == "state" ? "returnState" : name, std::get<double>(option));
  }
}

std::string inside(const std::string& part, std::string field) {
  if (part != "multihead_attn.") return field;
  field[0] = static_cast<char>(std::toupper(field[0]));
  return "cross" + field;
}

// The field of a weight by its PyTorch name without the prefix.
std::string torch_field(const std::string& name, bool decoder) {
  static const std::map<std::string, std::string> kFields = {{"in_proj_weight", "stacked"},
                                                             {"q_proj_weight", "query"},
                                                             {"k_proj_weight", "key"},
                                                             {"v_proj_weight", "value"},
                                                             {"in_proj_bias", "stackedBias"},
                                                             {"out_proj.weight", "output"},
                                                             {"out_proj.bias", "outputBias"},
                                                             {"linear1.weight", "widen"},
                                                             {"linear1.bias", "widenBias"},
                                                             {"linear2.weight", "narrow"},
                                                             {"linear2.bias", "narrowBias"},
                                                             {"norm1.weight", "selfNorm"},
                                                             {"norm1.bias", "selfNormBias"},
                                                             {"norm2.weight", "crossNorm"},
                                                             {"norm2.bias", "crossNormBias"},
                                                             {"norm3.weight", "feedForwardNorm"},
                                                             {"norm3.bias", "feedForwardNormBias"}};
  if (!decoder && name.starts_with("norm2")) return torch_field("norm3" + name.substr(5), true);
  for (const std::string part : {"self_attn.", "multihead_attn."}) {
    if (name.starts_with(part)) return inside(part, kFields.at(name.substr(part.size())));
  }
  return kFields.at(name);
}

// The record field of a test vector's input.
std::string record_function(const Vector& vector) {
  if (vector.function == "multiHeadAttention") return "multiHead";
  return has_layer(vector) ? "transformerLayer" : vector.function;
}

bool is_mask(const std::string& input) { return input == "mask" || input == "crossMask"; }

// Masks are written as options, wherever the test vector has them.
void put_options(Record& record, const Vector& vector) {
  for (const auto& [name, option] : vector.options) put_option(record, name, option);
  for (const auto& [name, tensor] : vector.inputs) {
    if (is_mask(name)) record.set(name, tensor).set(name + "IsAdditive", tensor.bytes ? 0 : 1);
  }
}

}  // namespace

void put_as_it_is(Record& record, const std::string& field, const VectorTensor& tensor) {
  record.set(field, tensor);
}

bool has_layer(const Vector& vector) { return !vector.construct.empty(); }

std::unique_ptr<Record> record_of(const Vector& vector, double layer, const Put& put) {
  auto record = std::make_unique<Record>(record_function(vector));
  if (has_layer(vector)) record->set("layer", layer);
  if (vector.function == "linearAttention") record->set("featureMap", "elu");
  put_options(*record, vector);
  for (const auto& [name, tensor] : vector.inputs) {
    if (!is_mask(name)) {
      put(*record, name == "S" ? "sums" : name == "z" ? "normalizer" : name, tensor);
    }
  }
  const auto function = vector.options.find("similarityFunction");
  if (function != vector.options.end()) {
    put_similarities(*record, vector, std::get<std::string>(function->second));
  }
  return record;
}

std::unique_ptr<Record> step_record_of(const Vector& vector, const char* step,
                                       std::initializer_list<const char*> inputs) {
  auto record = std::make_unique<Record>(step);
  put_options(*record, vector);
  for (const char* name : inputs) record->set(name, vector.inputs.at(name));
  return record;
}

std::unique_ptr<Record> layer_record_of(const Vector& vector, const Put& put) {
  const bool multi_head = vector.function == "multiHeadAttention";
  auto record = std::make_unique<Record>(multi_head ? "newMultiHead" : "newTransformerLayer");
  for (const char* name : {"heads", "kvHeads", "normFirst", "epsilon"}) {
    const auto option = vector.construct.find(name);
    if (option != vector.construct.end()) record->set(name, std::get<double>(option->second));
  }
  const bool torch = !multi_head || vector.constructed("form") == "torch";
  const bool decoder = vector.function == "transformerDecoderLayer";
  if (multi_head) {
    record->set("outFirst", torch ? 1 : 0);
  } else {
    record->set("decoder", decoder ? 1 : 0);
    const std::string activation = vector.constructed("activation");
    record->set("activation", activation.empty() ? "relu" : activation);
    record->set("rms", vector.constructed("norm") == "rms" ? 1 : 0);
    if (!vector.construct.contains("epsilon")) record->set("epsilon", 1e-5);
  }
  const std::size_t prefix = vector.constructed("prefix").size();
  for (const auto& [name, tensor] : vector.weights) {
    put(*record, torch ? torch_field(name.substr(prefix), decoder) : name, tensor);
  }
  return record;
}

VectorLayer::VectorLayer(const Kernels& kernels, const Vector& vector, const Put& put) {
  if (!has_layer(vector)) return;
  record_ = layer_record_of(vector, put);
  object_.emplace(kernels, *record_);
  EXPECT_EQ(object_->problem(), "") << vector.name;
}

}  // namespace attention::tests
