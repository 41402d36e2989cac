// Suggestions as `arenalite plan` shows them.

#ifndef ARENALITE_TOOLS_ADVICE_PLAN_ADVICE_H_
#define ARENALITE_TOOLS_ADVICE_PLAN_ADVICE_H_

#include <vector>

#include "tools/model_session.h"
#include "tools/report/report.h"

namespace arenalite {

// What would save most of the session's arena: each was planned.
std::vector<ReportSuggestion> SuggestFor(const ModelArguments& arguments,
                                         ModelSession& session);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_PLAN_ADVICE_H_
