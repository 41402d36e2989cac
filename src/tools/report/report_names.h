// How commands name the parts of a MemoryReport in sentences.

#ifndef ARENALITE_TOOLS_REPORT_REPORT_NAMES_H_
#define ARENALITE_TOOLS_REPORT_REPORT_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "arenalite/memory_report.h"

namespace arenalite {

// "step 3 CONV_2D"; "the end" after the last one.
std::string StepText(const MemoryReport& report, int32_t step);
// "tensor 7 'conv1'", with " of subgraph 1" where it is another one.
std::string TensorText(const MemoryReport& report, size_t tensor);
// Its first member, or "scratch of step 3 CONV_2D".
std::string StorageText(const MemoryReport& report, size_t storage);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_REPORT_REPORT_NAMES_H_
