// Writes the models that reports have to cope with: write_models DIR.

#include <cstdio>
#include <string>
#include <vector>

#include "writer/model_builder.h"

namespace arenalite {
namespace {

// Names that would be markup, script, CSV or template if they were not escaped;
// and an operator that nobody has a kernel for.
ModelBuilder HostileModel() {
  const auto type = TensorType::kFloat32;
  ModelBuilder b;
  const int x = b.AddInput("<!--<script>", type, {1, 8, 8, 2});
  const int a =
      b.AddTensor("</script><img src=x onerror=\"document.title='owned'\">",
                  type, {1, 8, 8, 2});
  const int c = b.AddTensor("'\"><svg onload=document.title='owned'>{{data}}",
                            type, {1, 8, 8, 2});
  const int d = b.AddTensor("\xFF\xFE broken, \"quoted\"\nsecond line", type,
                            {1, 8, 8, 2});
  const int e = b.AddTensor("", type, {1, 8, 8, 2});
  const int y =
      b.AddTensor("]]></noscript></style><b>&amp;", type, {1, 8, 8, 2});
  b.AddCustomOp("<b>no\nkernel</b>", {x}, {a});
  b.AddOp(schema::BuiltinOperator_RELU, {a}, {c});
  b.AddOp(schema::BuiltinOperator_TANH, {c}, {d});
  b.AddOp(schema::BuiltinOperator_MAXIMUM, {c, d}, {e});
  b.AddOp(schema::BuiltinOperator_MAXIMUM, {a, e}, {y});
  b.SetOutputs({y});
  return b;
}

void AddBranch(ModelBuilder& b, const char* name, int ops) {
  b.AddSubgraph(name);
  int x = b.AddInput("x", TensorType::kFloat32, {64});
  for (int i = 0; i < ops; ++i) {
    const int y = b.AddTensor("y", TensorType::kFloat32, {64});
    b.AddOp(schema::BuiltinOperator_TANH, {x}, {y});
    x = y;
  }
  b.SetOutputs({x});
}

// A branch, a variable, a view, scratch, and tensors whose shapes depend on
// data: `unique` has a largest one, `range` has none.
ModelBuilder KindsModel() {
  ModelBuilder b;
  const int choose = b.AddInput("choose", TensorType::kBool, {1});
  const int x = b.AddInput("x", TensorType::kFloat32, {64});
  const int numbers = b.AddInput("numbers", TensorType::kInt32, {32});
  b.AddVariable("state", TensorType::kFloat32, {64});
  const int chosen = b.AddTensor("chosen", TensorType::kFloat32, {64});
  const int shape = b.AddConstant<int32_t>("shape", {2}, {8, 8});
  const int view = b.AddTensor("view", TensorType::kFloat32, {8, 8});
  const int y = b.AddTensor("y", TensorType::kFloat32, {8, 8});
  const int limit = b.AddInput("limit", TensorType::kInt32, {});
  const int zero = b.AddConstant<int32_t>("zero", {}, {0});
  const int one = b.AddConstant<int32_t>("one", {}, {1});
  const int range = b.AddTensor("range", TensorType::kInt32, {1});
  const int unique = b.AddTensor("unique", TensorType::kInt32, {32});
  const int places = b.AddTensor("places", TensorType::kInt32, {32});
  b.AddOp(schema::BuiltinOperator_IF, {choose, x}, {chosen},
          [](auto& fbb) { return schema::CreateIfOptions(fbb, 1, 2); });
  b.AddOp(schema::BuiltinOperator_RESHAPE, {chosen, shape}, {view});
  b.AddOp(schema::BuiltinOperator_TANH, {view}, {y});
  b.AddOp(schema::BuiltinOperator_UNIQUE, {numbers}, {unique, places},
          [](auto& fbb) {
            return schema::CreateUniqueOptions(fbb, schema::TensorType_INT32);
          });
  b.AddOp(schema::BuiltinOperator_RANGE, {zero, limit, one}, {range});
  b.SetOutputs({y, unique, places, range});
  AddBranch(b, "then", 3);
  AddBranch(b, "else", 1);
  b.SetCurrentSubgraph(0);
  return b;
}

// No op: its input is its output.
ModelBuilder EmptyModel() {
  ModelBuilder b;
  b.SetOutputs({b.AddInput("x", TensorType::kFloat32, {3})});
  return b;
}

bool Write(const std::string& path, const ModelBuilder& builder) {
  const std::vector<uint8_t> bytes = builder.Finish();
  FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool all =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && all;
}

}  // namespace
}  // namespace arenalite

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  const bool written =
      arenalite::Write(folder + "hostile <b>&'.tflite",
                       arenalite::HostileModel()) &&
      arenalite::Write(folder + "kinds.tflite", arenalite::KindsModel()) &&
      arenalite::Write(folder + "empty.tflite", arenalite::EmptyModel());
  return written ? 0 : 1;
}
