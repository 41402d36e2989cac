// Small pieces of text that several commands print.

#ifndef ARENALITE_TOOLS_TEXT_H_
#define ARENALITE_TOOLS_TEXT_H_

#include <cstdint>
#include <string>

#include "arenalite/tensor.h"

namespace arenalite {

// What printf would print.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
std::string
Format(const char* format, ...);

// Element i of the bytes of a tensor: "-3", "0.5 (0x3f000000)", "true"; hex
// digits, the most significant first, for types without a C++ type.
// `data` has the whole element.
std::string ElementText(TensorType type, const uint8_t* data, int64_t i);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_TEXT_H_
