// Models of the corpus with state or control flow, where there is a corpus.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "conformance/command_line.h"
#include "testing/apart.h"
#include "testing/random_graph.h"

namespace arenalite {
namespace {

using testing::ApartSizes;
using testing::FillRandom;
using testing::IsOk;

// Larger files are classifiers without either.
constexpr uintmax_t kMostBytes = 8 << 20;

std::vector<std::filesystem::path> Models() {
  const std::filesystem::path root =
      std::filesystem::path(conformance::DefaultCorpus()) / "models";
  std::vector<std::filesystem::path> paths;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(root, missing)) {
    if (entry.path().extension() == ".tflite" &&
        entry.file_size() <= kMostBytes) {
      paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(StateCorpus, OneArenaIsNoLargerThanOneForEachSubgraph) {
  const auto paths = Models();
  if (paths.empty()) GTEST_SKIP() << "there is no corpus of models";
  const BuiltinOpResolver resolver;
  int compared = 0;
  for (const auto& path : paths) {
    auto model = FlatBufferModel::BuildFromFile(path.c_str());
    if (!model.ok()) continue;
    const Result<ApartSizes> sizes = testing::MeasureApart(**model, resolver);
    if (!sizes.ok() || !sizes->has_calls) continue;
    ++compared;
    EXPECT_LE(sizes->together, sizes->apart) << path;
  }
  EXPECT_GE(compared, 8);
}

// Outputs of three Invokes in a row, each on new inputs; variables go on.
Result<std::vector<uint8_t>> RunOn(const FlatBufferModel& model,
                                   const InterpreterOptions& options,
                                   bool release_between) {
  const BuiltinOpResolver resolver;
  InterpreterBuilder builder(model, resolver, options);
  ARENALITE_ASSIGN_OR_RETURN(auto interpreter, builder.Build());
  ARENALITE_RETURN_IF_ERROR(interpreter->AllocateTensors());
  std::vector<uint8_t> outputs;
  Prng prng(11);
  for (int run = 0; run < 3; ++run) {
    if (release_between) {
      ARENALITE_RETURN_IF_ERROR(interpreter->ReleaseNonPersistentMemory());
      ARENALITE_RETURN_IF_ERROR(interpreter->AllocateTensors());
    }
    for (size_t i = 0; i < interpreter->inputs().size(); ++i) {
      Tensor* tensor = interpreter->input_tensor(i);
      if (tensor == nullptr || tensor->memory != TensorMemory::kArena) continue;
      // Integers are often indices.
      std::fill_n(tensor->data_as<uint8_t>(), tensor->bytes, uint8_t{0});
      const int bits = TensorTypeBits(tensor->type);
      if (tensor->type == TensorType::kFloat32 || bits == 8) {
        FillRandom(prng, *tensor);
      }
    }
    ARENALITE_RETURN_IF_ERROR(interpreter->Invoke());
    for (size_t i = 0; i < interpreter->outputs().size(); ++i) {
      const Tensor* tensor = interpreter->output_tensor(i);
      if (tensor == nullptr) continue;
      const auto* bytes = tensor->data_as<uint8_t>();
      outputs.insert(outputs.end(), bytes, bytes + tensor->bytes);
    }
  }
  return outputs;
}

bool HasState(const FlatBufferModel& model) {
  const BuiltinOpResolver resolver;
  auto interpreter = InterpreterBuilder(model, resolver).Build();
  if (!interpreter.ok()) return false;
  const Result<MemoryUsage> usage = (*interpreter)->QueryMemory();
  return usage.ok() && usage->persistent_bytes > 0;
}

TEST(StateCorpus, StateGoesOnAlikeWhateverIsShared) {
  const auto paths = Models();
  if (paths.empty()) GTEST_SKIP() << "there is no corpus of models";
  int compared = 0;
  for (const auto& path : paths) {
    auto model = FlatBufferModel::BuildFromFile(path.c_str());
    if (!model.ok() || !HasState(**model)) continue;
    InterpreterOptions apart;
    apart.preserve_all_tensors = true;
    const auto expected = RunOn(**model, apart, false);
    if (!expected.ok()) continue;  // Wants inputs of a certain kind.
    ++compared;
    InterpreterOptions shared;
    shared.poison_memory = true;
    shared.allow_input_reuse = true;
    for (bool release : {false, true}) {
      const auto found = RunOn(**model, shared, release);
      ASSERT_THAT(found, IsOk()) << path;
      EXPECT_EQ(*found, *expected) << path;
    }
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace arenalite
