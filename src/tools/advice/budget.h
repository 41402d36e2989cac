// Budgets: a plan, or its growth, that is too large fails a command.

#ifndef ARENALITE_TOOLS_ADVICE_BUDGET_H_
#define ARENALITE_TOOLS_ADVICE_BUDGET_H_

#include <cstdint>
#include <string>

#include "arenalite/memory_report.h"

namespace arenalite {

// Throws CommandError when the arena takes more than `budget` bytes, with the
// need, the excess, and the peak step.
void CheckBudget(const std::string& model, const MemoryReport& report,
                 int64_t budget);

// Throws CommandError when an arena that had `old_bytes` grew by more than
// `limit` says: a size such as "4K", or "2%" of what it was. Also when the
// limit is neither.
void CheckGrowth(int64_t growth_bytes, int64_t old_bytes,
                 const std::string& limit);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_BUDGET_H_
