#include <utility>

#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

using Bindings = flatbuffers::Vector<flatbuffers::Offset<schema::TensorMap>>;

Status VerifyBindings(const char* what, const Bindings* bindings,
                      uint32_t tensors) {
  const uint32_t count = SizeOf(bindings);
  for (uint32_t i = 0; i < count; ++i) {
    const schema::TensorMap& binding = *bindings->Get(i);
    if (binding.tensor_index() >= tensors) {
      return InvalidModelError(what, " ", i, " '", MessageName(binding.name()),
                               "' is tensor ", binding.tensor_index(),
                               ", allowed 0..", int64_t{tensors} - 1);
    }
  }
  return OkStatus();
}

Status VerifySignature(const schema::Model& root,
                       const schema::SignatureDef& signature) {
  const uint32_t subgraphs = SizeOf(root.subgraphs());
  if (signature.subgraph_index() >= subgraphs) {
    return InvalidModelError("subgraph ", signature.subgraph_index(),
                             ", allowed 0..", subgraphs - 1);
  }
  const uint32_t tensors =
      SizeOf(root.subgraphs()->Get(signature.subgraph_index())->tensors());
  ARENALITE_RETURN_IF_ERROR(
      VerifyBindings("input", signature.inputs(), tensors));
  return VerifyBindings("output", signature.outputs(), tensors);
}

}  // namespace

Status VerifySignatures(Verification& v) {
  const auto* signatures = v.root().signature_defs();
  const uint32_t count = SizeOf(signatures);
  for (uint32_t i = 0; i < count; ++i) {
    const schema::SignatureDef& signature = *signatures->Get(i);
    Status status = VerifySignature(v.root(), signature);
    if (!status.ok()) {
      return std::move(status).WithPrefix(
          {"signature ", TextPiece(i).view(), " '",
           MessageName(signature.signature_key()), "': "});
    }
  }
  return OkStatus();
}

}  // namespace arenalite
