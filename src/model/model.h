// Model: the bytes of a `.tflite` file, verified.

#ifndef ARENALITE_MODEL_MODEL_H_
#define ARENALITE_MODEL_MODEL_H_

#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"
#include "model_generated.h"

namespace arenalite {

// A read-only view of verified bytes. Owns nothing; cheap to copy.
class Model {
 public:
  // Verifies `bytes` (FlatBuffers structure, then every rule of
  // verify_model.h). They must be 16-byte aligned and outlive the Model.
  static Result<Model> Create(Span<const uint8_t> bytes);

  const schema::Model& root() const { return *root_; }
  Span<const uint8_t> bytes() const { return bytes_; }

  // The data of buffer `index`: inside of the FlatBuffer, or outside of it by
  // offset and size. Empty when the buffer has none.
  Span<const uint8_t> BufferData(uint32_t index) const;
  // What a buffer or a custom operator keeps behind the FlatBuffer; empty when
  // `offset` says that there is none.
  Span<const uint8_t> OutsideData(uint64_t offset, uint64_t size) const;

 private:
  Model(Span<const uint8_t> bytes, const schema::Model* root)
      : bytes_(bytes), root_(root) {}

  Span<const uint8_t> bytes_;
  const schema::Model* root_;
};

}  // namespace arenalite

#endif  // ARENALITE_MODEL_MODEL_H_
