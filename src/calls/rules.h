// Rules for the arguments of calls. Each function returns true if its rule holds, or sets the error
// message and returns false. Messages that only one call needs are in that call's file.
// A tensor in a message is the name of its field in braces, {query}: JavaScript replaces it by the
// caller's name for the tensor, such as the key of a state dict.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>

#include "attention/key_value_cache.h"
#include "calls/format.h"
#include "calls/record.h"

namespace attention::calls {

// The name of a field with a prefix: crossQuery is "query" with prefix "cross".
std::string full_name(const char* prefix, const char* name);

bool is_whole(double number);                // up to 2^53 - 1
bool is_multiple(double number, double of);  // both integers, of > 0
bool is_finite(double number);               // after conversion to float

double product(const Tensor& tensor);
Tensor tensor_of(std::initializer_list<double> dims);
// A tensor with the same dims except for the last.
Tensor with_width(Tensor tensor, double width);

class Rules {
 public:
  // The error message, or "".
  const std::string& problem() const { return problem_; }

  template <class... Args>
  bool fail(Text<std::type_identity_t<Args>...> text, const Args&... args) {
    const FormatArg all[] = {FormatArg(args)..., FormatArg("")};
    return set_error(text.characters, all);
  }

  // Sets the prefix of the fields in the following messages, such as "cross".
  void set_prefix(const char* prefix) { prefix_ = prefix; }
  // The full name of a field, in braces.
  std::string field(const char* name) const;

  bool tensor(const char* name, const Tensor& tensor, double min_rank,
              double max_rank = kMaximumRank);
  bool matrix(const char* name, const Tensor& matrix);  // rank 2, no axis is 0
  bool same_rank(const char* name, const Tensor& tensor, const char* other_name,
                 const Tensor& other);
  bool same_batch(const char* name, const Tensor& tensor, const char* other_name,
                  const Tensor& other);
  bool same_dims(const char* name, const Tensor& tensor, const char* meaning,
                 const Tensor& expected);
  // An absent tensor, or one row of that width.
  bool row(const char* name, const Tensor& row, const char* meaning, double width);
  bool row_width(const char* name, const Tensor& rows, double width, const char* meaning);

  bool whole_option(const char* name, const Optional& option, double min);
  bool count(const char* name, double number, double min);
  bool finite_option(const char* name, const Optional& option);  // finite as a float
  bool finite_double(const char* name, double number);
  bool finite_doubles(const char* name, const List& list);
  bool positive_option(const char* name, const Optional& option);
  bool at_least_0(const char* name, double number);

  // The rotated width: an even number up to dim.
  bool rotated(const char* name, double width, double dim);

  bool heads_match(const char* option_name, const Optional& option, const char* name,
                   const Tensor& tensor);
  bool heads_divide(double heads, double kv_heads);

  bool has_room(const KeyValueCache& cache, double count);

  // Sets the dims of a result. In place: the result overwrites the argument.
  void set_result(Result& result, const Tensor& dims);
  void set_result_in_place(Result& result, const Tensor& argument);

  struct InPlace {
    Result* result = nullptr;
    const Tensor* argument = nullptr;
  };
  const InPlace& in_place() const { return in_place_; }

 private:
  bool set_error(const char* text, const FormatArg* args);

  std::string problem_;
  const char* prefix_ = "";
  InPlace in_place_;
};

}  // namespace attention::calls
