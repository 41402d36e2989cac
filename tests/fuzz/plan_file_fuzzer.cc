// Reads arbitrary bytes as a plan file: a plan that is accepted is right.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "arenalite/plan_file.h"
#include "fuzz/fuzz_problem.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace arenalite;
  static const testing::FuzzProblem problem;
  const Span<const BufferRequest> requests(problem.requests);
  const Span<const AllowedOverlap> overlaps(problem.overlaps);
  const auto plan =
      LoadPlan(Span<const uint8_t>(data, size), requests, overlaps);
  if (plan.ok() && !CheckPlan(requests, overlaps, *plan).ok()) std::abort();
  return 0;
}
