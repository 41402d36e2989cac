// Loading with a heap that fails at the n-th request, for every n.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "arenalite/model.h"
#include "graph/build_graph.h"
#include "model/example_model.h"
#include "testing/counted_heap.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

// Loads with `requests` allocations allowed. Only here memory may fail.
StatusCode LoadWith(int64_t requests, Span<const uint8_t> file) {
  FlatBufferModel::BufferOptions options;
  options.copy = true;
  FailHeapAfter(requests);
  StatusCode code = StatusCode::kOk;
  {
    const auto model = FlatBufferModel::BuildFromBuffer(file, options);
    code = model.code();
    if (model.ok()) code = BuildGraph((*model)->model()).code();
  }
  FailHeapAfter(-1);
  return code;
}

TEST(OutOfMemory, IsAnErrorWhereverItStrikes) {
  ModelBuilder b = ExampleModel();
  std::swap(b.op(kConvOp), b.op(kIfOp));  // The order has to be sorted.
  b.op(kConvOp).outputs = {-1};
  b.subgraph().outputs = {kOut};
  std::vector<uint8_t> bytes = b.Finish();
  // Misaligned zero points are copied.
  bytes.insert(bytes.begin() + 8, 4, 0);
  bytes[0] = static_cast<uint8_t>(bytes[0] + 4);
  const Span<const uint8_t> file(bytes);
  const int64_t before = CountHeap().live_bytes;
  ASSERT_EQ(LoadWith(-1, file), StatusCode::kOk);
  int64_t requests = 0;
  while (LoadWith(requests, file) != StatusCode::kOk) {
    EXPECT_EQ(LoadWith(requests, file), StatusCode::kResourceExhausted);
    EXPECT_EQ(CountHeap().live_bytes, before)
        << "after failure at request " << requests;
    ++requests;
  }
  EXPECT_GT(requests, 20);
  EXPECT_EQ(CountHeap().live_bytes, before);
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
