// The table of rules (tests/vectors/rules.json): complete calls by name, the objects they need, and
// for every rule of src/calls the changes that violate it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/cpp/recipes.h"

namespace attention::tests {

// A change to a call, rejected or accepted.
struct RuleRow {
  std::string call;
  Recipe change;
  std::string json;  // the change as it is in the table
  bool is_refused = false;
  std::string message = {};  // the complete message if is_refused; "" in the row of a limit
  bool is_limit = false;
  std::string name = {};  // argument that a limit is about, as messages name it
};

struct Rule {
  std::string source;   // file of src/calls
  std::string message;  // with placeholders: $ for text, # for a number, @ for dims
  std::vector<RuleRow> rows;

  // True if a message matches this rule.
  bool fits(const std::string& other) const;
};

class RuleTable {
 public:
  RuleTable();

  const Written& call(const std::string& name) const { return calls_.at(name); }
  // Empty if the file is missing or not in the expected format.
  const std::vector<Rule>& rules() const { return rules_; }
  // Length and number of retained keys of each cache.
  std::vector<double> cache_states() const;

 private:
  friend class RuleReader;

  std::map<std::string, Written> calls_;
  std::map<std::string, double> addresses_;
  std::vector<double> caches_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<Rule> rules_;
};

// Loaded once per program.
const RuleTable& rule_table();

}  // namespace attention::tests
