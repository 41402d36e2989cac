#include <algorithm>
#include <utility>

#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

using Bindings = flatbuffers::Vector<flatbuffers::Offset<schema::TensorMap>>;

Status VerifyBindings(Verification& v, const char* what,
                      const Bindings* bindings, Span<const int32_t> allowed) {
  const uint32_t count = SizeOf(bindings);
  ARENALITE_RETURN_IF_ERROR(v.Charge(uint64_t{count} * allowed.size()));
  for (uint32_t i = 0; i < count; ++i) {
    const schema::TensorMap& binding = *bindings->Get(i);
    ARENALITE_RETURN_IF_ERROR(v.Charge(binding.name()));
    const bool found =
        std::any_of(allowed.begin(), allowed.end(), [&](int32_t tensor) {
          return tensor >= 0 &&
                 static_cast<uint32_t>(tensor) == binding.tensor_index();
        });
    if (!found) {
      return InvalidModelError(what, " ", i, " '", MessageName(binding.name()),
                               "' is tensor ", binding.tensor_index(),
                               ", allowed are the subgraph's ", what, "s ",
                               allowed);
    }
  }
  return OkStatus();
}

Status VerifySignature(Verification& v, const schema::SignatureDef& signature) {
  const uint32_t subgraphs = SizeOf(v.root().subgraphs());
  ARENALITE_RETURN_IF_ERROR(v.Charge(signature.signature_key()));
  if (signature.subgraph_index() >= subgraphs) {
    return InvalidModelError("subgraph ", signature.subgraph_index(),
                             ", allowed 0..", subgraphs - 1);
  }
  const schema::SubGraph& subgraph =
      *v.root().subgraphs()->Get(signature.subgraph_index());
  ARENALITE_RETURN_IF_ERROR(VerifyBindings(v, "input", signature.inputs(),
                                           ToSpan(subgraph.inputs())));
  return VerifyBindings(v, "output", signature.outputs(),
                        ToSpan(subgraph.outputs()));
}

}  // namespace

Status VerifySignatures(Verification& v) {
  const auto* signatures = v.root().signature_defs();
  const uint32_t count = SizeOf(signatures);
  for (uint32_t i = 0; i < count; ++i) {
    const schema::SignatureDef& signature = *signatures->Get(i);
    Status status = VerifySignature(v, signature);
    if (!status.ok()) {
      return std::move(status).WithPrefix(
          {"signature ", TextPiece(i).view(), " '",
           MessageName(signature.signature_key()), "': "});
    }
  }
  return OkStatus();
}

}  // namespace arenalite
