// Loading with a heap that fails at the n-th request, for every n: this
// program replaces operator new.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "arenalite/model.h"
#include "graph/build_graph.h"
#include "model/example_model.h"
#include "testing/matchers.h"

namespace {

int64_t until_failure = -1;  // Requests that still succeed; -1: all.
int64_t blocks = 0;          // Live ones.

void* Request(size_t bytes, size_t alignment) {
  if (until_failure == 0) return nullptr;
  if (until_failure > 0) --until_failure;
  ++blocks;
  const size_t rounded = (bytes / alignment + 1) * alignment;
  return std::aligned_alloc(alignment, rounded);
}

void Release(void* memory) {
  if (memory != nullptr) --blocks;
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) { return Request(bytes, 16); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  return Request(bytes, 16);
}
void* operator new(size_t bytes, std::align_val_t alignment,
                   const std::nothrow_t&) noexcept {
  return Request(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete(void* memory, size_t) noexcept { Release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  Release(memory);
}

namespace arenalite {
namespace testing {
namespace {

// Loads with `requests` allocations allowed. Only here memory may fail.
StatusCode LoadWith(int64_t requests, Span<const uint8_t> file) {
  FlatBufferModel::BufferOptions options;
  options.copy = true;
  until_failure = requests;
  StatusCode code = StatusCode::kOk;
  {
    const auto model = FlatBufferModel::BuildFromBuffer(file, options);
    code = model.code();
    if (model.ok()) code = BuildGraph((*model)->model()).code();
  }
  until_failure = -1;
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
  const int64_t before = blocks;
  ASSERT_EQ(LoadWith(-1, file), StatusCode::kOk);
  int64_t requests = 0;
  while (LoadWith(requests, file) != StatusCode::kOk) {
    EXPECT_EQ(LoadWith(requests, file), StatusCode::kResourceExhausted);
    EXPECT_EQ(blocks, before) << "after failure at request " << requests;
    ++requests;
  }
  EXPECT_GT(requests, 20);
  EXPECT_EQ(blocks, before);
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
