// Fields that say one of several things do so by a number: which number stands for which name.
#pragma once

#include <string_view>
#include <vector>

namespace attention::tests {

// A name that there is not ends the program.
double number_of_choice(std::string_view field, std::string_view name);

// All numbers that a field may hold; none where it does not choose among names.
std::vector<double> choices_of(std::string_view field);

}  // namespace attention::tests
