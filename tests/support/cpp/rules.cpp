// Tensors in the table have dims only; those of objects get random numbers.
#include "support/cpp/rules.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/kernels.h"

namespace attention::tests {
namespace {

using Json = nlohmann::ordered_json;

double number_in(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const auto word = json.get<std::string>();
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return word == "Infinity" ? infinity : -infinity;
}

bool is_number(const Json& json) {
  static const std::set<std::string> kWords = {"NaN", "Infinity", "-Infinity"};
  return json.is_number() || (json.is_string() && kWords.contains(json.get<std::string>()));
}

std::vector<double> numbers_in(const Json& json) {
  std::vector<double> numbers;
  for (const Json& item : json) numbers.push_back(number_in(item));
  return numbers;
}

bool is_list(const Record& record, const std::string& field) {
  for (const RecordField& one : record.fields()) {
    if (one.name == field) return one.kind == RecordField::Kind::kList;
  }
  return false;
}

void put_tensor(Record& record, const std::string& field, const Json& json) {
  const Dims dims = numbers_in(json["dims"]);
  if (json.contains("count")) {
    record.set(field, VectorTensor{dims, std::vector<double>(json["count"].get<std::size_t>())});
  } else {
    const bool is_int8 = json["type"] == "int8";
    record.set_dims(field, dims, is_int8 ? LowPrecisionType::kInt8 : LowPrecisionType::kBfloat16);
  }
}

bool fits_from(const char* text, const char* pattern) {
  for (; *pattern != '\0'; ++text, ++pattern) {
    if (*pattern == '$' || *pattern == '#' || *pattern == '@') {
      for (;; ++text) {
        if (fits_from(text, pattern + 1)) return true;
        if (*text == '\0') return false;
      }
    }
    if (*text != *pattern) return false;
  }
  return *text == '\0';
}

}  // namespace

bool Rule::fits(const std::string& other) const {
  return fits_from(other.c_str(), message.c_str());
}

class RuleReader {
 public:
  explicit RuleReader(RuleTable& table) : table_(table) {}

  void read(const Json& json) {
    for (const auto& [name, call] : json["calls"].items()) {
      table_.calls_[name] = written(call);
    }
    for (const auto& [name, object] : json["objects"].items()) make(name, object);
    for (const auto& [source, rules] : json["rules"].items()) {
      for (const auto& [message, rows] : rules.items()) {
        Rule rule{source, message, {}};
        for (const Json& row : rows) add(rule, row);
        table_.rules_.push_back(std::move(rule));
      }
    }
  }

 private:
  // Addresses are resolved when a record is written, because calls are parsed before objects exist.
  Recipe changed(const Json& json) const {
    return [json, &addresses = table_.addresses_](Record& record) {
      for (const auto& [field, value] : json.items()) {
        if (value.is_null()) {
          record.forget(field);
        } else if (is_number(value)) {
          record.set(field, number_in(value));
        } else if (value.is_array() && is_list(record, field)) {
          record.set_list(field, numbers_in(value));
        } else if (value.is_array()) {
          record.set_dims(field, numbers_in(value));
        } else if (value.is_object()) {
          put_tensor(record, field, value);
        } else if (addresses.contains(value.get<std::string>())) {
          record.set(field, addresses.at(value.get<std::string>()));
        } else {
          record.set(field, std::string_view(value.get_ref<const std::string&>()));
        }
      }
    };
  }

  Written written(const Json& json) const {
    const Recipe fields = changed(json["fields"]);
    if (!json.contains("like")) return {json["function"].get<std::string>(), fields};
    const Written& like = table_.calls_.at(json["like"].get<std::string>());
    return {like.function, all({like.base, fields})};
  }

  void make(const std::string& name, const Json& json) {
    const Written& call = table_.calls_.at(json["call"].get<std::string>());
    Record record(call.function);
    call.base(record);
    if (json.contains("change")) changed(json["change"])(record);
    if (call.function == "memoryOfTransformer") {
      require(record.check());
      table_.addresses_[name] = record.fact("cross");
      return;
    }
    numbered(record);
    table_.objects_.push_back(std::make_unique<Object>(reference_kernels(), record));
    const Object& object = *table_.objects_.back();
    require(object.problem());
    table_.addresses_[name] = object.address();
    if (call.function == "newCache") table_.caches_.push_back(object.address());
    if (!json.contains("append")) return;
    Record append("append");
    append.set("cache", object.address());
    changed(json["append"])(append);
    numbered(append);
    require(append.call(reference_kernels()).problem);
  }

  static void require(const std::string& problem) {
    if (problem.empty()) return;
    std::fprintf(stderr, "%s\n", problem.c_str());
    std::abort();
  }

  void add(Rule& rule, const Json& json) const {
    const auto call = json["call"].get<std::string>();
    if (json.contains("field")) {
      add_limit(rule, call, json);
      return;
    }
    const Json accepted = json.value("accepted", Json::object());
    rule.rows.push_back({call, changed(json["refused"]), json["refused"].dump(), true,
                         json["message"].get<std::string>()});
    rule.rows.push_back({call, changed(accepted), accepted.dump()});
  }

  // The limits of a field: last accepted and first rejected values.
  void add_limit(Rule& rule, const std::string& call, const Json& json) const {
    const auto field = json["field"].get<std::string>();
    const std::string name = json.value("name", field);
    const auto add_value = [&](const Json& value, bool is_refused) {
      const Json change = {{field, value}};
      rule.rows.push_back({call, changed(change), change.dump(), is_refused, "", true, name});
    };
    if (json.contains("ranks")) {
      const auto min = json["ranks"][0].get<std::size_t>();
      const auto max = json["ranks"][1].get<std::size_t>();
      for (std::size_t rank = min - 1; rank <= max + 1; ++rank) {
        add_value(Json(Dims(rank, 2)), rank < min || rank > max);
      }
      return;
    }
    for (const Json& value : json["refused"]) add_value(value, true);
    for (const Json& value : json["accepted"]) add_value(value, false);
  }

  RuleTable& table_;
};

RuleTable::RuleTable() {
  std::ifstream file(std::string(ATTENTION_FIXTURES) + "/rules.json");
  const Json json = Json::parse(file, nullptr, false);
  if (json.is_discarded() || json["format"] != "attention-rules") return;
  RuleReader(*this).read(json);
}

std::vector<double> RuleTable::cache_states() const {
  std::vector<double> states;
  for (const double cache : caches_) {
    Record record("cacheState");
    record.set("cache", cache).check();
    states.push_back(record.fact("length"));
    states.push_back(record.fact("keyCount"));
  }
  return states;
}

const RuleTable& rule_table() {
  static const RuleTable table;
  return table;
}

}  // namespace attention::tests
