#include <new>
#include <utility>

#include "arenalite/model.h"
#include "model/file_bytes.h"
#include "model/model.h"

namespace arenalite {

struct FlatBufferModel::Rep {
  FileBytes file;
  Model model;

  // Verifies `file` and takes it.
  static Result<std::unique_ptr<FlatBufferModel>> Build(FileBytes file) {
    ARENALITE_ASSIGN_OR_RETURN(Model model, Model::Create(file.bytes()));
    std::unique_ptr<Rep> rep(new (std::nothrow) Rep{std::move(file), model});
    std::unique_ptr<FlatBufferModel> built;
    if (rep != nullptr) {
      built.reset(new (std::nothrow) FlatBufferModel(std::move(rep)));
    }
    if (built == nullptr) {
      return ResourceExhaustedError("out of memory: ", sizeof(Rep),
                                    " bytes of heap were refused");
    }
    return built;
  }
};

FlatBufferModel::FlatBufferModel(std::unique_ptr<Rep> rep)
    : rep_(std::move(rep)) {}

FlatBufferModel::~FlatBufferModel() = default;

Result<std::unique_ptr<FlatBufferModel>> FlatBufferModel::BuildFromFile(
    const char* path) {
  if (path == nullptr) return InvalidArgumentError("the path is null");
  Result<FileBytes> file = FileBytes::Open(path);
  if (!file.ok()) {
    return std::move(file).status().WithPrefix(
        {"cannot read model file '", path, "': "});
  }
  Result<std::unique_ptr<FlatBufferModel>> model = Rep::Build(std::move(*file));
  if (model.ok()) return model;
  return std::move(model).status().WithPrefix({"'", path, "': "});
}

Result<std::unique_ptr<FlatBufferModel>> FlatBufferModel::BuildFromBuffer(
    Span<const uint8_t> bytes, const BufferOptions& options) {
  if (bytes.data() == nullptr && !bytes.empty()) {
    return InvalidArgumentError("the buffer is null, its size ", bytes.size());
  }
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  if (options.copy || address % kModelAlignment != 0) {
    ARENALITE_ASSIGN_OR_RETURN(FileBytes copy, FileBytes::Copy(bytes));
    return Rep::Build(std::move(copy));
  }
  return Rep::Build(FileBytes::Borrow(bytes));
}

size_t FlatBufferModel::size() const { return rep_->file.bytes().size(); }

const char* FlatBufferModel::description() const {
  const auto* text = rep_->model.root().description();
  return text != nullptr ? text->c_str() : "";
}

const Model& FlatBufferModel::model() const { return rep_->model; }

}  // namespace arenalite
