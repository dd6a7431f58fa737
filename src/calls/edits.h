// The edits and captures of layers. `edits` holds edits one after the other, as numbers:
//
//   place, isCross, operation, factor, valueOffset, headStride, rowStride, columnStride,
//   headCount, heads…, rowCount, rows…, columnCount, columns…
//
// place: a Place; isCross: 0 or 1; operation: an Edit::Operation; factor: of kScale. The values of
// kSet and kAdd start at valueOffset of editValues; strides as in Edit; count 0 selects all.
// `captures` holds place + kCrossPlaces · isCross each, and `captured` what they copy, in that
// order.
#pragma once

#include <span>

#include "attention/interventions.h"
#include "calls/call.h"

namespace attention::calls {

struct EditFields {
  List edits;
  Tensor edit_values;

  void fields(auto&& field) { field("edits", edits, "editValues", edit_values); }

  // edits_keys: by isCross, whether the call projects keys and values, which can then be edited.
  bool check_edits(Rules& rules, const ByPlace<PlaceShape>& places,
                   std::span<const bool, 2> edits_keys) const;
  // The edits of a checked record. If the workspace only counts, those that matter for its size.
  std::span<const Edit> view_edits(const Block& block, Workspace& workspace) const;
};

struct InterventionFields : EditFields {
  List captures;
  Result captured;

  void fields(auto&& field) {
    EditFields::fields(field);
    field("captures", captures, "captured", captured);
  }

  bool has_interventions() const { return edits.is_present() || captures.is_present(); }
  // Also sets the dims of `captured`.
  bool check_interventions(Rules& rules, const ByPlace<PlaceShape>& places,
                           std::span<const bool, 2> edits_keys, double batch);
  Interventions view_interventions(const ByPlace<PlaceShape>& places, double batch,
                                   const Block& block, Workspace& workspace) const;
};

}  // namespace attention::calls
