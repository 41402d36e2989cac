// Whole files in and out.

#ifndef ARENALITE_TOOLS_FILES_H_
#define ARENALITE_TOOLS_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/span.h"

namespace arenalite {

// Both throw CommandError, naming the path and the system's reason.
std::vector<uint8_t> ReadFile(const std::string& path);
void WriteFile(const std::string& path, Span<const uint8_t> bytes);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_FILES_H_
