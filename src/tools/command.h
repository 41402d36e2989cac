// What every subcommand of the `arenalite` command offers.

#ifndef ARENALITE_TOOLS_COMMAND_H_
#define ARENALITE_TOOLS_COMMAND_H_

#include "CLI/CLI.hpp"

namespace arenalite {

// Each adds its subcommand. A command that fails throws CommandError.
void AddBenchCommand(CLI::App& app);
void AddDiffCommand(CLI::App& app);
void AddExplainCommand(CLI::App& app);
void AddPlanCommand(CLI::App& app);
void AddRunCommand(CLI::App& app);
void AddVerifyCommand(CLI::App& app);
void AddZooCommand(CLI::App& app);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_COMMAND_H_
