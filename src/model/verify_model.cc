#include "model/verify_model.h"

#include <algorithm>
#include <utility>

#include "model/flatbuffer_span.h"
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
      limit_(1000000 + model.bytes().size() / 4),
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

std::string_view MessageName(const flatbuffers::String* name) {
  constexpr size_t kMaxLength = 80;
  if (name == nullptr) return "";
  const std::string_view text(name->c_str(),
                              std::min<size_t>(name->size(), kMaxLength));
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  };
  return text.substr(0, static_cast<size_t>(
                            std::find_if(text.begin(), text.end(), is_control) -
                            text.begin()));
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
