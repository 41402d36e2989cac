// BuildReport: a MemoryReport from a planned program.

#ifndef ARENALITE_RUNTIME_REPORT_H_
#define ARENALITE_RUNTIME_REPORT_H_

#include "arenalite/interpreter.h"
#include "arenalite/memory_report.h"
#include "arenalite/status.h"
#include "runtime/program.h"
#include "runtime/program_plan.h"

namespace arenalite {

Result<MemoryReport> BuildReport(const Program& program,
                                 const ProgramPlan& plan,
                                 const MemoryUsage& usage,
                                 const InterpreterOptions& options);

// The part that fills MemoryReport::chances.
Status AddChances(const ProgramPlan& plan, bool overlap_is_off,
                  MemoryReport& report);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_REPORT_H_
