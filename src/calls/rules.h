// The rules of arguments, walked through in order: the first that is broken leaves its sentence.
// Each sentence stands once; what belongs to one call only stands there.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>

#include "attention/key_value_cache.h"
#include "calls/record.h"
#include "calls/sentence.h"

namespace attention::calls {

bool is_whole(double number);                // up to 2^53 - 1
bool is_multiple(double number, double of);  // of whole numbers, the second above 0
bool is_finite(double number);               // as the float it becomes

double product(const Tensor& tensor);
Tensor tensor_of(std::initializer_list<double> dims);
// The dims of a tensor but for the last.
Tensor with_width(Tensor tensor, double width);

class Rules {
 public:
  // "" while none is broken.
  const std::string& problem() const { return problem_; }

  template <class... Told>
  [[gnu::always_inline]] bool broken(Text<std::type_identity_t<Told>...> text,
                                     const Told&... told) {
    const Said all[] = {Said(told)..., Said("")};
    return tell(text.letters, all);
  }

  // Goes before the names of the tensors to come: the part that they belong to.
  void begin(const char* part) { part_ = part; }
  const char* part() const { return part_; }

  bool tensor(const char* name, const Tensor& tensor, double min_rank,
              double max_rank = kMaximumRank);
  bool matrix(const char* name, const Tensor& matrix);  // of which no axis is 0
  bool same_rank(const char* name, const Tensor& tensor, const char* other_name,
                 const Tensor& other);
  bool same_batch(const char* name, const Tensor& tensor, const char* other_name,
                  const Tensor& other);
  bool same_dims(const char* name, const Tensor& tensor, const char* meaning,
                 const Tensor& expected);
  // A row of a width that follows from other arguments, or nothing.
  bool row(const char* name, const Tensor& row, const char* meaning, double width);
  bool width_of_rows(const char* name, const Tensor& rows, double width, const char* meaning);

  bool whole_option(const char* name, const Optional& option, double min);
  bool count(const char* name, double number, double min);
  bool finite_option(const char* name, const Optional& option);  // as a float
  bool finite_double(const char* name, double number);
  bool finite_doubles(const char* name, const List& list);
  bool positive_option(const char* name, const Optional& option);
  bool at_least_0(const char* name, double number);

  // Numbers of a head of so many that a rotation turns.
  bool rotated(const char* name, double width, double dim);

  bool heads_of(const char* option_name, const Optional& option, const char* name,
                const Tensor& tensor);
  bool shared_heads(double heads, double kv_heads);

  bool room_in(const KeyValueCache& cache, double count);

  // The result, of these dims. In place: where an argument is, which is overwritten.
  void give(Result& result, const Tensor& dims);
  void give_in_place(Result& result, const Tensor& argument);

  struct InPlace {
    Result* result = nullptr;
    const Tensor* argument = nullptr;
  };
  const InPlace& in_place() const { return in_place_; }

 private:
  bool tell(const char* text, const Said* told);

  std::string problem_;
  const char* part_ = "";
  InPlace in_place_;
};

}  // namespace attention::calls
