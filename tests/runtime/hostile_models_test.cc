// Models that are sound as files, but ask an operator for the impossible: in
// its options, its constants, or its data at run time. Each is refused with an
// error that names the operator and the value; the interpreter works on.

#include <cstring>

#include "runtime/hostile.h"

namespace arenalite {
namespace testing {
namespace hostile {
namespace {

// "subgraph 0 'main' op 0 CONV_2D, output tensor 2 'out0': "
std::string PlaceOf(ModelBuilder model) {
  const SubgraphSpec& main = model.spec().subgraphs[0];
  const OpSpec& op = main.ops[0];
  const std::string name = op.code == schema::BuiltinOperator_CUSTOM
                               ? op.custom_name
                               : schema::EnumNameBuiltinOperator(op.code);
  const auto output = static_cast<size_t>(op.outputs[0]);
  return "subgraph 0 'main' op 0 " + name + ", output tensor " +
         std::to_string(output) + " '" + main.tensors[output].name + "': ";
}

TEST_P(PrepareFault, IsRefused) {
  const Fault& fault = GetParam();
  auto built = TryBuild(fault.model);
  Status status =
      built.ok() ? (**built)->AllocateTensors() : std::move(built).status();
  if (fault.at_invoke) {
    ASSERT_THAT(status, IsOk());
    status = (**built)->Invoke();
  }
  EXPECT_THAT(status, HasStatus(fault.code, fault.error));
  EXPECT_THAT(status, HasStatus(fault.code, PlaceOf(fault.model)));
}

TEST_P(PrepareMemory, IsRefused) {
  const MemoryFault& fault = GetParam();
  ModelBuilder model = fault.model;
  auto built = Build(model);
  const std::string place = "subgraph 0 'main' tensor " +
                            std::to_string(model.op(0).outputs[0]) +
                            " 'out0' of shape ";
  EXPECT_THAT(
      built->interpreter->AllocateTensors(),
      HasStatus(kMemory, place + fault.error +
                             " bytes, max_arena_bytes allows 4294967296"));
}

Status RunWith(Interpreter& interpreter, size_t position,
               const std::vector<int32_t>& values) {
  ARENALITE_RETURN_IF_ERROR(interpreter.AllocateTensors());
  for (size_t i = 0; i < interpreter.inputs().size(); ++i) {
    Tensor* tensor = interpreter.input_tensor(i);
    if (tensor->is_constant()) continue;
    std::memset(tensor->data, 0, static_cast<size_t>(tensor->bytes));
  }
  const int index =
      static_cast<int>(position);  // Inputs are the first tensors.
  std::memcpy(interpreter.tensor(index)->data, values.data(),
              values.size() * sizeof(int32_t));
  return interpreter.Invoke();
}

// A failed Invoke leaves an interpreter that works.
TEST_P(InvokeFault, IsRefusedAndForgotten) {
  const DataFault& fault = GetParam();
  auto built = TryBuild(fault.model);
  ASSERT_THAT(built, IsOk());
  Interpreter& interpreter = *(*built)->interpreter;
  ASSERT_THAT(RunWith(interpreter, fault.position, fault.good), IsOk());
  const Status status = RunWith(interpreter, fault.position, fault.bad);
  EXPECT_THAT(status, HasStatus(fault.code, fault.error));
  EXPECT_THAT(status, HasStatus(fault.code, PlaceOf(fault.model)));
  EXPECT_THAT(RunWith(interpreter, fault.position, fault.good), IsOk());
}

// Variables count as much as what is planned.
TEST(Memory, ThePersistentPartIsHeldToTheLimit) {
  const ModelBuilder model =
      OneOp(schema::BuiltinOperator_SVDF,
            {Operand({1, 3}), Ones({4, 3}), Ones({4, 100}), Ones({2}),
             Variable({1, 400})},
            {Operand({1, 2})},
            [](Fbb& fbb) { return schema::CreateSVDFOptions(fbb, 2); });
  InterpreterOptions options;
  auto built = Build(model, options);
  const auto need = built->interpreter->QueryMemory();
  ASSERT_THAT(need, IsOk());
  ASSERT_EQ(need->persistent_bytes, 1600);
  options.max_arena_bytes = need->arena_bytes;
  EXPECT_THAT(Build(model, options)->interpreter->AllocateTensors(), IsOk());
  options.max_arena_bytes = need->arena_bytes - 1;
  EXPECT_THAT(Build(model, options)->interpreter->AllocateTensors(),
              HasStatus(StatusCode::kResourceExhausted,
                        "1600 persistent bytes, max_arena_bytes allows"));
}

}  // namespace
}  // namespace hostile
}  // namespace testing
}  // namespace arenalite
