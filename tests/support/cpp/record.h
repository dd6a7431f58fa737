// A call of any function of the library by its name and the names of its fields, as JavaScript
// makes it: a record of doubles is written and checked, given a block of exactly the size it asks
// for, and run. Nothing else in the tests knows how records are made.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/cpp/exact_memory.h"
#include "support/cpp/tensors.h"

namespace attention {

struct Kernels;

}  // namespace attention

namespace attention::tests {

// A part of a record: so many doubles from `slot` on.
struct RecordField {
  enum class Kind { kTensor, kResult, kNumber, kOptional, kList, kFact };

  std::string name;
  Kind kind = Kind::kNumber;
  std::size_t slot = 0, slots = 1;
};

std::vector<std::string> function_names();
// A name that there is not ends the program.
std::vector<RecordField> fields_of(std::string_view function);
std::size_t slots_of(std::string_view function);

// The largest rank of a tensor.
std::size_t largest_rank();

struct Answer {
  std::string problem;  // "" where there are results
  Results results;
};

class Record {
 public:
  explicit Record(std::string_view function);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  // A number, of a field that is one or that may be one; or the name of one (choices.h).
  Record& set(std::string_view field, double number);
  Record& set(std::string_view field, std::string_view choice);
  Record& set(std::string_view field, const VectorTensor& tensor);
  Record& set(std::string_view field, const NarrowTensor& tensor);
  Record& set_list(std::string_view field, std::vector<double> list);

  // A tensor said to hold all the numbers of its dims, which are not there: it can be checked only.
  Record& set_dims(std::string_view field, const std::vector<double>& dims);
  Record& set_dims(std::string_view field, const std::vector<double>& dims, NarrowType type);
  // One of the dims of a tensor, whatever else is said of it.
  Record& set_dim(std::string_view field, std::size_t axis, double dim);

  // As if a field had never been set.
  void forget(std::string_view field);

  std::string check();
  double fact(std::string_view field) const;
  double bytes() const { return fact("bytes"); }
  // Of a tensor, given or found out.
  std::vector<double> dims(std::string_view field) const;

  // After check() answered "", in a block that is full of a byte.
  Results run(const Kernels& kernels, std::byte held = std::byte{0xFF}) const;
  Answer call(const Kernels& kernels);

  const std::vector<RecordField>& fields() const { return fields_; }
  bool has(std::string_view field) const;
  // Whether a tensor, a list or a number that may be one has been set.
  bool is_given(std::string_view field) const;
  double& slot(std::size_t at) { return slots_[at]; }

 private:
  struct Input {
    std::string field;
    std::vector<std::byte> bytes;
  };

  // The bytes of a block from the end of a tensor, or of the scratch memory, to what lies behind:
  // no run reads or writes them.
  struct Canary {
    std::string field;
    std::size_t begin, end;
  };
  std::vector<Canary> canaries() const;

  // A fact may have the name of what the caller says.
  const RecordField& field(std::string_view name, bool is_fact = false) const;

  std::size_t function_;
  std::vector<RecordField> fields_;
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
  std::unique_ptr<ExactMemory> memory_;
};

}  // namespace attention::tests
