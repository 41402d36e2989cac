// FrameHost: the services that a running op asks its OpContext for.

#ifndef ARENALITE_RUNTIME_HOST_H_
#define ARENALITE_RUNTIME_HOST_H_

#include "arenalite/op_definition.h"
#include "runtime/frame.h"
#include "runtime/resources.h"

namespace arenalite {

// What all frames of an interpreter share.
struct SharedMemory {
  DynamicMemory& dynamic;
  Resources& resources;
  bool plan_bounded = true;  // Else they are dynamic.
};

// Serves one frame. While planning, shapes are noted and outputs may become
// dynamic; while invoking, shapes take dynamic memory at once.
class FrameHost final : public OpHost {
 public:
  enum class Phase { kPlanning, kInvoking };

  FrameHost(Frame& frame, const SharedMemory& memory, OpDataPool& data,
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
  Status SetBounded(Tensor& tensor, int64_t max_bytes) override;
  Result<int> RequestScratch(int64_t bytes) override;
  Status ResizeDynamic(Tensor& tensor, const Shape& shape,
                       int64_t string_bytes) override;
  bool HasValue(const Tensor& tensor) const override;
  Result<int32_t> ResourceId(const char* container, const char* name) override {
    return memory_.resources.FindOrAdd(container, name);
  }
  ResourceVariable* FindResource(int32_t id) override {
    return memory_.resources.Find(id);
  }

  // Eval is to give an output its shape.
  bool has_late_output() const { return has_late_output_; }

 private:
  Frame& frame_;
  const SharedMemory memory_;
  OpDataPool& data_;
  Array<Scratch>& scratch_;
  const size_t first_scratch_;
  const Phase phase_;
  bool has_late_output_ = false;
};

// Runs the kernel of a prepared node, unless it has nothing to write: kernels
// may loop over the other dimensions of an output of shape [2147483647,0].
Status EvalNode(Node& node, FrameHost& host);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_HOST_H_
