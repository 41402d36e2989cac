// BuildReport: a MemoryReport from a planned frame.

#ifndef ARENALITE_RUNTIME_REPORT_H_
#define ARENALITE_RUNTIME_REPORT_H_

#include "arenalite/memory_report.h"
#include "arenalite/status.h"
#include "runtime/frame.h"
#include "runtime/frame_plan.h"

namespace arenalite {

Result<MemoryReport> BuildReport(const Frame& frame, const FramePlan& plan,
                                 const MemoryUsage& usage);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_REPORT_H_
