// Inputs of a model: from files, or deterministic.

#ifndef ARENALITE_TOOLS_INPUTS_H_
#define ARENALITE_TOOLS_INPUTS_H_

#include <string>
#include <vector>

#include "arenalite/interpreter.h"

namespace arenalite {

// Reads each "i=FILE.bin" (raw little-endian bytes, exactly the tensor's
// size), and fills every other input from a generator seeded with `seed`:
// floats in [-1, 1), INT32 and INT64 in 0..9, BOOL 0 or 1, else any bits.
// Throws CommandError. Tensors must be allocated.
void FillInputs(Interpreter& interpreter, const std::vector<std::string>& given,
                uint64_t seed);

// Applies each "i=1x224x224x3".
void ResizeInputs(Interpreter& interpreter,
                  const std::vector<std::string>& shapes);

// The argument "i=TEXT", split. Throws when `i` names no input.
struct InputArgument {
  size_t position;
  std::string text;
};
InputArgument ParseInputArgument(const Interpreter& interpreter,
                                 const std::string& argument);

// The numbers of "1x224x224x3". Throws, naming the whole `argument`.
std::vector<int32_t> ParseDims(const std::string& text,
                               const std::string& argument);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_INPUTS_H_
