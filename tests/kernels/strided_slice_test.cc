#include <gtest/gtest.h>

#include <numeric>

#include "arenalite/builtin_ops.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::CheckOverlapContract;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;

struct Masks {
  int begin = 0;
  int end = 0;
  int ellipsis = 0;
  int new_axis = 0;
  int shrink = 0;
  bool offset = false;
};

struct Case {
  const char* what;
  Shape input;  // Of elements 0, 1, 2, ...
  std::vector<int32_t> begin;
  std::vector<int32_t> end;
  std::vector<int32_t> strides;
  Masks masks;
  Shape shape;
  std::vector<int32_t> output;
};

void Configure(OpRunner& runner, const Case& c, bool constant) {
  std::vector<int32_t> values(static_cast<size_t>(c.input.NumElements()));
  std::iota(values.begin(), values.end(), 0);
  runner.AddInput<int32_t>(c.input, values);
  const Shape entries = {static_cast<int32_t>(c.begin.size())};
  for (const auto* numbers : {&c.begin, &c.end, &c.strides}) {
    runner.AddInput<int32_t>(entries, *numbers, {}, {}, 0, constant);
  }
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions(schema::BuiltinOptions_StridedSliceOptions, [&](auto& b) {
    return schema::CreateStridedSliceOptions(b, c.masks.begin, c.masks.end,
                                             c.masks.ellipsis, c.masks.new_axis,
                                             c.masks.shrink, c.masks.offset);
  });
}

TEST(StridedSlice, TakesWhatTheMasksSay) {
  const Case cases[] = {
      {"middle", {6}, {1}, {5}, {2}, {}, {2}, {1, 3}},
      {"from the end", {6}, {-3}, {-1}, {1}, {}, {2}, {3, 4}},
      {"backwards", {4}, {-1}, {-5}, {-1}, {}, {4}, {3, 2, 1, 0}},
      {"end mask backwards", {4}, {2}, {0}, {-2}, {0, 1}, {2}, {2, 0}},
      {"clamped", {3}, {-9}, {9}, {1}, {}, {3}, {0, 1, 2}},
      {"empty", {3}, {2}, {1}, {1}, {}, {0}, {}},
      {"fewer entries", {2, 3}, {1}, {2}, {1}, {}, {1, 3}, {3, 4, 5}},
      {"shrink", {2, 3}, {1, -1}, {0, 0}, {1, 1}, {0, 0, 0, 0, 3}, {}, {5}},
      {"ellipsis",
       {2, 2, 2},
       {0, 1},
       {0, 2},
       {1, 1},
       {0, 0, 1},
       {2, 2, 1},
       {1, 3, 5, 7}},
      {"ellipsis of nothing",
       {2, 2},
       {0, 0, 1},
       {1, 0, 2},
       {1, 1, 1},
       {0, 0, 2},
       {1, 1},
       {1}},
      {"too many entries", {3}, {1, 7}, {2, 8}, {1, 0}, {}, {1}, {1}},
      {"new axis",
       {2, 2},
       {0, 1, 0},
       {0, 2, 2},
       {1, 1, 1},
       {0, 0, 0, 1},
       {1, 1, 2},
       {2, 3}},
      {"offset", {6}, {-4}, {3}, {2}, {0, 0, 0, 0, 0, true}, {2}, {2, 4}},
  };
  for (const Case& c : cases) {
    for (bool constant : {true, false}) {
      SCOPED_TRACE(c.what);
      OpRunner runner(ops::kStridedSlice);
      Configure(runner, c, constant);
      ASSERT_THAT(runner.PrepareAndRun(), IsOk());
      EXPECT_EQ(runner.tensor_of_output(0).shape, c.shape);
      EXPECT_EQ(runner.output<int32_t>(0), c.output);
    }
  }
}

TEST(StridedSlice, NeverLeavesTheInput) {
  const Case cases[] = {
      {"shrink", {3}, {3}, {4}, {1}, {0, 0, 0, 0, 1}, {}, {}},
      {"shrink backwards", {3}, {-9}, {4}, {-1}, {0, 0, 0, 0, 1}, {}, {}},
      {"shrink of nothing", {0}, {0}, {1}, {1}, {1, 0, 0, 0, 1}, {}, {}},
      {"offset", {3}, {2}, {2}, {1}, {0, 0, 0, 0, 0, true}, {}, {}},
      {"offset backwards", {3}, {1}, {-3}, {-1}, {0, 0, 0, 0, 0, true}, {}, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    OpRunner runner(ops::kStridedSlice);
    Configure(runner, c, true);
    EXPECT_THAT(runner.Prepare(), HasStatus(StatusCode::kOutOfRange, "takes"));
  }
}

TEST(StridedSlice, RefusesStrideZero) {
  OpRunner zero(ops::kStridedSlice);
  Configure(zero, {"", {3}, {0}, {1}, {0}, {}, {}, {}}, true);
  EXPECT_THAT(zero.Prepare(),
              HasStatus(StatusCode::kInvalidModel, "(strides) is 0"));
}

TEST(StridedSlice, PicksStrings) {
  // "a", "", "bcd".
  testing::Bytes packed = {3,  0, 0, 0, 20, 0, 0, 0, 21,  0,   0,   0,
                           21, 0, 0, 0, 24, 0, 0, 0, 'a', 'b', 'c', 'd'};
  OpRunner runner(ops::kStridedSlice);
  runner.AddInputBytes(TensorType::kString, {3}, packed, {}, {}, 0, false);
  for (int number : {2, -9, -1}) runner.AddConstant<int32_t>({1}, {number});
  runner.AddOutput(TensorType::kString);
  runner.SetOptions(schema::BuiltinOptions_StridedSliceOptions, [](auto& b) {
    return schema::CreateStridedSliceOptions(b);
  });
  ASSERT_THAT(runner.PrepareAndRun(), IsOk());
  EXPECT_EQ(runner.output<uint8_t>(0),
            (testing::Bytes{3,  0, 0, 0, 20, 0, 0, 0, 23,  0,   0,   0,
                            23, 0, 0, 0, 24, 0, 0, 0, 'b', 'c', 'd', 'a'}));
}

TEST(StridedSlice, KeepsTheOverlapContract) {
  std::mt19937 random(4);
  int caught = 0;
  for (int round = 0; round < 300; ++round) {
    const auto number = [&](int low, int high) {
      return low + static_cast<int32_t>(random() %
                                        static_cast<uint32_t>(high - low + 1));
    };
    Case c = {};
    c.input = {number(1, 5), number(1, 5), number(1, 5)};
    for (int i = 0; i < 3; ++i) {
      // Mostly forwards, where much may overlap.
      const bool back = random() % 8 == 0;
      c.begin.push_back(back ? 9 : number(0, 2));
      c.end.push_back(back ? -9 : number(3, 9));
      c.strides.push_back(back ? -1 : number(1, 2));
    }
    OpRunner runner(ops::kStridedSlice);
    Configure(runner, c, true);
    ASSERT_THAT(runner.PrepareAndRun(), IsOk());
    CheckOverlapContract(runner, 1, 1, random, &caught);
  }
  EXPECT_GT(caught, 50);
}

}  // namespace
}  // namespace arenalite
