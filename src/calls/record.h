// The field types of records. Every number is a double, so JavaScript numbers such as 2^33, -1, 1.5
// and NaN reach the rules unchanged. The caller writes all fields except results, facts, byte
// offsets and byte counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "attention/stored_matrix.h"

namespace attention::calls {

inline constexpr std::size_t kMaximumRank = 4;
// WebAssembly's 4 GiB less one page, so that sizes do not overflow to 0.
inline constexpr double kMaximumBytes = 4294967296.0 - 65536.0;
inline constexpr double kMaximumDimension = 4294967295.0;

struct Optional {
  double present;  // 0 or 1
  double value;

  bool is_present() const { return present != 0; }
  double value_or(double fallback) const { return is_present() ? value : fallback; }
};

struct Tensor {
  double present;  // 0 or 1
  double rank;
  double dims[kMaximumRank];  // at most kMaximumRank are stored
  double count;               // numbers in the caller's data
  double byte_offset;         // bytes from the start of the block: where its numbers are written
  double type;                // the NumberType of the data
  double bytes;               // size of the data in the block

  bool is_present() const { return present != 0; }
  // The size of an axis, counted from the last (0).
  double from_last(std::size_t axis) const {
    return dims[static_cast<std::size_t>(rank) - 1 - axis];
  }
  double last() const { return from_last(0); }
  // The sizes of the position axis and of the batch axis.
  double length() const { return rank == 3 ? dims[1] : from_last(1); }
  double batch() const { return rank > 2 ? dims[0] : 1; }
};

// A weight in float32, float16, bfloat16 or int8. int8 data are rows along the last axis, each
// preceded by its scale as a float. Low-precision inputs that are not weights are stored at the end
// of a region with room for float32 and converted in place before run(); weights stay in their
// type.
struct WeightTensor : Tensor {
  double widens;  // set by the rules if this weight must be converted to float32 too
};

// A mask: bytes (nonzero: visible), or floats that are added to the scores.
struct MaskTensor : Tensor {
  double additive;
};

// An output tensor.
struct Result : Tensor {};

struct List {
  double present;  // 0 or 1
  double count;
  double address;  // of count doubles

  bool is_present() const { return present != 0; }
};

inline std::span<const double> numbers(const List& list) {
  if (!list.is_present()) return {};
  return {reinterpret_cast<const double*>(static_cast<std::uintptr_t>(list.address)),
          static_cast<std::size_t>(list.count)};
}

// An output number that the rules set.
struct Fact {
  double value;

  operator double() const { return value; }
  Fact& operator=(double number) {
    value = number;
    return *this;
  }
};

// The beginning of every record.
struct Call {
  Fact bytes;         // size of the block; 0 if a rule is violated
  Fact is_divisible;  // 1 if batch entries, KV heads and query rows can be separate calls
  double workspace;   // byte offset of the scratch memory in the block
  Fact object_bytes;  // size of the object that the call constructs, or 0
  double object;      // address of that object

  void fields(auto&& field) { field("bytes", bytes, "isDivisible", is_divisible); }
};

// A call that constructs an object. The caller reads objectBytes after check(), allocates that many
// bytes, 16-byte aligned, and sets object before run().
struct ConstructorCall : Call {
  void fields(auto&& field) {
    Call::fields(field);
    field("object", object, "objectBytes", object_bytes);
  }
};

}  // namespace attention::calls
