// What all rules are made of: they are walked through in order, and the first that is broken leaves
// its sentence.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "attention/sentence.h"
#include "attention/shapes.h"
#include "attention/workspace.h"

namespace attention {

inline constexpr double kMaximumDimension = 4294967295.0;
inline constexpr double kMaximumWhole = 9007199254740991.0;  // 2^53 - 1

inline bool is_whole(double number) {
  return std::abs(number) <= kMaximumWhole && std::floor(number) == number;
}

// Finite as the float it becomes.
inline bool is_finite(double number) { return std::isfinite(static_cast<float>(number)); }

inline double product(const TensorArgument& tensor) {
  double count = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
    count *= tensor.dims[axis];
  }
  return count;
}

inline TensorArgument tensor_of(std::initializer_list<double> dims) {
  TensorArgument tensor{1, static_cast<double>(dims.size()), {}, 0, 0};
  std::copy(dims.begin(), dims.end(), tensor.dims);
  tensor.count = product(tensor);
  return tensor;
}

class Rules {
 public:
  const std::string& problem() const { return problem_; }

 protected:
  template <class... Parts>
  bool broken(const Parts&... parts) {
    problem_ = sentence(parts...);
    return false;
  }

  bool tensor(std::string_view name, const TensorArgument& tensor, double least_rank,
              double most_rank = kMaximumRank) {
    if (!(tensor.rank >= least_rank && tensor.rank <= most_rank)) {
      return broken(name, " has ", tensor.rank, tensor.rank == 1 ? " dimension (" : " dimensions (",
                    tensor, ") but must have ",
                    least_rank == most_rank ? sentence(least_rank)
                                            : sentence("from ", least_rank, " to ", most_rank));
    }
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(tensor.rank); ++axis) {
      const double dim = tensor.dims[axis];
      if (!(is_whole(dim) && dim >= 0 && dim <= kMaximumDimension)) {
        return broken(name, ".dims[", static_cast<double>(axis), "] is ", dim,
                      " but must be a whole number from 0 to ", kMaximumDimension);
      }
    }
    if (product(tensor) != tensor.count) {
      return broken(name, " has dims ", tensor, " = ", product(tensor),
                    " numbers but its data holds ", tensor.count);
    }
    return true;
  }

  bool same_rank(std::string_view name, const TensorArgument& tensor, std::string_view other_name,
                 const TensorArgument& other) {
    if (tensor.rank == other.rank) return true;
    return broken(name, " has dims ", tensor, " but ", other_name, " has ", other,
                  ": both must have the same number of dimensions");
  }

  bool same_dims(std::string_view name, const TensorArgument& tensor, std::string_view meaning,
                 const TensorArgument& expected) {
    if (tensor.rank == expected.rank &&
        std::equal(tensor.dims, tensor.dims + static_cast<std::size_t>(tensor.rank),
                   expected.dims)) {
      return true;
    }
    return broken(name, " has dims ", tensor, " but must be ", meaning, " = ", expected);
  }

  bool is_option_whole(std::string_view name, const OptionalNumber& option, double least) {
    if (option.given == 0 || (is_whole(option.value) && option.value >= least)) return true;
    return broken(name, " is ", option.value, " but must be a whole number of at least ", least);
  }

  bool is_count(std::string_view name, double number, double least) {
    if (number > kMaximumDimension) {
      return broken(name, " is ", number, " but must be at most ", kMaximumDimension);
    }
    if (is_whole(number) && number >= least) return true;
    return broken(name, " is ", number, " but must be a whole number of at least ", least);
  }

  bool is_option_positive(std::string_view name, const OptionalNumber& option) {
    if (option.given == 0 || (is_finite(option.value) && static_cast<float>(option.value) > 0)) {
      return true;
    }
    return broken(name, " is ", option.value, " but must be a finite float32 number above 0");
  }

 private:
  std::string problem_;
};

// For a call that needs more than can be addressed.
inline std::string beyond_memory(double bytes) {
  constexpr double kGigabyte = 1073741824.0;
  return sentence("this call needs ", std::ceil(bytes / kGigabyte * 10) / 10,
                  " GiB for its arguments and results but WebAssembly can address 4 GiB");
}

// Hands out places in the one block of a call, from a start on.
class Layout {
 public:
  explicit Layout(double start) : end_(start) {}

  // Room for the numbers of a tensor, if it is given.
  void place(TensorArgument& tensor, double bytes_each = sizeof(float)) {
    if (tensor.given == 0) return;
    tensor.place = reserve(tensor.count * bytes_each);
  }

  double reserve(double bytes) {
    constexpr auto kAlignment = static_cast<double>(Workspace::kAlignment);
    const double place = end_;
    // A tensor that no rule looked at may hold less than nothing.
    end_ += std::ceil(std::max(bytes, 0.0) / kAlignment) * kAlignment;
    return place;
  }

  double end() const { return end_; }
  bool fits() const { return end_ <= kMaximumBytes; }

  // For a block that does not fit.
  std::string problem() const { return beyond_memory(end_); }

 private:
  double end_;
};

}  // namespace attention
