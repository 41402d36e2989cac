#include "tools/measure/memory_watch.h"

#include <algorithm>

#include "tools/measure/op_trace.h"
#include "tools/text.h"

namespace arenalite {

void MemoryWatch::ObserveWith(InterpreterOptions& options) {
  options.observer_user_data = this;
  options.op_observer = [](void* self, const OpEvent& event) {
    static_cast<MemoryWatch*>(self)->Add(event);
  };
  options.should_cancel = nullptr;
}

void MemoryWatch::BeginRun(Interpreter& interpreter) {
  const Span<const int32_t> inputs = interpreter.inputs();
  const bool is_input =
      tensor_.subgraph == 0 &&
      std::find(inputs.begin(), inputs.end(), tensor_.tensor) != inputs.end();
  if (position_ > until_) return;
  address_ = nullptr;
  culprit_.clear();
  if (!is_input) return;
  address_ = interpreter.tensor(tensor_.tensor)->data_as<uint8_t>();
  hash_ = HashBytes(address_, static_cast<size_t>(tensor_.bytes), 0);
}

void MemoryWatch::Add(const OpEvent& event) {
  if (position_ <= until_) Look(event);
  ++position_;
  last_op_ =
      Format("subgraph %d op %d %s", event.subgraph, event.node, event.op_name);
}

void MemoryWatch::Look(const OpEvent& event) {
  const auto size = static_cast<size_t>(tensor_.bytes);
  const bool after = event.phase == OpEvent::Phase::kAfter;
  const Span<const int32_t> written = event.outputs;
  const bool writes = after && event.subgraph == tensor_.subgraph &&
                      std::find(written.begin(), written.end(),
                                tensor_.tensor) != written.end();
  if (writes) {
    address_ = event.tensors[tensor_.tensor].data_as<uint8_t>();
    hash_ = HashBytes(address_, size, 0);
    culprit_.clear();
    return;
  }
  if (address_ == nullptr || !culprit_.empty()) return;
  if (HashBytes(address_, size, 0) == hash_) return;
  culprit_ = after ? Format("while subgraph %d op %d %s ran", event.subgraph,
                            event.node, event.op_name)
                   : "right after " + last_op_ + " ran";
}

}  // namespace arenalite
