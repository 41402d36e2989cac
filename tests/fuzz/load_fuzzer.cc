// Loads arbitrary bytes as a model. Whatever they are, the result is a graph
// that points into them, or an error.

#include <cstddef>
#include <cstdint>

#include "arenalite/model.h"
#include "graph/build_graph.h"
#include "testing/touch_graph.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace arenalite;
  FlatBufferModel::BufferOptions options;
  options.copy = true;  // Exactly `size` bytes, so that any overrun shows.
  const auto model = FlatBufferModel::BuildFromBuffer(
      Span<const uint8_t>(data, size), options);
  if (!model.ok()) return 0;
  const auto graph = BuildGraph((*model)->model());
  if (graph.ok()) testing::TouchGraph(*graph);
  return 0;
}
