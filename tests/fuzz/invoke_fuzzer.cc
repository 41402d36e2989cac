// Loads, plans and runs arbitrary bytes, within a limit of steps.

#include <cstddef>
#include <cstdint>

#include "testing/run_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace arenalite;
  (void)testing::RunBytes(Span<const uint8_t>(data, size),
                          testing::RunDepth::kInvoke);
  return 0;
}
