#include "graph/build_tensor.h"

#include <utility>

#include "model/flatbuffer_span.h"

namespace arenalite {
namespace {

using ZeroPoints = flatbuffers::Vector<int64_t>;

// Null where the tensor has none.
const ZeroPoints* ZeroPointsOf(const schema::Tensor& tensor) {
  return tensor.quantization() == nullptr ? nullptr
                                          : tensor.quantization()->zero_point();
}

bool IsAligned(const ZeroPoints* zero_points) {
  return reinterpret_cast<uintptr_t>(zero_points->Data()) % alignof(int64_t) ==
         0;
}

Result<Span<const int64_t>> BuildZeroPoints(const schema::Tensor& from,
                                            SubgraphInfo& subgraph) {
  const ZeroPoints* zero_points = ZeroPointsOf(from);
  if (zero_points == nullptr) return Span<const int64_t>();
  if (IsAligned(zero_points)) {
    return Span<const int64_t>(
        reinterpret_cast<const int64_t*>(zero_points->Data()),
        zero_points->size());
  }
  Array<int64_t> aligned;
  ARENALITE_RETURN_IF_ERROR(aligned.Resize(zero_points->size()));
  for (uint32_t i = 0; i < zero_points->size(); ++i) {
    aligned[i] = ReadInt64(zero_points, i);
  }
  // The elements stay where they are when the array moves.
  const Span<const int64_t> view(aligned);
  ARENALITE_RETURN_IF_ERROR(
      subgraph.aligned_zero_points.Append(std::move(aligned)));
  return view;
}

Result<Quantization> BuildQuantization(const schema::Tensor& from,
                                       SubgraphInfo& subgraph) {
  Quantization quantization;
  if (from.quantization() == nullptr) return quantization;
  quantization.scales = ToSpan(from.quantization()->scale());
  quantization.quantized_dimension = from.quantization()->quantized_dimension();
  ARENALITE_ASSIGN_OR_RETURN(quantization.zero_points,
                             BuildZeroPoints(from, subgraph));
  return quantization;
}

}  // namespace

Status AppendTensor(const Model& model, const schema::Tensor& from,
                    SubgraphInfo& subgraph) {
  TensorInfo info;
  info.name = ToCString(from.name());
  info.type = static_cast<TensorType>(from.type());
  ARENALITE_ASSIGN_OR_RETURN(info.shape, Shape::Create(ToSpan(from.shape())));
  info.shape_signature = ToSpan(from.shape_signature());
  ARENALITE_ASSIGN_OR_RETURN(info.quantization,
                             BuildQuantization(from, subgraph));
  info.sparsity = from.sparsity();
  info.is_variable = from.is_variable();
  info.data = model.BufferData(from.buffer());
  info.has_data = !info.data.empty();
  return subgraph.tensors.Append(info);
}

}  // namespace arenalite
