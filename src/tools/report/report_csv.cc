#include "tools/report/report.h"
#include "tools/report/report_view.h"

namespace arenalite {
namespace {

// RFC 4180: quotes where they are needed, doubled inside.
std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string ShapeField(const Shape& shape) {
  std::string text;
  for (int32_t dim : shape.dims()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(dim);
  }
  return text;
}

std::string Line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (!line.empty()) line += ',';
    line += Quoted(field);
  }
  return line + '\n';
}

const char* Role(const TensorReport& tensor) {
  return tensor.is_input    ? "input"
         : tensor.is_output ? "output"
         : tensor.is_kept   ? "kept"
                            : "activation";
}

std::string TensorLine(const MemoryReport& report, const TensorReport& tensor) {
  const auto storage = static_cast<size_t>(tensor.storage);
  const int32_t writer = tensor.writer_step;
  return Line({std::to_string(tensor.storage), std::to_string(tensor.subgraph),
               std::to_string(tensor.index), Role(tensor),
               TensorTypeName(tensor.type), ShapeField(tensor.shape),
               std::to_string(tensor.bytes), std::to_string(tensor.offset),
               std::to_string(report.storages[storage].bytes),
               std::to_string(tensor.first_step),
               std::to_string(tensor.last_step),
               writer < 0 ? "" : CleanText(OpOfStep(report, writer)),
               CleanText(tensor.name)});
}

std::string ScratchLine(const MemoryReport& report, size_t i) {
  const StorageReport& storage = report.storages[i];
  const std::string bytes = std::to_string(storage.bytes);
  return Line({std::to_string(i), "", "", "scratch", "", "", bytes,
               std::to_string(storage.offset), bytes,
               std::to_string(storage.first_step),
               std::to_string(storage.last_step),
               CleanText(OpOfStep(report, storage.first_step)), ""});
}

}  // namespace

std::string CsvReport(const ReportInput& input) {
  const MemoryReport& report = input.report;
  std::string text =
      "storage,subgraph,tensor,role,type,shape,bytes,offset,storage_bytes,"
      "first_step,last_step,op,name\n";
  for (size_t i = 0; i < report.storages.size(); ++i) {
    for (int32_t member : report.MembersOf(i)) {
      text += TensorLine(report, report.tensors[static_cast<size_t>(member)]);
    }
    if (report.storages[i].is_scratch) text += ScratchLine(report, i);
  }
  return text;
}

}  // namespace arenalite
