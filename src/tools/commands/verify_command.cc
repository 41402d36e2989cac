#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "arenalite/plan_csv.h"
#include "tools/command.h"
#include "tools/command_error.h"
#include "tools/files.h"

namespace arenalite {
namespace {

// The plan that a CSV states: its fixed offsets.
MemoryPlan StatedPlan(const PlanCsv& csv) {
  MemoryPlan plan;
  for (size_t i = 0; i < csv.requests.size(); ++i) {
    const BufferRequest& request = csv.requests[i];
    if (request.fixed_offset < 0) {
      throw CommandError("buffer '" + std::string(csv.ids[i]) +
                         "' has no offset: a plan states all of them");
    }
    ThrowIfError(plan.offsets.Append(request.fixed_offset));
    if (request.size == 0) continue;
    plan.total_bytes =
        std::max(plan.total_bytes, request.fixed_offset + request.size);
  }
  return plan;
}

void Verify(const std::string& path, int64_t capacity) {
  const std::vector<uint8_t> file = ReadFile(path);
  Result<PlanCsv> csv = ParsePlanCsv(std::string_view(
      reinterpret_cast<const char*>(file.data()), file.size()));
  if (!csv.ok()) throw CommandError(path + ": " + csv.message());
  const MemoryPlan plan = StatedPlan(*csv);
  Status checked =
      CheckPlan(Span<const BufferRequest>(csv->requests), {}, plan);
  if (!checked.ok()) throw CommandError(path + ": " + checked.message());
  if (capacity >= 0 && plan.total_bytes > capacity) {
    throw CommandError(path + ": takes " + std::to_string(plan.total_bytes) +
                       " bytes, the capacity is " + std::to_string(capacity));
  }
  std::printf("valid: %zu buffers in %" PRId64 " bytes\n", csv->requests.size(),
              plan.total_bytes);
}

}  // namespace

void AddVerifyCommand(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "verify",
      "Checks a plan in CSV (id,lower,upper,size,offset[,alignment]; upper\n"
      "exclusive): no two live buffers share a byte, every offset is aligned.");
  auto path = std::make_shared<std::string>();
  auto capacity = std::make_shared<int64_t>(-1);
  command->add_option("plan", *path, "A .csv file with offsets")
      ->required()
      ->type_name("PLAN");
  command->add_option("--capacity", *capacity,
                      "Also fail when the plan takes more bytes");
  command->callback([path, capacity] { Verify(*path, *capacity); });
}

}  // namespace arenalite
