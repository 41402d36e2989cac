#include "tools/advice/suggest.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tools/advice/better_order.h"
#include "tools/advice/order_graph.h"
#include "tools/advice/replan.h"
#include "tools/command_error.h"
#include "tools/text.h"

namespace arenalite {
namespace {

using Kind = SuggestionKind;

// Each re-plans the whole model.
constexpr size_t kMaxOrders = 4;
constexpr size_t kMaxDroppedOutputs = 8;
constexpr int32_t kAlignments[] = {8, 4, 2, 1};

std::string TensorText(const MemoryReport& report, size_t tensor) {
  const TensorReport& entry = report.tensors[tensor];
  return Format("tensor %d '%s'", entry.index, entry.name);
}

// Of the plans offered the one with the smallest arena; of equals the first.
struct Cheapest {
  void Offer(const PlanSetup& offered, std::optional<int64_t> bytes) {
    if (!bytes || (arena && *arena <= *bytes)) return;
    arena = bytes;
    setup = offered;
  }

  std::optional<int64_t> arena;  // Of `setup`; empty: no plan was offered.
  PlanSetup setup;
};

class Adviser {
 public:
  Adviser(const FlatBufferModel& model, const OpResolver& resolver,
          const PlanSetup& setup)
      : model_(model),
        resolver_(resolver),
        setup_(setup),
        report_(ValueOrThrow(
            BuildPlanSetup(model, resolver, setup)->ReportMemory())) {
    setup_.options.plan_file = {};
  }

  std::vector<Suggestion> Find() {
    if (report_.usage.planned_bytes == 0) return {};
    TryOptions();
    TryAlignments();
    TryOrders();
    TryKeptTensors();
    TryOutputs();
    TryResolutions();
    TryInt8();
    std::stable_sort(found_.begin(), found_.end(), [](auto& a, auto& b) {
      return a.saved_bytes > b.saved_bytes;
    });
    return std::move(found_);
  }

 private:
  // The arena of another setup; none when it cannot be planned.
  std::optional<int64_t> Plan(const PlanSetup& setup) const {
    try {
      return ValueOrThrow(
                 BuildPlanSetup(model_, resolver_, setup)->QueryMemory())
          .arena_bytes;
    } catch (const CommandError&) {
      return {};
    }
  }

  void Add(Suggestion suggestion, int64_t arena_bytes) {
    suggestion.arena_bytes = arena_bytes;
    suggestion.saved_bytes = report_.usage.arena_bytes - arena_bytes;
    if (suggestion.saved_bytes > 0) found_.push_back(std::move(suggestion));
  }

  void TrySetup(Kind kind, const PlanSetup& setup, std::string what,
                std::string how) {
    const std::optional<int64_t> arena = Plan(setup);
    if (!arena) return;
    Suggestion suggestion;
    suggestion.kind = kind;
    suggestion.what = std::move(what);
    suggestion.how = std::move(how);
    suggestion.setup = setup;
    Add(std::move(suggestion), *arena);
  }

  void TryOptions() {
    const InterpreterOptions& options = setup_.options;
    PlanSetup setup = setup_;
    setup.options.preserve_all_tensors = false;
    if (options.preserve_all_tensors) {
      TrySetup(Kind::kNoPreserve, setup, "let tensors share bytes",
               "Leave InterpreterOptions::preserve_all_tensors off, it is for "
               "debugging.");
    }
    setup = setup_;
    setup.options.allow_overlap = true;
    if (!options.allow_overlap) {
      TrySetup(Kind::kOverlap, setup, "let ops write over their inputs",
               "Leave InterpreterOptions::allow_overlap on.");
    }
    setup = setup_;
    setup.options.allow_input_reuse = true;
    if (!options.allow_input_reuse) {
      TrySetup(Kind::kInputReuse, setup, "reuse the memory of inputs",
               "Set InterpreterOptions::allow_input_reuse "
               "(--allow-input-reuse) and fill the inputs before every "
               "Invoke.");
    }
    setup = setup_;
    setup.options.plan_strategy = PlanStrategy::kExhaustive;
    if (!report_.proven_optimal &&
        options.plan_strategy != PlanStrategy::kExhaustive) {
      TrySetup(Kind::kSearch, setup, "search for an exact plan",
               "Use PlanStrategy::kExhaustive (--strategy exhaustive), once: "
               "a saved plan loads without a search.");
    }
  }

  // The largest alignment of those with the smallest arena.
  void TryAlignments() {
    Cheapest best;
    for (int32_t alignment : kAlignments) {
      if (alignment >= setup_.options.alignment) continue;
      PlanSetup setup = setup_;
      setup.options.alignment = alignment;
      best.Offer(setup, Plan(setup));
    }
    if (!best.arena) return;
    Suggestion suggestion;
    suggestion.kind = Kind::kAlignment;
    const int32_t alignment = best.setup.options.alignment;
    suggestion.what = Format("align tensors to %d instead of %d bytes",
                             alignment, setup_.options.alignment);
    suggestion.how = Format(
        "Set InterpreterOptions::alignment (--alignment %d); types that need "
        "more get more.",
        alignment);
    suggestion.setup = std::move(best.setup);
    Add(std::move(suggestion), *best.arena);
  }

  void TryOrders() {
    const std::optional<OrderGraph> graph = MakeOrderGraph(report_);
    if (!graph) return;
    Cheapest best;
    const auto candidates = CandidateOrders(*graph);
    for (size_t i = 0; i < candidates.size() && i < kMaxOrders; ++i) {
      PlanSetup setup = setup_;
      setup.order = ExecutionPlanOf(*graph, candidates[i]);
      best.Offer(setup, Plan(setup));
    }
    if (!best.arena) return;
    Suggestion suggestion;
    suggestion.kind = Kind::kOrder;
    suggestion.what = "run the ops in another order";
    suggestion.how =
        "Give Interpreter::SetExecutionPlan the order in this suggestion's "
        "JSON.";
    suggestion.setup = std::move(best.setup);
    Add(std::move(suggestion), *best.arena);
  }

  void TryKeptTensors() {
    for (size_t i = 0; i < setup_.kept.size(); ++i) {
      PlanSetup setup = setup_;
      setup.kept.erase(setup.kept.begin() + static_cast<ptrdiff_t>(i));
      const std::optional<int64_t> arena = Plan(setup);
      if (!arena) continue;
      Suggestion suggestion;
      suggestion.kind = Kind::kUnkeep;
      suggestion.tensor = setup_.kept[i];
      suggestion.what = Format("do not keep tensor %d", suggestion.tensor);
      suggestion.how = "Leave Interpreter::PreserveTensor out for it.";
      suggestion.setup = std::move(setup);
      Add(std::move(suggestion), *arena);
    }
  }

  // Outputs that are steps on the way to others: often left from debugging.
  void TryOutputs() {
    size_t tried = 0;
    for (size_t i = 0; i < report_.tensors.size(); ++i) {
      PlanProblem problem = ProblemOf(report_);
      if (!report_.tensors[i].is_output) continue;
      if (!DropOutput(report_, i, problem)) continue;
      if (++tried > kMaxDroppedOutputs) return;
      Suggestion suggestion;
      suggestion.kind = Kind::kOutput;
      suggestion.tensor = report_.tensors[i].index;
      suggestion.what = "do not make " + TensorText(report_, i) + " an output";
      suggestion.how =
          "Other ops read it; convert the model without this output if the "
          "application has no use for it.";
      suggestion.setup = setup_;
      Add(std::move(suggestion), Replan(problem));
    }
  }

  void TryInt8() {
    PlanProblem problem = ProblemOf(report_);
    if (!ShrinkFloats(report_, problem)) return;
    Suggestion suggestion;
    suggestion.kind = Kind::kInt8;
    suggestion.what = "quantize FLOAT32 activations to INT8";
    suggestion.how =
        "Convert the model with full integer quantization; planned with a "
        "quarter of every float tensor's bytes.";
    suggestion.setup = setup_;
    Add(std::move(suggestion), Replan(problem));
  }

  int64_t Replan(const PlanProblem& problem) const {
    return ArenaBytesOf(report_, problem, setup_.options.plan_strategy);
  }

  void TryResolutions() {
    const bool can_infer = std::all_of(
        report_.steps.begin(), report_.steps.end(), [](const StepReport& step) {
          return step.has_kernel && !step.is_dynamic;
        });
    if (!can_infer) return;
    TryResolution(3, 4);
    TryResolution(1, 2);
  }

  void TryResolution(int32_t numerator, int32_t denominator) {
    PlanSetup setup = setup_;
    std::string text;
    std::string flags;
    const auto inputs = InputPositions();
    for (const TensorReport& tensor : report_.tensors) {
      const bool is_image =
          tensor.subgraph == 0 && tensor.is_input && tensor.shape.rank() == 4 &&
          tensor.shape.dim(1) >= 8 && tensor.shape.dim(2) >= 8;
      if (!is_image) continue;
      std::vector<int32_t> dims(tensor.shape.dims().begin(),
                                tensor.shape.dims().end());
      for (size_t i : {1, 2}) dims[i] = dims[i] * numerator / denominator;
      flags += Format(" --shape %d=%dx%dx%dx%d", inputs.at(tensor.index),
                      dims[0], dims[1], dims[2], dims[3]);
      text += Format(" %dx%d instead of %dx%d", dims[1], dims[2],
                     tensor.shape.dim(1), tensor.shape.dim(2));
      const auto same = [&](auto& known) {
        return known.first == tensor.index;
      };
      setup.shapes.erase(
          std::remove_if(setup.shapes.begin(), setup.shapes.end(), same),
          setup.shapes.end());
      setup.shapes.emplace_back(tensor.index, std::move(dims));
    }
    if (text.empty() || !HasValidShapes(setup)) return;
    TrySetup(Kind::kResolution, setup, "smaller input:" + text,
             "ResizeInputTensor (" + flags.substr(1) +
                 "): the shapes stay valid; whether the results are good "
                 "enough is to be tested.");
  }

  // Of each input tensor: its place among the model's inputs.
  std::map<int32_t, int> InputPositions() const {
    std::map<int32_t, int> positions;
    const auto interpreter = BuildPlanSetup(model_, resolver_, setup_);
    const Span<const int32_t> inputs = interpreter->inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      positions.emplace(inputs[i], static_cast<int>(i));
    }
    return positions;
  }

  // Planned as a whole, and with elements in every tensor that had some.
  bool HasValidShapes(const PlanSetup& setup) const {
    try {
      const MemoryReport resized = ValueOrThrow(
          BuildPlanSetup(model_, resolver_, setup)->ReportMemory());
      const auto is_empty = [](const TensorReport& tensor) {
        return tensor.storage >= 0 && tensor.bytes == 0;
      };
      const auto is_dynamic = [](const StepReport& step) {
        return step.is_dynamic;
      };
      const auto& tensors = resized.tensors;
      const auto& steps = resized.steps;
      return std::none_of(tensors.begin(), tensors.end(), is_empty) &&
             std::none_of(steps.begin(), steps.end(), is_dynamic);
    } catch (const CommandError&) {
      return false;
    }
  }

  const FlatBufferModel& model_;
  const OpResolver& resolver_;
  PlanSetup setup_;
  const MemoryReport report_;
  std::vector<Suggestion> found_;
};

}  // namespace

std::unique_ptr<Interpreter> BuildPlanSetup(const FlatBufferModel& model,
                                            const OpResolver& resolver,
                                            const PlanSetup& setup) {
  InterpreterOptions options = setup.options;
  options.allow_missing_kernels = true;
  auto interpreter =
      ValueOrThrow(InterpreterBuilder(model, resolver, options).Build());
  for (const auto& [tensor, dims] : setup.shapes) {
    ThrowIfError(
        interpreter->ResizeInputTensor(tensor, Span<const int32_t>(dims)));
  }
  for (int32_t tensor : setup.kept) {
    ThrowIfError(interpreter->PreserveTensor(tensor));
  }
  if (!setup.order.empty()) {
    ThrowIfError(
        interpreter->SetExecutionPlan(Span<const int32_t>(setup.order)));
  }
  return interpreter;
}

std::vector<Suggestion> Suggest(const FlatBufferModel& model,
                                const OpResolver& resolver,
                                const PlanSetup& setup,
                                const SuggestOptions& options) {
  std::vector<Suggestion> found = Adviser(model, resolver, setup).Find();
  if (found.size() > options.max_suggestions) {
    found.resize(options.max_suggestions);
  }
  return found;
}

}  // namespace arenalite
