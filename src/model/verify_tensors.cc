#include <utility>

#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

Status VerifyType(const schema::Tensor& tensor) {
  const int type = tensor.type();
  if (type < schema::TensorType_MIN || type > schema::TensorType_MAX) {
    return InvalidModelError("type ", type, ", allowed ",
                             static_cast<int>(schema::TensorType_MIN), "..",
                             static_cast<int>(schema::TensorType_MAX));
  }
  return OkStatus();
}

// The file's shape, where 1 stands for an extent that is known only at run time
// (-1 in the signature).
Result<Shape> VerifyShape(const schema::Tensor& tensor) {
  const Span<const int32_t> dims = ToSpan(tensor.shape());
  const Span<const int32_t> signature = ToSpan(tensor.shape_signature());
  if (dims.size() > kMaxRank) {
    return UnimplementedError("rank ", dims.size(), ", supported 0..",
                              kMaxRank);
  }
  if (!signature.empty() && signature.size() != dims.size()) {
    return InvalidModelError("shape signature ", signature, " and shape ", dims,
                             " differ in rank");
  }
  for (size_t i = 0; i < signature.size(); ++i) {
    if (signature[i] != -1 && signature[i] != dims[i]) {
      return InvalidModelError("dimension ", i, " of shape signature ",
                               signature, " is ", signature[i],
                               ", allowed -1 or that of shape ", dims);
    }
  }
  Result<Shape> shape = Shape::Create(dims);
  if (!shape.ok()) return InvalidModelError(shape.message());
  if (TensorTypeBits(static_cast<TensorType>(tensor.type())) != 0) {
    Result<int64_t> bytes =
        TensorBytes(static_cast<TensorType>(tensor.type()), *shape);
    if (!bytes.ok()) return InvalidModelError(bytes.message());
  }
  return shape;
}

Status VerifyData(Verification& v, const schema::Tensor& tensor,
                  const Shape& shape) {
  const auto type = static_cast<TensorType>(tensor.type());
  if (tensor.is_variable() && TensorTypeBits(type) == 0) {
    return InvalidModelError("is a variable of type ", TensorTypeName(type),
                             ", allowed are types with elements of fixed size");
  }
  const Span<const uint8_t> data = v.model().BufferData(tensor.buffer());
  if (tensor.sparsity() != nullptr) {
    return VerifySparsity(v, tensor, shape, data.size());
  }
  if (data.empty()) return OkStatus();
  if (tensor.is_variable()) {
    return InvalidModelError("is a variable and has ", data.size(),
                             " bytes of data in buffer ", tensor.buffer());
  }
  if (type == TensorType::kString) {
    return VerifyStrings(v, data, shape.NumElements());
  }
  if (TensorTypeBits(type) == 0) {
    return InvalidModelError("has ", data.size(), " bytes of data, ",
                             TensorTypeName(type), " tensors have none");
  }
  ARENALITE_ASSIGN_OR_RETURN(const int64_t bytes, TensorBytes(type, shape));
  if (static_cast<uint64_t>(bytes) != data.size()) {
    return InvalidModelError("buffer ", tensor.buffer(), " has ", data.size(),
                             " bytes, ", TensorTypeName(type), " of shape ",
                             shape.dims(), " needs ", bytes);
  }
  return OkStatus();
}

Status VerifyTensor(Verification& v, const schema::SubGraph& subgraph,
                    const schema::Tensor& tensor) {
  ARENALITE_RETURN_IF_ERROR(v.Charge(tensor.name()));
  ARENALITE_RETURN_IF_ERROR(VerifyType(tensor));
  ARENALITE_ASSIGN_OR_RETURN(const Shape shape, VerifyShape(tensor));
  const uint32_t buffers = SizeOf(v.root().buffers());
  if (tensor.buffer() != 0 && tensor.buffer() >= buffers) {
    return InvalidModelError("buffer ", tensor.buffer(), ", the file has ",
                             buffers, " buffers");
  }
  if (tensor.external_buffer() != 0) {
    return UnimplementedError("data in another file (external buffer ",
                              tensor.external_buffer(),
                              "), only data in the model file is supported");
  }
  ARENALITE_RETURN_IF_ERROR(VerifyData(v, tensor, shape));
  return VerifyQuantization(v, subgraph, tensor, shape);
}

}  // namespace

Status VerifyTensors(Verification& v, const schema::SubGraph& subgraph) {
  const uint32_t count = SizeOf(subgraph.tensors());
  for (uint32_t i = 0; i < count; ++i) {
    const schema::Tensor& tensor = *subgraph.tensors()->Get(i);
    Status status = VerifyTensor(v, subgraph, tensor);
    if (!status.ok()) {
      return std::move(status).WithPrefix({"tensor ", TextPiece(i).view(), " '",
                                           MessageName(tensor.name()), "': "});
    }
  }
  return OkStatus();
}

}  // namespace arenalite
