// ModelSession: the options that all commands on a model share, and the
// interpreter they lead to.

#ifndef ARENALITE_TOOLS_MODEL_SESSION_H_
#define ARENALITE_TOOLS_MODEL_SESSION_H_

#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "arenalite/interpreter.h"

namespace arenalite {

// What the command line said.
struct ModelArguments {
  std::string path;
  std::vector<std::string> shapes;  // i=1x224x224x3
  std::vector<int32_t> kept;        // Tensors to be read after Invoke.
  std::string strategy = "auto";
  std::string plan_path;  // A plan file to use; empty: plan.
  InterpreterOptions options;

  // Adds the positional MODEL and the planning options to a subcommand.
  void AddTo(CLI::App& command);
};

// The strategy of that name; one of StrategyNames().
PlanStrategy StrategyByName(const std::string& name);
std::vector<std::string> StrategyNames();

// A loaded model with its interpreter; resized, not allocated.
class ModelSession {
 public:
  // Throws CommandError, naming the file.
  explicit ModelSession(const ModelArguments& arguments);

  Interpreter& interpreter() { return *interpreter_; }
  const FlatBufferModel& model() const { return *model_; }
  const OpResolver& resolver() const { return resolver_; }
  // What the interpreter was built with.
  const InterpreterOptions& options() const { return options_; }

 private:
  std::unique_ptr<FlatBufferModel> model_;
  std::vector<uint8_t> plan_file_;
  InterpreterOptions options_;
  BuiltinOpResolver resolver_;
  std::unique_ptr<Interpreter> interpreter_;
};

// "[1,224,224,3]"
std::string ShapeText(const Shape& shape);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_MODEL_SESSION_H_
