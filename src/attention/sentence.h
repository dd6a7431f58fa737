// Sentences about arguments, put together from words and numbers without the weight of streams or
// printf in the module.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "attention/shapes.h"

namespace attention {

// A part of a sentence, made of whatever it says: words, a number, or a tensor's dims.
class Part {
 public:
  Part(std::string_view words) : words_(words) {}
  Part(const char* words) : words_(words) {}
  Part(const std::string& words) : words_(words) {}
  Part(double number) : kind_(Kind::kNumber), number_(number) {}
  Part(const TensorArgument& tensor) : kind_(Kind::kDims), tensor_(&tensor) {}

  void append_to(std::string& sentence) const;

 private:
  enum class Kind { kWords, kNumber, kDims };

  Kind kind_ = Kind::kWords;
  std::string_view words_;
  double number_ = 0;
  const TensorArgument* tensor_ = nullptr;
};

std::string put_together(std::initializer_list<Part> parts);

template <class... Parts>
std::string sentence(const Parts&... parts) {
  return put_together({Part(parts)...});
}

}  // namespace attention
