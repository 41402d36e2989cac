#include <arenalite/planner.h>

#include <cstdio>

int main() {
  const arenalite::BufferRequest requests[] = {{64, 0, 1}, {32, 1, 2}};
  auto plan = arenalite::PlanMemory(requests, {}, {});
  if (!plan.ok()) return std::puts(plan.message()), 1;
  std::printf("%lld bytes\n", static_cast<long long>(plan->total_bytes));
  return plan->total_bytes == 96 ? 0 : 1;
}
