#include <algorithm>
#include <utility>

#include "arenalite/array.h"
#include "model/flatbuffer_span.h"
#include "model/op_code.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

// Who gives a tensor its value; an op's index from 0.
constexpr int32_t kNobody = -1;
constexpr int32_t kGraphInput = -2;
constexpr int32_t kConstant = -3;
constexpr int32_t kVariable = -4;

class Dataflow {
 public:
  Dataflow(Verification& v, const schema::SubGraph& subgraph)
      : v_(v), subgraph_(subgraph) {}

  Status Verify() {
    ARENALITE_RETURN_IF_ERROR(writers_.Resize(SizeOf(subgraph_.tensors())));
    for (size_t i = 0; i < writers_.size(); ++i) writers_[i] = Origin(i);
    ARENALITE_RETURN_IF_ERROR(MarkGraphInputs());
    ARENALITE_RETURN_IF_ERROR(ForEachOp(&Dataflow::MarkOutputs));
    ARENALITE_RETURN_IF_ERROR(ForEachOp(&Dataflow::CheckInputs));
    return CheckGraphOutputs();
  }

 private:
  using Check = Status (Dataflow::*)(int32_t index, const schema::Operator& op);

  const schema::Tensor& tensor(int32_t index) const {
    return *subgraph_.tensors()->Get(static_cast<uint32_t>(index));
  }
  std::string_view Name(int32_t index) const {
    return MessageName(tensor(index).name());
  }
  int32_t& writer(int32_t tensor) {
    return writers_[static_cast<size_t>(tensor)];
  }

  int32_t Origin(size_t index) const {
    const schema::Tensor& t = tensor(static_cast<int32_t>(index));
    if (t.is_variable()) return kVariable;
    return v_.model().BufferData(t.buffer()).empty() ? kNobody : kConstant;
  }

  Status CheckRange(const char* what, size_t i, int32_t index,
                    int32_t min) const {
    const int64_t max = static_cast<int64_t>(writers_.size()) - 1;
    if (index >= min && index <= max) return OkStatus();
    return InvalidModelError(what, " ", i, " is tensor ", index, ", allowed ",
                             min, "..", max);
  }

  Status MarkGraphInputs() {
    const Span<const int32_t> inputs = ToSpan(subgraph_.inputs());
    ARENALITE_RETURN_IF_ERROR(v_.Charge(inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(CheckRange("graph input", i, inputs[i], -1));
      if (inputs[i] == -1) continue;
      if (writer(inputs[i]) == kGraphInput) {
        return InvalidModelError("graph input ", i, " is tensor ", inputs[i],
                                 " '", Name(inputs[i]),
                                 "', which an earlier input names too");
      }
      if (writer(inputs[i]) == kNobody) writer(inputs[i]) = kGraphInput;
    }
    return OkStatus();
  }

  // Files whose main subgraph has an output that nothing writes are about; its
  // bytes mean nothing. To a caller they would be a value.
  Status CheckGraphOutputs() {
    const bool is_main = &subgraph_ == v_.root().subgraphs()->Get(0);
    const Span<const int32_t> outputs = ToSpan(subgraph_.outputs());
    ARENALITE_RETURN_IF_ERROR(v_.Charge(outputs.size()));
    for (size_t i = 0; i < outputs.size(); ++i) {
      ARENALITE_RETURN_IF_ERROR(CheckRange("graph output", i, outputs[i], 0));
      if (!is_main && !HasValue(outputs[i])) {
        return InvalidModelError("graph output ", i, " is tensor ", outputs[i],
                                 " '", Name(outputs[i]),
                                 "', which nothing writes");
      }
    }
    return OkStatus();
  }

  Status ForEachOp(Check check) {
    const uint32_t count = SizeOf(subgraph_.operators());
    for (uint32_t i = 0; i < count; ++i) {
      const schema::Operator& op = *subgraph_.operators()->Get(i);
      Status status = (this->*check)(static_cast<int32_t>(i), op);
      if (!status.ok()) {
        const schema::OperatorCode& code =
            *v_.root().operator_codes()->Get(op.opcode_index());
        return std::move(status).WithPrefix(
            {"op ", TextPiece(i).view(), " ", MessageName(code), ": "});
      }
    }
    return OkStatus();
  }

  Status MarkOutputs(int32_t index, const schema::Operator& op) {
    const Span<const int32_t> outputs = ToSpan(op.outputs());
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] == -1) continue;
      int32_t& found = writer(outputs[i]);
      if (found != kNobody) {
        return RefuseOutput(i, outputs[i], found, index);
      }
      found = index;
    }
    return OkStatus();
  }

  Status RefuseOutput(size_t i, int32_t tensor, int32_t found,
                      int32_t op) const {
    const char* reason = "another op writes too, op ";
    if (found == kGraphInput) reason = "is a graph input";
    if (found == kConstant) reason = "is a constant";
    if (found == kVariable) reason = "is a variable";
    if (found == op) reason = "this op already writes as another output";
    const bool other_op = found >= 0 && found != op;
    return InvalidModelError("output ", i, " is tensor ", tensor, " '",
                             Name(tensor), "', which ", reason,
                             other_op ? TextPiece(found).view() : "");
  }

  Status CheckInputs(int32_t index, const schema::Operator& op) {
    const Span<const int32_t> inputs = ToSpan(op.inputs());
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == -1) continue;
      if (writer(inputs[i]) == index) {
        return InvalidModelError("input ", i, " is tensor ", inputs[i], " '",
                                 Name(inputs[i]),
                                 "', which is also an output of this op");
      }
      if (!HasValue(inputs[i])) {
        return InvalidModelError("input ", i, " is tensor ", inputs[i], " '",
                                 Name(inputs[i]), "', which nothing writes");
      }
    }
    return OkStatus();
  }

  // A tensor without elements needs no writer.
  bool HasValue(int32_t index) {
    if (writer(index) != kNobody) return true;
    const Span<const int32_t> dims = ToSpan(tensor(index).shape());
    return std::find(dims.begin(), dims.end(), 0) != dims.end();
  }

  Verification& v_;
  const schema::SubGraph& subgraph_;
  Array<int32_t> writers_;
};

}  // namespace

Status VerifyDataflow(Verification& v, const schema::SubGraph& subgraph) {
  return Dataflow(v, subgraph).Verify();
}

}  // namespace arenalite
