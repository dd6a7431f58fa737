// Sentences about arguments, put together from words and numbers without the weight of streams or
// printf in the module.
#pragma once

#include <string>
#include <string_view>

#include "attention/shapes.h"

namespace attention {

std::string text(double number);

// 2×3×64, or "(none)" for a tensor without dimensions.
std::string text(const TensorArgument& tensor);

inline std::string_view text(std::string_view words) { return words; }

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::string result;
  (result.append(text(parts)), ...);
  return result;
}

}  // namespace attention
