#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "arenalite/model.h"
#include "model/sparse_model.h"
#include "testing/matchers.h"

namespace arenalite {
namespace testing {
namespace {

Status Load(const SparseSpec& spec) {
  const std::vector<uint8_t> file = SparseModel(spec);
  return FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(file)).status();
}

struct Fault {
  const char* name;
  std::function<void(SparseSpec&)> damage;
  const char* error;
};

class SparsityFaultTest : public ::testing::TestWithParam<Fault> {};

TEST_P(SparsityFaultTest, IsRefused) {
  SparseSpec spec;
  ASSERT_THAT(Load(spec), IsOk());
  GetParam().damage(spec);
  EXPECT_THAT(Load(spec),
              HasStatus(StatusCode::kInvalidModel, GetParam().error));
}

const Fault kFaults[] = {
    {"Data", [](auto& s) { s.data_bytes -= 4; },
     "tensor 0 'sparse': buffer 1 has 28 bytes, sparsity with 8 stored "
     "elements needs 32"},
    {"NoData", [](auto& s) { s.data_bytes = 0; }, "buffer 1 has 0 bytes"},
    {"Levels", [](auto& s) { s.levels.pop_back(); },
     "1 block dimensions, 3 traversed dimensions and 2 levels, needed 3"},
    {"Order", [](auto& s) { s.traversal_order.pop_back(); },
     "2 traversed dimensions and 3 levels, needed 3"},
    {"OrderTwice",
     [](auto& s) {
       s.traversal_order = {0, 0, 2};
     },
     "traverses dimension 0 at level 1, allowed 0..1, each once"},
    {"OrderRange",
     [](auto& s) {
       s.traversal_order = {-1, 0, 2};
     },
     "traverses dimension -1 at level 0"},
    {"BlockBeforeItsDimension",
     [](auto& s) {
       s.traversal_order = {0, 2, 1};
     },
     "traverses dimension 2 at level 1, allowed 0..1"},
    {"BlockMap", [](auto& s) { s.block_map = {2}; },
     "cuts dimension 2 into blocks, allowed 0..1"},
    {"TooManyBlocks",
     [](auto& s) {
       s.block_map = {0, 0, 1};
     },
     "3 block dimensions"},
    {"BlockSize", [](auto& s) { s.levels[2].dense_size = 3; },
     "blocks of 3 along dimension 1 of shape [4,4]"},
    {"BlockSizeZero", [](auto& s) { s.levels[2].dense_size = 0; },
     "blocks of 0 along dimension 1"},
    {"DenseSize", [](auto& s) { s.levels[0].dense_size = 5; },
     "level 0 has dense size 5, needed 4"},
    {"SegmentCount", [](auto& s) { s.levels[1].segments.pop_back(); },
     "level 1 has format 1 with 4 segment bounds and 4 indices (-1: none), "
     "needed 5 bounds"},
    {"SegmentStart", [](auto& s) { s.levels[1].segments[0] = 1; },
     "level 1: segment bound 0 is 1, allowed 0..0"},
    {"SegmentFalls", [](auto& s) { s.levels[1].segments[2] = 0; },
     "segment bound 2 is 0, allowed 1..4"},
    {"SegmentPastEnd", [](auto& s) { s.levels[1].segments[3] = 5; },
     "segment bound 3 is 5, allowed 1..4"},
    {"SegmentEnd", [](auto& s) { s.levels[1].segments[4] = 3; },
     "segment bound 4 is 3, allowed 4..4"},
    {"Index", [](auto& s) { s.levels[1].indices[2] = 2; },
     "level 1: index 2 is 2, allowed 0..1"},
};
INSTANTIATE_TEST_SUITE_P(Sparsity, SparsityFaultTest,
                         ::testing::ValuesIn(kFaults),
                         [](const auto& test) { return test.param.name; });

TEST(VerifySparsity, AcceptsAllDense) {
  SparseSpec spec;
  spec.traversal_order = {1, 0};
  spec.block_map.clear();
  spec.levels = {{4, {}, {}}, {4, {}, {}}};
  spec.data_bytes = 64;
  EXPECT_THAT(Load(spec), IsOk());
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
