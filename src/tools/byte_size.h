// Sizes as people write them.

#ifndef ARENALITE_TOOLS_BYTE_SIZE_H_
#define ARENALITE_TOOLS_BYTE_SIZE_H_

#include <cstdint>
#include <string>

namespace arenalite {

// "65536", "64K", "64Ki", "64KiB": 65,536. "64kB": 64,000. M and G likewise:
// with nothing or an i after the letter it counts 1024s, with B alone 1000s.
// Case does not matter. Throws CommandError for anything else, negative
// numbers and more than int64.
int64_t ParseByteSize(const std::string& text);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_BYTE_SIZE_H_
