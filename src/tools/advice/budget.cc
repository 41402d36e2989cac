#include "tools/advice/budget.h"

#include <charconv>

#include "tools/byte_size.h"
#include "tools/command_error.h"
#include "tools/text.h"

namespace arenalite {

namespace {

int64_t ParseGrowth(const std::string& text, int64_t old_bytes) {
  if (text.empty() || text.back() != '%') return ParseByteSize(text);
  int percent = 0;
  const char* end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data(), end, percent);
  if (parsed.ec != std::errc() || parsed.ptr != end || percent < 0) {
    throw CommandError("'" + text +
                       "' is no growth: write a size as 4K, or 2%");
  }
  return old_bytes / 100 * percent + old_bytes % 100 * percent / 100;
}

}  // namespace

void CheckBudget(const std::string& model, const MemoryReport& report,
                 int64_t budget) {
  const MemoryUsage& usage = report.usage;
  if (usage.arena_bytes <= budget) return;
  const auto peak = static_cast<size_t>(usage.peak_step);
  const char* op =
      peak < report.steps.size() ? report.steps[peak].op_name : "the end";
  throw CommandError(Format(
      "%s needs %lld bytes, %lld over the budget of %lld; the peak is step %zu "
      "%s with %lld live bytes",
      model.c_str(), static_cast<long long>(usage.arena_bytes),
      static_cast<long long>(usage.arena_bytes - budget),
      static_cast<long long>(budget), peak, op,
      static_cast<long long>(usage.peak_io_bytes + usage.peak_activation_bytes +
                             usage.peak_scratch_bytes)));
}

void CheckGrowth(int64_t growth_bytes, int64_t old_bytes,
                 const std::string& limit) {
  const int64_t allowed = ParseGrowth(limit, old_bytes);
  if (growth_bytes <= allowed) return;
  const int64_t new_bytes = old_bytes + growth_bytes;
  throw CommandError(Format(
      "the arena grew from %lld to %lld bytes, by %lld "
      "where %s allows %lld",
      static_cast<long long>(old_bytes), static_cast<long long>(new_bytes),
      static_cast<long long>(growth_bytes), limit.c_str(),
      static_cast<long long>(allowed)));
}

}  // namespace arenalite
