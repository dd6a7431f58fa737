// Records that are only checked, written down part by part: what a call is given, and what is
// different about it.
#pragma once

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

// A tensor said to hold all the numbers of its dims.
inline Recipe sized(std::string field, Dims dims) {
  return [=](Record& record) { record.set_dims(field, dims); };
}

inline Recipe sized(std::string field, Dims dims, NarrowType type) {
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

// A call and what it is given.
struct Written {
  const char* function;
  Recipe base;

  // What is said of it, with something that is different.
  std::string problem(const Recipe& change = as_it_is) const {
    Record record(function);
    base(record);
    change(record);
    return record.check();
  }
};

}  // namespace attention::tests
