#include <algorithm>

#include "tools/advice/explain.h"
#include "tools/report/report_names.h"
#include "tools/text.h"

namespace arenalite {
namespace {

using Json = nlohmann::ordered_json;

// Lists of neighbours get long: the first of them will do in words.
constexpr size_t kShown = 6;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

template <class T, class Name>
std::string Listed(const std::vector<T>& items, Name name) {
  std::string text;
  for (size_t i = 0; i < items.size() && i < kShown; ++i) {
    text += (i > 0 ? ", " : "") + name(items[i]);
  }
  if (items.size() > kShown) {
    text += Format(" and %zu more", items.size() - kShown);
  }
  return text;
}

std::string Place(const MemoryReport& report, const TensorReport& tensor) {
  if (tensor.storage < 0) return "not in the plan";
  const StorageReport& storage = report.storages[Index(tensor.storage)];
  const int64_t end = storage.offset + storage.bytes;
  return Format("arena bytes [%lld, %lld), live from %s to %s",
                static_cast<long long>(storage.offset),
                static_cast<long long>(end),
                StepText(report, storage.first_step).c_str(),
                StepText(report, storage.last_step).c_str());
}

Json TensorJson(const MemoryReport& report, size_t tensor) {
  const TensorReport& entry = report.tensors[tensor];
  return Json{{"subgraph", entry.subgraph},
              {"index", entry.index},
              {"name", entry.name}};
}

Json StorageJson(const MemoryReport& report, size_t storage) {
  const Span<const int32_t> members = report.MembersOf(storage);
  Json json =
      members.empty()
          ? Json{{"scratch_of_step", report.storages[storage].first_step}}
          : TensorJson(report, Index(members[0]));
  json["storage"] = storage;
  return json;
}

}  // namespace

std::string ExplanationText(const MemoryReport& report,
                            const Explanation& explanation) {
  const TensorReport& tensor = report.tensors[explanation.tensor];
  const auto step = [&](int32_t at) { return StepText(report, at); };
  const auto storage = [&](size_t at) { return StorageText(report, at); };
  std::string text = TensorText(report, explanation.tensor) + ": ";
  text += Format("%s %s, %lld bytes\n", TensorTypeName(tensor.type),
                 std::string(TextPiece(tensor.shape.dims()).view()).c_str(),
                 static_cast<long long>(tensor.bytes));
  text += "  place       " + Place(report, tensor) + "\n";
  text += "  written by  " +
          (tensor.writer_step >= 0
               ? step(tensor.writer_step)
               : std::string(tensor.is_input ? "the application" : "no step")) +
          "\n";
  text += "  read by     " +
          (explanation.read_by.empty() ? std::string("no step")
                                       : Listed(explanation.read_by, step)) +
          "\n";
  if (!explanation.same_bytes.empty()) {
    text += "  views       " +
            Listed(explanation.same_bytes,
                   [&](size_t at) { return TensorText(report, at); }) +
            "\n";
  }
  for (const Explanation::Overlap& overlap : explanation.overlaps) {
    text += Format("  overlaps    %s, %s %lld bytes of it at %s\n",
                   storage(overlap.storage).c_str(),
                   overlap.over_it ? "written over" : "is written over by",
                   static_cast<long long>(overlap.bytes),
                   step(overlap.step).c_str());
  }
  if (!explanation.before.empty()) {
    text += "  before it   " + Listed(explanation.before, storage) + "\n";
  }
  if (!explanation.after.empty()) {
    text += "  after it    " + Listed(explanation.after, storage) + "\n";
  }
  text += "why:\n";
  for (const Reason& reason : explanation.reasons) {
    text += "  - " + reason.text + ".\n";
  }
  return text;
}

Json ExplanationJson(const MemoryReport& report,
                     const Explanation& explanation) {
  const TensorReport& tensor = report.tensors[explanation.tensor];
  Json json;
  json["schema"] = "arenalite.explain/1";
  json["tensor"] = TensorJson(report, explanation.tensor);
  json["type"] = TensorTypeName(tensor.type);
  json["shape"] = std::vector<int32_t>(tensor.shape.dims().begin(),
                                       tensor.shape.dims().end());
  json["bytes"] = tensor.bytes;
  json["memory"] = TensorMemoryName(tensor.memory);
  json["storage"] = nullptr;
  if (tensor.storage >= 0) {
    const StorageReport& own = report.storages[Index(tensor.storage)];
    json["storage"] = {{"offset", own.offset},
                       {"bytes", own.bytes},
                       {"first_step", own.first_step},
                       {"last_step", own.last_step},
                       {"num_steps", report.steps.size()}};
  }
  json["writer_step"] = nullptr;
  if (tensor.writer_step >= 0) json["writer_step"] = tensor.writer_step;
  json["read_by"] = explanation.read_by;
  for (const char* list : {"views", "overlaps", "before", "after", "reasons"}) {
    json[list] = Json::array();
  }
  for (size_t view : explanation.same_bytes) {
    json["views"].push_back(TensorJson(report, view));
  }
  for (const Explanation::Overlap& overlap : explanation.overlaps) {
    json["overlaps"].push_back(
        {{"storage", StorageJson(report, overlap.storage)},
         {"bytes", overlap.bytes},
         {"step", overlap.step},
         {"direction", overlap.over_it ? "over_it" : "over_other"}});
  }
  for (size_t at : explanation.before) {
    json["before"].push_back(StorageJson(report, at));
  }
  for (size_t at : explanation.after) {
    json["after"].push_back(StorageJson(report, at));
  }
  for (const Reason& reason : explanation.reasons) {
    json["reasons"].push_back({{"code", reason.code}, {"text", reason.text}});
  }
  return json;
}

}  // namespace arenalite
