// Fields are found by name every time: nothing here is in a hurry.
#include "support/cpp/record.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace attention::tests {
namespace {

// A test that misspells a name is no test.
[[noreturn]] void end_for(const char* what, std::string_view name) {
  std::fprintf(stderr, "there is no %s %.*s\n", what, static_cast<int>(name.size()), name.data());
  std::abort();
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

}  // namespace

const FunctionEntry& function_named(std::string_view name) {
  for (const FunctionEntry& function : functions()) {
    if (function.name == name) return function;
  }
  end_for("function", name);
}

std::vector<Field> fields_of(const FunctionEntry& function) {
  std::vector<Field> fields;
  for (const FieldGroup& group : function.groups) {
    for (Field field : group.fields) {
      field.offset += group.offset;
      fields.push_back(field);
    }
  }
  return fields;
}

double number_of(std::uint16_t bits, NumberType type) {
  const int fraction_bits = type == NumberType::kFloat16 ? 10 : 7;
  const int exponent_bits = 15 - fraction_bits;
  const int largest = (1 << exponent_bits) - 1;
  const int bias = largest / 2;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const int exponent = bits >> fraction_bits & largest;
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == largest) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  const int implied = exponent == 0 ? 0 : 1 << fraction_bits;
  return sign * std::ldexp(fraction + implied, std::max(exponent, 1) - bias - fraction_bits);
}

Record::Record(std::string_view function)
    : function_(function_named(function)),
      fields_(fields_of(function_)),
      slots_(function_.bytes / sizeof(double)) {}

const Field& Record::field(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) return field;
  }
  end_for("field", name);
}

bool Record::has(std::string_view name) const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [&](const Field& field) { return field.name == name; });
}

Record& Record::set(std::string_view name, double number) {
  const Field& field = this->field(name);
  if (field.kind == Field::Kind::kOptional) {
    slot(field) = 1;
    slot(field, offsetof(OptionalNumber, value) / sizeof(double)) = number;
  } else {
    slot(field) = number;
  }
  return *this;
}

Record& Record::set(std::string_view name, const VectorTensor& tensor) {
  const Field& field = this->field(name);
  forget(name);
  tensor_at(field.offset) =
      tensor_argument(tensor.dims, static_cast<double>(tensor.numbers.size()));
  inputs_.push_back(
      {std::string(name), field.offset,
       tensor.bytes ? bytes_of<std::uint8_t>(tensor.numbers) : bytes_of<float>(tensor.numbers),
       false});
  return *this;
}

Record& Record::set(std::string_view name, const HalfTensor& tensor) {
  const Field& field = this->field(name);
  forget(name);
  TensorArgument& argument = tensor_at(field.offset);
  argument = tensor_argument(tensor.dims, static_cast<double>(tensor.bits.size()));
  argument.type = static_cast<double>(static_cast<int>(tensor.type));
  std::vector<std::byte> bytes(tensor.bits.size() * sizeof(std::uint16_t));
  std::copy_n(reinterpret_cast<const std::byte*>(tensor.bits.data()), bytes.size(), bytes.data());
  inputs_.push_back({std::string(name), field.offset, std::move(bytes), true});
  return *this;
}

Record& Record::set_list(std::string_view name, std::vector<double> list) {
  const Field& field = this->field(name);
  lists_.push_back(std::move(list));
  *reinterpret_cast<ListArgument*>(&slot(field)) = list_argument(lists_.back());
  return *this;
}

void Record::forget(std::string_view name) {
  const Field& field = this->field(name);
  std::size_t doubles = 1;
  if (field.kind == Field::Kind::kTensor || field.kind == Field::Kind::kResult) {
    doubles = sizeof(TensorArgument) / sizeof(double);
  } else if (field.kind == Field::Kind::kOptional) {
    doubles = sizeof(OptionalNumber) / sizeof(double);
  } else if (field.kind == Field::Kind::kList) {
    doubles = sizeof(ListArgument) / sizeof(double);
  }
  std::fill_n(&slot(field), doubles, 0.0);
  std::erase_if(inputs_, [&](const Input& input) { return input.field == name; });
}

std::string Record::check() { return function_.check(slots_.data()); }

double Record::fact(std::string_view name) const {
  return slots_[field(name).offset / sizeof(double)];
}

Results Record::run(const Kernels& kernels) const {
  const CallBlock block(bytes());
  for (const Input& input : inputs_) {
    const auto place = static_cast<std::size_t>(tensor_at(input.offset).place);
    const std::size_t from = place + (input.in_upper_half ? input.bytes.size() : 0);
    std::copy(input.bytes.begin(), input.bytes.end(), static_cast<std::byte*>(block.get()) + from);
  }
  run_function(function_, kernels, slots_.data(), block.get());
  Results results;
  for (const Field& field : fields_) {
    if (field.kind != Field::Kind::kResult || tensor_at(field.offset).given == 0) continue;
    results[std::string(field.name)] = block.result(tensor_at(field.offset));
  }
  return results;
}

Answer Record::call(const Kernels& kernels) {
  const std::string problem = check();
  if (!problem.empty()) return {problem, {}};
  return {"", run(kernels)};
}

Object::Object(const Kernels& kernels, Record& record) : problem_(record.check()) {
  if (!problem_.empty()) return;
  memory_.emplace(record.fact("objectBytes"));
  record.set("object", address());
  problem_ = record.call(kernels).problem;
}

double Object::address() const {
  return static_cast<double>(reinterpret_cast<std::uintptr_t>(memory_->get()));
}

}  // namespace attention::tests
