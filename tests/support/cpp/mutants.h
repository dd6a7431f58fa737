// Switches of mutants, included before all sources of the library in the build of
// tests/release/mutants.js; an environment variable is the number of the active one. "a < b"
// becomes "a < mutants::At{7} < b", which has the same precedence.
#pragma once

#include <type_traits>

namespace mutants {

// Number of the active mutant; negative while executed mutants are recorded.
extern int chosen;

// Records mutant n as executed, returns false. "const" is not true, but lets loops call it once.
[[gnu::const]] bool note(int n);

constexpr bool on(int n) {
  if (std::is_constant_evaluated()) return false;
  return chosen == n || (chosen < 0 && note(n));
}

struct At {
  int n;
};

template <class T>
struct Held {
  T value;
  int n;
};

template <class T, class U>
constexpr T number(int n, U other, T given) {
  return on(n) ? static_cast<T>(other) : given;
}

template <class T>
constexpr T& up(int n, T& number) {
  return on(n) ? ++number : --number;
}

template <class T>
constexpr T& down(int n, T& number) {
  return on(n) ? --number : ++number;
}

template <int n>
struct Extreme {
  template <class T>
  static constexpr T min(const T& a, const T& b) {
    return (b < a) != on(n) ? b : a;
  }
  template <class T>
  static constexpr T max(const T& a, const T& b) {
    return (a < b) != on(n) ? b : a;
  }
};

// If the other operator is undefined for the types, as for pointers, the result is one off.
#define MUTANTS_OPERATOR(sign, other)                                     \
  template <class T>                                                      \
  constexpr Held<std::decay_t<T>> operator sign(T&& left, At at) {        \
    return {static_cast<std::decay_t<T>>(left), at.n};                    \
  }                                                                       \
  template <class T, class U>                                             \
  constexpr auto operator sign(const Held<T>& left, const U& right) {     \
    if constexpr (requires { left.value other right; }) {                 \
      using Result = decltype(left.value sign right);                     \
      if (on(left.n)) return static_cast<Result>(left.value other right); \
    } else if (on(left.n)) {                                              \
      return (left.value sign right) + 1;                                 \
    }                                                                     \
    return left.value sign right;                                         \
  }

#define MUTANTS_ASSIGNMENT(sign, other)                       \
  template <class U>                                          \
  constexpr Held<U> operator sign(At at, const U& right) {    \
    return {right, at.n};                                     \
  }                                                           \
  template <class T, class U>                                 \
  constexpr T& operator sign(T& left, const Held<U>& right) { \
    if constexpr (requires { left other right.value; }) {     \
      if (on(right.n)) return left other right.value;         \
    } else if (on(right.n)) {                                 \
      return left;                                            \
    }                                                         \
    return left sign right.value;                             \
  }

MUTANTS_OPERATOR(<, <=)
MUTANTS_OPERATOR(<=, <)
MUTANTS_OPERATOR(>, >=)
MUTANTS_OPERATOR(>=, >)
MUTANTS_OPERATOR(==, !=)
MUTANTS_OPERATOR(!=, ==)
MUTANTS_OPERATOR(+, -)
MUTANTS_OPERATOR(-, +)
MUTANTS_OPERATOR(*, /)
MUTANTS_OPERATOR(/, *)
MUTANTS_OPERATOR(%, /)
MUTANTS_ASSIGNMENT(+=, -=)
MUTANTS_ASSIGNMENT(-=, +=)
MUTANTS_ASSIGNMENT(*=, /=)
MUTANTS_ASSIGNMENT(/=, *=)

}  // namespace mutants
