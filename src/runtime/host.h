// FrameHost: the services that a running op asks its OpContext for.

#ifndef ARENALITE_RUNTIME_HOST_H_
#define ARENALITE_RUNTIME_HOST_H_

#include "arenalite/op_definition.h"
#include "runtime/frame.h"

namespace arenalite {

// Serves one frame. While planning, shapes are noted and outputs may become
// dynamic; while invoking, shapes take dynamic memory at once.
class FrameHost final : public OpHost {
 public:
  enum class Phase { kPlanning, kInvoking };

  FrameHost(Frame& frame, DynamicMemory& memory, OpDataPool& data,
            Array<Scratch>& scratch, Phase phase)
      : frame_(frame),
        memory_(memory),
        data_(data),
        scratch_(scratch),
        first_scratch_(scratch.size()),
        phase_(phase) {}

  void* AllocateData(size_t bytes) override;
  Status SetShape(Tensor& tensor, const Shape& shape) override;
  Status SetDynamic(Tensor& tensor) override;
  Result<int> RequestScratch(int64_t bytes) override;
  Status ResizeDynamic(Tensor& tensor, const Shape& shape,
                       int64_t string_bytes) override;
  bool HasValue(const Tensor& tensor) const override;

 private:
  Frame& frame_;
  DynamicMemory& memory_;
  OpDataPool& data_;
  Array<Scratch>& scratch_;
  const size_t first_scratch_;
  const Phase phase_;
};

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_HOST_H_
