// Decodes and checks the numbers of edits and captures.
#include "calls/edits.h"

#include <algorithm>
#include <cmath>

namespace attention::calls {
namespace {

// Numbers of an edit before its indices, by their position.
enum Header { kPlaceAt, kCrossAt, kOperationAt, kFactorAt, kOffsetAt, kStridesAt };
constexpr std::size_t kAxes = 3;
constexpr std::size_t kHeaderNumbers = kStridesAt + kAxes;

constexpr auto kUniform = static_cast<double>(Edit::Operation::kUniform);
constexpr auto kScale = static_cast<double>(Edit::Operation::kScale);

using Indices = decltype(Edit::indices);

// True if the number is an integer from 0 to count - 1.
bool is_index(double number, double count) {
  return number >= 0 && number < count && std::floor(number) == number;
}

// The index of an edit's place in a table of all places.
std::size_t index_of(const double* header) {
  return size(header[kPlaceAt]) + size(header[kCrossAt]) * kCrossPlaces;
}

// Removes the first edit from a list. Returns its first numbers, or null if the list ends within
// the edit.
const double* read(std::span<const double>& list, Indices& indices) {
  const double* header = list.data();
  const double* end = header + list.size();
  if (list.size() < kHeaderNumbers) return nullptr;
  const double* next = header + kHeaderNumbers;
  for (std::span<const double>& of_axis : indices) {
    if (next == end || !is_index(*next, static_cast<double>(end - next))) return nullptr;
    of_axis = {next + 1, size(*next)};
    next += 1 + of_axis.size();
  }
  list = {next, end};
  return header;
}

// The rules of one edit.
struct EditRules {
  Rules& rules;
  const double* list;  // the start of all edits
  double value_count;  // in editValues
  const ByPlace<PlaceShape>& places;
  std::span<const bool, 2> edits_keys;

  bool is_index(const double& number, double count) const {
    return calls::is_index(number, count) ||
           rules.fail("interventions.edits[#] is # but must be a whole number from 0, below #",
                      static_cast<double>(&number - list), number, count);
  }

  bool is_editable(const double* header) const {
    const auto place = value_of<Place>(header[kPlaceAt]);
    const bool is_key_or_value = place == Place::kKey || place == Place::kValue;
    return places[index_of(header)].heads > 0 && place < Place::kHeadOutputs &&
           (!is_key_or_value || edits_keys[size(header[kCrossAt])]) &&
           (header[kOperationAt] != kUniform || place == Place::kPattern);
  }

  bool check(const double* header, const Indices& indices) const {
    constexpr double kLimits[kHeaderNumbers] = {kPlaces,           2,
                                                kUniform + 1,      0,
                                                kMaximumDimension, kMaximumDimension,
                                                kMaximumDimension, kMaximumDimension};
    for (std::size_t at = 0; at < kHeaderNumbers; ++at) {
      if (at != kFactorAt && !is_index(header[at], kLimits[at])) return false;
    }
    if (!is_editable(header)) {
      return rules.fail("interventions.edits: operation # is none of place # here",
                        header[kOperationAt], header[kPlaceAt]);
    }
    if (!rules.finite_option("interventions.edits: factor", {1, header[kFactorAt]})) return false;
    const PlaceShape& shape = places[index_of(header)];
    const std::size_t sizes[kAxes] = {shape.heads, shape.rows, shape.cols};
    double last = header[kOffsetAt];
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const auto dim = static_cast<double>(sizes[axis]);
      for (const double& index : indices[axis]) {
        if (!is_index(index, dim)) return false;
      }
      const double count = indices[axis].empty() ? dim : static_cast<double>(indices[axis].size());
      if (count > 1) last += header[kStridesAt + axis] * (count - 1);
    }
    const bool has_no_values = header[kOperationAt] >= kScale && last == 0;
    return has_no_values || last < value_count ||
           rules.fail("interventions.values has # numbers but an edit needs number #", value_count,
                      last);
  }
};

// Edits of scores or pattern need memory for all scores.
constexpr Edit kCountedEdits[] = {{.place = Place::kPattern},
                                  {.place = Place::kPattern, .is_cross = true}};

double count_of(const PlaceShape& shape, double batch) {
  return batch * static_cast<double>(shape.heads) * static_cast<double>(shape.rows) *
         static_cast<double>(shape.cols);
}

}  // namespace

bool EditFields::check_edits(Rules& rules, const ByPlace<PlaceShape>& places,
                             std::span<const bool, 2> edits_keys) const {
  const bool has_values = edit_values.is_present();
  if (has_values && !rules.tensor("interventions.values", edit_values, 1, 1)) return false;
  std::span<const double> list = numbers(edits);
  const EditRules of_edit{rules, list.data(), has_values ? edit_values.count : 0, places,
                          edits_keys};
  Indices indices;
  while (!list.empty()) {
    const double* header = read(list, indices);
    if (header == nullptr) return rules.fail("interventions.edits ends within an edit");
    if (!of_edit.check(header, indices)) return false;
  }
  return true;
}

std::span<const Edit> EditFields::view_edits(const Block& block, Workspace& workspace) const {
  std::span<const double> list = numbers(edits);
  // Every edit has more numbers.
  Edit* const first = workspace.take<Edit>(list.size() / kHeaderNumbers);
  Edit* next = first;
  std::size_t has_matrix[2] = {};
  Indices indices;
  while (const double* header = read(list, indices)) {
    const auto place = value_of<Place>(header[kPlaceAt]);
    if (place == Place::kScores || place == Place::kPattern) has_matrix[size(header[kCrossAt])] = 1;
    if (workspace.counts()) continue;
    Edit& edit = *next++;
    edit.place = place;
    edit.is_cross = header[kCrossAt] != 0;
    edit.operation = value_of<Edit::Operation>(header[kOperationAt]);
    edit.factor = real(header[kFactorAt]);
    edit.values = block.numbers(edit_values) + size(header[kOffsetAt]);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      edit.strides[axis] = size(header[kStridesAt + axis]);
    }
    edit.indices = indices;
  }
  if (!workspace.counts()) return {first, next};
  return std::span(kCountedEdits).subspan(1 - has_matrix[0], has_matrix[0] + has_matrix[1]);
}

bool InterventionFields::check_interventions(Rules& rules, const ByPlace<PlaceShape>& places,
                                             std::span<const bool, 2> edits_keys, double batch) {
  if (!check_edits(rules, places, edits_keys)) return false;
  double count = 0;
  std::uint32_t captured_places = 0;
  for (const double number : numbers(captures)) {
    const bool is_place = is_index(number, 2 * kCrossPlaces);
    const std::size_t at = is_place ? size(number) : 0;
    if (!is_place || places[at].heads == 0 || (captured_places >> at & 1) != 0) {
      return rules.fail("interventions.captures holds #, no place here or captured twice", number);
    }
    captured_places |= std::uint32_t{1} << at;
    count += count_of(places[at], batch);
  }
  if (captured_places != 0) rules.set_result(captured, tensor_of({count}));
  return true;
}

Interventions InterventionFields::view_interventions(const ByPlace<PlaceShape>& places,
                                                     double batch, const Block& block,
                                                     Workspace& workspace) const {
  Interventions view;
  view.edits = view_edits(block, workspace);
  float* to = block.numbers(captured);
  for (const double number : numbers(captures)) {
    view.captures[size(number)] = to;
    to += size(count_of(places[size(number)], batch));
  }
  return view;
}

}  // namespace attention::calls
