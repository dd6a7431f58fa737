// Conditions are written so that NaN violates them.
#include "calls/rules.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "calls/views.h"

namespace attention::calls {

std::string full_name(const char* prefix, const char* name) {
  std::string joined = prefix;
  const std::size_t length = joined.size();
  joined += name;
  if (length > 0) joined[length] += 'A' - 'a';
  return joined;
}

bool is_whole(double number) {
  constexpr double kMaximumWhole = 9007199254740991.0;
  return std::abs(number) <= kMaximumWhole && std::floor(number) == number;
}

bool is_multiple(double number, double of) { return std::floor(number / of) * of == number; }

bool is_finite(double number) { return std::isfinite(real(number)); }

double product(const Tensor& tensor) {
  double count = 1;
  for (std::size_t axis = 0; axis < size(tensor.rank); ++axis) count *= tensor.dims[axis];
  return count;
}

Tensor tensor_of(std::initializer_list<double> dims) {
  Tensor tensor{1, static_cast<double>(dims.size()), {}, 0, 0, 0, 0};
  std::copy(dims.begin(), dims.end(), tensor.dims);
  tensor.count = product(tensor);
  return tensor;
}

Tensor with_width(Tensor tensor, double width) {
  tensor.present = 1;
  tensor.byte_offset = tensor.type = 0;
  tensor.dims[size(tensor.rank) - 1] = width;
  tensor.count = product(tensor);
  return tensor;
}

std::string Rules::field(const char* name) const { return format("{$}", full_name(prefix_, name)); }

bool Rules::set_error(const char* text, const FormatArg* args) {
  problem_ = format_message(text, args);
  return false;
}

bool Rules::tensor(const char* name, const Tensor& tensor, double min_rank, double max_rank) {
  if (!tensor.is_present()) return fail("$ is missing", field(name));
  if (!(tensor.rank >= min_rank && tensor.rank <= max_rank)) {
    return fail(
        "$ has #$@) but must have $", field(name), tensor.rank,
        tensor.rank == 1 ? " dimension (" : " dimensions (", tensor,
        min_rank == max_rank ? format("#", min_rank) : format("from # to #", min_rank, max_rank));
  }
  for (std::size_t axis = 0; axis < size(tensor.rank); ++axis) {
    const double dim = tensor.dims[axis];
    if (!(is_whole(dim) && dim >= 0 && dim <= kMaximumDimension)) {
      return fail("$.dims[#] is # but must be a whole number from 0 to #", field(name),
                  static_cast<double>(axis), dim, kMaximumDimension);
    }
  }
  if (product(tensor) == tensor.count) return true;
  return fail("$ has dims @ = # numbers but its data holds #", field(name), tensor, product(tensor),
              tensor.count);
}

bool Rules::matrix(const char* name, const Tensor& matrix) {
  if (!tensor(name, matrix, 2, 2)) return false;
  if (matrix.count > 0) return true;
  return fail("$ has dims @ but no axis may be 0", field(name), matrix);
}

bool Rules::same_rank(const char* name, const Tensor& tensor, const char* other_name,
                      const Tensor& other) {
  if (tensor.rank == other.rank) return true;
  return fail("$ has dims @ but $ has @: both must have the same number of dimensions", name,
              tensor, other_name, other);
}

bool Rules::same_batch(const char* name, const Tensor& tensor, const char* other_name,
                       const Tensor& other) {
  if (tensor.rank < 3 || tensor.dims[0] == other.dims[0]) return true;
  return fail("$ has dims @ but $$@: the first axes must both be batch", name, tensor, other_name,
              std::string_view(other_name) == "weights" ? " have " : " has ", other);
}

bool Rules::same_dims(const char* name, const Tensor& tensor, const char* meaning,
                      const Tensor& expected) {
  if (tensor.rank == expected.rank &&
      std::equal(tensor.dims, tensor.dims + size(tensor.rank), expected.dims)) {
    return true;
  }
  return fail("$ has dims @ but must be $ = @", field(name), tensor, meaning, expected);
}

bool Rules::row(const char* name, const Tensor& row, const char* meaning, double width) {
  return !row.is_present() ||
         (tensor(name, row, 1, 1) && same_dims(name, row, meaning, tensor_of({width})));
}

bool Rules::row_width(const char* name, const Tensor& rows, double width, const char* meaning) {
  if (rows.last() == width) return true;
  return fail("$ has dims @ but the layer takes rows of #: the last axis must be $", name, rows,
              width, meaning);
}

bool Rules::whole_option(const char* name, const Optional& option, double min) {
  if (!option.is_present() || (is_whole(option.value) && option.value >= min)) return true;
  return fail("$ is # but must be a whole number of at least #", name, option.value, min);
}

bool Rules::count(const char* name, double number, double min) {
  if (number > kMaximumDimension) {
    return fail("$ is # but must be at most #", name, number, kMaximumDimension);
  }
  if (is_whole(number) && number >= min) return true;
  return fail("$ is # but must be a whole number of at least #", name, number, min);
}

bool Rules::finite_option(const char* name, const Optional& option) {
  if (!option.is_present() || is_finite(option.value)) return true;
  return fail("$ is # but must be a finite float32 number", name, option.value);
}

bool Rules::finite_double(const char* name, double number) {
  if (std::isfinite(number)) return true;
  return fail("$ is # but must be a finite number", name, number);
}

bool Rules::finite_doubles(const char* name, const List& list) {
  double index = 0;
  for (const double number : numbers(list)) {
    if (!std::isfinite(number)) {
      return fail("$[#] is # but must be a finite number", name, index, number);
    }
    ++index;
  }
  return true;
}

bool Rules::positive_option(const char* name, const Optional& option) {
  if (!option.is_present() || (is_finite(option.value) && real(option.value) > 0)) return true;
  return fail("$ is # but must be a finite float32 number above 0", name, option.value);
}

bool Rules::at_least_0(const char* name, double number) {
  if (is_finite(number) && number >= 0) return true;
  return fail("$ is # but must be a finite float32 number of at least 0", name, number);
}

bool Rules::rotated(const char* name, double width, double dim) {
  if (is_whole(width) && is_multiple(width, 2) && width >= 0 && width <= dim) return true;
  return fail("$ is # but must be an even number from 0 to d = #", name, width, dim);
}

bool Rules::heads_match(const char* option_name, const Optional& option, const char* name,
                        const Tensor& tensor) {
  if (!option.is_present() || option.value == tensor.dims[1]) return true;
  return fail("$ is # but $ has dims @: at 4 dimensions the second is $", option_name, option.value,
              name, tensor, option_name);
}

bool Rules::heads_divide(double heads, double kv_heads) {
  if (kv_heads == 0 ? heads == 0 : is_multiple(heads, kv_heads)) return true;
  return fail("heads is # but kvHeads is #: heads must be a multiple of kvHeads", heads, kv_heads);
}

bool Rules::has_room(const KeyValueCache& cache, double count) {
  if (cache.has_room_for(size(count))) return true;
  return fail("the cache holds # of # keys: there is no room for # more",
              static_cast<double>(cache.length), static_cast<double>(cache.capacity), count);
}

void Rules::set_result(Result& result, const Tensor& dims) {
  static_cast<Tensor&>(result) = dims;
  result.present = 1;
  result.byte_offset = result.type = 0;
}

void Rules::set_result_in_place(Result& result, const Tensor& argument) {
  set_result(result, argument);
  in_place_ = {&result, &argument};
}

}  // namespace attention::calls
