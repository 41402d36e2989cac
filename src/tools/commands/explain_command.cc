#include <cstdio>
#include <memory>

#include "tools/advice/explain.h"
#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/json_text.h"
#include "tools/model_session.h"

namespace arenalite {
namespace {

struct ExplainArguments {
  ModelArguments model;
  std::string tensor;
  int32_t subgraph = 0;
  std::string format = "text";
};

void RunExplain(const ExplainArguments& arguments) {
  ModelSession session(arguments.model);
  const MemoryReport report =
      ValueOrThrow(session.interpreter().ReportMemory());
  const size_t tensor =
      FindTensor(report, arguments.tensor, arguments.subgraph);
  const Explanation explanation = Explain(report, session.options(), tensor);
  const std::string text = arguments.format == "json"
                               ? JsonText(ExplanationJson(report, explanation))
                               : ExplanationText(report, explanation);
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void AddExplainCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "explain",
      "Says why the bytes of a tensor are live when they are: who writes it,\n"
      "who reads it last, what shares its bytes, and what stops it from being\n"
      "overwritten. Works without kernels.\n"
      "\n"
      "Examples:\n"
      "  arenalite explain m.tflite --tensor conv1/Relu6\n"
      "  arenalite explain m.tflite --tensor 7 --format json");
  auto arguments = std::make_shared<ExplainArguments>();
  arguments->model.options.allow_missing_kernels = true;
  arguments->model.AddTo(*command);
  command
      ->add_option("--tensor", arguments->tensor,
                   "Its name, or its index in the subgraph")
      ->required()
      ->type_name("NAME|INDEX");
  command->add_option("--subgraph", arguments->subgraph, "Of an index")
      ->capture_default_str();
  command->add_option("--format", arguments->format, "How to print")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([arguments] { RunExplain(*arguments); });
}

}  // namespace arenalite
