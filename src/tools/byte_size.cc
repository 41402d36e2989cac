#include "tools/byte_size.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "tools/command_error.h"

namespace arenalite {
namespace {

// 0: no such unit.
int64_t FactorOf(std::string unit) {
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  if (unit.empty() || unit == "b") return 1;
  const std::string letters = "kmg";
  const size_t power = letters.find(unit[0]);
  const std::string rest = unit.substr(1);
  if (power == std::string::npos) return 0;
  const bool binary = rest.empty() || rest == "i" || rest == "ib";
  if (!binary && rest != "b") return 0;
  int64_t factor = 1;
  for (size_t i = 0; i <= power; ++i) factor *= binary ? 1024 : 1000;
  return factor;
}

}  // namespace

int64_t ParseByteSize(const std::string& text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  const int64_t factor = FactorOf(std::string(parsed.ptr, end));
  const bool fits = factor > 0 && number >= 0 &&
                    number <= std::numeric_limits<int64_t>::max() /
                                  std::max<int64_t>(1, factor);
  if (parsed.ec != std::errc() || !fits) {
    throw CommandError("'" + text +
                       "' is no size: write bytes, or a whole number with K, "
                       "KiB, M, MiB (1024s) or kB, MB (1000s)");
  }
  return number * factor;
}

}  // namespace arenalite
