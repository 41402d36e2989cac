// The command `arenalite`.

#include <cstdio>
#include <exception>
#include <string>

#include "CLI/CLI.hpp"
#include "tools/command.h"

int main(int argc, char** argv) {
  CLI::App app(
      "Runs .tflite models in the smallest possible arena, and shows where "
      "every byte goes.\n"
      "\n"
      "Examples:\n"
      "  arenalite zoo mobilenet_v1 --int8 --width 0.25 -o m.tflite\n"
      "  arenalite plan m.tflite\n"
      "  arenalite plan m.tflite -o m.html\n"
      "  arenalite plan m.tflite --budget 64KiB\n"
      "  arenalite explain m.tflite --tensor 7\n"
      "  arenalite diff m.tflite --b-alignment 1\n"
      "  arenalite run m.tflite --input 0=image.bin --output-dir out\n"
      "  arenalite run m.tflite --compare-no-sharing\n"
      "  arenalite bench m.tflite --ops\n"
      "  arenalite plan problem.csv --strategy exhaustive -o out.csv\n"
      "  arenalite verify out.csv");
  app.name("arenalite");
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return std::string("arenalite: ") + error.what() + " (see --help)\n";
  });
  app.set_version_flag("--version", "arenalite " ARENALITE_VERSION);
  arenalite::AddBenchCommand(app);
  arenalite::AddDiffCommand(app);
  arenalite::AddExplainCommand(app);
  arenalite::AddPlanCommand(app);
  arenalite::AddRunCommand(app);
  arenalite::AddVerifyCommand(app);
  arenalite::AddZooCommand(app);
  for (CLI::App* command : app.get_subcommands({})) {
    command->set_version_flag("--version", "arenalite " ARENALITE_VERSION);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // 0 after --help and --version.
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "arenalite: %s\n", error.what());
    return 1;
  }
  return 0;
}
