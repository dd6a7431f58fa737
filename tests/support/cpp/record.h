// Calls any function of the library by name, with fields by name, as JavaScript does: writes a
// record of doubles, checks it, allocates a block of exactly the requested size, and runs it.
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

// A field of a record: consecutive doubles from `slot` on.
struct RecordField {
  enum class Kind { kTensor, kResult, kNumber, kOptional, kList, kFact };

  std::string name;
  Kind kind = Kind::kNumber;
  std::size_t slot = 0, slots = 1;
};

std::vector<std::string> function_names();
// Aborts if the name does not exist.
std::vector<RecordField> fields_of(std::string_view function);
std::size_t slots_of(std::string_view function);

// The largest rank of a tensor.
std::size_t largest_rank();

struct Answer {
  std::string problem;  // error message, "" if there are results
  Results results;
};

class Record {
 public:
  explicit Record(std::string_view function);
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  // Sets a number field or an optional, or an enum by name (choices.h).
  Record& set(std::string_view field, double number);
  Record& set(std::string_view field, std::string_view choice);
  Record& set(std::string_view field, const VectorTensor& tensor);
  Record& set(std::string_view field, const LowPrecisionTensor& tensor);
  Record& set_list(std::string_view field, std::vector<double> list);

  // Sets dims and the matching count without data: the record can be checked but not run.
  Record& set_dims(std::string_view field, const std::vector<double>& dims);
  Record& set_dims(std::string_view field, const std::vector<double>& dims, LowPrecisionType type);
  // Sets one of the dims of a tensor.
  Record& set_dim(std::string_view field, std::size_t axis, double dim);

  // Unsets a field.
  void forget(std::string_view field);

  std::string check();
  double fact(std::string_view field) const;
  double bytes() const { return fact("bytes"); }
  // Dims of a tensor or result.
  std::vector<double> dims(std::string_view field) const;

  // Runs after check() returned "", in a block filled with that byte.
  Results run(const Kernels& kernels, std::byte held = std::byte{0xFF}) const;
  Answer call(const Kernels& kernels);

  const std::vector<RecordField>& fields() const { return fields_; }
  bool has(std::string_view field) const;
  // True if a tensor, list or optional is set.
  bool is_given(std::string_view field) const;
  double& slot(std::size_t at) { return slots_[at]; }

 private:
  struct Input {
    std::string field;
    std::vector<std::byte> bytes;
  };

  // The guard bytes after each tensor and after the scratch memory, which run() must not access.
  struct Canary {
    std::string field;
    std::size_t begin, end;
  };
  std::vector<Canary> canaries() const;

  // A fact can have the same name as an input.
  const RecordField& field(std::string_view name, bool is_fact = false) const;

  std::size_t function_;
  std::vector<RecordField> fields_;
  std::vector<double> slots_;
  std::deque<std::vector<double>> lists_;  // a deque keeps addresses stable
  std::vector<Input> inputs_;
};

// An object constructed by a call, in memory of exactly its size.
class Object {
 public:
  // record: of a constructing call. If it is rejected there is no object.
  Object(const Kernels& kernels, Record& record);

  const std::string& problem() const { return problem_; }
  double address() const;

 private:
  std::string problem_;
  std::unique_ptr<ExactMemory> memory_;
};

}  // namespace attention::tests
