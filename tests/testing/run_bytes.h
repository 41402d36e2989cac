// RunBytes: takes arbitrary bytes through the whole pipeline, within limits.

#ifndef ARENALITE_TESTS_TESTING_RUN_BYTES_H_
#define ARENALITE_TESTS_TESTING_RUN_BYTES_H_

#include <cstdint>

#include "arenalite/span.h"
#include "arenalite/status.h"

namespace arenalite {
namespace testing {

enum class RunDepth { kPlan, kInvoke };

// Loads `bytes` as a model, plans and reports it, and, for kInvoke, allocates
// and runs it and its signatures, resizes its first input and runs it again.
// The arena and dynamic tensors are limited to 64 KiB each, loops to 100
// iterations, and runs to 2,000 ops, so that every file ends soon. Returns the
// first error.
Status RunBytes(Span<const uint8_t> bytes, RunDepth depth);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_RUN_BYTES_H_
