// Every rule of src/calls, from tests/vectors/rules.json: a violation, its message, an accepted
// record.
#include "support/cpp/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace attention::tests {
namespace {

class Rules : public testing::TestWithParam<std::size_t> {};

std::vector<std::size_t> numbers_of_rules() {
  std::vector<std::size_t> numbers;
  while (numbers.size() < rule_table().rules().size()) numbers.push_back(numbers.size());
  return numbers;
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = rule_table().rules()[info.param].source + "_" + std::to_string(info.param);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char letter) { return std::isalnum(letter) == 0; },
      '_');
  return name;
}

TEST(RuleTable, HasRules) { EXPECT_GT(rule_table().rules().size(), 80U); }

TEST_P(Rules, RefuseAndAcceptTheirRecords) {
  const Rule& rule = rule_table().rules()[GetParam()];
  const std::vector<double> caches = rule_table().cache_states();
  for (const RuleRow& row : rule.rows) {
    const std::string where = row.call + " " + row.json;
    const std::string problem = rule_table().call(row.call).problem(row.change);
    const bool names_field = problem.starts_with(row.name) || problem.starts_with("{" + row.name);
    if (!row.is_limit) {
      EXPECT_EQ(problem, row.message) << where;
    } else if (row.is_refused) {
      EXPECT_TRUE(rule.fits(problem) && names_field) << where << ": " << problem;
    } else {
      // Another rule may reject the value because it does not match other arguments.
      EXPECT_FALSE(rule.fits(problem) && names_field) << where << ": " << problem;
    }
  }
  EXPECT_EQ(rule_table().cache_states(), caches);
}

INSTANTIATE_TEST_SUITE_P(Every, Rules, testing::ValuesIn(numbers_of_rules()), name_of);

}  // namespace
}  // namespace attention::tests
