#include "tools/advice/explain.h"

#include <algorithm>
#include <charconv>

#include "tools/command_error.h"
#include "tools/report/report_names.h"
#include "tools/text.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

class Explainer {
 public:
  Explainer(const MemoryReport& report, const InterpreterOptions& options,
            size_t tensor)
      : report_(report),
        options_(options),
        entry_(report.tensors[tensor]),
        end_(static_cast<int32_t>(report.steps.size())) {
    result_.tensor = tensor;
  }

  Explanation Run() {
    CollectReads();
    if (entry_.storage < 0) {
      ExplainUnplanned();
      return std::move(result_);
    }
    CollectNeighbours();
    ExplainBegin();
    ExplainEnd();
    ExplainOverlaps();
    return std::move(result_);
  }

 private:
  void Add(const char* code, std::string text) {
    result_.reasons.push_back({code, std::move(text)});
  }

  Span<const int32_t> Members() const {
    return report_.MembersOf(Index(entry_.storage));
  }

  bool IsMember(int32_t tensor) const {
    return Index(tensor) == result_.tensor ||
           (entry_.storage >= 0 &&
            report_.tensors[Index(tensor)].storage == entry_.storage);
  }

  void CollectReads() {
    for (int32_t step = 0; step < end_; ++step) {
      const Span<const int32_t> reads = report_.ReadsOf(Index(step));
      const bool is_read =
          std::any_of(reads.begin(), reads.end(),
                      [&](int32_t tensor) { return IsMember(tensor); });
      if (is_read) result_.read_by.push_back(step);
    }
    if (entry_.storage < 0) return;
    for (int32_t member : Members()) {
      if (Index(member) == result_.tensor) continue;
      result_.same_bytes.push_back(Index(member));
    }
  }

  void ExplainUnplanned() {
    switch (entry_.memory) {
      case TensorMemory::kConstant:
        return Add("constant",
                   "it is a constant: its bytes are in the model file, or were "
                   "computed before the first run; it takes no arena");
      case TensorMemory::kVariable:
        return Add("variable",
                   "it is a variable: it keeps its value from run to run in "
                   "the persistent part of the arena, apart from the plan");
      case TensorMemory::kCustom:
        return Add("custom", "it lives in memory that the caller brought");
      case TensorMemory::kDynamic:
        return Add("dynamic",
                   "its shape depends on data: it is taken from the allocator "
                   "when its op runs, outside of the plan");
      default:
        return Add("unused", "no op reads or writes it, so it takes no bytes");
    }
  }

  void CollectNeighbours() {
    const StorageReport& own = report_.storages[Index(entry_.storage)];
    for (size_t i = 0; i < report_.storages.size(); ++i) {
      const StorageReport& other = report_.storages[i];
      const int64_t common =
          std::min(own.offset + own.bytes, other.offset + other.bytes) -
          std::max(own.offset, other.offset);
      if (i == Index(entry_.storage) || common <= 0) continue;
      if (other.last_step < own.first_step) {
        result_.before.push_back(i);
      } else if (other.first_step > own.last_step) {
        result_.after.push_back(i);
      } else {
        const bool over_it = other.first_step == own.last_step;
        result_.overlaps.push_back(
            {i, common, over_it ? own.last_step : own.first_step, over_it});
      }
    }
  }

  void ExplainBegin() {
    const StorageReport& own = report_.storages[Index(entry_.storage)];
    if (options_.preserve_all_tensors) return;
    if (own.is_scratch || own.first_step > 0 || !own.is_input) {
      Add("written", "it is live from " + StepText(report_, own.first_step) +
                         ", which writes it first");
      return;
    }
    Add("input",
        "it is live from the start: the application fills an input "
        "before the first op runs");
  }

  void ExplainEnd() {
    const StorageReport& own = report_.storages[Index(entry_.storage)];
    if (options_.preserve_all_tensors) {
      return Add("preserve_all",
                 "it has bytes of its own all the time, because "
                 "preserve_all_tensors is on");
    }
    if (own.last_step < end_) {
      ExplainLastUse(own);
      return;
    }
    for (int32_t member : Members()) ExplainPin(member);
  }

  void ExplainLastUse(const StorageReport& own) {
    if (result_.read_by.empty()) {
      return Add("never_read", "nothing reads it: it is live only while " +
                                   StepText(report_, own.last_step) +
                                   " writes it");
    }
    const int32_t last = result_.read_by.back();
    if (last < own.last_step) {
      return Add("loop", "it is live to " + StepText(report_, own.last_step) +
                             ", the end of a loop that reads it again in its "
                             "next iteration");
    }
    Add("read_last", "it is live to its last read, by " +
                         StepText(report_, last) + ViewText(last));
  }

  // ", through its view 'x'" where the step reads another member.
  std::string ViewText(int32_t step) const {
    const Span<const int32_t> reads = report_.ReadsOf(Index(step));
    for (int32_t tensor : reads) {
      if (Index(tensor) == result_.tensor) return "";
    }
    for (int32_t tensor : reads) {
      if (!IsMember(tensor)) continue;
      return " through " + TensorText(report_, Index(tensor)) +
             ", a view of the same bytes";
    }
    return "";
  }

  void ExplainPin(int32_t member) {
    const TensorReport& entry = report_.tensors[Index(member)];
    const bool own = Index(member) == result_.tensor;
    const std::string name =
        own ? "it" : TensorText(report_, Index(member)) + ", a view of it,";
    if (entry.is_output) {
      Add("output", name +
                        " is an output of the model: it is live to the end, "
                        "where the application reads it");
    }
    if (entry.is_kept) {
      Add("kept", name + " is kept by PreserveTensor: it is live to the end");
    }
    if (entry.is_input && !options_.allow_input_reuse) {
      Add("pinned_input",
          name +
              " is an input of the model, and pinned to the end: the "
              "application may fill it once and run often "
              "(--allow-input-reuse gives its bytes free after the last "
              "read)");
    }
  }

  // What became of each chance to write over it.
  void ExplainOverlaps() {
    for (const OverlapChance& chance : report_.chances) {
      if (chance.input == entry_.storage) ExplainAsInput(chance);
      if (chance.output == entry_.storage) ExplainAsOutput(chance);
    }
  }

  void ExplainAsInput(const OverlapChance& chance) {
    const std::string what =
        StepText(report_, chance.step) + " may not write " +
        StorageText(report_, Index(chance.output)) + " over it: ";
    switch (chance.verdict) {
      case OverlapVerdict::kAllowed:
        return Add("overlap_allowed",
                   StepText(report_, chance.step) + " may write " +
                       StorageText(report_, Index(chance.output)) + " over " +
                       PartOf(chance, "it") + AsPlaced(chance));
      case OverlapVerdict::kReadLater: {
        const auto next = std::upper_bound(result_.read_by.begin(),
                                           result_.read_by.end(), chance.step);
        return Add("read_later",
                   what + (next == result_.read_by.end()
                               ? std::string("it is needed later")
                               : StepText(report_, *next) + " reads it again"));
      }
      case OverlapVerdict::kLivesToEnd:
        return Add("lives_to_end", what + "it lives to the end");
      case OverlapVerdict::kUsedBefore:
        return Add("output_used_before",
                   what + "those bytes are in use before that step");
      case OverlapVerdict::kOpForbids:
        return Add("op_forbids", what + WhyForbidden(chance.step));
      case OverlapVerdict::kTurnedOff:
        return Add("overlap_off", what + "overlap is turned off");
    }
  }

  void ExplainAsOutput(const OverlapChance& chance) {
    const std::string input = StorageText(report_, Index(chance.input));
    if (chance.verdict == OverlapVerdict::kAllowed) {
      return Add("overlaps_input",
                 "it may be written over " + PartOf(chance, input) + " at " +
                     StepText(report_, chance.step) + AsPlaced(chance));
    }
    Add("no_overlap_with_input",
        "it may not be written over " + input + ": " + WhyNot(chance));
  }

  std::string WhyNot(const OverlapChance& chance) const {
    switch (chance.verdict) {
      case OverlapVerdict::kReadLater:
        return "that one is needed later";
      case OverlapVerdict::kLivesToEnd:
        return "that one lives to the end";
      case OverlapVerdict::kUsedBefore:
        return "its own bytes are in use before that step";
      case OverlapVerdict::kTurnedOff:
        return "overlap is turned off";
      default:
        return WhyForbidden(chance.step);
    }
  }

  // How much of the input the output may lie on: "all of it", "the first 16
  // bytes of it".
  std::string PartOf(const OverlapChance& chance,
                     const std::string& input) const {
    if (chance.allowed_bytes >= report_.storages[Index(chance.input)].bytes) {
      return "all of " + input;
    }
    return Format("the first %lld bytes of ",
                  static_cast<long long>(chance.allowed_bytes)) +
           input;
  }

  std::string WhyForbidden(int32_t step) const {
    if (!report_.steps[Index(step)].has_kernel) {
      return "the op has no kernel, so nothing is known of it";
    }
    return "the op reads after it has written (it has no overlap number for "
           "the pair)";
  }

  // Whether the plan makes use of a permission.
  std::string AsPlaced(const OverlapChance& chance) const {
    const StorageReport& output = report_.storages[Index(chance.output)];
    const StorageReport& input = report_.storages[Index(chance.input)];
    const int64_t common =
        std::min(output.offset + output.bytes, input.offset + input.bytes) -
        std::max(output.offset, input.offset);
    if (common <= 0) return ", but the plan puts them apart";
    return Format(", and the plan shares %lld bytes",
                  static_cast<long long>(common));
  }

  const MemoryReport& report_;
  const InterpreterOptions& options_;
  const TensorReport& entry_;
  const int32_t end_;
  Explanation result_;
};

}  // namespace

size_t FindTensor(const MemoryReport& report, const std::string& text,
                  int32_t subgraph) {
  int32_t index = -1;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, index);
  const bool is_index =
      !text.empty() && parsed.ec == std::errc() && parsed.ptr == end;
  std::vector<size_t> named;
  for (size_t i = 0; i < report.tensors.size(); ++i) {
    const TensorReport& tensor = report.tensors[i];
    if (tensor.name == text) named.push_back(i);
    if (is_index && tensor.index == index && tensor.subgraph == subgraph) {
      return i;
    }
  }
  if (named.size() == 1) return named[0];
  if (named.empty()) {
    throw CommandError(
        is_index ? Format("subgraph %d has no tensor %s that takes part",
                          subgraph, text.c_str())
                 : "no tensor is named '" + text + "'");
  }
  std::string message = "several tensors are named '" + text + "': ";
  for (size_t i = 0; i < named.size() && i < 8; ++i) {
    const TensorReport& tensor = report.tensors[named[i]];
    message += Format("%sindex %d of subgraph %d", i > 0 ? ", " : "",
                      tensor.index, tensor.subgraph);
  }
  throw CommandError(message + (named.size() > 8 ? ", ..." : "") +
                     "; give an index and --subgraph");
}

Explanation Explain(const MemoryReport& report,
                    const InterpreterOptions& options, size_t tensor) {
  return Explainer(report, options, tensor).Run();
}

}  // namespace arenalite
