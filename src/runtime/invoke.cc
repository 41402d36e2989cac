#include "runtime/invoke.h"

#include "runtime/host.h"
#include "runtime/prepare.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Scratch of a deferred node, taken for one run.
class DeferredScratch {
 public:
  DeferredScratch(DynamicMemory& memory, Array<Scratch>& scratch)
      : memory_(memory), scratch_(scratch) {}
  ~DeferredScratch() {
    for (DynamicBlock& block : blocks_) memory_.Free(block);
  }

  Status Take() {
    ARENALITE_RETURN_IF_ERROR(blocks_.Resize(scratch_.size()));
    for (size_t i = 0; i < scratch_.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(memory_.Resize(blocks_[i], scratch_[i].bytes));
      scratch_[i].data = blocks_[i].data;
    }
    return OkStatus();
  }

 private:
  DynamicMemory& memory_;
  Array<Scratch>& scratch_;
  Array<DynamicBlock> blocks_;
};

Status RunDeferred(Frame& frame, int32_t index, DynamicMemory& memory) {
  OpDataPool data;
  Array<Scratch> scratch;
  ARENALITE_RETURN_IF_ERROR(
      PrepareDeferred(frame, index, memory, data, scratch));
  DeferredScratch bytes(memory, scratch);
  ARENALITE_RETURN_IF_ERROR(bytes.Take());
  FrameHost host(frame, memory, data, scratch, FrameHost::Phase::kInvoking);
  OpContext context(frame.nodes[Index(index)].wiring, host);
  return frame.nodes[Index(index)].wiring.eval(context);
}

Status RunNode(Frame& frame, int32_t index, DynamicMemory& memory) {
  Node& node = frame.nodes[Index(index)];
  switch (node.mode) {
    case NodeMode::kElided:
      return OkStatus();
    case NodeMode::kDeferred:
      return RunDeferred(frame, index, memory);
    case NodeMode::kPlanned:
      break;
  }
  FrameHost host(frame, memory, frame.data, frame.scratch,
                 FrameHost::Phase::kInvoking);
  OpContext context(node.wiring, host);
  return node.wiring.eval(context);
}

}  // namespace

Status InvokeFrame(Frame& frame, DynamicMemory& memory,
                   const InterpreterOptions& options,
                   const PoisonSchedule* poison, uint8_t* planned) {
  if (poison != nullptr) poison->FillBeforeFirst(planned);
  int step = 0;
  for (int32_t node : frame.info->order) {
    if (options.should_cancel != nullptr &&
        options.should_cancel(options.cancel_user_data)) {
      return AtNode(CancelledError("cancelled before this op"), frame, node);
    }
    Status status = RunNode(frame, node, memory);
    if (!status.ok()) return AtNode(std::move(status), frame, node);
    if (poison != nullptr) poison->FillAfter(step, planned);
    ++step;
  }
  return OkStatus();
}

}  // namespace arenalite
