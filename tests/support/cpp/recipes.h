// Recipes that set fields of records: base arguments and variations. Tensors get dims only, which
// is enough for check(), or numbers at the end.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "support/cpp/record.h"

namespace attention::tests {

using Dims = std::vector<double>;
using Recipe = std::function<void(Record&)>;

inline Recipe is(std::string field, double number) {
  return [=](Record& record) { record.set(field, number); };
}

inline Recipe chosen(std::string field, const char* choice) {
  return [=](Record& record) { record.set(field, std::string_view(choice)); };
}

// Sets the dims of a tensor, with the matching count and no data.
inline Recipe sized(std::string field, Dims dims) {
  return [=](Record& record) { record.set_dims(field, dims); };
}

inline Recipe sized(std::string field, Dims dims, LowPrecisionType type) {
  return [=](Record& record) { record.set_dims(field, dims, type); };
}

inline Recipe listed(std::string field, std::vector<double> numbers) {
  return [=](Record& record) { record.set_list(field, numbers); };
}

inline Recipe without(std::string field) {
  return [=](Record& record) { record.forget(field); };
}

inline Recipe all(std::initializer_list<Recipe> given) {
  return [recipes = std::vector<Recipe>(given)](Record& record) {
    for (const Recipe& recipe : recipes) recipe(record);
  };
}

const Recipe as_it_is = [](Record&) {};

// Random numbers for a tensor; the field name is the seed.
inline double number_of(const std::string& field, std::size_t at) {
  double start = 0;
  for (const char letter : field) start = 1.7 * start + letter;
  return double{static_cast<float>(std::sin(start + 0.7 * static_cast<double>(at)))};
}

inline VectorTensor numbers_of(const std::string& field, const Dims& dims) {
  VectorTensor tensor{dims, std::vector<double>(count_of(dims))};
  for (std::size_t at = 0; at < tensor.numbers.size(); ++at) {
    tensor.numbers[at] = number_of(field, at);
  }
  return tensor;
}

// Fills all tensors of a record with numbers.
const Recipe numbered = [](Record& record) {
  for (const RecordField& field : record.fields()) {
    if (field.kind != RecordField::Kind::kTensor || !record.is_given(field.name)) continue;
    record.set(field.name, numbers_of(field.name, record.dims(field.name)));
  }
};

// A call and its arguments.
struct Written {
  std::string function;
  Recipe base;

  // Its arguments with a variation.
  std::string problem(const Recipe& change = as_it_is) const {
    Record record(function);
    base(record);
    change(record);
    return record.check();
  }
};

}  // namespace attention::tests
