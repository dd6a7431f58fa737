// A call as its caller wrote it down, and the rules it has to keep before any memory is touched.
//
// Every number is a double: a JavaScript number arrives as it is, so that 2^33, -1, 1.5 and NaN are
// still themselves when the rules look at them. check() answers with a sentence that names the
// argument, what was found and what was expected, or with "" and fills in what follows from the
// shapes: the dimensions of the results, and where everything lies in one block of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "attention/scaled_dot_product.h"

namespace attention {

inline constexpr std::size_t kMaximumRank = 4;
// WebAssembly's 32-bit memory, less a page that keeps sizes from wrapping to 0.
inline constexpr double kMaximumBytes = 4294967296.0 - 65536.0;

struct OptionalNumber {
  double given;  // 0 or 1
  double value;
};

struct TensorArgument {
  double given;  // 0 or 1
  double rank;
  double dims[kMaximumRank];  // the first kMaximumRank of them
  double count;               // numbers that came with it
  double place;               // set by check(): bytes from the start of the block
  double type = 0;            // a NumberType
};

// How the numbers of a float32 tensor come: narrower ones lie at the end of its place, and are
// widened there before anything else happens. Those of int8 come row by row, each row's scale, a
// float, before its numbers; a row is the last axis, and has two numbers at least.
enum class NumberType { kFloat32 = 0, kFloat16 = 1, kBfloat16 = 2, kInt8 = 3 };

struct ListArgument {
  double given;  // 0 or 1
  double count;
  double address;  // of count doubles
};

// Which function is called.
enum class Step {
  kAttention = 0,
  kScores = 1,
  kSoftmax = 2,
  kWeightedSum = 3,
  kKernel = 4,
  kLinear = 5
};

struct Request {
  double step;
  double cross;  // for the names in sentences: the second attention of a decoder layer

  // What comes in. matrix: the scores given to softmax(), the weights given to weightedSum(), the
  // similarities given to kernelAttention(), whose dims check() sets.
  TensorArgument query, key, value, matrix, mask;
  double mask_is_additive;  // 0: bytes, not 0 = may attend; 1: floats to add

  OptionalNumber heads, kv_heads, scale, softcap;
  double causal;
  OptionalNumber offset;
  double window;  // 0 or 1; a side that is not given is unbounded
  OptionalNumber window_left, window_right;
  ListArgument offsets, key_lengths, slopes, sinks;

  // Of attention(): keys and values come from a KeyValueCache at this address, if not 0, to which
  // the caller will have appended so many by the time of run().
  double cache;
  double appended;

  // Of kernelAttention().
  double similarity;  // a Similarity::Kind
  OptionalNumber bandwidth, constant, degree;

  // Of linearAttention().
  static constexpr double kEfficient = 0;
  double feature_map;  // kEfficient, or a Function
  OptionalNumber epsilon;
  double wants_state;
  TensorArgument sums, normaliser;  // the state to go on from, S and z

  static constexpr double kPerHead = 1;
  static constexpr double kAveraged = 2;
  double wants_weights;  // 0, kPerHead or kAveraged
  double wants_scores;   // 0, or a Stage
  double wants_log_sum_exp;

  // What goes out. Set by check(); weights and scores are also what softmax() and scores() return.
  TensorArgument output, weights, scores, log_sum_exp, new_sums, new_normaliser;
  double start;      // place from which check() lays out; not 0 where a call is part of another
  double workspace;  // place of the scratch memory
  double bytes;      // size of the block

  double cached_offset;  // set by check(): the position of the first query, with a cache

  // Set by check(): the numbers of Shape.
  double batch, head_count, kv_head_count, q_len, k_len, key_dim, value_dim;
};

inline Step step_of(const Request& request) {
  return static_cast<Step>(static_cast<int>(request.step));
}

inline std::span<const double> numbers(const ListArgument& list) {
  if (list.given == 0) return {};
  return {reinterpret_cast<const double*>(static_cast<std::uintptr_t>(list.address)),
          static_cast<std::size_t>(list.count)};
}

// The object at an address that a record holds.
template <class T>
T& object_at(double address) {
  return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
}

inline const KeyValueCache& cache_of(const Request& request) {
  return object_at<const KeyValueCache>(request.cache);
}

Shape shape_of(const Request& request);

// "" if the request can be run.
std::string check(Request& request);

// Runs a request that check() let through. block: request.bytes bytes, 16-byte aligned, that hold
// the arguments where check() placed them; the results are written where it placed them.
void run(const Kernels& kernels, const Request& request, void* block);

}  // namespace attention
