// Axes that no tensor has, and shapes of more dimensions than any may have.

#include <functional>
#include <tuple>

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

using schema::BuiltinOperator;

const Operand kX{{2, 3}};
const Operand kAny{{1}};

ModelBuilder WithAxes(BuiltinOperator code, std::vector<int32_t> axes) {
  return OneOp(code, {kX, Ints(std::move(axes))}, {kAny});
}
ModelBuilder Gather(int axis, int batch_dims, int indices = 2) {
  return OneOp(schema::BuiltinOperator_GATHER, {kX, Operand{{indices}, kInt}},
               {kAny}, [=](Fbb& fbb) {
                 return schema::CreateGatherOptions(fbb, axis, batch_dims);
               });
}
ModelBuilder Concatenation(int axis) {
  return OneOp(
      schema::BuiltinOperator_CONCATENATION, {kX, kX}, {kAny},
      [=](Fbb& fbb) { return schema::CreateConcatenationOptions(fbb, axis); });
}
ModelBuilder StablehloConcatenate(int64_t axis) {
  return OneOp(schema::BuiltinOperator_STABLEHLO_CONCATENATE, {kX, kX}, {kAny},
               [=](Fbb& fbb) {
                 return schema::CreateStablehloConcatenateOptions(fbb, axis);
               });
}
ModelBuilder StablehloTranspose(std::vector<int64_t> order) {
  return OneOp(schema::BuiltinOperator_STABLEHLO_TRANSPOSE, {kX}, {kAny},
               [order = std::move(order)](Fbb& fbb) {
                 return schema::CreateStablehloTransposeOptionsDirect(fbb,
                                                                      &order);
               });
}
ModelBuilder Pack(int axis, int count = 2) {
  return OneOp(schema::BuiltinOperator_PACK, {kX, kX}, {kAny}, [=](Fbb& fbb) {
    return schema::CreatePackOptions(fbb, count, axis);
  });
}
ModelBuilder Unpack(int axis, int count = 1) {
  return OneOp(schema::BuiltinOperator_UNPACK, {kX}, {kAny}, [=](Fbb& fbb) {
    return schema::CreateUnpackOptions(fbb, count, axis);
  });
}
ModelBuilder OneHot(int axis) {
  return OneOp(
      schema::BuiltinOperator_ONE_HOT,
      {Operand{{3}, kInt}, Ints({2}), {{}}, {{}}}, {kAny},
      [=](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, axis); });
}
ModelBuilder Split(std::vector<int32_t> axis, int count, int outputs = 1) {
  return OneOp(
      schema::BuiltinOperator_SPLIT, {Ints(std::move(axis)), kX},
      std::vector<Operand>(static_cast<size_t>(outputs), kAny),
      [=](Fbb& fbb) { return schema::CreateSplitOptions(fbb, count); });
}
ModelBuilder SplitV(int axis, std::vector<int32_t> sizes, int count = 2) {
  return OneOp(
      schema::BuiltinOperator_SPLIT_V,
      {kX, Ints(std::move(sizes)), Ints({axis})}, {kAny, kAny},
      [=](Fbb& fbb) { return schema::CreateSplitVOptions(fbb, count); });
}
ModelBuilder ArgMax(int axis) {
  return OneOp(schema::BuiltinOperator_ARG_MAX, {kX, Ints({axis})},
               {{{2}, kInt}}, [](Fbb& fbb) {
                 return schema::CreateArgMaxOptions(fbb,
                                                    schema::TensorType_INT32);
               });
}
ModelBuilder ArgMin(int axis) {
  return OneOp(schema::BuiltinOperator_ARG_MIN, {kX, Ints({axis})},
               {{{2}, kInt}}, [](Fbb& fbb) {
                 return schema::CreateArgMinOptions(fbb,
                                                    schema::TensorType_INT32);
               });
}
ModelBuilder ReverseSequence(int sequence, int batch) {
  return OneOp(schema::BuiltinOperator_REVERSE_SEQUENCE, {kX, Ints({1, 1})},
               {kX}, [=](Fbb& fbb) {
                 return schema::CreateReverseSequenceOptions(fbb, sequence,
                                                             batch);
               });
}
ModelBuilder Squeeze(std::vector<int32_t> axes) {
  return OneOp(schema::BuiltinOperator_SQUEEZE, {kX}, {kAny},
               [axes = std::move(axes)](Fbb& fbb) {
                 return schema::CreateSqueezeOptionsDirect(fbb, &axes);
               });
}

// An operator with one axis, and how its message begins before the number.
struct AxisOp {
  std::string name;
  std::function<ModelBuilder(int)> model;
  const char* called;
  int above;  // The first axis that there is not, at either end.
  int below;
};

std::vector<AxisOp> AxisOps() {
  std::vector<AxisOp> ops = {
      {"Concatenation", Concatenation, "axis is ", 2, -3},
      {"StablehloConcatenate", StablehloConcatenate, "is ", 2, -1},
      {"Gather", [](int axis) { return Gather(axis, 0); }, "axis is ", 2, -3},
      {"GatherBatch", [](int dims) { return Gather(0, dims); },
       "batch_dims is ", 2, -2},
      {"Pack", [](int axis) { return Pack(axis); }, "axis is ", 3, -4},
      {"Unpack", [](int axis) { return Unpack(axis); }, "axis is ", 2, -3},
      {"OneHot", OneHot, "axis is ", 2, -2},
      {"Split", [](int axis) { return Split({axis}, 1); }, "is ", 2, -3},
      {"SplitV",
       [](int axis) {
         return SplitV(axis, {1, 1});
       },
       "is ", 2, -3},
      {"ArgMax", ArgMax, "input 1 (axis) is ", 2, -3},
      {"ArgMin", ArgMin, "input 1 (axis) is ", 2, -3},
      {"ReverseSequence", [](int axis) { return ReverseSequence(axis, 0); },
       "seq_dim is ", 2, -1},
      {"ReverseSequenceBatch",
       [](int axis) { return ReverseSequence(1, axis); }, "and batch_dim ", 2,
       -1},
      {"Squeeze", [](int axis) { return Squeeze({axis}); },
       "squeeze_dims names axis ", 2, -3},
      {"StablehloTranspose",
       [](int axis) {
         return StablehloTranspose({0, axis});
       },
       "permutation holds ", 2, -1},
      {"Transpose",
       [](int axis) {
         return WithAxes(schema::BuiltinOperator_TRANSPOSE, {0, axis});
       },
       "is ", 2, -3},
  };
  const std::tuple<const char*, BuiltinOperator, const char*, int> by_tensor[] =
      {{"Cumsum", schema::BuiltinOperator_CUMSUM, "is ", 2},
       {"ExpandDims", schema::BuiltinOperator_EXPAND_DIMS, "input 1 (axis) is ",
        3},
       {"Mean", schema::BuiltinOperator_MEAN, "names axis ", 2},
       {"ReduceAll", schema::BuiltinOperator_REDUCE_ALL, "names axis ", 2},
       {"ReduceAny", schema::BuiltinOperator_REDUCE_ANY, "names axis ", 2},
       {"ReduceMax", schema::BuiltinOperator_REDUCE_MAX, "names axis ", 2},
       {"ReduceMin", schema::BuiltinOperator_REDUCE_MIN, "names axis ", 2},
       {"ReduceProd", schema::BuiltinOperator_REDUCE_PROD, "names axis ", 2},
       {"Reverse", schema::BuiltinOperator_REVERSE_V2, "is ", 2},
       {"Sum", schema::BuiltinOperator_SUM, "names axis ", 2}};
  for (const auto& [name, code, called, above] : by_tensor) {
    ops.push_back({name,
                   [code = code](int axis) {
                     ModelBuilder b = WithAxes(code, {axis});
                     const bool of_bool =
                         code == schema::BuiltinOperator_REDUCE_ALL ||
                         code == schema::BuiltinOperator_REDUCE_ANY;
                     for (const int tensor : {0, 2}) {
                       if (of_bool) b.tensor(tensor).type = TensorType::kBool;
                     }
                     return b;
                   },
                   called, above, -above - 1});
  }
  return ops;
}

std::vector<Fault> NoSuchAxis() {
  std::vector<Fault> rows;
  for (const AxisOp& op : AxisOps()) {
    for (const int axis : {op.above, op.below, kMax, kMin}) {
      rows.push_back({NameWith(op.name, axis), op.model(axis),
                      op.called + std::to_string(axis)});
    }
  }
  return rows;
}
INSTANTIATE_TEST_SUITE_P(Axis, PrepareFault, ::testing::ValuesIn(NoSuchAxis()),
                         NameOf<Fault>);

std::vector<Fault> AxesThatDisagree() {
  const auto transpose = schema::BuiltinOperator_TRANSPOSE;
  const auto reverse = schema::BuiltinOperator_REVERSE_V2;
  return {
      {"GatherBatchShapes", Gather(1, 1, 3),
       "inputs of shapes [2,3] and [3] differ in batch dimension 0"},
      {"PackCount", Pack(0, 3), "values_count is 3, but there are 2 inputs"},
      {"PackCountZero", Pack(0, 0),
       "values_count is 0, but there are 2 inputs"},
      {"PackCountNegative", Pack(0, -1),
       "values_count is -1, but there are 2 inputs"},
      {"UnpackCount", Unpack(0, 9),
       "num is 9 for 1 outputs and dimension 0 of shape [2,3], allowed are "
       "equal counts"},
      {"UnpackCountZero", Unpack(0, 0),
       "num is 0 for 1 outputs and dimension 0 of shape [2,3], allowed are "
       "equal counts"},
      {"UnpackCountNegative", Unpack(0, -1),
       "num is -1 for 1 outputs and dimension 0 of shape [2,3], allowed are "
       "equal counts"},
      {"UnpackOutputs", Unpack(1, 3),
       "num is 3 for 1 outputs and dimension 1 of shape [2,3], allowed are "
       "equal counts"},
      {"SplitZero", Split({0}, 0), "num_splits is 0, but there are 1 outputs"},
      {"SplitNegative", Split({0}, -1),
       "num_splits is -1, but there are 1 outputs"},
      {"SplitCount", Split({0}, 2), "num_splits is 2, but there are 1 outputs"},
      {"SplitUneven", Split({1}, 2, 2),
       "dimension of 3 does not split into 2 equal parts"},
      {"SplitTwoAxes", Split({0, 1}, 1),
       "input 0 (axis) has shape [2], allowed is one element"},
      {"SplitVZero", SplitV(0, {1, 1}, 0),
       "num_splits is 0, but there are 2 outputs"},
      {"SplitVNegativeCount", SplitV(0, {1, 1}, -1),
       "num_splits is -1, but there are 2 outputs"},
      {"SplitVHuge", SplitV(0, {kMax, kMax}),
       "output 0 takes 2147483647 of dimension 2 with 0 taken, allowed one -1 "
       "and sizes up to all"},
      {"SplitVTwoUnknown", SplitV(0, {-1, -1}),
       "output 1 takes -1 of dimension 2 with 0 taken, allowed one -1 and "
       "sizes up to all"},
      {"SplitVNegative", SplitV(0, {-2, 4}),
       "output 0 takes -2 of dimension 2 with 0 taken, allowed one -1 and "
       "sizes up to all"},
      {"SplitVTooMany", SplitV(1, {2, 2}),
       "output 1 takes 2 of dimension 3 with 2 taken, allowed one -1 and sizes "
       "up to all"},
      {"SplitVTooFew", SplitV(1, {2, 0}), "the sizes add up to 2, allowed 3"},
      {"SplitVSizes", SplitV(0, {1, 1, 0}),
       "input 1 (size_splits) has shape [3], allowed [2]"},
      {"TransposeTwice", WithAxes(transpose, {0, 0}),
       "input 1 (perm) names dimension 0 twice, allowed once"},
      {"TransposeCount", WithAxes(transpose, {0}),
       "input 1 (perm) has shape [1], input 0 of rank 2 needs [2]"},
      {"StablehloTransposeTwice", StablehloTranspose({1, 1}),
       "permutation holds 1, allowed is each of 0..1 once"},
      {"StablehloTransposeCount", StablehloTranspose({1, 0, 2}),
       "permutation has 3 entries, allowed 2"},
      {"StablehloTransposeLong",
       StablehloTranspose(std::vector<int64_t>(1000, 0)),
       "permutation has 1000 entries, allowed 0..8"},
      {"ReverseTwice", WithAxes(reverse, {0, -2}),
       "input 1 (axis) names dimension 0 twice, allowed once"},
      {"ReverseCount", WithAxes(reverse, {0, 1, 0}),
       "input 1 (axis) has shape [3], allowed is 1-D with at most 2 elements"},
      {"ReverseSequenceSame", ReverseSequence(1, 1),
       "seq_dim is 1 and batch_dim 1, allowed are two axes of shape [2,3]"},
      {"SqueezeWide", Squeeze({1}),
       "squeeze_dims names axis 1 of input shape [2,3], allowed are dimensions "
       "of 1"},
      {"SqueezeMany", Squeeze(std::vector<int32_t>(1000, 0)),
       "squeeze_dims has 1000 entries, allowed 0..8"},
      {"ConcatenationShapes",
       OneOp(
           schema::BuiltinOperator_CONCATENATION, {kX, {{2, 2}}}, {kAny},
           [](Fbb& fbb) { return schema::CreateConcatenationOptions(fbb, 0); }),
       "input 1 has shape [2,2], allowed is that of input 0, [2,3], but for "
       "dimension 0"},
      {"ConcatenationOverflow",
       OneOp(
           schema::BuiltinOperator_CONCATENATION, {{{0, kMax}}, {{0, kMax}}},
           {kAny},
           [](Fbb& fbb) { return schema::CreateConcatenationOptions(fbb, 1); }),
       "dimension 1 adds up to 4294967294, allowed 0..2147483647"},
  };
}
INSTANTIATE_TEST_SUITE_P(Axes, PrepareFault,
                         ::testing::ValuesIn(AxesThatDisagree()),
                         NameOf<Fault>);

// One dimension more than a tensor may have.
std::vector<Fault> RanksThatGrow() {
  const Operand deep{{1, 1, 1, 1, 1, 1, 1, 2}};
  const Operand deep_ints{{1, 1, 1, 1, 1, 1, 1, 2}, kInt};
  const std::vector<int32_t> nine = {1, 1, 1, 1, 1, 1, 1, 2, 3};
  const auto with_nine = [&](BuiltinOperator code, const Operand& value) {
    return OneOp(code, {Ints(nine), value}, {kAny});
  };
  return {
      {"ExpandDims",
       OneOp(schema::BuiltinOperator_EXPAND_DIMS, {deep, Ints({0})}, {kAny}),
       "input 1 (axis) is 0 for input shape [1,1,1,1,1,1,1,2], allowed [-9, 8] "
       "and rank at most 8"},
      {"Pack",
       OneOp(schema::BuiltinOperator_PACK, {deep, deep}, {kAny},
             [](Fbb& fbb) { return schema::CreatePackOptions(fbb, 2, 0); }),
       "input 0 has rank 8, allowed 0..7", kMissing},
      {"OneHot",
       OneOp(schema::BuiltinOperator_ONE_HOT,
             {deep_ints, Ints({2}), {{}}, {{}}}, {kAny},
             [](Fbb& fbb) { return schema::CreateOneHotOptions(fbb, -1); }),
       "input 0 (indices) has rank 8, allowed 0..7", kMissing},
      {"Gather",
       OneOp(schema::BuiltinOperator_GATHER, {deep, {{1, 1}, kInt}}, {kAny},
             [](Fbb& fbb) { return schema::CreateGatherOptions(fbb, 0); }),
       "the output would have rank 9, allowed 0..8", kMissing},
      {"GatherNd",
       OneOp(schema::BuiltinOperator_GATHER_ND, {deep, {{1, 1, 1}, kInt}},
             {kAny}),
       "the output would have rank 9, allowed 0..8", kMissing},
      {"EmbeddingLookupSparse",
       OneOp(schema::BuiltinOperator_EMBEDDING_LOOKUP_SPARSE,
             {{{2}, kInt}, {{2, 7}, kInt}, {{7}, kInt}, {{2}}, {{3, 2, 2, 2}}},
             {kAny},
             [](Fbb& fbb) {
               return schema::CreateEmbeddingLookupSparseOptions(fbb);
             }),
       "input 4 (table) has shape [3,2,2,2], allowed rank 2..3"},
      {"MatrixDiag", OneOp(schema::BuiltinOperator_MATRIX_DIAG, {deep}, {kAny}),
       "input 0 has shape [1,1,1,1,1,1,1,2], allowed rank 1..7"},
      {"Bitcast",
       OneOp(schema::BuiltinOperator_BITCAST, {deep},
             {{{1}, TensorType::kInt8}}),
       "input 0 has rank 8, allowed at most 7"},
      {"StridedSlice",
       OneOp(schema::BuiltinOperator_STRIDED_SLICE,
             {{{1, 1, 1, 1, 1, 2}},
              Ints({0, 0, 0}),
              Ints({1, 1, 1}),
              Ints({1, 1, 1})},
             {kAny},
             [](Fbb& fbb) {
               return schema::CreateStridedSliceOptions(fbb, 0, 0, 0, 7);
             }),
       "the output would have rank 9 or more, allowed 0..8", kMissing},
      {"Reshape",
       OneOp(schema::BuiltinOperator_RESHAPE, {{{6}}, Ints(nine)}, {kAny}),
       "new shape has rank 9, allowed 0..8"},
      {"ReshapeOptions",
       OneOp(schema::BuiltinOperator_RESHAPE, {{{6}}}, {kAny},
             [nine](Fbb& fbb) {
               return schema::CreateReshapeOptionsDirect(fbb, &nine);
             }),
       "new_shape has rank 9, allowed 0..8"},
      {"BroadcastTo",
       OneOp(schema::BuiltinOperator_BROADCAST_TO, {{{1}}, Ints(nine)}, {kAny}),
       "input 1 (shape) has 9 elements, allowed 0..8", kMissing},
      {"Fill", with_nine(schema::BuiltinOperator_FILL, {{}}),
       "input 0 (dims) has 9 elements, allowed 0..8", kMissing},
      {"Tile", OneOp(schema::BuiltinOperator_TILE, {{{1}}, Ints(nine)}, {kAny}),
       "input 1 (multiples) has 9 elements, input 0 of rank 1 needs 1"},
      {"Random",
       OneOp(schema::BuiltinOperator_RANDOM_UNIFORM, {Ints(nine)}, {kAny},
             [](Fbb& fbb) { return schema::CreateRandomOptions(fbb, 1, 1); }),
       "input 0 (shape) has 9 elements, allowed 0..8", kMissing},
      {"ScatterNd",
       OneOp(schema::BuiltinOperator_SCATTER_ND,
             {{{1, 1}, kInt}, {{1}}, Ints(nine)}, {kAny}),
       "input 2 (shape) has 9 elements, allowed 0..8", kMissing},
      {"SparseToDense",
       OneOp(schema::BuiltinOperator_SPARSE_TO_DENSE,
             {{{1, 9}, kInt}, Ints(nine), {{1}}, {{}}}, {kAny}),
       "input 1 (shape) has 9 elements, allowed 0..8", kMissing},
  };
}
INSTANTIATE_TEST_SUITE_P(Rank, PrepareFault,
                         ::testing::ValuesIn(RanksThatGrow()), NameOf<Fault>);

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
