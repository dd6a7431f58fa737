// A call through the same record and the same block that JavaScript writes: fill in a Request, run
// it in a block of exactly the size that was asked for, read the results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "attention/shapes.h"

namespace attention::tests {

inline TensorArgument tensor_argument(const std::vector<double>& dims, double count) {
  TensorArgument tensor{1, static_cast<double>(dims.size()), {}, count, 0};
  std::copy_n(dims.begin(), std::min(dims.size(), kMaximumRank), tensor.dims);
  return tensor;
}

inline TensorArgument tensor_argument(const std::vector<double>& dims) {
  double count = 1;
  for (const double dim : dims) count *= dim;
  return tensor_argument(dims, count);
}

inline ListArgument list_argument(const std::vector<double>& list) {
  return {1, static_cast<double>(list.size()),
          static_cast<double>(reinterpret_cast<std::uintptr_t>(list.data()))};
}

// What a call gave; without dims and numbers if it gave nothing.
struct Result {
  std::vector<double> dims;
  std::vector<float> numbers;
};

// 0 is not -0; any NaN is any other.
inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof x) == 0;
  });
}

inline bool same_bits(const Result& a, const Result& b) {
  return a.dims == b.dims && same_bits(a.numbers, b.numbers);
}

// The block of a checked request, or the memory of an object. Its last byte is the last that was
// asked for, so that a sanitizer sees whoever goes on.
class CallBlock {
 public:
  explicit CallBlock(double bytes)
      : block_(std::aligned_alloc(16, std::max<std::size_t>(16, static_cast<std::size_t>(bytes)))) {
    // Nothing may rely on what the memory held before.
    std::memset(block_, 0xFF, static_cast<std::size_t>(bytes));
  }
  explicit CallBlock(const Request& request) : CallBlock(request.bytes) {}
  ~CallBlock() { std::free(block_); }
  CallBlock(const CallBlock&) = delete;
  CallBlock& operator=(const CallBlock&) = delete;

  void* get() const { return block_; }

  template <class T>
  void write(const TensorArgument& tensor, const std::vector<double>& numbers) {
    T* to =
        reinterpret_cast<T*>(static_cast<char*>(block_) + static_cast<std::size_t>(tensor.place));
    std::transform(numbers.begin(), numbers.end(), to,
                   [](double number) { return static_cast<T>(number); });
  }

  std::vector<float> read(const TensorArgument& tensor) const {
    const auto* from = reinterpret_cast<const float*>(static_cast<const char*>(block_) +
                                                      static_cast<std::size_t>(tensor.place));
    return {from, from + static_cast<std::size_t>(tensor.count)};
  }

  Result result(const TensorArgument& tensor) const {
    if (tensor.given == 0) return {};
    return {{tensor.dims, tensor.dims + static_cast<std::size_t>(tensor.rank)}, read(tensor)};
  }

 private:
  void* block_;
};

}  // namespace attention::tests
