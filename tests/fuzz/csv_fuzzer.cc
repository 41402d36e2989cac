// Reads arbitrary text as a planning problem, plans it, and writes it again:
// what was written reads as the same problem.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "arenalite/plan_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace arenalite;
  const auto parsed = ParsePlanCsv({reinterpret_cast<const char*>(data), size});
  if (!parsed.ok()) return 0;
  const Span<const BufferRequest> requests(parsed->requests);
  const auto plan = PlanMemory(requests, {}, PlanOptions());
  if (!plan.ok()) return 0;
  if (!CheckPlan(requests, {}, *plan).ok()) std::abort();
  const auto text = WritePlanCsv(Span<const std::string_view>(parsed->ids),
                                 requests, Span<const int64_t>(plan->offsets));
  if (!text.ok()) return 0;
  const auto again = ParsePlanCsv({text->data(), text->size()});
  if (!again.ok() || again->requests.size() != requests.size()) std::abort();
  return 0;
}
