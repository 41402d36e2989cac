// Whatever a file holds, loading it ends in a graph or in an error. Run it
// under sanitizers: they see what the assertions cannot.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "arenalite/model.h"
#include "graph/build_graph.h"
#include "model/example_model.h"
#include "model/sparse_model.h"
#include "testing/matchers.h"
#include "testing/touch_graph.h"

namespace arenalite {
namespace testing {
namespace {

using Bytes = std::vector<uint8_t>;

// True when it loads. The copy has exactly the file's size, so that a read
// past its end is noticed.
bool Load(const uint8_t* data, size_t size) {
  FlatBufferModel::BufferOptions options;
  options.copy = true;
  const auto model = FlatBufferModel::BuildFromBuffer(
      Span<const uint8_t>(data, size), options);
  if (!model.ok()) {
    EXPECT_NE(model.message()[0], '\0');
    return false;
  }
  const auto graph = BuildGraph((*model)->model());
  if (!graph.ok()) return false;
  return TouchGraph(*graph) != 0;
}

enum class Example { kInside, kOutside, kSparse };

class MutationTest : public ::testing::TestWithParam<Example> {
 protected:
  Bytes File() const {
    if (GetParam() == Example::kSparse) return SparseModel(SparseSpec());
    ModelBuilder b = ExampleModel();
    b.spec().data_outside = GetParam() == Example::kOutside;
    return b.Finish();
  }
};

TEST_P(MutationTest, EveryTruncationIsRefused) {
  const Bytes file = File();
  ASSERT_TRUE(Load(file.data(), file.size()));
  for (size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(Load(file.data(), size)) << size << " of " << file.size();
  }
}

TEST_P(MutationTest, EveryByteMayBeWrong) {
  Bytes file = File();
  std::mt19937 random(1);
  for (size_t i = 0; i < file.size(); ++i) {
    const uint8_t right = file[i];
    for (const unsigned wrong : {0u, 255u, right ^ 1u, right ^ 128u, right + 1u,
                                 right - 1u, static_cast<unsigned>(random())}) {
      file[i] = static_cast<uint8_t>(wrong);
      Load(file.data(), file.size());
    }
    file[i] = right;
  }
}

TEST_P(MutationTest, EveryWordMayBeWrong) {
  Bytes file = File();
  for (size_t i = 0; i + 4 <= file.size(); i += 4) {
    uint32_t right;
    std::memcpy(&right, &file[i], 4);
    for (const uint32_t wrong :
         {0u, 1u, 2u, 7u, 9u, 64u, 65536u, 0x7FFFFFFFu, 0x80000000u,
          0xFFFFFFFEu, 0xFFFFFFFFu, right + 4, right - 4,
          static_cast<uint32_t>(file.size() - i)}) {
      std::memcpy(&file[i], &wrong, 4);
      Load(file.data(), file.size());
    }
    std::memcpy(&file[i], &right, 4);
  }
}

TEST_P(MutationTest, ManyBytesMayBeWrong) {
  const Bytes file = File();
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    Bytes mutated = file;
    for (unsigned k = 2 + random() % 4; k > 0; --k) {
      mutated[random() % mutated.size()] =
          static_cast<uint8_t>(random() % 2 == 0 ? random() % 12 : random());
    }
    Load(mutated.data(), mutated.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Model, MutationTest,
                         ::testing::Values(Example::kInside, Example::kOutside,
                                           Example::kSparse));

}  // namespace
}  // namespace testing
}  // namespace arenalite
