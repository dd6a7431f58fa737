// The interface between JavaScript and the library. A call is a record of doubles with rules for
// its arguments and a function that computes its results. Each record lists its fields once, by
// name and member; their slots, memory layout and conversion to float32 follow from that list.
//
// A caller (JavaScript or a test)
//   1. writes the fields of a record, at the slots that describe() lists,
//   2. calls check(), which returns an error message or sets `bytes`, the size of the block,
//   3. allocates the block and copies the tensors to their byte_offset,
//   4. calls run() and reads the results from the block.
//
// Embind has value_object and val for such arguments. A record is used instead because
//   - a call with 20 options and 3 tensors enters the module in 0.8 µs, as a value_object in 4.4,
//     as a val in 8.9 (a whole call of attention() with 16 queries of 64 numbers takes 5.7),
//   - all rules are checked, and all memory is counted, before anything is allocated,
//   - numbers such as 2^33, -1, 1.5 and NaN reach the rules; Embind would make integers of them,
//   - C++ tests write the same records, with sanitizers and without JavaScript.
//
// A record is a struct derived from Call with
//   void fields(auto&& field)                   field("name", member, "name", member, …)
//   bool check(Rules& rules)                    checks arguments, sets the dims of results
//   void run(const Kernels&, const Block&) const
//       or, if it needs scratch memory, with a third parameter Workspace&
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "attention/implementation.h"
#include "calls/record.h"
#include "calls/rules.h"
#include "calls/views.h"

namespace attention::calls {

struct Field {
  enum class Kind {
    kTensor,    // an input Tensor
    kWeight,    // a WeightTensor
    kMask,      // a MaskTensor
    kResult,    // an output Tensor
    kNumber,    // an input double
    kOptional,  // an Optional
    kList,      // a List
    kFact       // an output double
  };

  const char* prefix;
  const char* name;
  Kind kind;
  std::size_t offset;  // in bytes, from the start of the record
};

// Collects the fields of a record.
class FieldList {
 public:
  explicit FieldList(const Call& record) : record_(&record) {}

  template <class Member, class... More>
  void operator()(const char* name, Member& member, More&&... more) {
    add(name, kind_of<Member>(), &member);
    if constexpr (sizeof...(more) > 0) (*this)(std::forward<More>(more)...);
  }

  // Sets the name prefix of the following fields.
  void set_prefix(const char* prefix) { prefix_ = prefix; }

  std::vector<Field>& fields() { return fields_; }

 private:
  template <class Member>
  static constexpr Field::Kind kind_of() {
    if constexpr (std::is_same_v<Member, MaskTensor>) return Field::Kind::kMask;
    if constexpr (std::is_same_v<Member, WeightTensor>) return Field::Kind::kWeight;
    if constexpr (std::is_same_v<Member, Result>) return Field::Kind::kResult;
    if constexpr (std::is_same_v<Member, Tensor>) return Field::Kind::kTensor;
    if constexpr (std::is_same_v<Member, Optional>) return Field::Kind::kOptional;
    if constexpr (std::is_same_v<Member, List>) return Field::Kind::kList;
    if constexpr (std::is_same_v<Member, Fact>) return Field::Kind::kFact;
    return Field::Kind::kNumber;
  }

  void add(const char* name, Field::Kind kind, const void* member);

  const Call* record_;
  const char* prefix_ = "";
  std::vector<Field> fields_;
};

struct Entry {
  std::string_view name;
  std::size_t bytes;  // of the record
  void (*list_fields)(Call& record, FieldList& list);
  bool (*check)(Call& record, Rules& rules);
  void (*run)(const Call& record, const Kernels& kernels, const Block& block, Workspace& workspace);
};

// Guard bytes after each tensor and after the scratch memory, in which tests detect overflows. 0 in
// the WebAssembly module.
#ifndef ATTENTION_CANARY_BYTES
#define ATTENTION_CANARY_BYTES 0
#endif
inline constexpr double kCanaryBytes = ATTENTION_CANARY_BYTES;

// All calls. A call's number is its index.
std::span<const Entry> calls();

// Adds the calls of a source file to calls(), before the program starts. A module has the calls of
// the files that are linked into it.
class Registration {
 public:
  Registration(std::initializer_list<Entry> added);
};

const std::vector<Field>& fields(std::size_t number);

// The module's description as JSON: the slots within Tensor, Optional and List; names and values of
// enums, block sizes and limits; and of each call its name, the number of doubles in its record,
// and its fields.
//
//   {"layout": {"tensorRank": 1, …},
//    "enums": {"NumberType": {"float32": 0, …}, …},
//    "calls": [{"name": "attention", "doubles": 141,
//               "fields": [{"name": "query", "kind": "tensor", "slot": 4}, …]}, …]}
//
// A kind is tensor, number, optional, list, result or fact.
std::string describe();

// The error message of the first rule that the record violates, or "".
std::string check(std::size_t number, void* record);

// Runs a record for which check() returned "". block: `bytes` bytes, 16-byte aligned, with the
// arguments at their byte_offset; results are written to theirs. Arguments that were converted have
// type float32 afterwards.
void run(std::size_t number, const Kernels& kernels, void* record, void* block);

// True if WebAssembly can address an allocation of that size.
bool can_be_addressed(double bytes);

template <class Record>
constexpr Entry entry(std::string_view name) {
  return {name, sizeof(Record),
          [](Call& record, FieldList& list) { static_cast<Record&>(record).fields(list); },
          [](Call& record, Rules& rules) { return static_cast<Record&>(record).check(rules); },
          [](const Call& record, const Kernels& kernels, const Block& block, Workspace& workspace) {
            const auto& call = static_cast<const Record&>(record);
            if constexpr (requires { call.run(kernels, block, workspace); }) {
              call.run(kernels, block, workspace);
            } else if (!workspace.counts()) {
              call.run(kernels, block);
            }
          }};
}

}  // namespace attention::calls
