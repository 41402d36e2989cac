// Numbers in the options of StableHLO's operators, and of the windows of
// REDUCE_WINDOW, that are outside of every shape.

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using Longs = std::vector<int64_t>;

const Operand kX{{2, 3}};
const Operand kAny{{1}};

ModelBuilder Pad(Longs low, Longs high, Longs interior) {
  return OneOp(schema::BuiltinOperator_STABLEHLO_PAD, {kX, Ones({})}, {kAny},
               [=](Fbb& fbb) {
                 return schema::CreateStablehloPadOptionsDirect(
                     fbb, &low, &high, &interior);
               });
}
ModelBuilder Slice(Longs start, Longs limit, Longs strides) {
  return OneOp(schema::BuiltinOperator_STABLEHLO_SLICE, {kX}, {kAny},
               [=](Fbb& fbb) {
                 return schema::CreateStablehloSliceOptionsDirect(
                     fbb, &start, &limit, &strides);
               });
}
// Sizes of one dimension more or less need as many starts.
ModelBuilder DynamicSlice(Longs sizes) {
  std::vector<Operand> inputs(1 + sizes.size(), Operand{{}, kInt});
  inputs[0] = kX;
  return OneOp(schema::BuiltinOperator_STABLEHLO_DYNAMIC_SLICE, inputs, {kAny},
               [=](Fbb& fbb) {
                 return schema::CreateStablehloDynamicSliceOptionsDirect(
                     fbb, &sizes);
               });
}

std::vector<Fault> Moves() {
  return {
      {"PadCount", Pad({0}, {0, 0}, {0, 0}),
       "edge_padding_low has 1 entries, allowed 2"},
      {"PadInterior", Pad({0, 0}, {0, 0}, {0, -1}),
       "dimension 1 of size 3 is padded by 0 before, -1 between and 0 after, "
       "allowed are results up to 2147483647"},
      {"PadHuge", Pad({0, INT64_MAX}, {0, INT64_MAX}, {0, 0}),
       "dimension 1 of size 3 is padded by 9223372036854775807 before, 0 "
       "between and 9223372036854775807 after, allowed are results up to "
       "2147483647"},
      {"PadCut", Pad({0, INT64_MIN}, {0, INT64_MIN}, {0, 0}),
       "dimension 1 of size 3 is padded by -9223372036854775808 before, 0 "
       "between and -9223372036854775808 after, allowed are results up to "
       "2147483647"},
      {"SliceOutside", Slice({0, 1}, {2, 4}, {1, 1}),
       "takes 1..4 by 1 of dimension 1, allowed within 0..3 by 1 or more"},
      {"SliceNegative", Slice({0, -1}, {2, 3}, {1, 1}),
       "takes -1..3 by 1 of dimension 1, allowed within 0..3 by 1 or more"},
      {"SliceStride", Slice({0, 0}, {2, 3}, {1, 0}),
       "takes 0..3 by 0 of dimension 1, allowed within 0..3 by 1 or more"},
      {"SliceStrideMin", Slice({0, 0}, {2, 3}, {1, INT64_MIN}),
       "takes 0..3 by -9223372036854775808 of dimension 1, allowed within 0..3 "
       "by 1 or more"},
      {"SliceWrongWay", Slice({0, 2}, {2, 1}, {1, 1}),
       "takes 2..1 by 1 of dimension 1, allowed within 0..3 by 1 or more"},
      {"SliceCount", Slice({0}, {2}, {1}),
       "start_indices has 1 entries, allowed 2"},
      {"DynamicSize", DynamicSlice({1, 4}),
       "takes 4 of dimension 1, from a start of shape [], allowed 0..3 from "
       "one element"},
      {"DynamicSizeNegative", DynamicSlice({-1, 1}),
       "takes -1 of dimension 0, from a start of shape [], allowed 0..2 from "
       "one element"},
      {"DynamicCount", DynamicSlice({1}),
       "slice_sizes has 1 entries, allowed 2"},
  };
}
INSTANTIATE_TEST_SUITE_P(StablehloMove, PrepareFault,
                         ::testing::ValuesIn(Moves()), NameOf<Fault>);

struct GatherNumbers {
  Longs offset_dims = {1};
  Longs collapsed = {0};
  Longs map = {0};
  int64_t vector_dim = 1;
  Longs sizes = {1, 3};
};
// Rows of kX.
ModelBuilder Gather(const GatherNumbers& n) {
  return OneOp(schema::BuiltinOperator_STABLEHLO_GATHER,
               {kX, Operand{{4, 1}, kInt}}, {kAny}, [n](Fbb& fbb) {
                 return schema::CreateStablehloGatherOptionsDirect(
                     fbb, &n.offset_dims, &n.collapsed, &n.map, n.vector_dim,
                     &n.sizes);
               });
}

// One op that joins two numbers, as the body of a scatter or a window.
void AddBody(ModelBuilder& b) {
  b.AddSubgraph("body");
  const int left = b.AddInput("left", TensorType::kFloat32, {});
  const int right = b.AddInput("right", TensorType::kFloat32, {});
  const int sum = b.AddTensor("sum", TensorType::kFloat32, {});
  b.AddOp(schema::BuiltinOperator_STABLEHLO_ADD, {left, right}, {sum});
  b.SetOutputs({sum});
  b.SetCurrentSubgraph(0);
}

struct ScatterNumbers {
  Longs window_dims = {1};
  Longs inserted = {0};
  Longs map = {0};
  int64_t vector_dim = 1;
  std::vector<int32_t> updates = {4, 3};
};
// Adds rows to kX.
ModelBuilder Scatter(const ScatterNumbers& n) {
  ModelBuilder b = OneOp(schema::BuiltinOperator_STABLEHLO_SCATTER,
                         {kX, Operand{{4, 1}, kInt}, Operand{n.updates}},
                         {kAny}, [n](Fbb& fbb) {
                           return schema::CreateStablehloScatterOptionsDirect(
                               fbb, false, &n.window_dims, &n.inserted, &n.map,
                               n.vector_dim, false, 1);
                         });
  AddBody(b);
  return b;
}

TEST(StablehloIndices, AreAcceptedWhereTheyFit) {
  for (const ModelBuilder& model : {Gather({}), Scatter({})}) {
    auto built = Build(model);
    EXPECT_THAT(built->interpreter->AllocateTensors(), IsOk());
  }
  // Writers align no list without numbers.
  EXPECT_THAT(TryBuild(Gather({{1, 2}, {}, {0}, 1, {1, 3}})), IsOk());
}

std::vector<Fault> IndexLists() {
  return {
      {"GatherVectorDim", Gather({{1}, {0}, {0}, 3, {1, 3}}),
       "index_vector_dim is 3, allowed 0..2"},
      {"GatherVectorDimNegative", Gather({{1}, {0}, {0}, -1, {1, 3}}),
       "index_vector_dim is -1, allowed 0..2"},
      {"GatherVectorDimMin", Gather({{1}, {0}, {0}, INT64_MIN, {1, 3}}),
       "index_vector_dim is -9223372036854775808, allowed 0..2"},
      {"GatherMap", Gather({{1}, {0}, {2}, 1, {1, 3}}),
       "the index map holds 2, allowed is each of 0..1 once"},
      {"GatherMapNegative", Gather({{1}, {0}, {-1}, 1, {1, 3}}),
       "the index map holds -1, allowed is each of 0..1 once"},
      {"GatherMapCount", Gather({{1}, {0}, {0, 1}, 1, {1, 3}}),
       "the index map has 2 entries, allowed 1"},
      {"GatherOffset", Gather({{2}, {0}, {0}, 1, {1, 3}}),
       "offset_dims holds 2, allowed is each of 0..1 once"},
      {"GatherOffsetCount", Gather({{0, 1}, {0}, {0}, 1, {1, 3}}),
       "offset_dims has 2 entries, allowed 1"},
      {"GatherCollapsed", Gather({{1}, {2}, {0}, 1, {1, 3}}),
       "collapsed_slice_dims holds 2, allowed is each of 0..1 once"},
      {"GatherSize", Gather({{1}, {0}, {0}, 1, {1, 4}}),
       "slice_sizes is 4 for dimension 1, allowed 0..3"},
      {"GatherSizeNegative", Gather({{1}, {0}, {0}, 1, {1, INT64_MIN}}),
       "slice_sizes is -9223372036854775808 for dimension 1, allowed 0..3"},
      {"GatherSizeCollapsed", Gather({{1}, {0}, {0}, 1, {2, 3}}),
       "slice_sizes is 2 for collapsed dimension 0, allowed 1"},
      {"GatherSizeCount", Gather({{1}, {0}, {0}, 1, {1}}),
       "slice_sizes has 1 entries, allowed 2"},
      {"GatherLong", Gather({{1}, {0}, {0}, 1, Longs(1000, 1)}),
       "slice_sizes has 1000 entries, allowed 0..8"},
      {"GatherRank", Gather({{1, 2, 3, 4, 5, 6, 7, 0}, {0}, {0}, 1, {1, 3}}),
       "the output would have rank 9, allowed 0..8", kMissing},
      {"ScatterVectorDim", Scatter({{1}, {0}, {0}, 3, {4, 3}}),
       "index_vector_dim is 3, allowed 0..2"},
      {"ScatterVectorDimNegative", Scatter({{1}, {0}, {0}, -1, {4, 3}}),
       "index_vector_dim is -1, allowed 0..2"},
      {"ScatterMap", Scatter({{1}, {0}, {2}, 1, {4, 3}}),
       "the index map holds 2, allowed is each of 0..1 once"},
      {"ScatterWindow", Scatter({{2}, {0}, {0}, 1, {4, 3}}),
       "update_window_dims holds 2, allowed is each of 0..1 once"},
      {"ScatterInserted", Scatter({{1}, {-1}, {0}, 1, {4, 3}}),
       "inserted_window_dims holds -1, allowed is each of 0..1 once"},
      {"ScatterCount", Scatter({{1}, {0, 1}, {0}, 1, {4, 3}}),
       "update_window_dims has 1 entries, allowed 0"},
      {"ScatterUpdates", Scatter({{1}, {0}, {0}, 1, {5, 3}}),
       "dimension 0 of the updates is 5, that of the indices 4"},
      {"ScatterUpdatesRank", Scatter({{1}, {0}, {0}, 1, {4, 3, 1}}),
       "the updates have 2 scatter dimensions, the indices 1"},
  };
}
INSTANTIATE_TEST_SUITE_P(StablehloIndex, PrepareFault,
                         ::testing::ValuesIn(IndexLists()), NameOf<Fault>);

// The numbers of a window over 6 elements, each wrong in turn. Those that
// REDUCE_WINDOW has come first.
constexpr const char* kWindowNumbers[] = {"window", "stride", "dilations",
                                          "and"};

ModelBuilder ReduceWindow(const Longs& n) {
  return OneOp(schema::BuiltinOperator_REDUCE_WINDOW,
               {{{6}},
                Ones({}),
                Constant<int64_t>({1}, {n[0]}),
                Constant<int64_t>({1}, {n[1]}),
                Constant<int64_t>({1}, {n[2]})},
               {kAny}, [](Fbb& fbb) {
                 return schema::CreateReduceWindowOptions(
                     fbb, schema::ReduceWindowFunction_ADD);
               });
}
ModelBuilder StablehloReduceWindow(const Longs& n, const Longs& padding) {
  ModelBuilder b =
      OneOp(schema::BuiltinOperator_STABLEHLO_REDUCE_WINDOW, {{{6}}, Ones({})},
            {kAny}, [=](Fbb& fbb) {
              const Longs window = {n[0]}, stride = {n[1]}, dilation = {n[2]},
                          base = {n[3]};
              return schema::CreateStablehloReduceWindowOptionsDirect(
                  fbb, &window, &stride, &base, &dilation, &padding, 1);
            });
  AddBody(b);
  return b;
}

std::vector<Fault> Windows() {
  std::vector<Fault> rows;
  for (size_t i = 0; i < 4; ++i) {
    for (const int64_t number :
         {int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
      Longs numbers = {2, 1, 1, 1};
      numbers[i] = number;
      const std::string called =
          kWindowNumbers[i] + (" " + std::to_string(number));
      const std::string name = NameWith(kWindowNumbers[i], number);
      if (i < 3) rows.push_back({"Old" + name, ReduceWindow(numbers), called});
      rows.push_back(
          {"New" + name, StablehloReduceWindow(numbers, {0, 0}), called});
    }
  }
  const Longs good = {2, 1, 1, 1};
  const std::vector<Fault> more = {
      {"Padding", StablehloReduceWindow(good, {0, INT64_MAX}),
       "dimension 0 has window 2, dilations 1 and 1, stride 1, padding "
       "[0,9223372036854775807], allowed are 1..2147483648 and paddings up to "
       "that"},
      {"PaddingCut", StablehloReduceWindow(good, {INT64_MIN, 0}),
       "dimension 0 has window 2, dilations 1 and 1, stride 1, padding "
       "[-9223372036854775808,0], allowed are 1..2147483648 and paddings up to "
       "that"},
      {"PaddingCount", StablehloReduceWindow(good, {0}),
       "padding has 1 entries, allowed 2"},
      {"Places", StablehloReduceWindow(good, {kMax, kMax}),
       "dimension 0 of the output would be 4294967299, allowed up to "
       "2147483647"},
      {"Work", StablehloReduceWindow({1 << 30, 1, 1, 1}, {1 << 30, 1 << 30}),
       "1073741831 windows hold 1073741824 elements each, allowed up to "
       "1099511627776 in all",
       kMemory},
  };
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Windows, PrepareFault, ::testing::ValuesIn(Windows()),
                         NameOf<Fault>);

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
