// TouchGraph: reads all that a graph points at.

#ifndef ARENALITE_TESTS_TESTING_TOUCH_GRAPH_H_
#define ARENALITE_TESTS_TESTING_TOUCH_GRAPH_H_

#include <cstdint>

#include "graph/graph.h"

namespace arenalite {
namespace testing {

// A hash over every byte that `graph` refers to, so that sanitizers see a view
// that reaches outside of the file. Equal graphs have equal hashes.
uint64_t TouchGraph(const Graph& graph);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_TOUCH_GRAPH_H_
