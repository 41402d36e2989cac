// FlatBufferModel: a `.tflite` file in memory, verified.

#ifndef ARENALITE_MODEL_H_
#define ARENALITE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {

class Model;

// Holds the bytes that interpreters point into: it must outlive each of them.
// Immutable after creation, so any number of interpreters on any threads may
// share one.
class FlatBufferModel {
 public:
  struct BufferOptions {
    // Copies the bytes, so that the caller may free them. Without it, the
    // caller keeps `bytes` alive and unchanged as long as the model lives.
    // Bytes that are not 16-byte aligned are copied in any case.
    bool copy = false;
  };

  // Maps the file where the system can, reads it where not. Errors name the
  // path and the reason: kNotFound, kIo, kInvalidModel, kResourceExhausted.
  static Result<std::unique_ptr<FlatBufferModel>> BuildFromFile(
      const char* path);

  static Result<std::unique_ptr<FlatBufferModel>> BuildFromBuffer(
      Span<const uint8_t> bytes, const BufferOptions& options);
  static Result<std::unique_ptr<FlatBufferModel>> BuildFromBuffer(
      Span<const uint8_t> bytes) {
    return BuildFromBuffer(bytes, BufferOptions());
  }

  ~FlatBufferModel();
  FlatBufferModel(const FlatBufferModel&) = delete;
  FlatBufferModel& operator=(const FlatBufferModel&) = delete;

  // Bytes of the file.
  size_t size() const;
  // The description stored in the file, "" where there is none.
  const char* description() const;

  // For the library itself: the verified view.
  const Model& model() const;

 private:
  struct Rep;
  explicit FlatBufferModel(std::unique_ptr<Rep> rep);
  std::unique_ptr<Rep> rep_;
};

}  // namespace arenalite

#endif  // ARENALITE_MODEL_H_
