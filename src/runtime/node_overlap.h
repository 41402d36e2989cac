// NodeOverlap: asks a prepared node for its overlap numbers.

#ifndef ARENALITE_RUNTIME_NODE_OVERLAP_H_
#define ARENALITE_RUNTIME_NODE_OVERLAP_H_

#include <cstdint>

#include "runtime/frame.h"

namespace arenalite {

// Output 0 shows the bytes of input 0.
bool IsView(const Node& node);

// The node has overlap numbers; else no pair may share a byte.
bool HasOverlap(const Node& node);

// The distance D of (output, input), positions of a node with HasOverlap.
int64_t NodeOverlap(const Node& node, size_t output, size_t input);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_NODE_OVERLAP_H_
