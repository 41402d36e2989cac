#include "tools/measure/op_trace.h"

#include <cstring>

namespace arenalite {
namespace {

uint64_t Mix(uint64_t hash, uint64_t word) {
  // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  hash = (hash ^ word) + 0x9e3779b97f4a7c15u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

Span<const int32_t> TensorsOf(const OpEvent& event) {
  return event.phase == OpEvent::Phase::kBefore ? event.inputs : event.outputs;
}

bool HasBytes(const Tensor& tensor) {
  return tensor.data != nullptr && tensor.bytes > 0;
}

uint64_t HashEvent(const OpEvent& event) {
  uint64_t hash = Mix(static_cast<uint64_t>(event.phase),
                      (static_cast<uint64_t>(event.subgraph) << 32) |
                          static_cast<uint32_t>(event.node));
  for (int32_t index : TensorsOf(event)) {
    if (index < 0) continue;
    const Tensor& tensor = event.tensors[index];
    // What constants hold is the file's.
    if (tensor.is_constant()) continue;
    for (int32_t dim : tensor.shape.dims()) {
      hash = Mix(hash, static_cast<uint32_t>(dim));
    }
    if (!HasBytes(tensor)) continue;
    hash = HashBytes(tensor.data_as<uint8_t>(),
                     static_cast<size_t>(tensor.bytes), hash);
  }
  return hash;
}

OpSnapshot Copy(const OpEvent& event) {
  OpSnapshot snapshot;
  snapshot.phase = event.phase;
  snapshot.subgraph = event.subgraph;
  snapshot.node = event.node;
  snapshot.op_name = event.op_name;
  for (int32_t index : TensorsOf(event)) {
    if (index < 0) continue;
    const Tensor& tensor = event.tensors[index];
    OpSnapshot::Value value;
    value.tensor = index;
    value.name = tensor.name;
    value.type = tensor.type;
    value.memory = tensor.memory;
    value.shape = tensor.shape;
    value.address = tensor.data_as<uint8_t>();
    if (HasBytes(tensor) && !tensor.is_constant()) {
      value.bytes.assign(value.address, value.address + tensor.bytes);
    }
    snapshot.values.push_back(std::move(value));
  }
  return snapshot;
}

}  // namespace

uint64_t HashBytes(const uint8_t* bytes, size_t size, uint64_t seed) {
  uint64_t hash = Mix(seed, size);
  size_t at = 0;
  for (; at + 8 <= size; at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + at, 8);
    hash = Mix(hash, word);
  }
  uint64_t rest = 0;
  if (at < size) std::memcpy(&rest, bytes + at, size - at);
  return Mix(hash, rest);
}

OpTrace OpTrace::Recording(int64_t at) {
  OpTrace trace;
  trace.snapshot_at_ = at;
  return trace;
}

OpTrace OpTrace::Comparing(const OpTrace& expected) {
  OpTrace trace;
  trace.expected_ = &expected;
  return trace;
}

void OpTrace::ObserveWith(InterpreterOptions& options) {
  options.observer_user_data = this;
  options.op_observer = [](void* self, const OpEvent& event) {
    static_cast<OpTrace*>(self)->Add(event);
  };
  // What is to be found has been found.
  options.cancel_user_data = this;
  options.should_cancel = [](void* self) {
    return static_cast<OpTrace*>(self)->snapshot_.has_value();
  };
}

void OpTrace::Add(const OpEvent& event) {
  if (snapshot_) return;
  const size_t at = hashes_.size();
  const uint64_t hash = HashEvent(event);
  hashes_.push_back(hash);
  const bool differs =
      expected_ != nullptr &&
      (at >= expected_->hashes_.size() || expected_->hashes_[at] != hash);
  if (differs) snapshot_at_ = static_cast<int64_t>(at);
  if (snapshot_at_ == static_cast<int64_t>(at)) snapshot_ = Copy(event);
}

void OpTrace::AddOutputs(Interpreter& interpreter) {
  OpEvent event;
  event.phase = OpEvent::Phase::kAfter;
  event.node = -1;
  event.tensors = interpreter.tensor(0);
  event.outputs = interpreter.outputs();
  Add(event);
}

}  // namespace arenalite
