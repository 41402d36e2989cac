#include "model/verify_model.h"

#include <utility>

#include "model/flatbuffer_span.h"
#include "model/op_code.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

constexpr uint32_t kSchemaVersion = 3;

Status VerifySubgraph(Verification& v, const schema::SubGraph& subgraph) {
  ARENALITE_RETURN_IF_ERROR(VerifyTensors(v, subgraph));
  ARENALITE_RETURN_IF_ERROR(VerifyOperators(v, subgraph));
  return VerifyDataflow(v, subgraph);
}

Status VerifySubgraphs(Verification& v) {
  const auto* subgraphs = v.root().subgraphs();
  if (SizeOf(subgraphs) == 0) {
    return InvalidModelError("0 subgraphs, at least 1 needed");
  }
  for (uint32_t i = 0; i < subgraphs->size(); ++i) {
    const schema::SubGraph& subgraph = *subgraphs->Get(i);
    Status status = VerifySubgraph(v, subgraph);
    if (!status.ok()) {
      return std::move(status).WithPrefix({"subgraph ", TextPiece(i).view(),
                                           " '", MessageName(subgraph.name()),
                                           "' "});
    }
  }
  return OkStatus();
}

}  // namespace

// Unshared entries take 4 bytes each; the constant lets small files share.
Verification::Verification(const Model& model)
    : model_(model),
      limit_(4000000 + model.bytes().size() / 4),
      left_(limit_) {}

Status Verification::Charge(uint64_t entries) {
  if (entries > left_) {
    return InvalidModelError("lists add up to more than ", limit_,
                             " entries, the limit for a file of ",
                             model_.bytes().size(), " bytes");
  }
  left_ -= entries;
  return OkStatus();
}

std::string_view MessageName(const schema::OperatorCode& code) {
  const bool custom = BuiltinCode(code) == schema::BuiltinOperator_CUSTOM;
  return custom && code.custom_code() != nullptr
             ? MessageName(code.custom_code())
             : OperatorName(code);
}

std::string_view MessageName(const flatbuffers::String* name) {
  constexpr size_t kMaxLength = 80;
  if (name == nullptr) return "";
  size_t length = 0;
  while (length < name->size() && length < kMaxLength) {
    const auto c = static_cast<unsigned char>(name->c_str()[length]);
    if (c < 0x20 || c == 0x7F) break;
    ++length;
  }
  return {name->c_str(), length};
}

Status VerifyModel(const Model& model) {
  Verification v(model);
  if (v.root().version() != kSchemaVersion) {
    return InvalidModelError("schema version ", v.root().version(),
                             ", allowed ", kSchemaVersion);
  }
  ARENALITE_RETURN_IF_ERROR(VerifyBuffers(model));
  ARENALITE_RETURN_IF_ERROR(VerifySubgraphs(v));
  ARENALITE_RETURN_IF_ERROR(VerifyCalls(v));
  return VerifySignatures(v);
}

}  // namespace arenalite
