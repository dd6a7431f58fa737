// Looks up fields by name on every access; speed does not matter.
#include "support/cpp/record.h"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <utility>

#include "calls/call.h"
#include "support/cpp/choices.h"
#include "support/cpp/no_allocations.h"

namespace attention::tests {
namespace {

using Kind = RecordField::Kind;

using calls::Tensor;

// Aborts on unknown names, so that misspelled tests do not pass.
[[noreturn]] void end_for(const char* what, std::string_view name) {
  std::fprintf(stderr, "there is no %s %.*s\n", what, static_cast<int>(name.size()), name.data());
  std::abort();
}

std::size_t function_named(std::string_view name) {
  for (std::size_t number = 0; number < calls::calls().size(); ++number) {
    if (calls::calls()[number].name == name) return number;
  }
  end_for("function", name);
}

RecordField field_of(const calls::Field& field) {
  using In = calls::Field::Kind;
  const auto described = [&](Kind kind, std::size_t bytes) {
    return RecordField{calls::full_name(field.prefix, field.name), kind,
                       field.offset / sizeof(double), bytes / sizeof(double)};
  };
  switch (field.kind) {
    case In::kTensor:
    case In::kWeight:
    case In::kMask:
      return described(Kind::kTensor, sizeof(Tensor));
    case In::kResult:
      return described(Kind::kResult, sizeof(Tensor));
    case In::kOptional:
      return described(Kind::kOptional, sizeof(calls::Optional));
    case In::kList:
      return described(Kind::kList, sizeof(calls::List));
    case In::kFact:
      return described(Kind::kFact, sizeof(double));
    case In::kNumber:
      break;
  }
  return described(Kind::kNumber, sizeof(double));
}

// A field of a record as the library's type.
template <class Part>
Part& part_at(double& slot) {
  return *reinterpret_cast<Part*>(&slot);
}

template <class Part>
const Part& part_at(const double& slot) {
  return *reinterpret_cast<const Part*>(&slot);
}

Tensor tensor_argument(const std::vector<double>& dims, double count) {
  Tensor tensor{1, static_cast<double>(dims.size()), {}, count, 0, 0, 0};
  std::copy_n(dims.begin(), std::min(dims.size(), calls::kMaximumRank), tensor.dims);
  return tensor;
}

double type_of(LowPrecisionType type) {
  const auto number = [](NumberType type) { return static_cast<double>(static_cast<int>(type)); };
  if (type == LowPrecisionType::kFloat16) return number(NumberType::kFloat16);
  return number(type == LowPrecisionType::kBfloat16 ? NumberType::kBfloat16 : NumberType::kInt8);
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<double>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    const T number = static_cast<T>(numbers[at]);
    std::memcpy(bytes.data() + at * sizeof(T), &number, sizeof(T));
  }
  return bytes;
}

// Aborts if the block layout of a call is inconsistent.
[[noreturn]] void end_at(const char* what, std::string_view function, std::string_view field) {
  std::fprintf(stderr, "%.*s, %.*s: %s\n", static_cast<int>(function.size()), function.data(),
               static_cast<int>(field.size()), field.data(), what);
  std::abort();
}

double product_of(const std::vector<double>& dims) {
  double product = 1;
  for (const double dim : dims) product *= dim;
  return product;
}

}  // namespace

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const calls::Entry& function : calls::calls()) names.emplace_back(function.name);
  return names;
}

std::vector<RecordField> fields_of(std::string_view function) {
  // Not cached across tests, so that every test covers the listing.
  const calls::Entry& entry = calls::calls()[function_named(function)];
  std::vector<double> record(entry.bytes / sizeof(double));
  auto& call = *reinterpret_cast<calls::Call*>(record.data());
  calls::FieldList list(call);
  entry.list_fields(call, list);
  std::vector<RecordField> described;
  for (const calls::Field& field : list.fields()) described.push_back(field_of(field));
  return described;
}

std::size_t slots_of(std::string_view function) {
  return calls::calls()[function_named(function)].bytes / sizeof(double);
}

std::size_t largest_rank() { return calls::kMaximumRank; }

Record::Record(std::string_view function)
    : function_(function_named(function)),
      fields_(fields_of(function)),
      slots_(slots_of(function)) {}

const RecordField& Record::field(std::string_view name, bool is_fact) const {
  for (const RecordField& field : fields_) {
    if (field.name == name && (field.kind == Kind::kFact) == is_fact) return field;
  }
  end_for("field", name);
}

bool Record::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const RecordField& field) { return field.name == name; });
}

Record& Record::set(std::string_view name, double number) {
  const RecordField& field = this->field(name);
  if (field.kind == Kind::kOptional) {
    part_at<calls::Optional>(slots_[field.slot]) = {1, number};
  } else {
    slots_[field.slot] = number;
  }
  return *this;
}

Record& Record::set(std::string_view name, std::string_view choice) {
  return set(name, number_of_choice(name, choice));
}

Record& Record::set(std::string_view name, const VectorTensor& tensor) {
  forget(name);
  part_at<Tensor>(slots_[field(name).slot]) =
      tensor_argument(tensor.dims, static_cast<double>(tensor.numbers.size()));
  inputs_.push_back({std::string(name), tensor.bytes ? bytes_of<std::uint8_t>(tensor.numbers)
                                                     : bytes_of<float>(tensor.numbers)});
  return *this;
}

Record& Record::set(std::string_view name, const LowPrecisionTensor& tensor) {
  set_dims(name, tensor.dims, tensor.type);
  inputs_.push_back({std::string(name), tensor.bytes});
  return *this;
}

Record& Record::set_list(std::string_view name, std::vector<double> list) {
  lists_.push_back(std::move(list));
  const std::vector<double>& kept = lists_.back();
  part_at<calls::List>(slots_[field(name).slot]) = {
      1, static_cast<double>(kept.size()),
      static_cast<double>(reinterpret_cast<std::uintptr_t>(kept.data()))};
  return *this;
}

Record& Record::set_dims(std::string_view name, const std::vector<double>& dims) {
  forget(name);
  part_at<Tensor>(slots_[field(name).slot]) = tensor_argument(dims, product_of(dims));
  return *this;
}

Record& Record::set_dims(std::string_view name, const std::vector<double>& dims,
                         LowPrecisionType type) {
  set_dims(name, dims);
  part_at<Tensor>(slots_[field(name).slot]).type = type_of(type);
  return *this;
}

Record& Record::set_dim(std::string_view name, std::size_t axis, double dim) {
  part_at<Tensor>(slots_[field(name).slot]).dims[axis] = dim;
  return *this;
}

void Record::forget(std::string_view name) {
  const RecordField& field = this->field(name);
  std::fill_n(&slots_[field.slot], field.slots, 0.0);
  std::erase_if(inputs_, [&](const Input& input) { return input.field == name; });
}

std::string Record::check() { return calls::check(function_, slots_.data()); }

double Record::fact(std::string_view name) const { return slots_[field(name, true).slot]; }

bool Record::is_given(std::string_view name) const { return slots_[field(name).slot] != 0; }

std::vector<double> Record::dims(std::string_view name) const {
  const auto& tensor = part_at<Tensor>(slots_[field(name).slot]);
  return {tensor.dims, tensor.dims + static_cast<std::size_t>(tensor.rank)};
}

Results Record::run(const Kernels& kernels, std::byte held) const {
  const ExactMemory block(bytes(), held);
  // run() changes the record; another run needs its state after check().
  std::vector<double> slots = slots_;
  const std::vector<Canary> canaries = this->canaries();
  for (const Input& input : inputs_) {
    const auto& tensor = part_at<Tensor>(slots_[field(input.field).slot]);
    if (static_cast<double>(input.bytes.size()) != tensor.bytes) {
      end_at("other bytes than are reserved", calls::calls()[function_].name, input.field);
    }
    std::copy(input.bytes.begin(), input.bytes.end(),
              block.get() + static_cast<std::size_t>(tensor.byte_offset));
  }
  for (const Canary& canary : canaries) {
    ASAN_POISON_MEMORY_REGION(block.get() + canary.begin, canary.end - canary.begin);
  }
  {
    const NoAllocations computing;
    calls::run(function_, kernels, slots.data(), block.get());
  }
  ASAN_UNPOISON_MEMORY_REGION(block.get(), static_cast<std::size_t>(bytes()));
  for (const auto& [field, begin, end] : canaries) {
    const bool whole = std::all_of(block.get() + begin, block.get() + end,
                                   [&](std::byte byte) { return byte == held; });
    if (!whole) end_at("written beyond its end", calls::calls()[function_].name, field);
  }
  Results results;
  for (const RecordField& field : fields_) {
    if (field.kind != Kind::kResult) continue;
    const auto& tensor = part_at<Tensor>(slots_[field.slot]);
    if (tensor.present == 0) continue;
    const auto* numbers =
        reinterpret_cast<const float*>(block.get() + static_cast<std::size_t>(tensor.byte_offset));
    Result& result = results[field.name];
    result.dims = dims(field.name);
    result.numbers.assign(numbers, numbers + static_cast<std::size_t>(tensor.count));
  }
  return results;
}

std::vector<Record::Canary> Record::canaries() const {
  std::vector<Canary> canaries;
  const auto add = [&](const std::string& field, double begin) {
    const double aligned = std::ceil(begin / Workspace::kAlignment) * Workspace::kAlignment;
    canaries.push_back({field, static_cast<std::size_t>(begin),
                        static_cast<std::size_t>(aligned + calls::kCanaryBytes)});
  };
  for (const RecordField& field : fields_) {
    if (field.kind != Kind::kTensor && field.kind != Kind::kResult) continue;
    const auto& tensor = part_at<Tensor>(slots_[field.slot]);
    if (tensor.is_present()) add(field.name, tensor.byte_offset + tensor.bytes);
  }
  add("scratch memory", bytes() - calls::kCanaryBytes);
  return canaries;
}

Answer Record::call(const Kernels& kernels) {
  const std::string problem = check();
  if (!problem.empty()) return {problem, {}};
  return {"", run(kernels)};
}

Object::Object(const Kernels& kernels, Record& record) : problem_(record.check()) {
  if (!problem_.empty()) return;
  memory_ = std::make_unique<ExactMemory>(record.fact("objectBytes"));
  record.set("object", address());
  problem_ = record.call(kernels).problem;
}

double Object::address() const {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(memory_->get()));
}

}  // namespace attention::tests
