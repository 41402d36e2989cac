// write_seeds FOLDER [CASES...]: writes what fuzzing starts from, one folder
// for each kind of input: FOLDER/{model,csv,plan}. CASES are files of a
// conformance corpus whose models serve as well.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "arenalite/plan_file.h"
#include "conformance/case_reader.h"
#include "fuzz/fuzz_problem.h"
#include "model/example_model.h"
#include "model/sparse_model.h"
#include "testing/seed_models.h"

namespace {

using namespace arenalite::testing;

class Folder {
 public:
  explicit Folder(const std::filesystem::path& path) : path_(path) {
    std::filesystem::create_directories(path);
  }
  void Write(const std::string& name, const void* data, size_t size) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(static_cast<const char*>(data),
               static_cast<std::streamsize>(size));
    if (!file) throw std::runtime_error("cannot write " + name);
  }
  void Write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    Write(name, bytes.data(), bytes.size());
  }

 private:
  std::filesystem::path path_;
};

void WriteModels(const Folder& folder) {
  arenalite::ModelBuilder example = ExampleModel();
  folder.Write("example.tflite", example.Finish());
  example.spec().data_outside = true;
  folder.Write("outside.tflite", example.Finish());
  folder.Write("sparse.tflite", SparseModel(SparseSpec()));
  for (const SeedModel& seed : SeedModels()) {
    folder.Write(seed.name + ".tflite", seed.file);
  }
}

void WriteCaseModels(const Folder& folder, const std::string& path) {
  constexpr size_t kMaxSize = 8 << 10;
  const std::string stem = std::filesystem::path(path).stem().string();
  std::string error;
  int count = 0;
  for (const auto& one : arenalite::conformance::ReadCases(path, &error)) {
    if (one.model.size() > kMaxSize || count == 20) continue;
    folder.Write(stem + std::to_string(count++) + ".tflite", one.model);
  }
  if (!error.empty()) throw std::runtime_error(error);
}

void WritePlan(const Folder& folder) {
  using namespace arenalite;
  const FuzzProblem problem;
  const Span<const BufferRequest> requests(problem.requests);
  const Span<const AllowedOverlap> overlaps(problem.overlaps);
  const auto plan = PlanMemory(requests, overlaps, PlanOptions());
  const auto file = SavePlan(requests, overlaps, *plan);
  folder.Write("plan.bin", file->data(), file->size());
}

void WriteCsv(const Folder& folder) {
  for (const std::string text :
       {"id,lower,upper,size\n0,0,2,100\n1,1,3,50\n",
        "size,id,upper,lower,offset,alignment\n8,a,2,0,,4\n9,b,3,1,8,\n"}) {
    folder.Write(std::to_string(text.size()) + ".csv", text.data(),
                 text.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: write_seeds FOLDER [CASES...]\n";
    return 2;
  }
  try {
    const std::filesystem::path root = argv[1];
    const Folder models(root / "model");
    WriteModels(models);
    for (int i = 2; i < argc; ++i) WriteCaseModels(models, argv[i]);
    WritePlan(Folder(root / "plan"));
    WriteCsv(Folder(root / "csv"));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
  return 0;
}
