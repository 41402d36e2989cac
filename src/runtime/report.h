// BuildReport: a MemoryReport from a planned program.

#ifndef ARENALITE_RUNTIME_REPORT_H_
#define ARENALITE_RUNTIME_REPORT_H_

#include "arenalite/memory_report.h"
#include "arenalite/status.h"
#include "runtime/program.h"
#include "runtime/program_plan.h"

namespace arenalite {

Result<MemoryReport> BuildReport(const Program& program,
                                 const ProgramPlan& plan,
                                 const MemoryUsage& usage);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_REPORT_H_
