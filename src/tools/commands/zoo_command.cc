#include <cstdio>
#include <memory>

#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/files.h"
#include "writer/zoo/zoo.h"

namespace arenalite {
namespace {

std::string Describe() {
  std::string text =
      "Writes a well-known architecture with seeded weights as a .tflite "
      "file.\n\nNAME is one of\n";
  for (const ZooModel& model : ZooModels()) {
    text += "  " + std::string(model.name);
    text.append(14 - std::min<size_t>(13, std::string(model.name).size()), ' ');
    text += model.description;
    text += '\n';
  }
  return text;
}

}  // namespace

void AddZooCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand("zoo", Describe());
  auto options = std::make_shared<ZooOptions>();
  auto path = std::make_shared<std::string>();
  command->add_option("name", options->name, "Which architecture")
      ->required()
      ->type_name("NAME");
  command->add_option("-o,--output", *path, "The file to write")
      ->required()
      ->type_name("FILE");
  command->add_flag("--int8", options->int8,
                    "Quantized weights and activations; else float32");
  command
      ->add_option("--width", options->width,
                   "Factor on the channel counts (MobileNets: 0.25 .. 1)")
      ->capture_default_str();
  command->add_option("--resolution", options->resolution,
                      "Height and width of the input (MobileNets: multiples "
                      "of 32); 0: the usual one");
  command->add_option("--seed", options->seed, "Of the weights")
      ->capture_default_str();
  command->callback([options, path] {
    const std::vector<uint8_t> file = ValueOrThrow(BuildZooModel(*options));
    WriteFile(*path, Span<const uint8_t>(file));
    std::fprintf(stderr, "wrote %s: %zu bytes\n", path->c_str(), file.size());
  });
}

}  // namespace arenalite
