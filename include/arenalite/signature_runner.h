// SignatureRunner: one named entry point of a model.

#ifndef ARENALITE_SIGNATURE_RUNNER_H_
#define ARENALITE_SIGNATURE_RUNNER_H_

#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"
#include "arenalite/tensor.h"

namespace arenalite {

class InterpreterCore;
struct SignatureInfo;

// A handle, cheap to copy; valid while its Interpreter lives, and used by the
// same thread. Entry points of one interpreter share its arena: allocating or
// running one of them loses the tensors of the others, but not variables.
class SignatureRunner {
 public:
  const char* key() const;
  size_t input_size() const;
  size_t output_size() const;
  const char* input_name(size_t i) const;
  const char* output_name(size_t i) const;

  // Null when there is none of that name.
  Tensor* input_tensor(const char* name);
  Tensor* output_tensor(const char* name);

  // As the calls of the same name in Interpreter.
  Status ResizeInputTensor(const char* name, Span<const int32_t> dims);
  Status ResizeInputTensorStrict(const char* name, Span<const int32_t> dims);
  Status SetMaximumInputShape(const char* name, Span<const int32_t> dims);
  Status AllocateTensors();
  Status Invoke();

 private:
  friend class Interpreter;
  SignatureRunner(InterpreterCore* core, const SignatureInfo* info,
                  size_t entry)
      : core_(core), info_(info), entry_(entry) {}

  Result<int32_t> InputIndex(const char* name) const;

  InterpreterCore* core_;
  const SignatureInfo* info_;
  size_t entry_;
};

}  // namespace arenalite

#endif  // ARENALITE_SIGNATURE_RUNNER_H_
