// A call of any function of the library by its name and the names of its fields, as JavaScript
// makes it: a record of doubles is written and checked, given a block of exactly the size it asks
// for, and run.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attention/functions.h"
#include "attention/shapes.h"
#include "support/cpp/call.h"
#include "support/cpp/vector_file.h"

namespace attention::tests {

// Numbers of 16 bits, as a tensor may come.
struct HalfTensor {
  std::vector<double> dims;
  std::vector<std::uint16_t> bits;
  NumberType type = NumberType::kFloat16;
};

using Results = std::map<std::string, Result>;

struct Answer {
  std::string problem;  // "" where there are results
  Results results;
};

// The entry of a name; a name that there is not ends the program.
const FunctionEntry& function_named(std::string_view name);

// The fields of a function one after the other, their offsets counted from the start of the record.
std::vector<Field> fields_of(const FunctionEntry& function);

// The numbers that 16 bits stand for, by the definition of their format.
double number_of(std::uint16_t bits, NumberType type);

class Record {
 public:
  explicit Record(std::string_view function);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  // A number, of a field that is one or that may be one.
  Record& set(std::string_view field, double number);
  Record& set(std::string_view field, const VectorTensor& tensor);
  Record& set(std::string_view field, const HalfTensor& tensor);
  Record& set_list(std::string_view field, std::vector<double> list);

  // As if a field had never been set.
  void forget(std::string_view field);

  std::string check();
  double fact(std::string_view field) const;
  double bytes() const { return fact("bytes"); }

  // After check() answered "".
  Results run(const Kernels& kernels) const;
  Answer call(const Kernels& kernels);

  bool has(std::string_view field) const;
  double& slot(const Field& field, std::size_t at = 0) {
    return slots_[field.offset / sizeof(double) + at];
  }

 private:
  struct Input {
    std::string field;
    std::size_t offset;
    std::vector<std::byte> bytes;
    bool in_upper_half;
  };

  const Field& field(std::string_view name) const;
  TensorArgument& tensor_at(std::size_t offset) {
    return *reinterpret_cast<TensorArgument*>(&slots_[offset / sizeof(double)]);
  }
  const TensorArgument& tensor_at(std::size_t offset) const {
    return *reinterpret_cast<const TensorArgument*>(&slots_[offset / sizeof(double)]);
  }

  const FunctionEntry& function_;
  std::vector<Field> fields_;
  std::vector<double> slots_;
  std::deque<std::vector<double>> lists_;  // stay where they are
  std::vector<Input> inputs_;
};

// An object that a function made, in memory of exactly its size.
class Object {
 public:
  // record: of a function that makes one. A problem leaves no object.
  Object(const Kernels& kernels, Record& record);

  const std::string& problem() const { return problem_; }
  double address() const;

 private:
  std::string problem_;
  std::optional<CallBlock> memory_;
};

}  // namespace attention::tests
