#include "tools/model_session.h"

#include <utility>

#include "tools/command_error.h"
#include "tools/files.h"
#include "tools/inputs.h"

namespace arenalite {
namespace {

constexpr PlanStrategy kStrategies[] = {
    PlanStrategy::kAuto, PlanStrategy::kGreedyBySize,
    PlanStrategy::kGreedyByBreadth, PlanStrategy::kFirstUse,
    PlanStrategy::kExhaustive};

}  // namespace

std::vector<std::string> StrategyNames() {
  std::vector<std::string> names;
  for (PlanStrategy strategy : kStrategies) {
    names.push_back(PlanStrategyName(strategy));
  }
  return names;
}

PlanStrategy StrategyByName(const std::string& name) {
  for (PlanStrategy strategy : kStrategies) {
    if (name == PlanStrategyName(strategy)) return strategy;
  }
  throw CommandError("no strategy '" + name + "'");
}

void ModelArguments::AddTo(CLI::App& command) {
  command.add_option("model", path, "A .tflite file")
      ->required()
      ->type_name("MODEL");
  command
      .add_option("--shape", shapes,
                  "Gives input i another shape, as i=1x224x224x3")
      ->type_name("i=DIMS");
  command
      .add_option("--alignment", options.alignment,
                  "Alignment of every tensor in bytes, a power of two")
      ->capture_default_str();
  command.add_flag("--allow-input-reuse", options.allow_input_reuse,
                   "Inputs may be overwritten after their last read");
  command.add_flag("--preserve-all-tensors", options.preserve_all_tensors,
                   "Every tensor keeps bytes of its own");
  command.add_flag("!--no-overlap", options.allow_overlap,
                   "Ops never write over their inputs");
  command
      .add_option("--keep", kept,
                  "Keeps the value of a tensor readable after the run")
      ->type_name("INDEX");
  command
      .add_option("--plan-file", plan_path,
                  "Uses the plan that 'plan MODEL --save-plan FILE' saved")
      ->type_name("FILE");
  command.add_option("--strategy", strategy, "How the planner places tensors")
      ->check(CLI::IsMember(StrategyNames()))
      ->capture_default_str();
}

ModelSession::ModelSession(const ModelArguments& arguments)
    : options_(arguments.options) {
  options_.plan_strategy = StrategyByName(arguments.strategy);
  if (!arguments.plan_path.empty()) {
    plan_file_ = ReadFile(arguments.plan_path);
    options_.plan_file = Span<const uint8_t>(plan_file_);
  }
  model_ = ValueOrThrow(FlatBufferModel::BuildFromFile(arguments.path.c_str()));
  auto built = InterpreterBuilder(*model_, resolver_, options_).Build();
  if (!built.ok()) throw CommandError(arguments.path + ": " + built.message());
  interpreter_ = std::move(built).value();
  ResizeInputs(*interpreter_, arguments.shapes);
  for (int32_t tensor : arguments.kept) {
    ThrowIfError(interpreter_->PreserveTensor(tensor));
  }
}

std::string ShapeText(const Shape& shape) {
  return std::string(TextPiece(shape.dims()).view());
}

}  // namespace arenalite
