// A call: a record whose fields are listed once, by name and member; rules; and what is run when
// they are kept. Kinds and slots of the fields, their places in the block and the widening of their
// numbers follow from the list. Whoever calls (JavaScript, the tests) writes fields by name, lets
// the record be checked, provides the block of memory it asks for, and runs it.
//
// A call is a struct made of Call, with
//   void fields(auto&& field)                   field("name", member, "name", member, …)
//   bool check(Rules& rules)                    and gives its results their dims
//   void run(const Kernels&, const Block&) const
//       or with Workspace&, which it first only counts, if it needs scratch memory
#pragma once

#include <cstddef>
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
    kTensor,    // a Tensor that comes in
    kWeight,    // a WeightTensor
    kMask,      // a MaskTensor
    kResult,    // a Tensor that goes out
    kNumber,    // a double that comes in
    kOptional,  // an Optional
    kList,      // a List
    kFact       // a double for the caller to read
  };

  const char* part;
  const char* name;  // self-attention's query is query, cross-attention's crossQuery
  Kind kind;
  std::size_t offset;  // in bytes, from the start of the record

  std::string full_name() const;
};

// The fields of a record, in the order of its list.
class FieldList {
 public:
  explicit FieldList(const Call& record) : record_(&record) {}

  // Inlined, or each of its lengths would be a function of the module.
  template <class Member, class... More>
  [[gnu::always_inline]] void operator()(const char* name, Member& member, More&&... more) {
    add(name, kind_of<Member>(), &member);
    if constexpr (sizeof...(more) > 0) (*this)(std::forward<More>(more)...);
  }

  // The part that the fields to come belong to.
  void begin(const char* part) { part_ = part; }

  const std::vector<Field>& fields() const { return fields_; }

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
  const char* part_ = "";
  std::vector<Field> fields_;
};

struct Entry {
  std::string_view name;
  std::size_t bytes;  // of the record
  void (*list_fields)(Call& record, FieldList& list);
  bool (*check)(Call& record, Rules& rules);
  void (*run)(const Call& record, const Kernels& kernels, const Block& block, Workspace& workspace);
};

// Bytes behind each tensor of a block, and behind its scratch memory, that no run touches: tests
// look at them. The module has none.
#ifndef ATTENTION_CANARY_BYTES
#define ATTENTION_CANARY_BYTES 0
#endif
inline constexpr double kCanaryBytes = ATTENTION_CANARY_BYTES;

// Every call, in the order of their numbers, by which they are known below.
std::span<const Entry* const> calls();

const std::vector<Field>& fields(std::size_t number);

// The places of the parts of a record, the names of the values of every enum that is written in
// one, and each call: its name and the doubles of its record.
std::string describe();

// name:kind:slot of every field of a call.
std::string describe_call(std::size_t number);

// The sentence about the rule that a record breaks, "" if there is none.
std::string check(std::size_t number, void* record);

// Runs a record that check() let through. block: as many bytes as it asked for, 16-byte aligned,
// that hold the bytes of the arguments in their places; the results are written into theirs. Once,
// or parts × slices times: of an argument of which the record counts fewer numbers than were given,
// the next so many are to be in its place for each part; a result of which it counts fewer than its
// dims say holds the next so many of its part after each slice, the last one of a part what is
// left. It tells of float32 afterwards, where numbers were widened.
void run(std::size_t number, const Kernels& kernels, void* record, void* block);

// Whether an allocation of so many bytes can be addressed.
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
