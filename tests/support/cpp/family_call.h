// Records that call what a vector of the family is about, and the layers that such calls need.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "support/cpp/family_vectors.h"
#include "support/cpp/record.h"

namespace attention::tests {

// Writes a tensor into a field: as it is, or as the caller of a test would have it.
using Put = std::function<void(Record&, const std::string& field, const VectorTensor&)>;

void put_as_it_is(Record& record, const std::string& field, const VectorTensor& tensor);

// The name in the records of what a vector calls by another.
std::string record_function(const FamilyVector& vector);

// Inputs and options of a vector; layer is the address of the layer, if it has one. The similarity
// of two vectors is computed here, from the numbers of the vector.
std::unique_ptr<Record> record_of(const FamilyVector& vector, double layer,
                                  const Put& put = put_as_it_is);

bool has_layer(const FamilyVector& vector);
// The record that makes it.
std::unique_ptr<Record> layer_record_of(const FamilyVector& vector, const Put& put = put_as_it_is);

}  // namespace attention::tests
