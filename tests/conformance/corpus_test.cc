// Runs the models of a conformance corpus and compares with their stored
// outputs. Exit code 0: none is wrong, and all of the must-pass list passed.
// --all-options also runs each model in every configuration that must not
// change a bit of its outputs, and in a buffer of exactly the bytes it needs.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "conformance/command_line.h"
#include "conformance/csv.h"
#include "conformance/must_pass.h"

namespace arenalite {
namespace conformance {
namespace {

struct Golden {
  std::vector<CaseTensor> inputs;
  std::vector<CaseTensor> outputs;
};

TensorType TypeFromName(const std::string& name) {
  for (int type = 0; type < 32; ++type) {
    if (name == TensorTypeName(static_cast<TensorType>(type))) {
      return static_cast<TensorType>(type);
    }
  }
  return static_cast<TensorType>(-1);
}

// "1x224x224x3" or "scalar".
std::vector<int32_t> DimsFromText(const std::string& text) {
  std::vector<int32_t> dims;
  std::istringstream parts(text == "scalar" ? "" : text);
  for (std::string part; std::getline(parts, part, 'x');) {
    dims.push_back(std::stoi(part));
  }
  return dims;
}

// The files kind_0.bin, kind_1.bin, ... of a folder without an io.csv.
std::vector<CaseTensor> ReadUntyped(const std::string& folder,
                                    const std::string& kind) {
  std::vector<CaseTensor> tensors;
  CaseTensor tensor;
  tensor.typed = false;
  while (ReadFile(
      folder + "/" + kind + "_" + std::to_string(tensors.size()) + ".bin",
      &tensor.data)) {
    tensors.push_back(tensor);
  }
  return tensors;
}

// False where a file is missing. A model without stored data has no folder.
bool ReadGolden(const std::string& folder, Golden* golden) {
  std::vector<CsvRow> rows;
  if (!ReadCsv(folder + "/io.csv", &rows)) {
    golden->inputs = ReadUntyped(folder, "input");
    golden->outputs = ReadUntyped(folder, "output");
    return !std::filesystem::exists(folder) || !golden->outputs.empty();
  }
  for (CsvRow& row : rows) {
    CaseTensor tensor;
    tensor.type = TypeFromName(row["type"]);
    tensor.dims = DimsFromText(row["shape"]);
    const std::string path =
        folder + "/" + row["kind"] + "_" + row["index"] + ".bin";
    if (!ReadFile(path, &tensor.data)) return false;
    const bool is_input = row["kind"] == "input";
    (is_input ? golden->inputs : golden->outputs).push_back(std::move(tensor));
  }
  return true;
}

// How close each output has to be: as the corpus' README says.
std::vector<Tolerance> Tolerances(CsvRow& row, size_t outputs) {
  std::vector<Tolerance> tolerances(outputs);
  std::istringstream numbers(row["ref_vs_opt_max_abs"]);
  const bool exact = row["source"] == "ref" || row["source"] == "upstream";
  for (Tolerance& tolerance : tolerances) {
    if (!(numbers >> tolerance.absolute)) tolerance.absolute = 0.0;
    tolerance.steps = exact ? 0 : 1;
  }
  return tolerances;
}

std::string DescribeMemory(const MemoryUsage& usage) {
  return "arena " + std::to_string(usage.arena_bytes) + " (persistent " +
         std::to_string(usage.persistent_bytes) + "), bound " +
         std::to_string(usage.lower_bound_bytes) + ", without overlap " +
         std::to_string(usage.liveness_bound_bytes) + ", naive " +
         std::to_string(usage.naive_bytes);
}

Judgement JudgeOutputs(CsvRow& row, const Golden& golden,
                       const RunResult& result) {
  if (row["status"] != "ok") {
    // The reference refuses it: so may we, or run it.
    return {Verdict::kPass, result.ok() ? "" : "refused: " + result.message};
  }
  if (!result.ok()) return JudgeFailure(result);
  if (golden.outputs.empty()) return {};
  if (golden.outputs.size() != result.outputs.size()) {
    return {Verdict::kWrong, "another number of outputs"};
  }
  const std::vector<Tolerance> tolerances =
      Tolerances(row, golden.outputs.size());
  for (size_t i = 0; i < golden.outputs.size(); ++i) {
    const std::string reason =
        Compare(golden.outputs[i], result.outputs[i], tolerances[i]);
    if (!reason.empty()) {
      return {Verdict::kWrong, "output " + std::to_string(i) + ": " + reason};
    }
  }
  return {};
}

struct Configuration {
  const char* name;
  RunOptions options;
};

std::vector<Configuration> Configurations() {
  std::vector<Configuration> list(7);
  list[0].name = "preserve_all_tensors";
  list[0].options.interpreter.preserve_all_tensors = true;
  list[1].name = "allow_input_reuse";
  list[1].options.interpreter.allow_input_reuse = true;
  list[2].name = "alignment 1";
  list[2].options.interpreter.alignment = 1;
  list[3].name = "alignment 64";
  list[3].options.interpreter.alignment = 64;
  list[4].name = "no overlap";
  list[4].options.interpreter.allow_overlap = false;
  list[5].name = "poison";
  list[5].options.interpreter.poison_memory = true;
  list[5].options.interpreter.allow_input_reuse = true;
  list[6].name = "second Invoke";
  list[6].options.repetitions = 1;
  return list;
}

bool SameOutputs(const RunResult& a, const RunResult& b) {
  const auto same = [](const CaseTensor& x, const CaseTensor& y) {
    return x.dims == y.dims && x.data == y.data;
  };
  return a.ok() && b.ok() &&
         std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(),
                    b.outputs.end(), same);
}

// The model in a caller's buffer of `bytes`.
RunResult RunInBuffer(const FlatBufferModel& model, const Golden& golden,
                      size_t bytes) {
  constexpr size_t kAlignment = 64;
  std::vector<uint8_t> memory(bytes + kAlignment);
  const auto address = reinterpret_cast<uintptr_t>(memory.data());
  uint8_t* start = memory.data() + (kAlignment - address % kAlignment);
  RunOptions options;
  options.interpreter.arena_buffer = Span<uint8_t>(start, bytes);
  return RunModel(model, golden.inputs, options);
}

// Every configuration against `expected`, the default one's result.
Judgement JudgeConfigurations(const FlatBufferModel& model,
                              const Golden& golden, const RunResult& expected) {
  for (const Configuration& c : Configurations()) {
    const RunResult result = RunModel(model, golden.inputs, c.options);
    if (SameOutputs(expected, result)) continue;
    return {Verdict::kWrong, std::string("differs with ") + c.name + ": " +
                                 (result.ok() ? "outputs" : result.message)};
  }
  const auto need = static_cast<size_t>(expected.usage.arena_bytes);
  if (need == 0) return {};
  const RunResult exact = RunInBuffer(model, golden, need);
  if (!SameOutputs(expected, exact)) {
    return {Verdict::kWrong,
            "differs in a buffer of arena_used_bytes(): " + exact.message};
  }
  const RunResult less = RunInBuffer(model, golden, need - 1);
  if (less.ok() || less.code != StatusCode::kResourceExhausted) {
    return {Verdict::kWrong,
            "a buffer one byte too small gives: " + less.message};
  }
  return {};
}

class Corpus {
 public:
  explicit Corpus(const CommandLine& line)
      : line_(line), tally_(line.verbose) {}

  int Run() {
    std::vector<CsvRow> rows;
    if (!ReadCsv(line_.folder + "/golden/index.csv", &rows)) {
      std::fprintf(stderr, "%s/golden/index.csv: cannot be read\n",
                   line_.folder.c_str());
      return 1;
    }
    for (CsvRow& row : rows) {
      if (row["key"].find(line_.filter) == std::string::npos) continue;
      std::string detail;
      const Judgement judgement = RunOne(row, &detail);
      tally_.Add(row["key"], judgement, detail);
      if (judgement.verdict == Verdict::kPass) passed_.insert(row["key"]);
    }
    const int missing = CheckMustPass();
    tally_.PrintTotal("corpus");
    return tally_.wrong() == 0 && missing == 0 ? 0 : 1;
  }

 private:
  Judgement RunOne(CsvRow& row, std::string* detail) {
    const std::string& key = row["key"];
    Golden golden;
    if (!ReadGolden(line_.folder + "/golden/" + key, &golden)) {
      return {Verdict::kError, "stored inputs or outputs cannot be read"};
    }
    const std::string path = line_.folder + "/models/" + key + ".tflite";
    Result<std::unique_ptr<FlatBufferModel>> model =
        FlatBufferModel::BuildFromFile(path.c_str());
    RunResult result;
    if (model.ok()) {
      result = RunModel(**model, golden.inputs, RunOptions());
    } else {
      result.code = model.code();
      result.message = model.message();
    }
    if (result.ok()) *detail = DescribeMemory(result.usage);
    const Judgement judgement = JudgeOutputs(row, golden, result);
    if (judgement.verdict != Verdict::kPass || !line_.all_options ||
        !result.ok()) {
      return judgement;
    }
    return JudgeConfigurations(**model, golden, result);
  }

  // Models of the list that were asked for and did not pass.
  int CheckMustPass() {
    MustPass list = LoadMustPass();
    int missing = 0;
    for (const std::string& key : list.models) {
      if (key.find(line_.filter) == std::string::npos) continue;
      if (passed_.count(key) != 0) continue;
      ++missing;
      std::printf("REGRESSION  %s must pass\n", key.c_str());
    }
    if (line_.update) {
      list.models.insert(passed_.begin(), passed_.end());
      if (!SaveMustPass(list)) ++missing;
    }
    return missing;
  }

  const CommandLine& line_;
  Tally tally_;
  std::set<std::string> passed_;
};

}  // namespace
}  // namespace conformance
}  // namespace arenalite

int main(int argc, char** argv) {
  const auto line =
      arenalite::conformance::ParseCommandLine(argc, argv, "--corpus", "");
  if (!line.ok) return line.exit_code;
  return arenalite::conformance::Corpus(line).Run();
}
