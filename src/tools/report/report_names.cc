#include "tools/report/report_names.h"

#include "tools/text.h"

namespace arenalite {

std::string StepText(const MemoryReport& report, int32_t step) {
  const auto at = static_cast<size_t>(step);
  if (at >= report.steps.size()) return "the end";
  return Format("step %d %s", step, report.steps[at].op_name);
}

std::string TensorText(const MemoryReport& report, size_t tensor) {
  const TensorReport& entry = report.tensors[tensor];
  std::string text = Format("tensor %d '%s'", entry.index, entry.name);
  if (entry.subgraph != 0) text += Format(" of subgraph %d", entry.subgraph);
  return text;
}

std::string StorageText(const MemoryReport& report, size_t storage) {
  const Span<const int32_t> members = report.MembersOf(storage);
  if (!members.empty()) {
    return TensorText(report, static_cast<size_t>(members[0]));
  }
  return "scratch of " + StepText(report, report.storages[storage].first_step);
}

}  // namespace arenalite
