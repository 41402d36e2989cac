#include <utility>

#include "model/flatbuffer_span.h"
#include "model/op_code.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

Status VerifyCode(const schema::OperatorCode& code) {
  const int32_t builtin = BuiltinCode(code);
  if (builtin > schema::BuiltinOperator_MAX) {
    return UnimplementedError("builtin operator ", builtin,
                              " is unknown, allowed 0..",
                              static_cast<int>(schema::BuiltinOperator_MAX));
  }
  if (builtin < 0 || builtin == schema::BuiltinOperator_DELEGATE ||
      builtin == schema::BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES) {
    return InvalidModelError("builtin operator ", builtin,
                             " is none that a file can hold, allowed 0..",
                             static_cast<int>(schema::BuiltinOperator_MAX),
                             " but 51 and 127");
  }
  if (builtin == schema::BuiltinOperator_CUSTOM &&
      (code.custom_code() == nullptr || code.custom_code()->size() == 0)) {
    return InvalidModelError("a custom operator without a name");
  }
  if (code.version() < 1) {
    return InvalidModelError("operator version ", code.version(),
                             ", allowed 1 or more");
  }
  return OkStatus();
}

struct IndexList {
  const char* what;  // "input"
  Span<const int32_t> indices;
  int32_t min;  // -1 where entries may be absent.
};

Status VerifyIndices(Verification& v, const IndexList& list, uint32_t tensors) {
  ARENALITE_RETURN_IF_ERROR(v.Charge(list.indices.size()));
  for (size_t i = 0; i < list.indices.size(); ++i) {
    const int32_t index = list.indices[i];
    if (index < list.min ||
        (index >= 0 && static_cast<uint32_t>(index) >= tensors)) {
      return InvalidModelError(list.what, " ", i, " is tensor ", index,
                               ", allowed ", list.min, "..",
                               int64_t{tensors} - 1);
    }
  }
  return OkStatus();
}

// Control flow may drop results of the subgraph that it calls.
bool MayDropOutputs(int32_t builtin_code) {
  switch (builtin_code) {
    case schema::BuiltinOperator_CALL:
    case schema::BuiltinOperator_IF:
    case schema::BuiltinOperator_WHILE:
    case schema::BuiltinOperator_STABLEHLO_CASE:
    case schema::BuiltinOperator_STABLEHLO_COMPOSITE:
    case schema::BuiltinOperator_STABLEHLO_WHILE:
      return true;
    default:
      return false;
  }
}

Status VerifyCustomOptions(const Model& model, const schema::Operator& op) {
  const uint64_t offset = op.large_custom_options_offset();
  const uint64_t size = op.large_custom_options_size();
  const uint64_t end = model.bytes().size();
  if (offset <= 1 || (offset <= end && size <= end - offset)) return OkStatus();
  return InvalidModelError("custom options: ", size, " bytes at byte ", offset,
                           " reach past the end of the file at ", end);
}

Status VerifyOperator(Verification& v, const schema::OperatorCode& code,
                      const schema::Operator& op, uint32_t tensors) {
  ARENALITE_RETURN_IF_ERROR(VerifyCode(code));
  ARENALITE_RETURN_IF_ERROR(v.Charge(code.custom_code()));
  const IndexList lists[] = {
      {"input", ToSpan(op.inputs()), -1},
      {"output", ToSpan(op.outputs()),
       MayDropOutputs(BuiltinCode(code)) ? -1 : 0},
      {"intermediate", ToSpan(op.intermediates()), -1},
  };
  for (const IndexList& list : lists) {
    ARENALITE_RETURN_IF_ERROR(VerifyIndices(v, list, tensors));
  }
  ARENALITE_RETURN_IF_ERROR(VerifyOptions(v, op));
  return VerifyCustomOptions(v.model(), op);
}

}  // namespace

Status VerifyOperators(Verification& v, const schema::SubGraph& subgraph) {
  const uint32_t count = SizeOf(subgraph.operators());
  const uint32_t codes = SizeOf(v.root().operator_codes());
  const uint32_t tensors = SizeOf(subgraph.tensors());
  for (uint32_t i = 0; i < count; ++i) {
    const schema::Operator& op = *subgraph.operators()->Get(i);
    if (op.opcode_index() >= codes) {
      return InvalidModelError("op ", i, ": operator code ", op.opcode_index(),
                               ", the file has ", codes, " codes");
    }
    const schema::OperatorCode& code =
        *v.root().operator_codes()->Get(op.opcode_index());
    Status status = VerifyOperator(v, code, op, tensors);
    if (!status.ok()) {
      return std::move(status).WithPrefix(
          {"op ", TextPiece(i).view(), " ", MessageName(code), ": "});
    }
  }
  return OkStatus();
}

}  // namespace arenalite
