// Formatting of error messages and JSON. The placeholders $ (text), # (number) and @ (dims of a
// tensor) are checked against the arguments at compile time:
//
//     format("$ has dims @ but heads is #", name, tensor, heads)
#pragma once

#include <string>
#include <type_traits>

#include "calls/record.h"

namespace attention::calls {

// An argument: text ($), a number (#) or a tensor's dims (@).
union FormatArg {
  const char* words;
  double number;
  const Tensor* tensor;

  FormatArg(const char* args) : words(args) {}
  FormatArg(const std::string& args) : words(args.c_str()) {}
  FormatArg(double args) : number(args) {}
  FormatArg(const Fact& args) : number(args) {}
  FormatArg(const Tensor& args) : tensor(&args) {}
};

template <class Args>
consteval char mark() {
  if (std::is_convertible_v<const Args&, const Tensor&>) return '@';
  return std::is_convertible_v<const Args&, double> ? '#' : '$';
}

consteval bool is_mark(char character) {
  return character == '$' || character == '#' || character == '@';
}

// Undefined: a call makes a constant expression fail to compile.
[[noreturn]] void format_mismatch();

// A format string whose placeholders match the argument types Args.
template <class... Args>
struct Text {
  consteval Text(const char* text) : characters(text) {
    const char marks[] = {mark<Args>()..., '\0'};
    const char* next = marks;
    for (const char* character = text; *character != '\0'; ++character) {
      if (is_mark(*character) && *character != *next++) format_mismatch();
    }
    if (*next != '\0') format_mismatch();
  }

  const char* characters;
};

std::string format_message(const char* text, const FormatArg* args);

template <class... Args>
std::string format(Text<std::type_identity_t<Args>...> text, const Args&... args) {
  const FormatArg all[] = {FormatArg(args)..., FormatArg("")};
  return format_message(text.characters, all);
}

}  // namespace attention::calls
