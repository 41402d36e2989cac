// Interpreters on several threads that share a model and a resolver. Under
// ThreadSanitizer this shows that nothing else is shared.

#include <gtest/gtest.h>

#include <thread>

#include "arenalite/interpreter.h"
#include "testing/matchers.h"
#include "testing/random_graph.h"
#include "testing/seed_models.h"

namespace arenalite {
namespace testing {
namespace {

std::vector<uint8_t> Outputs(Interpreter& interpreter) {
  std::vector<uint8_t> all;
  for (size_t i = 0; i < interpreter.outputs().size(); ++i) {
    const Tensor* tensor = interpreter.output_tensor(i);
    const auto* bytes = tensor->data_as<uint8_t>();
    all.insert(all.end(), bytes, bytes + tensor->bytes);
  }
  return all;
}

// Builds, allocates and runs, several times; the outputs, or nothing.
std::vector<uint8_t> Work(const FlatBufferModel& model,
                          const OpResolver& resolver) {
  std::vector<uint8_t> all;
  for (int round = 0; round < 3; ++round) {
    auto interpreter = InterpreterBuilder(model, resolver).Build();
    if (!interpreter.ok() || !(*interpreter)->AllocateTensors().ok()) return {};
    Prng prng(7);
    for (size_t i = 0; i < (*interpreter)->inputs().size(); ++i) {
      Tensor* tensor = (*interpreter)->input_tensor(i);
      if (!tensor->is_constant()) FillRandom(prng, *tensor);
    }
    if (!(*interpreter)->Invoke().ok()) return {};
    all = Outputs(**interpreter);
  }
  return all;
}

TEST(Threads, InterpretersShareAModelAndAResolver) {
  BuiltinOpResolver resolver;
  for (const OpDefinition* custom : RandomGraphCustomOps()) {
    ASSERT_THAT(resolver.AddCustom(*custom), IsOk());
  }
  for (const SeedModel& seed : SeedModels()) {
    auto model =
        FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(seed.file));
    ASSERT_THAT(model, IsOk());
    const std::vector<uint8_t> expected = Work(**model, resolver);
    std::vector<uint8_t> results[2];
    std::vector<std::thread> threads;
    for (std::vector<uint8_t>& result : results) {
      threads.emplace_back([&] { result = Work(**model, resolver); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<uint8_t>& result : results) {
      EXPECT_EQ(result, expected) << seed.name;
    }
  }
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
