// write_seeds FOLDER: writes the models that fuzzing starts from.

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "model/example_model.h"
#include "model/sparse_model.h"

namespace {

bool Write(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return static_cast<bool>(file);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace arenalite::testing;
  if (argc != 2) {
    std::cerr << "usage: write_seeds FOLDER\n";
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  arenalite::ModelBuilder example = ExampleModel();
  bool ok = Write(folder + "example.tflite", example.Finish());
  example.spec().data_outside = true;
  ok = Write(folder + "outside.tflite", example.Finish()) && ok;
  ok = Write(folder + "sparse.tflite", SparseModel(SparseSpec())) && ok;
  return ok ? 0 : 1;
}
