#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/files.h"
#include "tools/inputs.h"
#include "tools/measure/compare_sharing.h"
#include "tools/model_session.h"

namespace arenalite {
namespace {

struct RunArguments {
  ModelArguments model;
  std::vector<std::string> inputs;
  std::string output_dir;
  uint64_t seed = 42;
  int runs = 1;
  bool compare_no_sharing = false;
};

double ElementAsDouble(const Tensor& tensor, int64_t i) {
  switch (tensor.type) {
    case TensorType::kFloat32:
      return static_cast<double>(tensor.data_as<float>()[i]);
    case TensorType::kInt8:
      return tensor.data_as<int8_t>()[i];
    case TensorType::kUInt8:
    case TensorType::kBool:
      return tensor.data_as<uint8_t>()[i];
    case TensorType::kInt16:
      return tensor.data_as<int16_t>()[i];
    case TensorType::kInt32:
      return tensor.data_as<int32_t>()[i];
    case TensorType::kInt64:
      return static_cast<double>(tensor.data_as<int64_t>()[i]);
    default:
      return std::nan("");
  }
}

// One line an output: name, type, shape, and its first values.
void PrintOutput(size_t position, const Tensor& tensor) {
  constexpr int64_t kShown = 8;
  std::printf("output %zu '%s' %s %s:", position, tensor.name,
              TensorTypeName(tensor.type), ShapeText(tensor.shape).c_str());
  // The bytes of a sparse constant are not those of its shape.
  const int64_t count =
      tensor.sparsity != nullptr ? 0 : tensor.shape.NumElements();
  for (int64_t i = 0; i < count && i < kShown; ++i) {
    const double value = ElementAsDouble(tensor, i);
    if (std::isnan(value) && tensor.type != TensorType::kFloat32) break;
    std::printf(" %g", value);
  }
  std::printf("%s\n", count > kShown ? " ..." : "");
}

void Run(const RunArguments& arguments) {
  ModelSession session(arguments.model);
  Interpreter& interpreter = session.interpreter();
  ThrowIfError(interpreter.AllocateTensors());
  for (int run = 0; run < arguments.runs; ++run) {
    FillInputs(interpreter, arguments.inputs, arguments.seed);
    ThrowIfError(interpreter.Invoke());
  }
  if (!arguments.output_dir.empty()) {
    std::filesystem::create_directories(arguments.output_dir);
  }
  for (size_t i = 0; i < interpreter.outputs().size(); ++i) {
    const Tensor& tensor = *interpreter.output_tensor(i);
    PrintOutput(i, tensor);
    if (arguments.output_dir.empty()) continue;
    WriteFile(arguments.output_dir + "/output_" + std::to_string(i) + ".bin",
              Span<const uint8_t>(tensor.data_as<uint8_t>(),
                                  static_cast<size_t>(tensor.bytes)));
  }
  std::fprintf(stderr, "arena: %zu bytes\n", interpreter.arena_used_bytes());
}

void CompareRuns(const RunArguments& arguments) {
  // Checks the arguments and keeps the model.
  ModelSession session(arguments.model);
  SharingOptions options;
  options.interpreter = session.options();
  options.runs = arguments.runs;
  options.configure = [&](Interpreter& interpreter) {
    ResizeInputs(interpreter, arguments.model.shapes);
  };
  options.fill = [&](Interpreter& interpreter) {
    FillInputs(interpreter, arguments.inputs, arguments.seed);
  };
  const SharingReport report =
      CompareSharing(session.model(), session.resolver(), options);
  if (!report.same()) {
    throw CommandError(arguments.model.path + ": " +
                       DescribeDifference(report.difference));
  }
  std::printf("same with and without sharing, bit for bit: %lld ops ran\n",
              static_cast<long long>(report.ops));
}

}  // namespace

void AddRunCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "run",
      "Runs a model and prints its outputs. Inputs without a file are filled\n"
      "from a seeded generator.\n"
      "\n"
      "Examples:\n"
      "  arenalite run m.tflite --input 0=image.bin --output-dir out\n"
      "  arenalite run m.tflite --compare-no-sharing");
  auto arguments = std::make_shared<RunArguments>();
  arguments->model.AddTo(*command);
  command
      ->add_option("--input", arguments->inputs,
                   "Raw little-endian bytes for input i (from 0)")
      ->type_name("i=FILE");
  command
      ->add_option("--output-dir", arguments->output_dir,
                   "Writes output_<i>.bin there, raw little-endian")
      ->type_name("DIR");
  command->add_option("--seed", arguments->seed, "Of generated inputs")
      ->capture_default_str();
  command->add_option("--runs", arguments->runs, "How often to invoke")
      ->check(CLI::Range(1, 1000000000))
      ->capture_default_str();
  command->add_flag("--poison", arguments->model.options.poison_memory,
                    "Fills bytes with a pattern the moment they die");
  command->add_flag("--compare-no-sharing", arguments->compare_no_sharing,
                    "Runs with sharing and poison, and without sharing; fails "
                    "and names the first op whose values differ");
  command->callback([arguments] {
    arguments->compare_no_sharing ? CompareRuns(*arguments) : Run(*arguments);
  });
}

}  // namespace arenalite
