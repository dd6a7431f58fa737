// The implementation of call.h.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "attention/linear_attention.h"
#include "attention/transformer.h"
#include "calls/attention_record.h"
#include "calls/call.h"
#include "calls/widen.h"
#include "core/product.h"

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

// The values of enums in records. Stages are bits that can be combined. CaptureFlag is added to a
// HookPoint in `captures`; Block has the sizes at multiples of which a large call may be divided
// without other bits in its results; Limit is the max size of a call in bytes.
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
    {"Similarity", "precomputed", number_of(Similarity::Kind::kPrecomputed)},
    {"FeatureMap", "elu", number_of(FeatureMap::kEluPlusOne)},
    {"FeatureMap", "relu", number_of(FeatureMap::kRelu)},
    {"FeatureMap", "exp", number_of(FeatureMap::kExp)},
    {"FeatureMap", "efficient", kEfficient},
    {"Activation", "relu", number_of(Activation::kRelu)},
    {"Activation", "gelu", number_of(Activation::kGelu)},
    {"Activation", "gelu_tanh", number_of(Activation::kGeluTanh)},
    {"Activation", "quick_gelu", number_of(Activation::kQuickGelu)},
    {"Activation", "silu", number_of(Activation::kSilu)},
    {"HookPoint", "resid_pre", number_of(Place::kResidPre)},
    {"HookPoint", "q", number_of(Place::kQuery)},
    {"HookPoint", "k", number_of(Place::kKey)},
    {"HookPoint", "v", number_of(Place::kValue)},
    {"HookPoint", "scores", number_of(Place::kScores)},
    {"HookPoint", "pattern", number_of(Place::kPattern)},
    {"HookPoint", "z", number_of(Place::kHeads)},
    {"HookPoint", "attn_out", number_of(Place::kAttentionOutput)},
    {"HookPoint", "resid_mid", number_of(Place::kResidMid)},
    {"HookPoint", "mlp_out", number_of(Place::kFeedForwardOutput)},
    {"HookPoint", "resid_post", number_of(Place::kResidPost)},
    {"HookPoint", "head_out", number_of(Place::kHeadOutputs)},
    {"HookPoint", "value_out", number_of(Place::kValueOutputs)},
    {"HookPoint", "content_content", number_of(Place::kContentContent)},
    {"HookPoint", "content_position", number_of(Place::kContentPosition)},
    {"HookPoint", "position_content", number_of(Place::kPositionContent)},
    {"CaptureFlag", "cross", kCrossPlaces},
    {"Operation", "set", number_of(Edit::Operation::kSet)},
    {"Operation", "add", number_of(Edit::Operation::kAdd)},
    {"Operation", "scale", number_of(Edit::Operation::kScale)},
    {"Operation", "uniform", number_of(Edit::Operation::kUniform)},
    {"Block", "queries", kBlockQueries},
    {"Block", "rows", kProductRows},
    {"Limit", "bytes", kMaximumBytes},
};

struct Slot {
  const char* name;
  std::size_t number;
};

constexpr Slot kLayout[] = {
    {"tensorRank", offsetof(Tensor, rank) / sizeof(double)},
    {"tensorDims", offsetof(Tensor, dims) / sizeof(double)},
    {"tensorCount", offsetof(Tensor, count) / sizeof(double)},
    {"tensorOffset", offsetof(Tensor, byte_offset) / sizeof(double)},
    {"tensorType", offsetof(Tensor, type) / sizeof(double)},
    {"tensorBytes", offsetof(Tensor, bytes) / sizeof(double)},
    {"maximumRank", kMaximumRank},
    {"numberValue", offsetof(Optional, value) / sizeof(double)},
    {"listCount", offsetof(List, count) / sizeof(double)},
    {"listAddress", offsetof(List, address) / sizeof(double)},
};

// In a function, because registrations of other files may come before the globals of this one.
std::vector<Entry>& entries() {
  static std::vector<Entry> all;
  return all;
}

// The word of a kind in describe(): to JavaScript, all inputs that are tensors are alike.
const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
    case Kind::kWeight:
    case Kind::kMask:
      return "tensor";
    case Kind::kResult:
      return "result";
    case Kind::kNumber:
      return "number";
    case Kind::kOptional:
      return "optional";
    case Kind::kList:
      return "list";
    case Kind::kFact:
      break;
  }
  return "fact";
}

bool is_input_tensor(Kind kind) {
  return kind == Kind::kTensor || kind == Kind::kWeight || kind == Kind::kMask;
}

double slot(std::size_t offset) {
  const std::size_t doubles = offset / sizeof(double);
  return static_cast<double>(doubles);
}

// The fields of a call, also sorted by kind: small calls take about a microsecond, so check() and
// run() must not search.
struct Fields {
  std::vector<Field> all, inputs, results, facts;
};

void sort_fields(const Entry& entry, Fields& fields) {
  std::vector<double> record(entry.bytes / sizeof(double));
  Call& call = *reinterpret_cast<Call*>(record.data());
  FieldList list(call);
  entry.list_fields(call, list);
  for (const Field& field : list.fields()) {
    if (is_input_tensor(field.kind)) fields.inputs.push_back(field);
    if (field.kind == Kind::kResult) fields.results.push_back(field);
    if (field.kind == Kind::kFact) fields.facts.push_back(field);
  }
  fields.all.swap(list.fields());
}

// Built on first use: most programs use few calls.
const Fields& fields_of(std::size_t number) {
  static std::vector<Fields> every(entries().size());
  Fields& fields = every[number];
  if (fields.all.empty()) sort_fields(entries()[number], fields);
  return fields;
}

template <class Member>
Member& member(Call& call, const Field& field) {
  return *reinterpret_cast<Member*>(reinterpret_cast<std::byte*>(&call) + field.offset);
}

// True if a weight stays in its stored type instead of being converted to float32.
bool stays_stored(Call& call, const Field& field) {
  return field.kind == Kind::kWeight && member<WeightTensor>(call, field).widens == 0;
}

// Assigns offsets in the block to arguments, results and scratch memory.
class Layout {
 public:
  // Reserves `room` bytes and puts the tensor's bytes at their end, for in-place conversion.
  void add(Tensor& tensor, double room) {
    if (tensor.is_present()) tensor.byte_offset = reserve(room) + room - tensor.bytes;
  }

  double reserve(double bytes) {
    constexpr auto kAlignment = static_cast<double>(Workspace::kAlignment);
    const double offset = bytes_;
    // Sizes of a tensor without rules may be negative.
    bytes_ += std::ceil(std::max(bytes, 0.0) / kAlignment) * kAlignment + kCanaryBytes;
    return offset;
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
    tensor.bytes = is_boolean         ? tensor.count
                   : tensor.type == 0 ? bytes_of_floats(tensor)
                                      : bytes_as_stored(tensor);
    const bool stays = is_boolean || stays_stored(call, field);
    layout.add(tensor, stays ? tensor.bytes : bytes_as_float32(tensor));
  }
  for (const Field& field : fields.results) {
    Result& result = member<Result>(call, field);
    if (&result == in_place.result) {
      const Tensor& argument = *in_place.argument;
      result.bytes = bytes_as_float32(argument);
      result.byte_offset = argument.byte_offset + argument.bytes - result.bytes;
    } else {
      result.bytes = bytes_of_floats(result);
      layout.add(result, result.bytes);
    }
  }
  call.workspace = layout.bytes();
  // Larger sizes could overflow while they are counted, and are rejected anyway.
  if (can_be_addressed(layout.bytes())) {
    Workspace counting;
    entry.run(call, reference_kernels(), Block(&call), counting);
    layout.reserve(static_cast<double>(counting.used()));
  }
  call.bytes = layout.bytes();
}

// The following functions return the members of JSON objects and the items of arrays.

void append(std::string& items, const std::string& item) {
  if (!items.empty()) items += ',';
  items += item;
}

std::string layout_members() {
  std::string members;
  for (const Slot& slot : kLayout) {
    append(members, format(R"("$":#)", slot.name, static_cast<double>(slot.number)));
  }
  return members;
}

std::string enum_members() {
  std::string types;
  std::string values;
  const EnumValue* const end = std::end(kEnums);
  for (const EnumValue* value = kEnums; value != end; ++value) {
    append(values, format(R"("$":#)", value->name, value->value));
    const bool is_last = value + 1 == end || std::string_view(value[1].type) != value->type;
    if (!is_last) continue;
    append(types, format(R"("$":{$})", value->type, values));
    values.clear();
  }
  return types;
}

std::string field_items(std::size_t number) {
  std::string items;
  for (const Field& field : fields(number)) {
    append(items, format(R"({"name":"$","kind":"$","slot":#})", full_name(field.prefix, field.name),
                         kind_name(field.kind), slot(field.offset)));
  }
  return items;
}

std::string call_items() {
  std::string items;
  for (std::size_t number = 0; number < entries().size(); ++number) {
    const Entry& entry = entries()[number];
    append(items, format(R"({"name":"$","doubles":#,"fields":[$]})", entry.name.data(),
                         slot(entry.bytes), field_items(number)));
  }
  return items;
}

}  // namespace

bool can_be_addressed(double bytes) { return bytes <= kMaximumBytes; }

std::span<const Entry> calls() { return entries(); }

Registration::Registration(std::initializer_list<Entry> added) {
  for (const Entry& entry : added) entries().push_back(entry);
}

std::string describe() {
  return format(R"({"layout":{$},"enums":{$},"calls":[$]})", layout_members(), enum_members(),
                call_items());
}

std::string check(std::size_t number, void* record) {
  const Entry& entry = entries()[number];
  Call& call = *static_cast<Call*>(record);
  const Fields& fields = fields_of(number);
  // Clear results and facts of an earlier check().
  for (const Field& field : fields.results) member<Result>(call, field).present = 0;
  for (const Field& field : fields.facts) member<Fact>(call, field).value = 0;
  call.object_bytes = 0;
  Rules rules;
  if (!entry.check(call, rules)) return rules.problem();
  lay_out(entry, fields, call, rules.in_place());
  // A new object is in memory together with the block of the call that constructs it.
  const double bytes = call.bytes + call.object_bytes;
  if (can_be_addressed(bytes)) return "";
  constexpr double kGibibyte = 1073741824.0;
  return format(
      "this call needs # GiB for its arguments and results but WebAssembly can address 4 GiB",
      std::ceil(bytes / kGibibyte * 10) / 10);
}

void run(std::size_t number, const Kernels& kernels, void* record, void* block) {
  Call& call = *static_cast<Call*>(record);
  for (const Field& field : fields_of(number).inputs) {
    Tensor& tensor = member<Tensor>(call, field);
    // widen() would return at once; most inputs are float32.
    if (tensor.type != 0 && !stays_stored(call, field)) widen(kernels, tensor, block);
  }
  Workspace workspace(static_cast<std::byte*>(block) + size(call.workspace));
  entries()[number].run(call, kernels, Block(block), workspace);
}

const std::vector<Field>& fields(std::size_t number) { return fields_of(number).all; }

void FieldList::add(const char* name, Field::Kind kind, const void* member) {
  const auto offset =
      reinterpret_cast<std::uintptr_t>(member) - reinterpret_cast<std::uintptr_t>(record_);
  fields_.push_back({prefix_, name, kind, static_cast<std::size_t>(offset)});
}

}  // namespace attention::calls
