// SKIP_GRAM, and LSH_PROJECTION that often follows it.

#include <gtest/gtest.h>

#include "arenalite/builtin_ops.h"
#include "kernels/string_tensor.h"
#include "testing/matchers.h"
#include "testing/op_runner.h"

namespace arenalite {
namespace {

using testing::Bytes;
using testing::HasStatus;
using testing::IsOk;
using testing::OpRunner;
using Strings = std::vector<std::string>;

Bytes Pack(const Strings& strings) {
  int64_t text_bytes = 0;
  for (const std::string& text : strings) {
    text_bytes += static_cast<int64_t>(text.size());
  }
  const auto count = static_cast<int64_t>(strings.size());
  Bytes packed(
      static_cast<size_t>(PackedStringBytes(count, text_bytes).value()));
  StringWriter writer(packed.data(), count);
  for (const std::string& text : strings) writer.Append(text);
  return packed;
}

Strings SkipGrams(const std::string& sentence, int size, int skip, bool all) {
  OpRunner runner(ops::kSkipGram);
  runner.AddInputBytes(TensorType::kString, {1}, Pack({sentence}), {}, {}, 0,
                       false);
  runner.AddOutput(TensorType::kString);
  runner.SetOptions(schema::BuiltinOptions_SkipGramOptions, [=](auto& b) {
    return schema::CreateSkipGramOptions(b, size, skip, all);
  });
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  const StringReader reader =
      StringReader::Create(runner.tensor_of_output(0)).value();
  Strings grams;
  for (int64_t i = 0; i < reader.size(); ++i) grams.emplace_back(reader[i]);
  return grams;
}

TEST(SkipGram, ListsGramsInOrder) {
  EXPECT_EQ(SkipGrams("a b  c", 2, 0, false), (Strings{"a b", "b c"}));
  EXPECT_EQ(SkipGrams("a b c d", 2, 1, false),
            (Strings{"a b", "a c", "b c", "b d", "c d"}));
  EXPECT_EQ(SkipGrams("a b c", 3, 1, true),
            (Strings{"a b c", "a b", "a c", "a", "b c", "b", "c"}));
  EXPECT_EQ(SkipGrams("one", 1, 0, false), Strings{"one"});
  EXPECT_EQ(SkipGrams("a b", 3, 5, true), Strings{});
  EXPECT_EQ(SkipGrams("", 1, 0, true), Strings{});
}

// Of 2^64 beginnings only one can be completed.
TEST(SkipGram, BeginsNoGramThatCannotEnd) {
  std::string sentence = "w";
  for (int i = 1; i < 64; ++i) sentence += " w";
  EXPECT_EQ(SkipGrams(sentence, 64, 100, false), Strings{sentence});
}

TEST(SkipGram, StopsBeforeTheOutputOverflows) {
  std::string sentence;
  for (int i = 0; i < 64; ++i) sentence += "w ";
  OpRunner runner(ops::kSkipGram);
  runner.AddInputBytes(TensorType::kString, {1}, Pack({sentence}), {}, {}, 0,
                       false);
  runner.AddOutput(TensorType::kString);
  runner.SetOptions(schema::BuiltinOptions_SkipGramOptions, [](auto& b) {
    return schema::CreateSkipGramOptions(b, 32, 64, true);
  });
  EXPECT_THAT(runner.PrepareAndRun(),
              HasStatus(StatusCode::kResourceExhausted, "32-bit offsets"));
}

std::vector<int32_t> Project(schema::LSHProjectionType type) {
  OpRunner runner(ops::kLshProjection);
  runner.AddInput<float>({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  runner.AddInput<int64_t>({3, 2}, {1, 2, 3, 4, 5, 6});
  runner.AddInput<float>({3}, {0.5f, 1, 2});
  runner.AddOutput(TensorType::kInt32);
  runner.SetOptions(schema::BuiltinOptions_LSHProjectionOptions, [=](auto& b) {
    return schema::CreateLSHProjectionOptions(b, type);
  });
  EXPECT_THAT(runner.PrepareAndRun(), IsOk());
  return runner.output<int32_t>(0);
}

TEST(LshProjection, PacksTheBitsOfTheDenseForm) {
  const std::vector<int32_t> bits = Project(schema::LSHProjectionType_DENSE);
  const std::vector<int32_t> packed = Project(schema::LSHProjectionType_SPARSE);
  ASSERT_EQ(bits.size(), 10u);
  ASSERT_EQ(packed.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    int32_t signature = 0;
    for (size_t b = 0; b < 5; ++b) signature = 2 * signature + bits[5 * i + b];
    EXPECT_EQ(packed[i], signature + static_cast<int32_t>(i) * 32);
  }
}

}  // namespace
}  // namespace arenalite
