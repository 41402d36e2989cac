#include "arenalite/builtin_ops.h"
#include "kernels/overlap_rows.h"

namespace arenalite {
namespace testing {
namespace {

// Larger than any block that is computed at once.
Shape LargeShape(Draw& draw) {
  return {draw.UpTo(3), draw.UpTo(5), draw.UpTo(60)};
}

Build Unary(TensorType from, TensorType to, std::vector<float> from_scales = {},
            std::vector<float> to_scales = {}) {
  return [=](OpRunner& runner, Draw& draw) {
    runner.AddRandomInput(from, LargeShape(draw), draw.random(), from_scales);
    runner.AddOutput(to, to_scales);
  };
}

const Build kFloats = Unary(TensorType::kFloat32, TensorType::kFloat32);

Build FakeQuant() {
  return [](OpRunner& runner, Draw& draw) {
    kFloats(runner, draw);
    runner.SetOptions(schema::BuiltinOptions_FakeQuantOptions, [](auto& b) {
      return schema::CreateFakeQuantOptions(b, -1.0f, 1.0f, 8);
    });
  };
}

Build Bucketize() {
  return [](OpRunner& runner, Draw& draw) {
    Unary(TensorType::kFloat32, TensorType::kInt32)(runner, draw);
    runner.SetOptions(schema::BuiltinOptions_BucketizeOptions, [](auto& b) {
      return schema::CreateBucketizeOptions(
          b, b.CreateVector(std::vector<float>{-0.5f, 0.0f, 0.5f}));
    });
  };
}

// `full` with some dimensions of 1, or without some in front.
Shape BroadcastOf(const Shape& full, Draw& draw) {
  const int dropped = draw.Below(3) == 0 ? draw.Below(full.rank()) : 0;
  Shape shape;
  shape.set_rank(full.rank() - dropped);
  for (int i = dropped; i < full.rank(); ++i) {
    shape.set_dim(i - dropped, draw.Below(5) == 0 ? 1 : full.dim(i));
  }
  return shape;
}

Build Broadcasting(std::vector<TensorType> inputs, TensorType output) {
  return [=](OpRunner& runner, Draw& draw) {
    Shape full = draw.AnyShape(draw.UpTo(4));
    full.set_dim(full.rank() - 1, draw.UpTo(40));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Shape shape = i == 0 ? full : BroadcastOf(full, draw);
      AddRandom(runner, inputs[i], shape, draw);
    }
    runner.AddOutput(output);
  };
}

// Small numbers, often equal.
Build SmallIntegers(TensorType output) {
  return [=](OpRunner& runner, Draw& draw) {
    const Shape shape = LargeShape(draw);
    for (int input = 0; input < 2; ++input) {
      std::vector<int32_t> values(static_cast<size_t>(shape.NumElements()));
      for (int32_t& value : values) value = draw.Below(3);
      runner.AddInput<int32_t>(shape, values);
    }
    runner.AddOutput(output);
  };
}

Build SameShapes(std::vector<TensorType> inputs, TensorType output) {
  return [=](OpRunner& runner, Draw& draw) {
    const Shape shape = LargeShape(draw);
    for (TensorType type : inputs) AddRandom(runner, type, shape, draw);
    runner.AddOutput(output);
  };
}

Build StablehloCompare() {
  return [](OpRunner& runner, Draw& draw) {
    SameShapes({TensorType::kFloat32, TensorType::kFloat32}, TensorType::kBool)(
        runner, draw);
    runner.SetOptions2(
        schema::BuiltinOptions2_StablehloCompareOptions, [](auto& b) {
          return schema::CreateStablehloCompareOptions(
              b,
              schema::
                  StablehloComparisonDirection_STABLEHLO_COMPARISON_DIRECTION_LT);
        });
  };
}

// BROADCAST_ARGS: two shapes that fit each other.
void BuildBroadcastArgs(OpRunner& runner, Draw& draw) {
  const int32_t rank = draw.UpTo(6);
  std::vector<int32_t> full(static_cast<size_t>(rank));
  for (int32_t& dim : full) dim = draw.UpTo(9);
  std::vector<int32_t> part(full.begin() + draw.Below(rank), full.end());
  for (int32_t& dim : part) dim = draw.Coin() ? dim : 1;
  const bool swap = draw.Coin();
  for (const auto& shape : {swap ? part : full, swap ? full : part}) {
    runner.AddInput<int32_t>({static_cast<int32_t>(shape.size())}, shape);
  }
  runner.AddOutput(TensorType::kInt32);
}

void BuildBroadcastTo(OpRunner& runner, Draw& draw) {
  const Shape full = draw.AnyShape(3);
  AddRandom(runner, TensorType::kInt16, BroadcastOf(full, draw), draw);
  AddNumbers(runner, {full.dim(0), full.dim(1), full.dim(2)});
  runner.AddOutput(TensorType::kInt16);
}

void AddUnaryRows(OverlapRows& rows) {
  for (const OpDefinition* op : {&ops::kAbs,
                                 &ops::kCeil,
                                 &ops::kCos,
                                 &ops::kElu,
                                 &ops::kExp,
                                 &ops::kFloor,
                                 &ops::kGelu,
                                 &ops::kHardSwish,
                                 &ops::kLeakyRelu,
                                 &ops::kLog,
                                 &ops::kLogistic,
                                 &ops::kNeg,
                                 &ops::kRelu,
                                 &ops::kRelu0To1,
                                 &ops::kRelu6,
                                 &ops::kReluN1To1,
                                 &ops::kRound,
                                 &ops::kRsqrt,
                                 &ops::kSign,
                                 &ops::kSin,
                                 &ops::kSqrt,
                                 &ops::kSquare,
                                 &ops::kStablehloAbs,
                                 &ops::kStablehloCbrt,
                                 &ops::kStablehloCosine,
                                 &ops::kStablehloExponential,
                                 &ops::kStablehloFloor,
                                 &ops::kStablehloLog,
                                 &ops::kStablehloLogistic,
                                 &ops::kStablehloNegate,
                                 &ops::kStablehloRsqrt,
                                 &ops::kStablehloTanh,
                                 &ops::kTanh}) {
    rows.push_back({op, kFloats});
  }
  constexpr TensorType kFloat = TensorType::kFloat32;
  rows.push_back({&ops::kFakeQuant, FakeQuant()});
  rows.push_back({&ops::kBucketize, Bucketize()});
  rows.push_back({&ops::kCast, Unary(TensorType::kInt16, TensorType::kInt64)});
  rows.push_back(
      {&ops::kStablehloConvert, Unary(TensorType::kInt32, TensorType::kInt8)});
  rows.push_back({&ops::kDequantize, Unary(TensorType::kInt8, kFloat, {0.1f})});
  rows.push_back(
      {&ops::kQuantize, Unary(kFloat, TensorType::kInt8, {}, {0.1f})});
  for (const OpDefinition* op : {&ops::kComplexAbs, &ops::kReal, &ops::kImag}) {
    rows.push_back({op, Unary(TensorType::kComplex64, kFloat)});
  }
}

void AddFloatRows(OverlapRows& rows) {
  constexpr TensorType kFloat = TensorType::kFloat32;
  for (const OpDefinition* op :
       {&ops::kAdd, &ops::kSub, &ops::kMul, &ops::kDiv, &ops::kMaximum,
        &ops::kMinimum, &ops::kPow, &ops::kPrelu, &ops::kSquaredDifference}) {
    rows.push_back({op, Broadcasting({kFloat, kFloat}, kFloat)});
  }
  for (const OpDefinition* op :
       {&ops::kAtan2, &ops::kStablehloAdd, &ops::kStablehloSubtract,
        &ops::kStablehloMultiply, &ops::kStablehloDivide,
        &ops::kStablehloMaximum, &ops::kStablehloMinimum,
        &ops::kStablehloPower}) {
    rows.push_back({op, SameShapes({kFloat, kFloat}, kFloat)});
  }
  for (const OpDefinition* op :
       {&ops::kEqual, &ops::kNotEqual, &ops::kGreater, &ops::kGreaterEqual,
        &ops::kLess, &ops::kLessEqual}) {
    rows.push_back({op, SmallIntegers(TensorType::kBool)});
  }
  rows.push_back({&ops::kStablehloCompare, StablehloCompare()});
  rows.push_back({&ops::kAddN, SameShapes({kFloat, kFloat, kFloat}, kFloat)});
}

void AddIntegerRows(OverlapRows& rows) {
  constexpr TensorType kFloat = TensorType::kFloat32;
  constexpr TensorType kInt = TensorType::kInt32;
  constexpr TensorType kBool = TensorType::kBool;
  constexpr TensorType kShort = TensorType::kInt16;
  for (const OpDefinition* op : {&ops::kLogicalAnd, &ops::kLogicalOr}) {
    rows.push_back({op, Broadcasting({kBool, kBool}, kBool)});
  }
  rows.push_back({&ops::kLogicalNot, Unary(kBool, kBool)});
  rows.push_back({&ops::kBitwiseXor, Broadcasting({kInt, kInt}, kInt)});
  rows.push_back({&ops::kRightShift, Broadcasting({kInt, kInt}, kInt)});
  for (const OpDefinition* op :
       {&ops::kFloorDiv, &ops::kFloorMod, &ops::kStablehloRemainder}) {
    rows.push_back({op, SameShapes({kFloat, kFloat}, kFloat)});
  }
  rows.push_back({&ops::kStablehloAnd, SameShapes({kInt, kInt}, kInt)});
  rows.push_back({&ops::kStablehloOr, SameShapes({kInt, kInt}, kInt)});
  rows.push_back({&ops::kStablehloShiftLeft, SmallIntegers(kInt)});
  rows.push_back({&ops::kSelect, SameShapes({kBool, kShort, kShort}, kShort)});
  rows.push_back(
      {&ops::kSelectV2, Broadcasting({kBool, kShort, kShort}, kShort)});
  rows.push_back(
      {&ops::kStablehloSelect, SameShapes({kBool, kShort, kShort}, kShort)});
  rows.push_back({&ops::kBroadcastArgs, BuildBroadcastArgs});
  rows.push_back({&ops::kBroadcastTo, BuildBroadcastTo});
}

}  // namespace

OverlapRows ElementwiseRows() {
  OverlapRows rows;
  AddUnaryRows(rows);
  AddFloatRows(rows);
  AddIntegerRows(rows);
  return rows;
}

}  // namespace testing
}  // namespace arenalite
