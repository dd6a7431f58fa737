// Sentences about arguments, put together from words and numbers without the weight of streams or
// printf in the module.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "calls/record.h"

namespace attention::calls {

// A part of a sentence, made of whatever it says: words, a number, or a tensor's dims. Small, and
// made out of line: a rule is mostly the list of these.
class Part {
 public:
  Part(const char* words);
  Part(std::string_view words);
  Part(const std::string& words) : Part(std::string_view(words)) {}
  Part(double number);
  Part(const Fact& fact) : Part(fact.value) {}
  Part(const Tensor& tensor);

  void append_to(std::string& sentence) const;

 private:
  enum class Kind { kWords, kNumber, kDims };

  Kind kind_;
  std::uint32_t length_ = 0;  // of words
  union Said {
    const char* words;
    double number;
    const Tensor* tensor;
  } said_;
};

std::string sentence(std::initializer_list<Part> parts);

}  // namespace attention::calls
