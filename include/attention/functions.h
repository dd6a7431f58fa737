// Everything that can be called, by name: the fields of its record of doubles, and what checks and
// runs it. Whoever calls (JavaScript, the tests) writes fields by their names, lets the record be
// checked, provides the block of memory it asks for, and runs it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "attention/scaled_dot_product.h"

namespace attention {

// A part of a record, at so many doubles from its start.
struct Field {
  enum class Kind : char {
    kTensor = 't',    // a TensorArgument that comes in
    kResult = 'r',    // a TensorArgument that goes out
    kNumber = 'n',    // a double that comes in
    kOptional = 'o',  // an OptionalNumber
    kList = 'l',      // a ListArgument
    kFact = 'f',      // a double that check() sets, for the caller to read
  };

  std::string_view name;
  Kind kind;
  std::size_t offset;  // in bytes
};

// Fields that lie together, perhaps inside a larger record.
struct FieldGroup {
  std::span<const Field> fields;
  std::size_t offset;  // in bytes
};

struct FunctionEntry {
  std::string_view name;
  std::size_t bytes;  // of the record
  std::span<const FieldGroup> groups;
  std::string (*check)(void* record);
  void (*run)(const Kernels& kernels, const void* record, void* block);
};

std::span<const FunctionEntry> functions();

// One line for each: its name, the doubles of its record, and name:kind:slot of every field.
std::string describe_functions();

// Runs a checked record in its block, 16-bit numbers widened first.
void run_function(const FunctionEntry& function, const Kernels& kernels, const void* record,
                  void* block);

}  // namespace attention
