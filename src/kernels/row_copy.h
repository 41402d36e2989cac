// Rows picked by indices: what GATHER and GATHER_ND do once they know which.
//
// A Source has `Status ForEachRow(visit) const`: it calls visit(row) with the
// number of each row of the output, in order; row r is the elements
// [r * size, (r + 1) * size) of the input. It refuses indices out of bounds.
// `Status CheckIndices() const` does that alone, and looks at each index once,
// however many rows of the output it stands for.

#ifndef ARENALITE_KERNELS_ROW_COPY_H_
#define ARENALITE_KERNELS_ROW_COPY_H_

#include <algorithm>

#include "arenalite/op_definition.h"
#include "kernels/copy_plan.h"
#include "kernels/index_tensor.h"
#include "kernels/overlap_cost.h"
#include "kernels/string_tensor.h"

namespace arenalite {

// use(Index()) for the type of indices that CheckGatherInputs allows.
template <class Use>
auto WithIndexType(TensorType type, Use use) {
  switch (type) {
    case TensorType::kInt16:
      return use(int16_t{});
    case TensorType::kInt32:
      return use(int32_t{});
    default:
      return use(int64_t{});
  }
}

// What GATHER and GATHER_ND ask of their nodes: rows, then indices.
inline Status CheckGatherInputs(const OpContext& context, int least_bits) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "indices",
      {TensorType::kInt32, TensorType::kInt64, TensorType::kInt16}));
  const TensorType type = context.input(0).type;
  if (TensorTypeBits(type) >= least_bits || type == TensorType::kString) {
    return OkStatus();
  }
  return UnimplementedError("input 0 is ", TensorTypeName(type),
                            ", allowed are types of at least ", least_bits,
                            " bits and STRING");
}

template <class Source>
Status CopyRows(const Source& source, int64_t row_bytes, const Tensor& input,
                Tensor& output) {
  if (output.bytes == 0) return OkStatus();
  const auto* from = input.data_as<uint8_t>();
  auto* to = output.data_as<uint8_t>();
  return source.ForEachRow([&](int64_t row) {
    MoveBytes(to, from + row * row_bytes, row_bytes);
    to += row_bytes;
  });
}

// For INT4 rows of an odd number of elements.
template <class Source>
Status CopyNibbleRows(const Source& source, int64_t row_elements,
                      const Tensor& input, Tensor& output) {
  if (output.bytes == 0) return OkStatus();
  int64_t target = 0;
  return source.ForEachRow([&](int64_t row) {
    MoveNibbles(output.data_as<uint8_t>(), target, input.data_as<uint8_t>(),
                row * row_elements, row_elements);
    target += row_elements;
  });
}

// eval of a string output of a shape that is known.
template <class Source>
Status CopyStringRows(const Source& source, int64_t row_elements,
                      const Tensor& input, const Shape& shape,
                      OpContext& context) {
  ARENALITE_ASSIGN_OR_RETURN(StringReader strings, StringReader::Create(input));
  ARENALITE_ASSIGN_OR_RETURN(const int64_t count, CountStrings(shape));
  int64_t text_bytes = 0;
  if (count > 0) {
    ARENALITE_RETURN_IF_ERROR(source.ForEachRow([&](int64_t row) {
      for (int64_t i = 0; i < row_elements; ++i) {
        text_bytes +=
            static_cast<int64_t>(strings[row * row_elements + i].size());
      }
    }));
  }
  ARENALITE_ASSIGN_OR_RETURN(int64_t bytes,
                             PackedStringBytes(count, text_bytes));
  ARENALITE_RETURN_IF_ERROR(context.ResizeOutput(0, shape, bytes));
  StringWriter writer(context.output(0).data, count);
  if (count == 0) return OkStatus();
  return source.ForEachRow([&](int64_t row) {
    for (int64_t i = 0; i < row_elements; ++i) {
      writer.Append(strings[row * row_elements + i]);
    }
  });
}

// The distance for the rows' tensor when the indices can be read, and name
// `rows` rows: the smallest source - target offset. The first row, which
// nothing was written before, counts too: a bit too strict.
template <class Source>
int64_t RowDistance(const Source& source, int64_t rows, int64_t row_bytes,
                    int64_t input_bytes) {
  if (rows > kMostOverlapSteps) return kNoOverlap;
  int64_t distance = input_bytes;
  int64_t target_row = 0;
  const Status status = source.ForEachRow([&](int64_t row) {
    distance = std::min(distance, (row - target_row++) * row_bytes);
  });
  return status.ok() ? distance : kNoOverlap;
}

// The distance for the indices' tensor when each of `rows` rows reads
// `index_bytes` of it, in order, just before it is written.
inline int64_t IndexDistance(int64_t rows, int64_t index_bytes,
                             int64_t row_bytes) {
  const int64_t step = index_bytes - row_bytes;
  if (rows <= 1) return rows * index_bytes;  // Anywhere.
  return step >= 0 ? step : (rows - 1) * step;
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_ROW_COPY_H_
