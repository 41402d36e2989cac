// WriteModel: a ModelSpec -> the bytes of a `.tflite` file.

#ifndef ARENALITE_WRITER_WRITE_MODEL_H_
#define ARENALITE_WRITER_WRITE_MODEL_H_

#include <cstdint>
#include <vector>

#include "writer/model_spec.h"

namespace arenalite {

// The same spec gives the same bytes with every compiler. Constants lie at
// multiples of 16 bytes from the start of the file.
std::vector<uint8_t> WriteModel(const ModelSpec& spec);

}  // namespace arenalite

#endif  // ARENALITE_WRITER_WRITE_MODEL_H_
