#include "tools/advice/plan_advice.h"

#include "tools/advice/suggest.h"
#include "tools/inputs.h"

namespace arenalite {

std::vector<ReportSuggestion> SuggestFor(const ModelArguments& arguments,
                                         ModelSession& session) {
  PlanSetup setup;
  setup.options = session.options();
  setup.kept = arguments.kept;
  for (const std::string& shape : arguments.shapes) {
    const InputArgument input =
        ParseInputArgument(session.interpreter(), shape);
    setup.shapes.emplace_back(session.interpreter().inputs()[input.position],
                              ParseDims(input.text, shape));
  }
  std::vector<ReportSuggestion> result;
  for (Suggestion& suggestion :
       Suggest(session.model(), session.resolver(), setup)) {
    result.push_back({std::move(suggestion.what), std::move(suggestion.how),
                      suggestion.saved_bytes, suggestion.arena_bytes,
                      std::move(suggestion.setup.order)});
  }
  return result;
}

}  // namespace arenalite
