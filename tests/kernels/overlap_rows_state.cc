#include "arenalite/builtin_ops.h"
#include "kernels/overlap_rows.h"

namespace arenalite {
namespace testing {
namespace {

constexpr TensorType kFloat = TensorType::kFloat32;

void AddZeros(OpRunner& runner, const Shape& shape) {
  runner.AddConstant<float>(
      shape, std::vector<float>(static_cast<size_t>(shape.NumElements())));
}

void AddState(OpRunner& runner, const Shape& shape) {
  const int i = runner.AddInput<float>(
      shape, std::vector<float>(static_cast<size_t>(shape.NumElements())));
  runner.tensor_of_input(i).memory = TensorMemory::kVariable;
}

// 20 inputs of an LSTM that forgets all and has no way back for outputs: its
// state does not matter, so that a run can be repeated.
void AddLstm(OpRunner& runner, const Shape& input, int32_t batch, Draw& draw) {
  const int32_t cells = draw.UpTo(6);
  AddRandom(runner, kFloat, input, draw);
  for (int g = 0; g < 4; ++g) {
    AddRandomConstant(runner, kFloat, {cells, input.dim_from_end(0)}, draw);
  }
  for (int g = 0; g < 4; ++g) AddZeros(runner, {cells, cells});
  for (int peephole = 0; peephole < 3; ++peephole) runner.AddAbsentInput();
  for (int g = 0; g < 4; ++g) {
    runner.AddConstant<float>({cells},
                              std::vector<float>(static_cast<size_t>(cells),
                                                 g == 1 ? -1000.0f : 0.0f));
  }
  for (int projection = 0; projection < 2; ++projection) {
    runner.AddAbsentInput();
  }
  AddState(runner, {batch, cells});
  AddState(runner, {batch, cells});
  runner.AddOutput(kFloat);
}

void BuildLstm(OpRunner& runner, Draw& draw) {
  const Shape input = draw.AnyShape(2, 6);
  AddLstm(runner, input, input.dim(0), draw);
  runner.SetOptions(schema::BuiltinOptions_LSTMOptions, [](auto& b) {
    return schema::CreateLSTMOptions(b, schema::ActivationFunctionType_TANH);
  });
}

void BuildSequenceLstm(OpRunner& runner, Draw& draw) {
  const Shape input = draw.AnyShape(3, 5);
  const bool time_major = draw.Coin();
  AddLstm(runner, input, input.dim(time_major ? 1 : 0), draw);
  runner.SetOptions(
      schema::BuiltinOptions_UnidirectionalSequenceLSTMOptions, [=](auto& b) {
        return schema::CreateUnidirectionalSequenceLSTMOptions(
            b, schema::ActivationFunctionType_TANH, 0, 0, time_major);
      });
}

void AddRnn(OpRunner& runner, const Shape& input, int32_t batch, Draw& draw) {
  const int32_t units = draw.UpTo(6);
  AddRandom(runner, kFloat, input, draw);
  AddRandomConstant(runner, kFloat, {units, input.dim_from_end(0)}, draw);
  AddZeros(runner, {units, units});
  AddRandomConstant(runner, kFloat, {units}, draw);
  AddState(runner, {batch, units});
  runner.AddOutput(kFloat);
}

void BuildRnn(OpRunner& runner, Draw& draw) {
  const Shape input = draw.AnyShape(2, 6);
  AddRnn(runner, input, input.dim(0), draw);
}

void BuildSequenceRnn(OpRunner& runner, Draw& draw) {
  const Shape input = draw.AnyShape(3, 5);
  const bool time_major = draw.Coin();
  AddRnn(runner, input, input.dim(time_major ? 1 : 0), draw);
  runner.SetOptions(schema::BuiltinOptions_SequenceRNNOptions, [=](auto& b) {
    return schema::CreateSequenceRNNOptions(b, time_major);
  });
}

// A memory of one step is filled by the input alone.
void BuildSvdf(OpRunner& runner, Draw& draw) {
  const Shape input = draw.AnyShape(2, 6);
  const int32_t units = draw.UpTo(6);
  AddRandom(runner, kFloat, input, draw);
  AddRandomConstant(runner, kFloat, {units, input.dim(1)}, draw);
  AddRandomConstant(runner, kFloat, {units, 1}, draw);
  runner.AddAbsentInput();
  AddState(runner, {input.dim(0), units});
  runner.AddOutput(kFloat);
  runner.SetOptions(schema::BuiltinOptions_SVDFOptions,
                    [](auto& b) { return schema::CreateSVDFOptions(b, 1); });
}

void BuildReduce(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, draw.AnyShape(3), draw);
  const int32_t axis = draw.Below(3);
  draw.Coin() ? AddNumbers(runner, {axis})
              : AddNumbers(runner, {axis, (axis + 1) % 3});
  runner.AddOutput(kFloat);
}

void BuildReduceBool(OpRunner& runner, Draw& draw) {
  AddRandom(runner, TensorType::kBool, draw.AnyShape(3), draw);
  AddNumbers(runner, {draw.Below(3)});
  runner.AddOutput(TensorType::kBool);
}

void BuildArg(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, draw.AnyShape(3), draw);
  runner.AddConstant<int32_t>({}, {draw.Below(3)});
  runner.AddOutput(TensorType::kInt32);
}

template <class CreateOptions>
Build Arg(schema::BuiltinOptions type, CreateOptions create) {
  return [=](OpRunner& runner, Draw& draw) {
    BuildArg(runner, draw);
    runner.SetOptions(
        type, [=](auto& b) { return create(b, schema::TensorType_INT32); });
  };
}

void BuildCumsum(OpRunner& runner, Draw& draw) {
  AddRandom(runner, kFloat, draw.AnyShape(3), draw);
  runner.AddConstant<int32_t>({}, {draw.Below(3)});
  runner.AddOutput(kFloat);
  const bool exclusive = draw.Coin();
  const bool reverse = draw.Coin();
  runner.SetOptions(schema::BuiltinOptions_CumsumOptions, [=](auto& b) {
    return schema::CreateCumsumOptions(b, exclusive, reverse);
  });
}

void BuildTopK(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(3);
  AddRandom(runner, kFloat, shape, draw);
  runner.AddConstant<int32_t>({}, {draw.UpTo(shape.dim(2))});
  runner.AddOutput(kFloat);
  runner.AddOutput(TensorType::kInt32);
}

void BuildSegmentSum(OpRunner& runner, Draw& draw) {
  const Shape shape = draw.AnyShape(2, 8);
  std::vector<int32_t> ids = {0};
  for (int32_t i = 1; i < shape.dim(0); ++i) {
    ids.push_back(ids.back() + draw.Below(2));
  }
  AddRandom(runner, kFloat, shape, draw);
  AddNumbers(runner, ids);
  runner.AddOutput(kFloat);
}

}  // namespace

OverlapRows StateRows() {
  OverlapRows rows = {
      {&ops::kLstm, BuildLstm},
      {&ops::kUnidirectionalSequenceLstm, BuildSequenceLstm},
      {&ops::kRnn, BuildRnn},
      {&ops::kUnidirectionalSequenceRnn, BuildSequenceRnn},
      {&ops::kSvdf, BuildSvdf, true},
      {&ops::kArgMax,
       Arg(schema::BuiltinOptions_ArgMaxOptions, schema::CreateArgMaxOptions)},
      {&ops::kArgMin,
       Arg(schema::BuiltinOptions_ArgMinOptions, schema::CreateArgMinOptions)},
      {&ops::kCumsum, BuildCumsum},
      {&ops::kTopKV2, BuildTopK},
      {&ops::kSegmentSum, BuildSegmentSum},
  };
  for (const OpDefinition* op : {&ops::kMean, &ops::kSum, &ops::kReduceMax,
                                 &ops::kReduceMin, &ops::kReduceProd}) {
    rows.push_back({op, BuildReduce});
  }
  for (const OpDefinition* op : {&ops::kReduceAll, &ops::kReduceAny}) {
    rows.push_back({op, BuildReduceBool});
  }
  return rows;
}

}  // namespace testing
}  // namespace arenalite
