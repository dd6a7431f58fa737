// Sentences about arguments, put together from words and numbers without the weight of streams or
// printf in the module. A sentence is a text with marks in the places of what it tells, which is
// held against them when it is compiled:
//
//     sentence("$ has dims @ but heads is #", name, tensor, heads)
#pragma once

#include <string>
#include <type_traits>

#include "calls/record.h"

namespace attention::calls {

// What is told in one place: words ($), a number (#) or a tensor's dims (@).
union Said {
  const char* words;
  double number;
  const Tensor* tensor;

  Said(const char* told) : words(told) {}
  Said(const std::string& told) : words(told.c_str()) {}
  Said(double told) : number(told) {}
  Said(const Fact& told) : number(told) {}
  Said(const Tensor& told) : tensor(&told) {}
};

template <class Told>
consteval char mark() {
  if (std::is_convertible_v<const Told&, const Tensor&>) return '@';
  return std::is_convertible_v<const Told&, double> ? '#' : '$';
}

consteval bool is_mark(char letter) { return letter == '$' || letter == '#' || letter == '@'; }

void a_mark_does_not_fit();  // nowhere defined: what calls it is no constant

// A text with the marks of what it is told.
template <class... Told>
struct Text {
  consteval Text(const char* text) : letters(text) {
    const char marks[] = {mark<Told>()..., '\0'};
    const char* next = marks;
    for (const char* letter = text; *letter != '\0'; ++letter) {
      if (is_mark(*letter) && *letter != *next++) a_mark_does_not_fit();
    }
    if (*next != '\0') a_mark_does_not_fit();
  }

  const char* letters;
};

std::string put_together(const char* text, const Said* told);

template <class... Told>
[[gnu::always_inline]] inline std::string sentence(Text<std::type_identity_t<Told>...> text,
                                                   const Told&... told) {
  const Said all[] = {Said(told)..., Said("")};
  return put_together(text.letters, all);
}

}  // namespace attention::calls
