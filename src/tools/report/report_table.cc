#include <cinttypes>
#include <cstdarg>
#include <cstdio>

#include "tools/model_session.h"
#include "tools/report/report.h"
#include "tools/report/report_view.h"

namespace arenalite {
namespace {

// Tensors of the peak that are listed; the rest is one line.
constexpr size_t kPeakRows = 12;

// printf into a string. Formats are ours, texts of files come in by %s.
__attribute__((format(printf, 2, 3))) void Append(std::string& text,
                                                  const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  const size_t old = text.size();
  text.resize(old + static_cast<size_t>(length) + 1);
  std::vsnprintf(&text[old], static_cast<size_t>(length) + 1, format, again);
  text.pop_back();
  va_end(again);
  va_end(arguments);
}

void AppendSummary(const MemoryReport& report, std::string& text) {
  const MemoryUsage& usage = report.usage;
  Append(text, "arena             %12" PRId64 " bytes\n", usage.arena_bytes);
  Append(text, "  planned         %12" PRId64 "\n", usage.planned_bytes);
  Append(text, "  persistent      %12" PRId64 "\n", usage.persistent_bytes);
  Append(text, "lower bound       %12" PRId64 "%s\n", usage.lower_bound_bytes,
         report.proven_optimal ? "  (met: proven optimal)" : "");
  Append(text, "without overlap   %12" PRId64 "  (liveness bound)\n",
         usage.liveness_bound_bytes);
  Append(text, "naive sum         %12" PRId64 "\n", usage.naive_bytes);
  Append(text, "runtime metadata  %12" PRId64 "\n", usage.metadata_bytes);
}

void AppendPeak(const MemoryReport& report, std::string& text) {
  const int32_t peak = report.usage.peak_step;
  const int64_t live_bytes = LiveBytesOf(report, peak);
  const int64_t bound_bytes = BoundBytesOf(report, peak);
  Append(text,
         "\npeak step %d of %zu, %s: needs %" PRId64 " bytes; live are %" PRId64
         " (inputs/outputs %" PRId64 ", activations %" PRId64
         ", scratch %" PRId64 ")\n",
         peak, report.steps.size(), CleanText(OpOfStep(report, peak)).c_str(),
         bound_bytes, live_bytes, report.usage.peak_io_bytes,
         report.usage.peak_activation_bytes, report.usage.peak_scratch_bytes);
  if (bound_bytes < live_bytes) {
    Append(text, "overlap saves up to %" PRId64 " bytes there\n",
           live_bytes - bound_bytes);
  }
  Append(text, "%8s %10s %6s  %s\n", "share", "bytes", "tensor", "name");
  const std::vector<size_t> live = LiveAt(report, peak);
  const auto percent_of = [&](int64_t bytes) {
    return 100 * static_cast<double>(bytes) / static_cast<double>(live_bytes);
  };
  int64_t rest = live_bytes;
  for (size_t i = 0; i < live.size() && i < kPeakRows; ++i) {
    const int64_t bytes = report.storages[live[i]].bytes;
    const int32_t member = MainMember(report, live[i]);
    const std::string index =
        member < 0
            ? "-"
            : std::to_string(report.tensors[static_cast<size_t>(member)].index);
    rest -= bytes;
    Append(text, "%6.1f %% %10" PRId64 " %6s  %s\n", percent_of(bytes), bytes,
           index.c_str(), CleanText(StorageName(report, live[i])).c_str());
  }
  if (live.size() > kPeakRows) {
    Append(text, "%6.1f %% %10" PRId64 " %6s  (%zu more)\n", percent_of(rest),
           rest, "", live.size() - kPeakRows);
  }
}

void AppendSuggestions(const ReportInput& input, std::string& text) {
  if (input.suggestions.empty()) return;
  text += "\nwhat would save most (each was planned)\n";
  for (const ReportSuggestion& suggestion : input.suggestions) {
    Append(text, "%10" PRId64 " bytes, to %10" PRId64 "  %s\n%31s%s\n",
           suggestion.saved_bytes, suggestion.arena_bytes,
           CleanText(suggestion.what).c_str(), "",
           CleanText(suggestion.how).c_str());
  }
}

std::string Remarks(const TensorReport& tensor) {
  std::string text;
  if (tensor.subgraph != 0) {
    text += " (subgraph " + std::to_string(tensor.subgraph) + ")";
  }
  if (tensor.is_input) text += " (input)";
  if (tensor.is_output) text += " (output)";
  if (tensor.is_kept) text += " (kept)";
  if (tensor.memory == TensorMemory::kVariable) text += " (variable)";
  if (tensor.memory == TensorMemory::kBounded) {
    text += " (at most: its shape depends on data)";
  }
  if (tensor.memory == TensorMemory::kDynamic) {
    text += " (dynamic: outside of the arena, its shape depends on data)";
  }
  if (tensor.memory == TensorMemory::kCustom) text += " (in your memory)";
  return text;
}

void AppendTensor(const TensorReport& tensor, std::string& text) {
  const bool planned = tensor.offset >= 0;
  if (planned) {
    Append(text, "%6d %10" PRId64 " %10" PRId64 " %5d %5d", tensor.index,
           tensor.offset, tensor.bytes, tensor.first_step, tensor.last_step);
  } else {
    Append(text, "%6d %10s %10" PRId64 " %5s %5s", tensor.index, "-",
           tensor.bytes, "-", "-");
  }
  Append(text, "  %-8s %-18s %s%s\n", TensorTypeName(tensor.type),
         ShapeText(tensor.shape).c_str(), CleanText(tensor.name).c_str(),
         Remarks(tensor).c_str());
}

bool IsListed(const TensorReport& tensor) {
  return tensor.offset >= 0 || tensor.memory == TensorMemory::kVariable ||
         tensor.memory == TensorMemory::kDynamic ||
         tensor.memory == TensorMemory::kCustom;
}

void AppendTensors(const MemoryReport& report, std::string& text) {
  Append(text, "\n%6s %10s %10s %5s %5s  %-8s %-18s %s\n", "tensor", "offset",
         "bytes", "first", "last", "type", "shape", "name");
  for (const TensorReport& tensor : report.tensors) {
    if (IsListed(tensor)) AppendTensor(tensor, text);
  }
  for (size_t i = 0; i < report.storages.size(); ++i) {
    const StorageReport& storage = report.storages[i];
    if (!storage.is_scratch) continue;
    Append(text, "%6s %10" PRId64 " %10" PRId64 " %5d %5d  %-8s %-18s %s\n",
           "-", storage.offset, storage.bytes, storage.first_step,
           storage.last_step, "", "",
           CleanText(StorageName(report, i)).c_str());
  }
}

}  // namespace

std::string TableReport(const ReportInput& input) {
  std::string text;
  AppendSummary(input.report, text);
  AppendPeak(input.report, text);
  AppendSuggestions(input, text);
  AppendTensors(input.report, text);
  return text;
}

}  // namespace arenalite
