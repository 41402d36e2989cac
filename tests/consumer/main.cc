#include <arenalite/interpreter.h>

#include <cstdio>

int main(int, char** argv) {
  auto model = arenalite::FlatBufferModel::BuildFromFile(argv[1]);
  if (!model.ok()) return std::puts(model.message()), 1;
  arenalite::BuiltinOpResolver resolver;
  auto built = arenalite::InterpreterBuilder(**model, resolver).Build();
  if (!built.ok()) return std::puts(built.message()), 1;
  arenalite::Interpreter& interpreter = **built;
  arenalite::Status status = interpreter.AllocateTensors();
  if (!status.ok()) return std::puts(status.message()), 1;
  std::printf("arena: %zu bytes\n", interpreter.arena_used_bytes());
  *interpreter.typed_input_tensor<float>(0) = 0.5f;
  status = interpreter.Invoke();
  if (!status.ok()) return std::puts(status.message()), 1;
  std::printf("%f\n", *interpreter.typed_output_tensor<float>(0));
}
