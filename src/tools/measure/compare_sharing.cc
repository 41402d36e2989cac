#include "tools/measure/compare_sharing.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "tools/command_error.h"
#include "tools/measure/memory_watch.h"
#include "tools/measure/op_trace.h"
#include "tools/text.h"

namespace arenalite {
namespace {

using Kind = SharingDifference::Kind;

enum class Sharing { kOff, kOn };

InterpreterOptions OptionsFor(const SharingOptions& options, Sharing sharing) {
  InterpreterOptions result = options.interpreter;
  const bool on = sharing == Sharing::kOn;
  result.poison_memory = on;
  if (on) return result;
  result.preserve_all_tensors = true;
  result.allow_overlap = false;
  // A plan file is of the other plan, and a buffer too small for this one.
  result.plan_file = {};
  result.arena_buffer = {};
  return result;
}

enum class Moment { kFilled, kDone };
using AtMoment = std::function<void(Interpreter&, Moment)>;

// All runs of one interpreter. `interpreter_options` carries the observer.
Status RunAll(const FlatBufferModel& model, const OpResolver& resolver,
              const SharingOptions& options,
              const InterpreterOptions& interpreter_options,
              const AtMoment& at_moment) {
  ARENALITE_ASSIGN_OR_RETURN(
      std::unique_ptr<Interpreter> interpreter,
      InterpreterBuilder(model, resolver, interpreter_options).Build());
  if (options.configure) options.configure(*interpreter);
  ARENALITE_RETURN_IF_ERROR(interpreter->AllocateTensors());
  for (int run = 0; run < options.runs; ++run) {
    if (options.fill) options.fill(*interpreter);
    at_moment(*interpreter, Moment::kFilled);
    ARENALITE_RETURN_IF_ERROR(interpreter->Invoke());
    at_moment(*interpreter, Moment::kDone);
  }
  return OkStatus();
}

class Comparison {
 public:
  Comparison(const FlatBufferModel& model, const OpResolver& resolver,
             const SharingOptions& options)
      : model_(model), resolver_(resolver), options_(options) {}

  SharingReport Run() {
    OpTrace separate = OpTrace::Recording();
    ThrowIfError(Trace(separate, Sharing::kOff));
    OpTrace shared = OpTrace::Comparing(separate);
    const Status status = Trace(shared, Sharing::kOn);
    SharingReport report;
    report.ops = (shared.size() - options_.runs) / 2;
    if (shared.snapshot()) {
      report.difference = Explain(shared);
    } else if (!status.ok()) {
      report.difference.kind = Kind::kError;
      report.difference.message = status.message();
    }
    return report;
  }

 private:
  Status Trace(OpTrace& trace, Sharing sharing) {
    InterpreterOptions options = OptionsFor(options_, sharing);
    trace.ObserveWith(options);
    return RunAll(model_, resolver_, options_, options,
                  [&](Interpreter& interpreter, Moment moment) {
                    if (moment == Moment::kDone) trace.AddOutputs(interpreter);
                  });
  }

  SharingDifference Explain(const OpTrace& shared) {
    OpTrace again = OpTrace::Recording(shared.snapshot_at());
    // It is stopped where the other one differed.
    const Status stopped = Trace(again, Sharing::kOff);
    if (!again.snapshot()) {
      throw CommandError(
          "without sharing, the model ran another way the "
          "second time: " +
          std::string(stopped.message()));
    }
    SharingDifference result = Differing(*shared.snapshot(), *again.snapshot());
    if (result.kind == Kind::kNone) {
      throw CommandError(
          "without sharing, the model computes something else each time");
    }
    const bool changed =
        result.kind == Kind::kInput || result.kind == Kind::kResult;
    if (changed && watched_.bytes > 0) {
      const int64_t until = shared.snapshot_at();
      result.culprit = FindCulprit(until, Sharing::kOn);
      if (result.culprit.empty()) {
        // Bytes beyond an output may hit a neighbour in either layout.
        result.culprit = FindCulprit(until, Sharing::kOff);
        if (!result.culprit.empty()) result.culprit += ", without sharing";
      }
    }
    return result;
  }

  SharingDifference Differing(const OpSnapshot& shared,
                              const OpSnapshot& separate);
  std::string FindCulprit(int64_t until, Sharing sharing) {
    MemoryWatch watch(watched_, until);
    InterpreterOptions options = OptionsFor(options_, sharing);
    watch.ObserveWith(options);
    // How it ends is known.
    (void)RunAll(model_, resolver_, options_, options,
                 [&](Interpreter& interpreter, Moment moment) {
                   if (moment == Moment::kFilled) watch.BeginRun(interpreter);
                   if (moment == Moment::kDone) watch.EndRun();
                 });
    return watch.culprit();
  }

  const FlatBufferModel& model_;
  const OpResolver& resolver_;
  const SharingOptions& options_;
  WatchedTensor watched_;
};

// Fills in where two copies of one tensor differ; false: nowhere.
bool CompareValues(const OpSnapshot::Value& shared,
                   const OpSnapshot::Value& separate,
                   SharingDifference& result) {
  result.tensor = shared.tensor;
  result.tensor_name = shared.name;
  if (shared.shape != separate.shape ||
      shared.bytes.size() != separate.bytes.size()) {
    const auto text = [](const OpSnapshot::Value& value) {
      return "shape " + std::string(TextPiece(value.shape.dims()).view()) +
             ", " + std::to_string(value.bytes.size()) + " bytes";
    };
    result.shared = text(shared);
    result.separate = text(separate);
    return true;
  }
  const auto at = std::mismatch(shared.bytes.begin(), shared.bytes.end(),
                                separate.bytes.begin());
  if (at.first == shared.bytes.end()) return false;
  const int bits = TensorTypeBits(shared.type);
  const int element_bits = bits > 0 ? bits : 8;
  const auto byte = static_cast<int64_t>(at.first - shared.bytes.begin());
  result.element = byte * 8 / element_bits;
  // Of several elements in one byte, one differs.
  for (int i = 0; i < 8 / std::min(element_bits, 8); ++i) {
    const int64_t element = result.element + i;
    result.shared = ElementText(shared.type, shared.bytes.data(), element);
    result.separate = ElementText(shared.type, separate.bytes.data(), element);
    if (result.shared == result.separate) continue;
    result.element = element;
    break;
  }
  return true;
}

SharingDifference Comparison::Differing(const OpSnapshot& shared,
                                        const OpSnapshot& separate) {
  SharingDifference result;
  result.subgraph = shared.subgraph;
  result.node = shared.node;
  result.op_name = shared.op_name;
  const size_t count = std::min(shared.values.size(), separate.values.size());
  for (size_t i = 0; i < count; ++i) {
    const OpSnapshot::Value& value = shared.values[i];
    if (!CompareValues(value, separate.values[i], result)) continue;
    result.kind = shared.node < 0                           ? Kind::kResult
                  : shared.phase == OpEvent::Phase::kBefore ? Kind::kInput
                                                            : Kind::kOutput;
    if (value.memory == TensorMemory::kArena) {
      watched_ = {shared.subgraph, value.tensor,
                  static_cast<int64_t>(value.bytes.size()), value.name};
    }
    return result;
  }
  return result;
}

}  // namespace

SharingReport CompareSharing(const FlatBufferModel& model,
                             const OpResolver& resolver,
                             const SharingOptions& options) {
  return Comparison(model, resolver, options).Run();
}

std::string DescribeDifference(const SharingDifference& difference) {
  if (difference.kind == Kind::kNone) return "";
  if (difference.kind == Kind::kError) {
    return "fails with sharing only: " + difference.message;
  }
  std::string text = difference.node < 0
                         ? std::string("the model's")
                         : Format("subgraph %d op %d %s:", difference.subgraph,
                                  difference.node, difference.op_name.c_str());
  text += difference.kind == Kind::kInput ? " input" : " output";
  text += Format(" tensor %d '%s'", difference.tensor,
                 difference.tensor_name.c_str());
  if (difference.element >= 0) {
    text += Format(" element %lld", static_cast<long long>(difference.element));
  }
  text += " is " + difference.shared + " with sharing, " + difference.separate +
          " without; ";
  if (difference.kind == Kind::kOutput) {
    return text +
           "its inputs were the same, so its overlap number or its kernel is "
           "wrong";
  }
  text += "the value was right when it was written";
  if (difference.culprit.empty()) return text;
  return text + ", and changed " + difference.culprit;
}

}  // namespace arenalite
