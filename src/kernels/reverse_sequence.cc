// REVERSE_SEQUENCE: turns the first elements of each batch's sequence around.

#include <algorithm>
#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"

namespace arenalite {
namespace {

struct ReverseSequenceOptions {
  int32_t sequence_axis;
  int32_t batch_axis;
};

Status ParseReverseSequence(const OpSource& source, void* options) {
  auto* parsed = static_cast<ReverseSequenceOptions*>(options);
  const auto* table = OptionsTable<schema::ReverseSequenceOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->sequence_axis = table->seq_dim();
  parsed->batch_axis = table->batch_dim();
  return OkStatus();
}

template <class Index>
Status CheckLengths(const Tensor& lengths, int32_t longest) {
  for (int32_t i = 0; i < lengths.shape.dim(0); ++i) {
    const Index length = lengths.data_as<Index>()[i];
    if (length >= 0 && length <= longest) continue;
    return OutOfRangeError("element ", i, " of input 1 (lengths) is ", length,
                           ", allowed 0..", longest);
  }
  return OkStatus();
}

// The two axes, by their place: the input is [outer, first, middle, second]
// times `bytes`.
template <class Index>
Status EvalReverseSequence(OpContext& context) {
  const auto& options = context.options<ReverseSequenceOptions>();
  const Tensor& input = context.input(0);
  const Shape& shape = input.shape;
  if (input.bytes == 0) return OkStatus();
  const int first_axis = std::min(options.sequence_axis, options.batch_axis);
  const int second_axis = std::max(options.sequence_axis, options.batch_axis);
  const bool batch_first = options.batch_axis == first_axis;
  const int64_t outer = shape.NumElements(0, first_axis);
  const int64_t middle = shape.NumElements(first_axis + 1, second_axis);
  const int32_t first = shape.dim(first_axis);
  const int32_t second = shape.dim(second_axis);
  const int64_t bytes = shape.NumElements(second_axis + 1, shape.rank()) *
                        (TensorTypeBits(input.type) / 8);
  ARENALITE_RETURN_IF_ERROR(
      CheckLengths<Index>(context.input(1), shape.dim(options.sequence_axis)));
  const Index* lengths = context.input(1).data_as<Index>();
  const uint8_t* from = input.data_as<uint8_t>();
  uint8_t* to = context.output(0).data_as<uint8_t>();
  const auto turned = [lengths](int64_t batch, int64_t at) {
    return at < lengths[batch] ? lengths[batch] - 1 - at : at;
  };
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t i = 0; i < first; ++i) {
      for (int64_t m = 0; m < middle; ++m) {
        for (int64_t k = 0; k < second; ++k, to += bytes) {
          const int64_t source_i = batch_first ? i : turned(k, i);
          const int64_t source_k = batch_first ? turned(i, k) : k;
          const int64_t run =
              ((o * first + source_i) * middle + m) * second + source_k;
          std::memcpy(to, from + run * bytes, static_cast<size_t>(bytes));
        }
      }
    }
  }
  return OkStatus();
}

Status CheckAxes(const OpContext& context) {
  const auto& options = context.options<ReverseSequenceOptions>();
  const Shape& shape = context.input(0).shape;
  const int32_t sequence = options.sequence_axis;
  const int32_t batch = options.batch_axis;
  if (sequence < 0 || sequence >= shape.rank() || batch < 0 ||
      batch >= shape.rank() || sequence == batch) {
    return InvalidModelError("seq_dim is ", sequence, " and batch_dim ", batch,
                             ", allowed are two axes of shape ", shape.dims());
  }
  const Shape& lengths = context.input(1).shape;
  if (lengths.rank() == 1 && lengths.dim(0) == shape.dim(batch)) {
    return OkStatus();
  }
  return InvalidModelError("input 1 (lengths) has shape ", lengths.dims(),
                           ", allowed [", shape.dim(batch), "]");
}

Status PrepareReverseSequence(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  ARENALITE_RETURN_IF_ERROR(CheckIndexType(
      context, 1, "lengths", {TensorType::kInt32, TensorType::kInt64}));
  ARENALITE_RETURN_IF_ERROR(CheckAxes(context));
  if (TensorTypeBits(context.input(0).type) < 8) {
    return UnimplementedError("no kernel for input 0 of type ",
                              TensorTypeName(context.input(0).type));
  }
  context.SetEval(context.input(1).type == TensorType::kInt32
                      ? EvalReverseSequence<int32_t>
                      : EvalReverseSequence<int64_t>);
  return context.SetOutputShape(0, context.input(0).shape);
}

}  // namespace

namespace ops {

const OpDefinition kReverseSequence = {
    "REVERSE_SEQUENCE",
    schema::BuiltinOperator_REVERSE_SEQUENCE,
    1,
    kOpDefault,
    sizeof(ReverseSequenceOptions),
    ParseReverseSequence,
    PrepareReverseSequence,
    nullptr,
    nullptr,  // A sequence is read backwards.
};

}  // namespace ops
}  // namespace arenalite
