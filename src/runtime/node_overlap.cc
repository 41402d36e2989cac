#include "runtime/node_overlap.h"

namespace arenalite {
namespace {

// A host for the overlap functions, which ask for nothing.
class NoHost final : public OpHost {
 public:
  void* AllocateData(size_t) override { return nullptr; }
  Status SetShape(Tensor&, const Shape&) override { return Refuse(); }
  Status SetDynamic(Tensor&) override { return Refuse(); }
  Result<int> RequestScratch(int64_t) override { return Refuse(); }
  Status ResizeDynamic(Tensor&, const Shape&, int64_t) override {
    return Refuse();
  }
  bool HasValue(const Tensor& tensor) const override {
    return tensor.is_constant();
  }

 private:
  static Status Refuse() {
    return InternalError("an overlap function may not change its op");
  }
};

int64_t BytesOf(const Node& node, int32_t tensor) {
  return node.wiring.tensors[tensor].bytes;
}

}  // namespace

bool IsView(const Node& node) {
  return node.mode == NodeMode::kPlanned && node.definition != nullptr &&
         (node.definition->traits & kOpIsView) != 0 &&
         !node.info->inputs.empty() && node.info->inputs[0] >= 0;
}

bool HasOverlap(const Node& node) {
  return node.mode == NodeMode::kPlanned && node.definition != nullptr &&
         node.definition->overlap != nullptr;
}

int64_t NodeOverlap(const Node& node, size_t output, size_t input) {
  // What takes no bytes needs no number, and might take long to compute.
  if (BytesOf(node, node.wiring.outputs[output]) == 0 ||
      BytesOf(node, node.wiring.inputs[input]) == 0) {
    return kNoOverlap;
  }
  NoHost host;
  OpContext::Wiring wiring = node.wiring;
  const OpContext context(wiring, host);
  return node.definition->overlap(context, static_cast<int>(output),
                                  static_cast<int>(input));
}

}  // namespace arenalite
