// BATCH_MATMUL: output[b] = left[b] x right[b], either side transposed on
// request (adj_x, adj_y), batch dimensions broadcast.

#include <algorithm>
#include <cmath>
#include <limits>

#include "arenalite/builtin_ops.h"
#include "kernels/dot.h"
#include "kernels/hybrid.h"
#include "kernels/options.h"
#include "kernels/overlap_cost.h"
#include "kernels/quantization.h"
#include "kernels/strided_walk.h"
#include "model_generated.h"

namespace arenalite {
namespace {

// Columns of an output row that are summed side by side, on the stack.
constexpr int64_t kBlock = 128;
constexpr int kMaxInputRank = 5;  // As the reference.

struct BatchMatMulOptions {
  bool adj_x;
  bool adj_y;
  bool asymmetric;
};

struct BatchMatMulData {
  // Batch dimensions of the output; the stride of a broadcast one is 0.
  StridedDims left_batches;
  StridedDims right_batches;
  int64_t batches;
  int64_t rows;  // Of one output matrix.
  int64_t columns;
  int64_t depth;
  bool adj_x;
  bool adj_y;
  int left_offset;  // Negated zero points.
  int right_offset;
  int32_t output_zero_point;
  QuantizedMultiplier multiplier;
  int scale_step;     // Hybrid: 0 one scale for all columns, 1 one a column.
  int gathered_row;   // Scratch: a left row that adj_x strews over columns.
  int quantized_row;  // Scratch of the hybrid kernel.

  // The kernel reads a left row whole before it writes anything of its output
  // row.
  bool takes_row;
};

Status ParseBatchMatMul(const OpSource& source, void* options) {
  const auto* table = OptionsTable<schema::BatchMatMulOptions>(source);
  if (table == nullptr) return OkStatus();
  auto* parsed = static_cast<BatchMatMulOptions*>(options);
  parsed->adj_x = table->adj_x();
  parsed->adj_y = table->adj_y();
  parsed->asymmetric = table->asymmetric_quantize_inputs();
  return OkStatus();
}

// --- Kernels: what a product, a sum and a result are -------------------------
// Start takes a left row of `depth` contiguous elements. Then either Dot with
// a column that is contiguous (adj_y), or AddRow, which adds one left element
// times a stretch of a right row to neighbouring sums. Finish gives the output.

struct FloatKernel {
  using Left = float;
  using Right = float;
  using Sum = float;
  using Output = float;
  const float* row = nullptr;

  FloatKernel(const OpContext&, const BatchMatMulData&) {}
  void Start(const float* values, int64_t) { row = values; }
  float Dot(const float* column, int64_t depth) const {
    return FloatDot(column, row, depth);
  }
  void AddRow(int64_t k, const float* values, int64_t count,
              float* sums) const {
    const float factor = row[k];
    for (int64_t i = 0; i < count; ++i) sums[i] += factor * values[i];
  }
  float Finish(float sum, int64_t) const { return sum; }
};

// 8-bit products; sums wrap around at 32 bits.
struct Int8Sums {
  using Right = int8_t;
  using Sum = int32_t;
  const int8_t* row = nullptr;
  int row_offset = 0;
  int right_offset = 0;

  int32_t Dot(const int8_t* column, int64_t depth) const {
    return static_cast<int32_t>(
        OffsetDot(column, right_offset, row, row_offset, depth));
  }
  void AddRow(int64_t k, const int8_t* values, int64_t count,
              int32_t* sums) const {
    const auto factor = static_cast<int16_t>(row[k] + row_offset);
    for (int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<int16_t>(values[i] + right_offset);
      sums[i] = static_cast<int32_t>(static_cast<uint32_t>(sums[i]) +
                                     static_cast<uint32_t>(factor * value));
    }
  }
};

template <class Output, class Sum>
Output Rescale(Sum sum, const BatchMatMulData& data) {
  const int64_t value =
      int64_t{MultiplyByQuantizedMultiplier(sum, data.multiplier)} +
      data.output_zero_point;
  return static_cast<Output>(
      std::clamp<int64_t>(value, std::numeric_limits<Output>::min(),
                          std::numeric_limits<Output>::max()));
}

struct Int8Kernel : Int8Sums {
  using Left = int8_t;
  using Output = int8_t;
  const BatchMatMulData& data;

  Int8Kernel(const OpContext&, const BatchMatMulData& d) : data(d) {
    row_offset = d.left_offset;
    right_offset = d.right_offset;
  }
  void Start(const int8_t* values, int64_t) { row = values; }
  int8_t Finish(int32_t sum, int64_t) const {
    return Rescale<int8_t>(sum, data);
  }
};

// Raw sums of raw values: zero points play no part.
struct Int8ToInt32Kernel : Int8Sums {
  using Left = int8_t;
  using Output = int32_t;

  Int8ToInt32Kernel(const OpContext&, const BatchMatMulData&) {}
  void Start(const int8_t* values, int64_t) { row = values; }
  int32_t Finish(int32_t sum, int64_t) const { return sum; }
};

// Float left rows, quantized on the fly.
struct HybridKernel : Int8Sums {
  using Left = float;
  using Output = float;
  const bool asymmetric;
  const float* scales;
  const int scale_step;
  int8_t* quantized;
  float row_scale = 1.0f;

  HybridKernel(const OpContext& context, const BatchMatMulData& d)
      : asymmetric(context.options<BatchMatMulOptions>().asymmetric),
        scales(context.input(1).quantization.scales.data()),
        scale_step(d.scale_step),
        quantized(context.scratch<int8_t>(d.quantized_row)) {
    row = quantized;
  }
  void Start(const float* values, int64_t depth) {
    const RowScale scale = QuantizeRow(values, depth, asymmetric, quantized);
    row_scale = scale.scale;
    row_offset = -scale.zero_point;
  }
  float Finish(int32_t sum, int64_t column) const {
    return row_scale * scales[column * scale_step] * static_cast<float>(sum);
  }
};

template <class R>
struct Int16Kernel {
  using Left = int16_t;
  using Right = R;
  using Sum = int64_t;
  using Output = int16_t;
  const BatchMatMulData& data;
  const int16_t* row = nullptr;

  Int16Kernel(const OpContext&, const BatchMatMulData& d) : data(d) {}
  void Start(const int16_t* values, int64_t) { row = values; }
  int64_t Dot(const R* column, int64_t depth) const {
    return OffsetDot(column, 0, row, 0, depth);
  }
  void AddRow(int64_t k, const R* values, int64_t count, int64_t* sums) const {
    const int32_t factor = row[k];
    for (int64_t i = 0; i < count; ++i) sums[i] += factor * values[i];
  }
  int16_t Finish(int64_t sum, int64_t) const {
    return Rescale<int16_t>(sum, data);
  }
};

// --- The loop nest -----------------------------------------------------------

template <class Kernel>
void SumBlock(const Kernel& kernel, const BatchMatMulData& data,
              const typename Kernel::Right* right, int64_t first, int64_t count,
              typename Kernel::Sum* sums) {
  if (data.adj_y) {
    for (int64_t i = 0; i < count; ++i) {
      sums[i] = kernel.Dot(right + (first + i) * data.depth, data.depth);
    }
    return;
  }
  std::fill_n(sums, count, typename Kernel::Sum{0});
  for (int64_t k = 0; k < data.depth; ++k) {
    kernel.AddRow(k, right + k * data.columns + first, count, sums);
  }
}

// Row `m` of a left matrix as contiguous elements.
template <class Left>
const Left* LeftRow(const OpContext& context, const BatchMatMulData& data,
                    const Left* left, int64_t m) {
  if (!data.adj_x) return left + m * data.depth;
  Left* gathered = context.scratch<Left>(data.gathered_row);
  for (int64_t k = 0; k < data.depth; ++k) {
    gathered[k] = left[k * data.rows + m];
  }
  return gathered;
}

template <class Kernel>
Status EvalBatchMatMul(OpContext& context) {
  const auto& data = context.data<BatchMatMulData>();
  const auto* left = context.input(0).data_as<typename Kernel::Left>();
  const auto* right = context.input(1).data_as<typename Kernel::Right>();
  auto* output = context.output(0).data_as<typename Kernel::Output>();
  if (data.batches * data.rows * data.columns == 0) return OkStatus();
  Kernel kernel(context, data);
  typename Kernel::Sum sums[kBlock];
  StridedWalk left_walk(data.left_batches);
  StridedWalk right_walk(data.right_batches);
  do {
    for (int64_t m = 0; m < data.rows; ++m) {
      kernel.Start(LeftRow(context, data, left + left_walk.offset(), m),
                   data.depth);
      for (int64_t n = 0; n < data.columns; n += kBlock) {
        const int64_t count = std::min(kBlock, data.columns - n);
        SumBlock(kernel, data, right + right_walk.offset(), n, count, sums);
        for (int64_t i = 0; i < count; ++i) {
          *output++ = kernel.Finish(sums[i], n + i);
        }
      }
    }
    right_walk.Next();
  } while (left_walk.Next());
  return OkStatus();
}

// --- prepare -----------------------------------------------------------------

enum class Form { kPlain, kRescaled, kHybrid };

struct KernelRow {
  TensorType left;
  TensorType right;
  TensorType output;
  Form form;
  EvalFunction eval;
};

constexpr TensorType kF32 = TensorType::kFloat32;
constexpr TensorType kI8 = TensorType::kInt8;
constexpr TensorType kI16 = TensorType::kInt16;
constexpr TensorType kI32 = TensorType::kInt32;

constexpr KernelRow kKernels[] = {
    {kF32, kF32, kF32, Form::kPlain, EvalBatchMatMul<FloatKernel>},
    {kF32, kI8, kF32, Form::kHybrid, EvalBatchMatMul<HybridKernel>},
    {kI8, kI8, kI8, Form::kRescaled, EvalBatchMatMul<Int8Kernel>},
    {kI8, kI8, kI32, Form::kPlain, EvalBatchMatMul<Int8ToInt32Kernel>},
    {kI16, kI16, kI16, Form::kRescaled, EvalBatchMatMul<Int16Kernel<int16_t>>},
    {kI16, kI8, kI16, Form::kRescaled, EvalBatchMatMul<Int16Kernel<int8_t>>},
};

Result<const KernelRow*> FindKernel(const OpContext& context) {
  const TensorType left = context.input(0).type;
  const TensorType right = context.input(1).type;
  const TensorType output = context.output(0).type;
  for (const KernelRow& row : kKernels) {
    if (row.left == left && row.right == right && row.output == output) {
      return &row;
    }
  }
  return UnimplementedError("no kernel for inputs ", TensorTypeName(left),
                            " and ", TensorTypeName(right), ", output ",
                            TensorTypeName(output));
}

// Appends one batch dimension of the output, `axis` counted from the end.
Status AddBatchDimension(const Shape& left, const Shape& right, int axis,
                         BatchMatMulData* data, Shape* output) {
  const int32_t a = axis < left.rank() ? left.dim_from_end(axis) : 1;
  const int32_t b = axis < right.rank() ? right.dim_from_end(axis) : 1;
  if (a != b && a != 1 && b != 1) {
    return InvalidModelError("input 0 has shape ", left.dims(),
                             ", input 1 has ", right.dims(),
                             ": batch dimensions do not broadcast");
  }
  const int32_t size = a == 1 ? b : a;
  const auto stride = [axis](const Shape& shape, int32_t dim) {
    return dim == 1 ? 0 : shape.NumElements(shape.rank() - axis, shape.rank());
  };
  StridedDims& l = data->left_batches;
  StridedDims& r = data->right_batches;
  l.size[l.rank] = r.size[r.rank] = size;
  l.stride[l.rank++] = stride(left, a);
  r.stride[r.rank++] = stride(right, b);
  output->set_rank(output->rank() + 1);
  output->set_dim(output->rank() - 1, size);
  return OkStatus();
}

Status PrepareShapes(OpContext& context, BatchMatMulData* data) {
  const Shape& left = context.input(0).shape;
  const Shape& right = context.input(1).shape;
  if (left.rank() < 2 || right.rank() < 2 || left.rank() > kMaxInputRank ||
      right.rank() > kMaxInputRank) {
    return InvalidModelError("inputs have shapes ", left.dims(), " and ",
                             right.dims(), ", allowed rank 2..", kMaxInputRank);
  }
  Shape output;
  for (int axis = std::max(left.rank(), right.rank()) - 1; axis >= 2; --axis) {
    ARENALITE_RETURN_IF_ERROR(
        AddBatchDimension(left, right, axis, data, &output));
  }
  data->rows = left.dim_from_end(data->adj_x ? 0 : 1);
  data->depth = left.dim_from_end(data->adj_x ? 1 : 0);
  data->columns = right.dim_from_end(data->adj_y ? 1 : 0);
  if (right.dim_from_end(data->adj_y ? 0 : 1) != data->depth) {
    return InvalidModelError("input 0 has shape ", left.dims(),
                             data->adj_x ? " transposed" : "", ", input 1 has ",
                             right.dims(), data->adj_y ? " transposed" : "",
                             ": the depths differ");
  }
  output.set_rank(output.rank() + 2);
  output.set_dim(output.rank() - 2, static_cast<int32_t>(data->rows));
  output.set_dim(output.rank() - 1, static_cast<int32_t>(data->columns));
  ARENALITE_RETURN_IF_ERROR(context.SetOutputShape(0, output));
  data->batches = output.NumElements(0, output.rank() - 2);
  return OkStatus();
}

Status PrepareRescaled(OpContext& context, BatchMatMulData* data) {
  const Tensor& left = context.input(0);
  const Tensor& right = context.input(1);
  const Tensor& output = context.output(0);
  if (right.quantization.scales.size() > 1) {
    // The reference runs these with a scale of 0: zeros, whatever the inputs.
    return UnimplementedError("input 1 is ", TensorTypeName(right.type),
                              " with ", right.quantization.scales.size(),
                              " scales, allowed 1 for an input 0 of ",
                              TensorTypeName(left.type));
  }
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(left, "input 0"));
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(right, "input 1"));
  ARENALITE_RETURN_IF_ERROR(CheckPerTensorQuantization(output, "output 0"));
  data->left_offset = -left.quantization.zero_point();
  data->right_offset = -right.quantization.zero_point();
  data->output_zero_point = output.quantization.zero_point();
  const bool wide = left.type == kI16;
  if (wide && (data->left_offset != 0 || data->right_offset != 0 ||
               data->output_zero_point != 0)) {
    return InvalidModelError("zero points are ", -data->left_offset, ", ",
                             -data->right_offset, " and ",
                             data->output_zero_point, ", allowed 0 for INT16");
  }
  const double scale =
      double{left.quantization.scale() * right.quantization.scale()} /
      output.quantization.scale();
  data->multiplier = QuantizeMultiplier(scale);
  // The 64-bit rounding takes shifts below 8 only.
  if (wide && data->multiplier.shift > 7) {
    return InvalidModelError("input scales / output scale is ", scale,
                             ", allowed below 128");
  }
  return OkStatus();
}

Status PrepareHybrid(OpContext& context, BatchMatMulData* data) {
  const Span<const float> scales = context.input(1).quantization.scales;
  const auto columns = static_cast<size_t>(data->columns);
  if (scales.empty() || (scales.size() > 1 && scales.size() != columns)) {
    return InvalidModelError("input 1 has ", scales.size(),
                             " scales, allowed 1 or ", columns);
  }
  for (float scale : scales) {
    if (scale >= 0.0f && std::isfinite(scale)) continue;
    return InvalidModelError("input 1 has scale ", scale,
                             ", allowed finite values >= 0");
  }
  data->scale_step = scales.size() > 1 ? 1 : 0;
  data->takes_row = true;
  ARENALITE_ASSIGN_OR_RETURN(data->quantized_row,
                             context.RequestScratch(data->depth));
  return OkStatus();
}

Status PrepareBatchMatMul(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_ASSIGN_OR_RETURN(const KernelRow* kernel, FindKernel(context));
  ARENALITE_ASSIGN_OR_RETURN(BatchMatMulData * data,
                             context.CreateData<BatchMatMulData>());
  const auto& options = context.options<BatchMatMulOptions>();
  data->adj_x = options.adj_x;
  data->adj_y = options.adj_y;
  ARENALITE_RETURN_IF_ERROR(PrepareShapes(context, data));
  if (data->adj_x) {
    data->takes_row = true;
    ARENALITE_ASSIGN_OR_RETURN(
        data->gathered_row,
        context.RequestScratch(data->depth * TensorTypeBits(kernel->left) / 8));
  }
  context.SetEval(kernel->eval);
  if (kernel->form == Form::kRescaled) return PrepareRescaled(context, data);
  if (kernel->form == Form::kHybrid) return PrepareHybrid(context, data);
  return OkStatus();
}

// --- overlap -----------------------------------------------------------------

// How one side is read. All in bytes, from the start of a batch's matrix.
struct Reads {
  const StridedDims* batches;
  int64_t element;
  // After output row m the side is needed from row * (m + 1) on (left), or
  // from 0 on until the last row (right: 0).
  int64_t row;
  // In the last row that reads it, after `block` columns: block * n.
  int64_t column;
  bool row_at_once;  // A whole row is read before its first output.
};

int64_t BatchOffset(const StridedDims& dims, int64_t batch) {
  int64_t offset = 0;
  for (int i = dims.rank - 1; i >= 0; --i) {
    offset += batch % dims.size[i] * dims.stride[i];
    batch /= dims.size[i];
  }
  return offset;
}

// The least (read - written) within one batch, relative to its start on both
// sides. Bounds are linear in the row and in the column, so the corners decide.
int64_t LeastInBatch(const BatchMatMulData& data, const Reads& reads,
                     int64_t element, int64_t none) {
  const int64_t written_row = data.columns * element;
  const int64_t last_block = (data.columns - 1) / kBlock * kBlock;
  int64_t least = none;
  for (int64_t m : {int64_t{0}, data.rows - 1}) {
    // Before the last block of row m.
    if (last_block > 0 && !reads.row_at_once) {
      const bool last_use = reads.row != 0 || m == data.rows - 1;
      for (int64_t n : {kBlock, last_block}) {
        const int64_t read = m * reads.row + (last_use ? n * reads.column : 0);
        least = std::min(least, read - m * written_row - n * element);
      }
    }
  }
  // After a row that is not the last.
  if (data.rows > 1) {
    for (int64_t m : {int64_t{1}, data.rows - 1}) {
      least = std::min(least, m * (reads.row - written_row));
    }
  }
  return least;
}

int64_t OverlapSide(const BatchMatMulData& data, const Reads& reads,
                    int64_t element, int64_t all) {
  const int64_t written_batch = data.rows * data.columns * element;
  const int64_t inside = LeastInBatch(data, reads, element, all);
  int64_t later = all;  // The lowest byte that batches after b read.
  int64_t distance = all;
  for (int64_t b = data.batches - 1; b >= 0; --b) {
    const int64_t written = b * written_batch;
    const int64_t start = BatchOffset(*reads.batches, b) * reads.element;
    if (inside != all) distance = std::min(distance, start + inside - written);
    if (b < data.batches - 1) {
      distance = std::min(distance, later - written - written_batch);
    }
    later = std::min(later, start);
  }
  return distance;
}

int64_t OverlapBatchMatMul(const OpContext& context, int, int input) {
  const auto& data = context.data<BatchMatMulData>();
  const Tensor& in = context.input(input);
  const int64_t si = TensorTypeBits(in.type) / 8;
  const int64_t so = TensorTypeBits(context.output(0).type) / 8;
  if (data.batches * data.rows * data.columns == 0 || data.depth == 0) {
    return in.bytes;
  }
  if (data.batches > kMostOverlapSteps) return kNoOverlap;
  if (input == 0) {
    const int64_t row = (data.adj_x ? 1 : data.depth) * si;
    return OverlapSide(data, {&data.left_batches, si, row, 0, data.takes_row},
                       so, in.bytes);
  }
  const int64_t column = (data.adj_y ? data.depth : 1) * si;
  return OverlapSide(data, {&data.right_batches, si, 0, column, false}, so,
                     in.bytes);
}

}  // namespace

namespace ops {

const OpDefinition kBatchMatMul = {
    "BATCH_MATMUL",
    schema::BuiltinOperator_BATCH_MATMUL,
    4,
    kOpDefault,
    sizeof(BatchMatMulOptions),
    ParseBatchMatMul,
    PrepareBatchMatMul,
    nullptr,
    OverlapBatchMatMul,
};

}  // namespace ops
}  // namespace arenalite
