// Records that call what a test vector is about, and the layers that such calls need.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "support/cpp/record.h"
#include "support/cpp/vectors.h"

namespace attention::tests {

// Writes a tensor into a field: as it is, or as the caller of a test would have it.
using Put = std::function<void(Record&, const std::string& field, const VectorTensor&)>;

void put_as_it_is(Record& record, const std::string& field, const VectorTensor& tensor);

// Inputs and options of a vector; layer is the address of the layer, if it has one. The similarity
// of two vectors is computed here, from the numbers of the vector.
std::unique_ptr<Record> record_of(const Vector& vector, double layer,
                                  const Put& put = put_as_it_is);

// One of the three steps of attention(): the options of a vector, its mask and those of its other
// inputs that are named.
std::unique_ptr<Record> step_record_of(const Vector& vector, const char* step,
                                       std::initializer_list<const char*> inputs);

bool has_layer(const Vector& vector);
// The record that makes it.
std::unique_ptr<Record> layer_record_of(const Vector& vector, const Put& put = put_as_it_is);

// The layer of a vector, if it has one.
class VectorLayer {
 public:
  VectorLayer(const Kernels& kernels, const Vector& vector, const Put& put = put_as_it_is);

  double address() const { return object_.has_value() ? object_->address() : 0; }
  const Record& record() const { return *record_; }

 private:
  std::unique_ptr<Record> record_;
  std::optional<Object> object_;
};

}  // namespace attention::tests
