// Lists the five operators of MobileNet v1: only their code is linked.

#include <arenalite/builtin_ops.h>
#include <arenalite/interpreter.h>

#include <cstdio>

int main(int, char** argv) {
  auto model = arenalite::FlatBufferModel::BuildFromFile(argv[1]);
  if (!model.ok()) return std::puts(model.message()), 1;
  arenalite::MutableOpResolver resolver;
  for (const auto* op :
       {&arenalite::ops::kConv2d, &arenalite::ops::kDepthwiseConv2d,
        &arenalite::ops::kAveragePool2d, &arenalite::ops::kSqueeze,
        &arenalite::ops::kSoftmax}) {
    arenalite::Status added = resolver.AddBuiltin(*op);
    if (!added.ok()) return std::puts(added.message()), 1;
  }
  auto built = arenalite::InterpreterBuilder(**model, resolver).Build();
  if (!built.ok()) return std::puts(built.message()), 1;
  arenalite::Status status = (*built)->AllocateTensors();
  if (status.ok()) status = (*built)->Invoke();
  if (!status.ok()) return std::puts(status.message()), 1;
  std::printf("arena: %zu bytes\n", (*built)->arena_used_bytes());
}
