// The parts of VerifyModel, one file each.

#ifndef ARENALITE_MODEL_VERIFY_PARTS_H_
#define ARENALITE_MODEL_VERIFY_PARTS_H_

#include <cstdint>
#include <string_view>

#include "arenalite/status.h"
#include "arenalite/tensor.h"
#include "model/model.h"

namespace arenalite {

// What all parts share.
class Verification {
 public:
  explicit Verification(const Model& model);

  const Model& model() const { return model_; }
  const schema::Model& root() const { return model_.root(); }

  // Counts `entries` of a list about to be walked. FlatBuffers may share one
  // list among any number of owners; without a limit a small file could keep
  // the reader busy for hours.
  Status Charge(uint64_t entries);
  // The same for a text that is walked for each of its owners.
  Status Charge(const flatbuffers::String* text) {
    return Charge(text == nullptr ? 0 : uint64_t{text->size() / 4});
  }

 private:
  const Model& model_;
  const uint64_t limit_;
  uint64_t left_;
};

Status VerifyBuffers(const Model& model);
Status VerifyTensors(Verification& v, const schema::SubGraph& subgraph);
// One tensor's quantization; `shape` is that tensor's.
Status VerifyQuantization(Verification& v, const schema::SubGraph& subgraph,
                          const schema::Tensor& tensor, const Shape& shape);
// The layout of a constant that is sparse: consistent, inside of its vectors,
// and as large as its data.
Status VerifySparsity(Verification& v, const schema::Tensor& tensor,
                      const Shape& shape, size_t data_bytes);
// The packed form of a constant string tensor of `elements` strings.
Status VerifyStrings(Verification& v, Span<const uint8_t> data,
                     int64_t elements);
// Each operator by itself, its options, then what all do to tensors together.
Status VerifyOperators(Verification& v, const schema::SubGraph& subgraph);
Status VerifyOptions(Verification& v, const schema::Operator& op);
Status VerifyDataflow(Verification& v, const schema::SubGraph& subgraph);
Status VerifyCalls(Verification& v);
Status VerifySignatures(Verification& v);

// OperatorName for a message.
std::string_view MessageName(const schema::OperatorCode& code);

// A name for a message: at most 80 characters, up to the first control
// character; "" for null.
std::string_view MessageName(const flatbuffers::String* name);

}  // namespace arenalite

#endif  // ARENALITE_MODEL_VERIFY_PARTS_H_
