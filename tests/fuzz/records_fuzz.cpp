// Arbitrary calls as JavaScript could write them: records with tensors, lists and numbers from the
// fuzzer, whose sizes often match. Accepted records are run by both implementations in exactly the
// requested memory, and again with other initial contents: the same bits show that no uninitialized
// memory is used.
#include <fuzzer/FuzzedDataProvider.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "attention/implementation.h"
#include "support/cpp/choices.h"
#include "support/cpp/record.h"

namespace {

using namespace attention::tests;
using attention::Kernels;
using Kind = RecordField::Kind;

constexpr double kLargestBlock = 1 << 20;

[[noreturn]] void fail(const char* what, const std::string& where) {
  std::fprintf(stderr, "%s: %s\n", what, where.c_str());
  std::abort();
}

// The sizes of one call, so that its tensors match.
struct Sizes {
  explicit Sizes(FuzzedDataProvider& input)
      : rank(input.PickValueInArray({2, 3, 4})),
        batch(one_of(input, {1, 2})),
        kv_heads(one_of(input, {1, 2})),
        heads(kv_heads * one_of(input, {1, 2, 3})),
        q_len(one_of(input, {0, 1, 2, 3, 5, 9})),
        k_len(one_of(input, {0, 1, 2, 3, 5, 9, 257})),
        key_dim(one_of(input, {1, 2, 3, 5, 8})),
        value_dim(one_of(input, {0, 1, 2, 3, 5, 8})),
        model_dim(heads * key_dim),
        hidden(one_of(input, {1, 3, 8, 9})) {}

  static double one_of(FuzzedDataProvider& input, const std::vector<double>& sizes) {
    return sizes[input.ConsumeIntegralInRange<std::size_t>(0, sizes.size() - 1)];
  }

  // A tensor with heads: rank 4 or packed.
  std::vector<double> of_heads(double count, double rows, double dim) const {
    if (rank == 4) return {batch, count, rows, dim};
    if (rank == 3) return {batch, rows, count * dim};
    return {rows, count * dim};
  }
  std::vector<double> of_rows(double rows, double width) const {
    return rank == 2 ? std::vector<double>{rows, width} : std::vector<double>{batch, rows, width};
  }

  int rank;
  double batch, kv_heads, heads, q_len, k_len, key_dim, value_dim, model_dim, hidden;
};

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// The usual dims of the field with this name.
std::vector<double> usual_dims(const std::string& function, const std::string& field,
                               const Sizes& s) {
  const bool makes = function.starts_with("new");
  const double inner = s.heads * s.key_dim, kv_inner = s.kv_heads * s.key_dim;
  if (ends_with(field, "Bias") || ends_with(field, "Norm") || field.starts_with("norm")) {
    return {field == "widenBias" ? s.hidden : s.model_dim};
  }
  if (field == "mask" || field == "crossMask") return {s.q_len, s.k_len};
  if (field == "editValues") return {40};
  if (field == "matrix") return s.of_heads(s.heads, s.q_len, s.k_len);
  if (field == "sums") return {s.batch, s.kv_heads, s.key_dim, s.value_dim};
  if (field == "normalizer") return {s.batch, s.kv_heads, s.key_dim};
  if (field == "cos" || field == "sin") return {s.q_len, std::floor(s.key_dim / 2)};
  if (field == "weight")
    return makes ? std::vector{s.model_dim, s.hidden} : std::vector{s.model_dim};
  if (field == "bias") return {makes ? s.hidden : s.model_dim};
  if (ends_with(field, "tacked")) return {3 * s.model_dim, s.model_dim};
  if (ends_with(field, "utput")) return {s.model_dim, s.model_dim};
  if (field == "widen" || field == "gate") return {s.hidden, s.model_dim};
  if (field == "narrow") return {s.model_dim, s.hidden};
  if (field == "x") {
    return function == "rotaryEmbedding" ? s.of_heads(s.heads, s.q_len, s.key_dim)
                                         : s.of_rows(s.q_len, s.model_dim);
  }
  if (field == "context" || field == "memory") return s.of_rows(s.k_len, s.model_dim);
  if (ends_with(field, "uery")) {
    return makes ? std::vector{s.model_dim, inner} : s.of_heads(s.heads, s.q_len, s.key_dim);
  }
  if (ends_with(field, "ey")) {
    return makes ? std::vector{s.model_dim, kv_inner} : s.of_heads(s.kv_heads, s.k_len, s.key_dim);
  }
  if (ends_with(field, "alue")) {
    return makes ? std::vector{s.model_dim, kv_inner}
                 : s.of_heads(s.kv_heads, s.k_len, s.value_dim);
  }
  return s.of_rows(s.q_len, s.key_dim);
}

VectorTensor tensor_of(FuzzedDataProvider& input, std::vector<double> dims, bool bytes) {
  VectorTensor tensor{std::move(dims), {}, bytes};
  const std::size_t count = count_of(tensor.dims);
  const auto seed = static_cast<double>(input.ConsumeIntegral<std::uint8_t>());
  for (std::size_t at = 0; at < count; ++at) {
    const double number = std::sin(seed + static_cast<double>(at));
    tensor.numbers.push_back(bytes ? std::floor(2 + 2 * number) : 3 * number);
  }
  if (count > 0 && !bytes && input.ConsumeBool()) {
    tensor.numbers[input.ConsumeIntegralInRange<std::size_t>(0, count - 1)] =
        input.PickValueInArray({std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(), 1e30, 0.0});
  }
  return tensor;
}

LowPrecisionTensor low_precision_tensor(FuzzedDataProvider& input, std::vector<double> dims) {
  LowPrecisionTensor tensor{std::move(dims), LowPrecisionType::kFloat16, {}};
  tensor.type = input.PickValueInArray(
      {LowPrecisionType::kFloat16, LowPrecisionType::kBfloat16, LowPrecisionType::kInt8});
  // int8 rows of one number would be larger than float32 rows because of their scale, so these stay
  // float32.
  if (tensor.dims.empty() || tensor.dims.back() == 1) tensor.type = LowPrecisionType::kFloat16;
  const std::size_t count = count_of(tensor.dims);
  std::size_t bytes = 2 * count;
  if (tensor.type == LowPrecisionType::kInt8) {
    const double width = tensor.dims.back();
    bytes =
        width == 0 ? 0 : count + 4 * static_cast<std::size_t>(static_cast<double>(count) / width);
  }
  tensor.bytes.resize(bytes, static_cast<std::byte>(input.ConsumeIntegral<std::uint8_t>()));
  return tensor;
}

double any_number(FuzzedDataProvider& input) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return input.PickValueInArray({0.0,
                                 1.0,
                                 2.0,
                                 3.0,
                                 0.5,
                                 -1.0,
                                 -2.0,
                                 5.0,
                                 8.0,
                                 255.0,
                                 257.0,
                                 1e-5,
                                 1e4,
                                 0x1p31,
                                 0x1p32,
                                 0x1p53,
                                 0x1p63,
                                 -0x1p63,
                                 1e300,
                                 1e-300,
                                 kInfinity,
                                 -kInfinity,
                                 std::numeric_limits<double>::quiet_NaN()});
}

// A count, correct in half of the cases.
double usual_number(FuzzedDataProvider& input, const std::string& field, const Sizes& s) {
  if (input.ConsumeIntegralInRange(0, 3) == 0) return any_number(input);
  if (field == "heads") return s.heads;
  if (field == "kvHeads") return s.kv_heads;
  if (field == "batch") return s.batch;
  if (field == "keyDim" || field == "dim") return s.key_dim;
  if (field == "valueDim") return s.value_dim;
  if (field == "capacity" || field == "length") return s.k_len;
  if (field == "offset") return s.k_len - s.q_len;
  return input.ConsumeBool() ? 1 : 0;
}

// Edits and captures of layers: mostly complete, with places, indices and strides that often exist.
std::vector<double> edits_of(FuzzedDataProvider& input) {
  std::vector<double> list;
  const auto add = [&](double max) {
    list.push_back(input.ConsumeIntegralInRange(0, 30) == 0
                       ? any_number(input)
                       : input.ConsumeIntegralInRange(0, static_cast<int>(max)));
  };
  for (int edits = input.ConsumeIntegralInRange(1, 3); edits > 0; --edits) {
    for (const double max : {10, 1, 3, 2, 5, 1, 1, 1}) add(max);
    for (int axis = 0; axis < 3; ++axis) {
      const int count = input.ConsumeIntegralInRange(0, 2);
      list.push_back(count);
      for (int index = 0; index < count; ++index) add(2);
    }
  }
  if (input.ConsumeIntegralInRange(0, 15) == 0) list.pop_back();
  return list;
}

std::vector<double> captures_of(FuzzedDataProvider& input) {
  std::vector<double> list;
  for (int place = 0; place < 30; ++place) {
    if (input.ConsumeIntegralInRange(0, 7) == 0) list.push_back(place);
  }
  return list;
}

bool is_address(const std::string& field) {
  return field == "cache" || field == "layer" || field == "object" || field == "memoryCache" ||
         field == "gateLayer";
}

void write_field(FuzzedDataProvider& input, Record& record, const std::string& function,
                 const RecordField& field, const Sizes& sizes) {
  if (is_address(field.name)) return;
  switch (field.kind) {
    case Kind::kTensor: {
      std::vector<double> dims = usual_dims(function, field.name, sizes);
      if (input.ConsumeIntegralInRange(0, 7) == 0 && !dims.empty()) {
        const auto axis = input.ConsumeIntegralInRange<std::size_t>(0, dims.size() - 1);
        dims[axis] = input.ConsumeIntegralInRange(0, 20);
      }
      if (input.ConsumeIntegralInRange(0, 15) == 0 && dims.size() < largest_rank())
        dims.insert(dims.begin(), 1);
      // Larger tensors than the block limit take long to write and are not run.
      if (count_of(dims) * sizeof(float) > kLargestBlock) return;
      const bool is_mask = ends_with(field.name, "ask");
      if (is_mask) {
        const bool additive = input.ConsumeBool();
        record.set(field.name, tensor_of(input, dims, !additive));
        record.set(field.name + "IsAdditive", additive ? 1 : 0);
      } else if (input.ConsumeIntegralInRange(0, 5) == 0) {
        record.set(field.name, low_precision_tensor(input, dims));
      } else {
        record.set(field.name, tensor_of(input, dims, false));
      }
      return;
    }
    case Kind::kList: {
      if (field.name == "edits") {
        record.set_list(field.name, edits_of(input));
        return;
      }
      if (field.name == "captures") {
        record.set_list(field.name, captures_of(input));
        return;
      }
      std::vector<double> list;
      const double count =
          input.PickValueInArray({sizes.batch, sizes.heads, sizes.q_len, 1.0, 0.0, 3.0});
      for (double at = 0; at < count; ++at) list.push_back(usual_number(input, "offset", sizes));
      record.set_list(field.name, list);
      return;
    }
    case Kind::kNumber:
    case Kind::kOptional: {
      if (ends_with(field.name, "IsAdditive")) return;
      const std::vector<double> choices = choices_of(field.name);
      record.set(field.name,
                 choices.empty()
                     ? usual_number(input, field.name, sizes)
                     : choices[input.ConsumeIntegralInRange<std::size_t>(0, choices.size() - 1)]);
      return;
    }
    case Kind::kResult:
    case Kind::kFact:
      return;
  }
}

// Sets or omits each field.
void write(FuzzedDataProvider& input, Record& record, const std::string& function,
           const Sizes& sizes) {
  for (const RecordField& field : fields_of(function)) {
    // Enum fields get valid numbers only: JavaScript writes no others.
    const bool chooses = !choices_of(field.name).empty() && field.kind == Kind::kNumber;
    if (chooses || input.ConsumeIntegralInRange(0, 4) != 0) {
      write_field(input, record, function, field, sizes);
    }
  }
}

// The call that constructs the layer for a function.
std::string maker_of(const std::string& function) {
  if (function.find("ransformer") != std::string::npos || function == "projectLayer") {
    return "newTransformerLayer";
  }
  if (function == "multiHead" || function.starts_with("project")) return "newMultiHead";
  return "newLinear";
}

// An object from fuzzer bytes, or none if its record was rejected.
std::unique_ptr<Object> object_of(FuzzedDataProvider& input, const std::string& maker,
                                  const Sizes& sizes, const Kernels& kernels) {
  Record record(maker);
  write(input, record, maker, sizes);
  if (!record.check().empty() || record.bytes() + record.fact("objectBytes") > kLargestBlock)
    return nullptr;
  return std::make_unique<Object>(kernels, record);
}

void run_twice(const Record& record, const Kernels& kernels, const std::string& function,
               bool changes) {
  const Results first = record.run(kernels, std::byte{0xFF});
  if (changes) return;
  const Results second = record.run(kernels, std::byte{0x3F});
  for (const auto& [name, result] : first) {
    if (!same_bits(result, second.at(name)))
      fail("other memory, other bits", function + ", " + name);
  }
}

}  // namespace

// Both libFuzzer and the tests (no_allocations.h) replace operator new.
extern "C" const char* __asan_default_options() { return "alloc_dealloc_mismatch=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static const std::vector<std::string> functions = function_names();
  FuzzedDataProvider input(bytes, count);
  const std::string& function =
      functions[input.ConsumeIntegralInRange<std::size_t>(0, functions.size() - 1)];
  const Kernels& kernels =
      input.ConsumeBool() ? attention::simd_kernels() : attention::reference_kernels();
  const Sizes sizes(input);

  Record record(function);
  std::unique_ptr<Object> layer, cache, memory_cache;
  if (record.has("layer")) {
    layer = object_of(input, maker_of(function), sizes, kernels);
    if (layer == nullptr) return 0;
    record.set("layer", layer->address());
  }
  const auto give_cache = [&](const char* field, std::unique_ptr<Object>& held, bool must) {
    if (!record.has(field) || (!must && input.ConsumeBool())) return true;
    held = object_of(input, "newCache", sizes, kernels);
    if (held != nullptr) record.set(field, held->address());
    return held != nullptr;
  };
  const bool lives_by_it = function == "append" || function == "rewind" ||
                           function == "copyEntry" || function == "cacheState";
  if (!give_cache("cache", cache, lives_by_it) || !give_cache("memoryCache", memory_cache, false))
    return 0;

  write(input, record, function, sizes);
  if (!record.check().empty()) return 0;
  if (function == "kernelAttention" && record.is_given("matrix")) {
    // JavaScript writes precomputed similarities after the first check(), which gives their number.
    record.set("matrix", tensor_of(input, record.dims("matrix"), false));
    if (!record.check().empty()) fail("refused with similarities", function);
  }
  const bool makes = record.has("objectBytes");
  const double all = record.bytes() + (makes ? record.fact("objectBytes") : 0);
  if (!(all >= 0)) fail("no number of bytes", function);
  if (all > kLargestBlock) return 0;
  if (makes) {
    if (!Object(kernels, record).problem().empty()) fail("refused at second sight", function);
  } else {
    run_twice(record, kernels, function, cache != nullptr || memory_cache != nullptr);
  }
  return 0;
}
