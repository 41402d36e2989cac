#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "arenalite/model.h"
#include "model/example_model.h"
#include "model/model.h"
#include "testing/matchers.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#include <unistd.h>

#include <thread>
#endif

namespace arenalite {
namespace testing {
namespace {

using Bytes = std::vector<uint8_t>;

Span<const uint8_t> View(const Bytes& bytes) {
  return Span<const uint8_t>(bytes);
}

// A file of the test's own, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const Bytes& bytes)
      : path_(::testing::TempDir() + "arenalite_model_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".tflite") {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const char* path() const { return path_.c_str(); }

 private:
  std::string path_;
};

TEST(BuildFromFile, LoadsAModel) {
  const Bytes bytes = ExampleModel().Finish();
  const TemporaryFile file(bytes);
  const auto model = FlatBufferModel::BuildFromFile(file.path());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ((*model)->size(), bytes.size());
  EXPECT_STREQ((*model)->description(), "arenalite");
  EXPECT_EQ((*model)->model().root().subgraphs()->size(), 3u);
}

TEST(BuildFromFile, NamesPathAndReason) {
  const auto build = FlatBufferModel::BuildFromFile;
  EXPECT_THAT(build(nullptr),
              HasStatus(StatusCode::kInvalidArgument, "path is null"));
  const auto missing = build("/nonexistent/m.tflite");
  EXPECT_THAT(missing, HasStatus(StatusCode::kNotFound,
                                 "'/nonexistent/m.tflite': No such file"));
  const std::string directory = ::testing::TempDir();
  EXPECT_THAT(build(directory.c_str()),
              HasStatus(StatusCode::kIo, directory.c_str()));
  const TemporaryFile empty({});
  EXPECT_THAT(
      build(empty.path()),
      HasStatus(StatusCode::kInvalidModel, "0 bytes found, at least 8 needed"));
  EXPECT_THAT(build(empty.path()),
              HasStatus(StatusCode::kInvalidModel, empty.path()));
}

#if defined(__unix__) || defined(__APPLE__)
TEST(BuildFromFile, ReadsWhatCannotBeMapped) {
  const std::string pipe = ::testing::TempDir() + "arenalite_pipe";
  std::remove(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Bytes bytes = ExampleModel().Finish();
  bytes.resize(200000);  // More than one read; what trails is ignored.
  std::thread writer([&] {
    std::ofstream(pipe, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  });
  const auto model = FlatBufferModel::BuildFromFile(pipe.c_str());
  writer.join();
  std::remove(pipe.c_str());
  ASSERT_THAT(model, IsOk());
  EXPECT_EQ((*model)->size(), bytes.size());
}

TEST(BuildFromFile, RefusesWhatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFile file(ExampleModel().Finish());
  ASSERT_EQ(chmod(file.path(), 0), 0);
  EXPECT_THAT(FlatBufferModel::BuildFromFile(file.path()),
              HasStatus(StatusCode::kIo, "Permission denied"));
}
#endif

TEST(BuildFromBuffer, BorrowsAlignedBytesAndCopiesOthers) {
  const Bytes file = ExampleModel().Finish();
  Bytes memory(file.size() + 32);
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  for (size_t shift = 0; shift < 16; ++shift) {
    uint8_t* start = memory.data() + (16 - address % 16) + shift;
    std::copy(file.begin(), file.end(), start);
    const Span<const uint8_t> bytes(start, file.size());
    FlatBufferModel::BufferOptions options;
    for (const bool copy : {false, true}) {
      options.copy = copy;
      const auto model = FlatBufferModel::BuildFromBuffer(bytes, options);
      ASSERT_THAT(model, IsOk()) << "shift " << shift;
      const uint8_t* used = (*model)->model().bytes().data();
      EXPECT_EQ(used == start, shift == 0 && !copy);
    }
  }
}

TEST(BuildFromBuffer, SaysWhatIsNoModel) {
  const auto build = [](const Bytes& bytes) {
    return FlatBufferModel::BuildFromBuffer(View(bytes));
  };
  const auto kInvalid = StatusCode::kInvalidModel;
  EXPECT_THAT(FlatBufferModel::BuildFromBuffer({}),
              HasStatus(kInvalid, "0 bytes found, at least 8 needed"));
  EXPECT_THAT(FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(nullptr, 9)),
              HasStatus(StatusCode::kInvalidArgument, "null"));
  EXPECT_THAT(build({1, 2, 3}), HasStatus(kInvalid, "3 bytes found"));
  EXPECT_THAT(build({'P', 'K', 3, 4, 'A', 'B', 'C', ' ', 0}),
              HasStatus(kInvalid,
                        "9 bytes with file identifier 'ABC ', needed 'TFL3'"));
  EXPECT_THAT(build({0, 0, 0, 0, 0, 0xFF, 0x1A, 0}),
              HasStatus(kInvalid, "file identifier 0x00FF1A00, needed"));
  EXPECT_THAT(
      build({99, 0, 0, 0, 'T', 'F', 'L', '3'}),
      HasStatus(kInvalid, "root table is at byte 99, the file ends at 8"));
  ModelBuilder old = ExampleModel();
  old.spec().version = 2;
  EXPECT_THAT(build(old.Finish()),
              HasStatus(kInvalid, "schema version 2, allowed 3"));
}

TEST(BuildFromBuffer, FindsDataBehindTheFlatBuffer) {
  ModelBuilder b = ExampleModel();
  b.spec().data_outside = true;
  Bytes file = b.Finish();
  const auto whole = FlatBufferModel::BuildFromBuffer(View(file));
  ASSERT_THAT(whole, IsOk());
  const Model& model = (*whole)->model();
  const auto data = model.BufferData(b.tensor(kW).buffer);
  EXPECT_EQ(Bytes(data.begin(), data.end()), (Bytes{1, 0xFE, 3, 0xFC}));
  EXPECT_TRUE(model.BufferData(0).empty());

  // The last of it is what the custom op brings.
  file.pop_back();
  EXPECT_THAT(
      FlatBufferModel::BuildFromBuffer(View(file)),
      HasStatus(StatusCode::kInvalidModel, "reach past the end of the file"));
}

}  // namespace
}  // namespace testing
}  // namespace arenalite
