// The list of calls, and what is done with all of them alike.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "attention/linear_attention.h"
#include "attention/transformer.h"
#include "calls/attention_parts.h"
#include "calls/call.h"
#include "calls/entries.h"
#include "calls/widen.h"

namespace attention::calls {
namespace {

using Kind = Field::Kind;

struct EnumValue {
  const char* type;
  const char* name;
  double value;
};

template <class Enum>
constexpr double number_of(Enum value) {
  return static_cast<double>(static_cast<int>(value));
}

// Enums that are written in records, type by type. A stage is a bit, for any of them may be wanted
// together.
constexpr EnumValue kEnums[] = {
    {"NumberType", "float32", number_of(NumberType::kFloat32)},
    {"NumberType", "float16", number_of(NumberType::kFloat16)},
    {"NumberType", "bfloat16", number_of(NumberType::kBfloat16)},
    {"NumberType", "int8", number_of(NumberType::kInt8)},
    {"Weights", "perHead", kWeightsPerHead},
    {"Weights", "average", kAverageWeights},
    {"Stage", "raw", stage_bit(Stage::kRaw)},
    {"Stage", "capped", stage_bit(Stage::kCapped)},
    {"Stage", "biased", stage_bit(Stage::kBiased)},
    {"Similarity", "exponential", number_of(Similarity::Kind::kExponential)},
    {"Similarity", "gaussian", number_of(Similarity::Kind::kGaussian)},
    {"Similarity", "laplacian", number_of(Similarity::Kind::kLaplacian)},
    {"Similarity", "cosine", number_of(Similarity::Kind::kCosine)},
    {"Similarity", "polynomial", number_of(Similarity::Kind::kPolynomial)},
    {"Similarity", "given", number_of(Similarity::Kind::kGiven)},
    {"FeatureMap", "elu", number_of(FeatureMap::kEluPlusOne)},
    {"FeatureMap", "relu", number_of(FeatureMap::kRelu)},
    {"FeatureMap", "exp", number_of(FeatureMap::kExp)},
    {"FeatureMap", "efficient", kEfficient},
    {"Activation", "relu", number_of(Activation::kRelu)},
    {"Activation", "gelu", number_of(Activation::kGelu)},
    {"Activation", "gelu_tanh", number_of(Activation::kGeluTanh)},
    {"Activation", "quick_gelu", number_of(Activation::kQuickGelu)},
    {"Activation", "silu", number_of(Activation::kSilu)},
};

struct Slot {
  const char* name;
  std::size_t number;
};

constexpr Slot kLayout[] = {
    {"tensorRank", offsetof(Tensor, rank) / sizeof(double)},
    {"tensorDims", offsetof(Tensor, dims) / sizeof(double)},
    {"tensorCount", offsetof(Tensor, count) / sizeof(double)},
    {"tensorPlace", offsetof(Tensor, place) / sizeof(double)},
    {"tensorType", offsetof(Tensor, type) / sizeof(double)},
    {"tensorBytes", offsetof(Tensor, bytes) / sizeof(double)},
    {"maximumRank", kMaximumRank},
    {"numberValue", offsetof(Optional, value) / sizeof(double)},
    {"listCount", offsetof(List, count) / sizeof(double)},
    {"listAddress", offsetof(List, address) / sizeof(double)},
};

// In the order of their numbers.
constexpr const Entry* kCalls[] = {&attention_call,        &scores_call,
                                   &softmax_call,          &weighted_sum_call,
                                   &kernel_attention_call, &linear_attention_call,
                                   &rotary_call,           &sinusoidal_call,
                                   &slopes_call,           &new_cache_call,
                                   &append_call,           &rewind_call,
                                   &cache_state_call,      &norm_call,
                                   &new_linear_call,       &linear_call,
                                   &fill_linear_call,      &linear_rows_call,
                                   &new_multi_head_call,   &multi_head_call,
                                   &project_call,          &project_context_call,
                                   &new_transformer_call,  &transformer_call,
                                   &project_layer_call,    &memory_of_transformer_call};

std::string_view letter(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
    case Kind::kWeight:
    case Kind::kMask:
      return "t";
    case Kind::kResult:
      return "r";
    case Kind::kNumber:
      return "n";
    case Kind::kOptional:
      return "o";
    case Kind::kList:
      return "l";
    case Kind::kFact:
      break;
  }
  return "f";
}

double slot(std::size_t offset) {
  const std::size_t doubles = offset / sizeof(double);
  return static_cast<double>(doubles);
}

// The fields of a call, and those among them that every call looks at: a small one is over in a
// microsecond.
struct Fields {
  std::vector<Field> all, inputs, results, facts;
};

// Listed when the call is first looked at: most programs make few.
const Fields& fields_of(std::size_t number) {
  static Fields every[std::size(kCalls)];
  Fields& fields = every[number];
  if (!fields.all.empty()) return fields;
  const Entry& entry = *kCalls[number];
  std::vector<double> record(entry.bytes / sizeof(double));
  Call& call = *reinterpret_cast<Call*>(record.data());
  FieldList list(call);
  entry.list_fields(call, list);
  for (const Field& field : list.fields()) {
    if (letter(field.kind) == "t") fields.inputs.push_back(field);
    if (field.kind == Kind::kResult) fields.results.push_back(field);
    if (field.kind == Kind::kFact) fields.facts.push_back(field);
  }
  fields.all = list.fields();
  return fields;
}

template <class Member>
Member& member(Call& call, const Field& field) {
  return *reinterpret_cast<Member*>(reinterpret_cast<std::byte*>(&call) + field.offset);
}

// Whether an argument stays as it came.
bool is_kept(Call& call, const Field& field) {
  return field.kind == Kind::kWeight && member<WeightTensor>(call, field).widens == 0;
}

// Hands out places in the block: to arguments, to results, to scratch memory.
class Layout {
 public:
  // Places the tensor's bytes at the end of its room.
  void place(Tensor& tensor, double room) {
    if (tensor.is_given()) tensor.place = reserve(room) + room - tensor.bytes;
  }

  double reserve(double bytes) {
    constexpr auto kAlignment = static_cast<double>(Workspace::kAlignment);
    const double place = bytes_;
    // A tensor that no rule looked at may hold less than nothing.
    bytes_ += std::ceil(std::max(bytes, 0.0) / kAlignment) * kAlignment + kCanaryBytes;
    return place;
  }

  double bytes() const { return bytes_; }

 private:
  double bytes_ = 0;
};

void lay_out(const Entry& entry, const Fields& fields, Call& call, const Rules::InPlace& in_place) {
  Layout layout;
  for (const Field& field : fields.inputs) {
    Tensor& tensor = member<Tensor>(call, field);
    const bool is_boolean =
        field.kind == Kind::kMask && member<MaskTensor>(call, field).additive == 0;
    tensor.bytes = is_boolean ? tensor.count : bytes_as_stored(tensor);
    const bool stays = is_boolean || is_kept(call, field);
    layout.place(tensor, stays ? tensor.bytes : bytes_to_widen(tensor));
  }
  for (const Field& field : fields.results) {
    Result& result = member<Result>(call, field);
    if (&result == in_place.result) {
      const Tensor& argument = *in_place.argument;
      result.bytes = bytes_to_widen(argument);
      result.place = argument.place + argument.bytes - result.bytes;
    } else {
      result.bytes = bytes_to_widen(result);
      layout.place(result, result.bytes);
    }
  }
  call.workspace = layout.bytes();
  // Sizes of what does not fit anyway may be too large to be counted.
  if (can_be_addressed(layout.bytes())) {
    Workspace counting;
    entry.run(call, reference_kernels(), Block(&call), counting);
    layout.reserve(static_cast<double>(counting.used()));
  }
  call.bytes = layout.bytes();
}

}  // namespace

bool can_be_addressed(double bytes) { return bytes <= kMaximumBytes; }

std::span<const Entry* const> calls() { return kCalls; }

std::string describe() {
  std::string lines = "layout";
  for (const Slot& slot : kLayout) {
    lines += sentence(" $:#", slot.name, static_cast<double>(slot.number));
  }
  std::string_view type;
  for (const EnumValue& value : kEnums) {
    if (type != value.type) lines += sentence("\nenum $", value.type);
    type = value.type;
    lines += sentence(" $:#", value.name, value.value);
  }
  lines += "\ncalls";
  for (const Entry* entry : kCalls)
    lines += sentence(" $:#", entry->name.data(), slot(entry->bytes));
  return lines;
}

std::string describe_call(std::size_t number) {
  std::string words;
  for (const Field& field : fields(number)) {
    words += sentence("$$:$:#", words.empty() ? "" : " ", field.full_name(),
                      letter(field.kind).data(), slot(field.offset));
  }
  return words;
}

std::string check(std::size_t number, void* record) {
  const Entry& entry = *kCalls[number];
  Call& call = *static_cast<Call*>(record);
  const Fields& fields = fields_of(number);
  // Of an earlier check, or whatever the caller left there.
  for (const Field& field : fields.results) member<Result>(call, field).given = 0;
  for (const Field& field : fields.facts) member<Fact>(call, field).value = 0;
  call.object_bytes = 0;
  call.parts = call.slices = 1;
  call.runs = 0;
  Rules rules;
  if (!entry.check(call, rules)) return rules.problem();
  lay_out(entry, fields, call, rules.in_place());
  // The object stays in memory beside the block of the call that makes it.
  const double bytes = call.bytes + call.object_bytes;
  if (can_be_addressed(bytes)) return "";
  constexpr double kGibibyte = 1073741824.0;
  return sentence(
      "this call needs # GiB for its arguments and results but WebAssembly can address 4 GiB",
      std::ceil(bytes / kGibibyte * 10) / 10);
}

void run(std::size_t number, const Kernels& kernels, void* record, void* block) {
  Call& call = *static_cast<Call*>(record);
  for (const Field& field : fields_of(number).inputs) {
    if (!is_kept(call, field)) widen(kernels, member<Tensor>(call, field), block);
  }
  Workspace workspace(static_cast<std::byte*>(block) + size(call.workspace));
  kCalls[number]->run(call, kernels, Block(block), workspace);
  ++call.runs;
}

const std::vector<Field>& fields(std::size_t number) { return fields_of(number).all; }

std::string Field::full_name() const {
  std::string joined = part;
  const std::size_t length = joined.size();
  joined += name;
  if (length > 0) joined[length] += 'A' - 'a';
  return joined;
}

void FieldList::add(const char* name, Field::Kind kind, const void* member) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(member) - reinterpret_cast<std::uintptr_t>(record_);
  fields_.push_back({part_, name, kind, static_cast<std::size_t>(offset)});
}

}  // namespace attention::calls
