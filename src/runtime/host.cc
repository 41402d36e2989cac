#include "runtime/host.h"

namespace arenalite {

void* FrameHost::AllocateData(size_t bytes) { return data_.Allocate(bytes); }

Status FrameHost::SetShape(Tensor& tensor, const Shape& shape) {
  if (TensorTypeBits(tensor.type) == 0) {
    tensor.shape = shape;
    return SetDynamic(tensor);
  }
  if (tensor.is_dynamic()) return ResizeDynamic(tensor, shape, 0);
  ARENALITE_ASSIGN_OR_RETURN(tensor.bytes, TensorBytes(tensor.type, shape));
  tensor.shape = shape;
  return OkStatus();
}

Status FrameHost::SetDynamic(Tensor& tensor) {
  if (tensor.memory == TensorMemory::kCustom) {
    return InvalidArgumentError("tensor '", tensor.name,
                                "' has a shape that depends on data: it "
                                "cannot live in the caller's memory");
  }
  tensor.memory = TensorMemory::kDynamic;
  has_late_output_ = true;
  return OkStatus();
}

Status FrameHost::SetBounded(Tensor& tensor, int64_t max_bytes) {
  ARENALITE_RETURN_IF_ERROR(SetDynamic(tensor));
  const bool sized = TensorTypeBits(tensor.type) != 0 && max_bytes >= 0;
  // Inside of Invoke there is nothing left to plan.
  if (phase_ == Phase::kInvoking || !memory_.plan_bounded || !sized) {
    return OkStatus();
  }
  tensor.memory = TensorMemory::kBounded;
  tensor.bytes = max_bytes;
  tensor.capacity = max_bytes;
  return OkStatus();
}

Result<int> FrameHost::RequestScratch(int64_t bytes) {
  if (bytes < 0) return InternalError("a kernel asked for ", bytes, " bytes");
  ARENALITE_RETURN_IF_ERROR(scratch_.Append({bytes, nullptr}));
  return static_cast<int>(scratch_.size() - first_scratch_) - 1;
}

Status FrameHost::ResizeDynamic(Tensor& tensor, const Shape& shape,
                                int64_t string_bytes) {
  if (!tensor.is_dynamic()) {
    return InternalError("tensor '", tensor.name,
                         "' was not prepared as dynamic");
  }
  int64_t bytes = string_bytes;
  if (TensorTypeBits(tensor.type) != 0) {
    ARENALITE_ASSIGN_OR_RETURN(bytes, TensorBytes(tensor.type, shape));
  }
  if (tensor.memory == TensorMemory::kBounded && bytes > tensor.capacity) {
    return InternalError("tensor '", tensor.name, "' takes ", bytes,
                         " bytes, its op said at most ", tensor.capacity);
  }
  tensor.shape = shape;
  tensor.bytes = bytes;
  if (tensor.memory == TensorMemory::kBounded) return OkStatus();
  // In prepare of a planning phase nothing takes memory yet.
  if (phase_ == Phase::kPlanning) return OkStatus();
  const auto index = static_cast<size_t>(&tensor - frame_.tensors.data());
  DynamicBlock& block = frame_.dynamic[index];
  tensor.data = nullptr;
  ARENALITE_RETURN_IF_ERROR(memory_.dynamic.Resize(block, bytes));
  tensor.data = block.data;
  return OkStatus();
}

bool FrameHost::HasValue(const Tensor& tensor) const {
  return tensor.is_constant() ||
         (phase_ == Phase::kInvoking && (tensor.data || tensor.bytes == 0));
}

namespace {

bool WritesNothing(const Node& node) {
  const OpDefinition& definition = *node.definition;
  if (definition.builtin_code == kCustomOpCode ||
      (definition.traits & kOpHasState) != 0 || node.wiring.outputs.empty()) {
    return false;
  }
  for (const int32_t output : node.wiring.outputs) {
    if (output < 0) continue;
    const Tensor& tensor = node.wiring.tensors[output];
    // A dynamic one may get its size from the kernel.
    if (tensor.is_dynamic() && !node.is_sized) return false;
    if (tensor.bytes > 0) return false;
  }
  return true;
}

}  // namespace

Status EvalNode(Node& node, FrameHost& host) {
  if (WritesNothing(node)) return OkStatus();
  OpContext context(node.wiring, host);
  return node.wiring.eval(context);
}

}  // namespace arenalite
