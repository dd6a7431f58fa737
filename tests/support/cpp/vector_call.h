// Records for the calls of test vectors, and the layers they need.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "support/cpp/record.h"
#include "support/cpp/vectors.h"

namespace attention::tests {

// Writes a tensor into a field, unchanged or converted by the test.
using Put = std::function<void(Record&, const std::string& field, const VectorTensor&)>;

void put_as_it_is(Record& record, const std::string& field, const VectorTensor& tensor);

// Sets inputs and options of a test vector. layer: address of its layer, or 0. Precomputed
// similarities are computed here.
std::unique_ptr<Record> record_of(const Vector& vector, double layer,
                                  const Put& put = put_as_it_is);

// One of the three steps of attention(), with the options and mask of a test vector and the named
// inputs.
std::unique_ptr<Record> step_record_of(const Vector& vector, const char* step,
                                       std::initializer_list<const char*> inputs);

bool has_layer(const Vector& vector);
// The record that constructs the layer.
std::unique_ptr<Record> layer_record_of(const Vector& vector, const Put& put = put_as_it_is);

// The layer of a test vector, if it has one.
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
