// Numbers and names of enum fields in records.
#pragma once

#include <string_view>
#include <vector>

namespace attention::tests {

// Aborts if the name does not exist.
double number_of_choice(std::string_view field, std::string_view name);

// All valid numbers of an enum field; empty for other fields.
std::vector<double> choices_of(std::string_view field);

}  // namespace attention::tests
