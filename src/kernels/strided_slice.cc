// STRIDED_SLICE: begin, end and stride for each dimension, with masks.

#include <algorithm>

#include "arenalite/builtin_ops.h"
#include "kernels/copy_op.h"
#include "kernels/index_tensor.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct StridedSliceOptions {
  uint32_t begin_mask;
  uint32_t end_mask;
  uint32_t ellipsis_mask;
  uint32_t new_axis_mask;
  uint32_t shrink_axis_mask;
  bool offset;  // end counts from begin.
};

Status ParseStridedSlice(const OpSource& source, void* options) {
  auto* parsed = static_cast<StridedSliceOptions*>(options);
  const auto* table = OptionsTable<schema::StridedSliceOptions>(source);
  if (table == nullptr) return OkStatus();
  parsed->begin_mask = static_cast<uint32_t>(table->begin_mask());
  parsed->end_mask = static_cast<uint32_t>(table->end_mask());
  parsed->ellipsis_mask = static_cast<uint32_t>(table->ellipsis_mask());
  parsed->new_axis_mask = static_cast<uint32_t>(table->new_axis_mask());
  parsed->shrink_axis_mask = static_cast<uint32_t>(table->shrink_axis_mask());
  parsed->offset = table->offset();
  return OkStatus();
}

// One entry of begin, end, strides and of the masks.
struct Entry {
  bool begin_known;  // False: only the count is asked for (offset form).
  int64_t begin;
  int64_t end;
  int64_t stride;
  bool whole_begin;
  bool whole_end;
  bool shrink;
  bool offset;
};

// What an entry takes of one dimension.
struct Taken {
  int64_t start;
  int64_t count;
};

int64_t ClampToEnds(int64_t index, int64_t dim, int64_t stride) {
  const int64_t from_front = index < 0 ? index + dim : index;
  const int64_t lowest = stride > 0 ? 0 : -1;
  return std::clamp(from_front, lowest, lowest + dim);
}

// Elements at start, start + stride, ... before `length` is used up.
int64_t CountSteps(int64_t length, int64_t stride) {
  if (length == 0 || (length < 0) != (stride < 0)) return 0;
  return stride > 0 ? (length - 1) / stride + 1 : (length + 1) / stride + 1;
}

Result<Taken> TakeFromDimension(const Entry& entry, int64_t dim, int axis) {
  const int64_t stride = entry.stride;
  if (stride == 0 || stride == INT32_MIN) {
    return InvalidModelError("input 3 (strides) is ", stride, " for dimension ",
                             axis, ", allowed are numbers other than 0 and ",
                             INT32_MIN);
  }
  int64_t start = ClampToEnds(entry.begin, dim, stride);
  if (entry.whole_begin) start = stride > 0 ? 0 : dim - 1;
  int64_t count = 1;
  if (!entry.shrink) {
    int64_t end = ClampToEnds(entry.end, dim, stride);
    if (entry.whole_end) end = stride > 0 ? dim : -1;
    count = CountSteps(entry.offset ? entry.end : end - start, stride);
  }
  const int64_t last = start + (count - 1) * stride;
  if (entry.begin_known && count > 0 &&
      (std::min(start, last) < 0 || std::max(start, last) >= dim)) {
    return OutOfRangeError("takes elements ", start, "..", last,
                           " of dimension ", axis, ", allowed 0..", dim - 1);
  }
  return Taken{start, count};
}

// Walks the entries and the input's dimensions side by side.
class SliceBuilder {
 public:
  SliceBuilder(const OpContext& context, bool begin_known)
      : context_(context),
        options_(context.options<StridedSliceOptions>()),
        input_(context.input(0).shape),
        begin_known_(begin_known) {
    RowMajorSteps(input_, steps_);
  }

  Result<CopyJob> Build() {
    const int entries = static_cast<int>(context_.input(1).shape.dim(0));
    for (int i = 0; i < entries; ++i) {
      ARENALITE_RETURN_IF_ERROR(Add(i, entries));
    }
    while (dim_ < input_.rank()) ARENALITE_RETURN_IF_ERROR(TakeWhole());
    CopyJob job;
    job.shape = shape_;
    if (!begin_known_) return job;
    job.plan = MakeDenseCopyPlan({axes_, static_cast<size_t>(num_axes_)},
                                 context_.input(0).type, source_start_);
    return job;
  }

 private:
  static bool Bit(uint32_t mask, int i) { return (mask >> i) & 1; }

  // Entries from `first` on that take one dimension of the input.
  int CountDimensionEntries(int first, int entries) const {
    int count = 0;
    for (int i = first; i < entries; ++i) {
      count += !Bit(options_.ellipsis_mask | options_.new_axis_mask, i);
    }
    return count;
  }

  Status Add(int i, int entries) {
    if (Bit(options_.ellipsis_mask, i)) {
      const int rest = CountDimensionEntries(i + 1, entries);
      // Where too many entries follow, it takes one dimension.
      const int taken = input_.rank() - dim_ - rest;
      const int end = dim_ + (taken >= 0 ? taken : 1);
      while (dim_ < std::min(end, input_.rank())) {
        ARENALITE_RETURN_IF_ERROR(TakeWhole());
      }
      return OkStatus();
    }
    if (Bit(options_.new_axis_mask, i)) return AppendDimension(1);
    // The reference ignores entries that have no dimension left.
    if (dim_ >= input_.rank()) return OkStatus();
    const Entry entry = {
        begin_known_,
        begin_known_ ? ReadInteger(context_.input(1), i) : 0,
        ReadInteger(context_.input(2), i),
        ReadInteger(context_.input(3), i),
        Bit(options_.begin_mask, i),
        Bit(options_.end_mask, i),
        Bit(options_.shrink_axis_mask, i),
        options_.offset,
    };
    ARENALITE_ASSIGN_OR_RETURN(
        Taken taken, TakeFromDimension(entry, input_.dim(dim_), dim_));
    Take(taken, entry.stride);
    if (entry.shrink) return OkStatus();
    return AppendDimension(taken.count);
  }

  Status TakeWhole() {
    const int32_t dim = input_.dim(dim_);
    Take({0, dim}, 1);
    return AppendDimension(dim);
  }

  void Take(const Taken& taken, int64_t stride) {
    const int64_t step = steps_[dim_++];
    if (taken.count > 0) source_start_ += taken.start * step;
    // The stride of a single element may be any number: it is not taken.
    axes_[num_axes_++] = {taken.count, taken.count > 1 ? stride * step : 0, 0};
  }

  Status AppendDimension(int64_t count) {
    if (shape_.rank() == kMaxRank) {
      return UnimplementedError("the output would have rank ", kMaxRank + 1,
                                " or more, allowed 0..", kMaxRank);
    }
    if (count > INT32_MAX) {
      return UnimplementedError("dimension ", shape_.rank(),
                                " of the output would be ", count,
                                ", allowed 0..", INT32_MAX);
    }
    shape_.set_rank(shape_.rank() + 1);
    shape_.set_dim(shape_.rank() - 1, static_cast<int32_t>(count));
    return OkStatus();
  }

  const OpContext& context_;
  const StridedSliceOptions& options_;
  const Shape& input_;
  const bool begin_known_;
  int64_t steps_[kMaxRank];
  Shape shape_;
  CopyAxis axes_[kMaxRank];
  int num_axes_ = 0;
  int dim_ = 0;
  int64_t source_start_ = 0;
};

Result<CopyJob> ResolveStridedSlice(const OpContext& context) {
  return SliceBuilder(context, true).Build();
}

Status PrepareStridedSlice(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(4, 4, 1, 1));
  ARENALITE_RETURN_IF_ERROR(CheckSameType(context, 0, 0));
  constexpr int kMaxEntries = 31;  // Bits of a mask.
  const char* const roles[] = {"input", "begin", "end", "strides"};
  for (int i = 1; i <= 3; ++i) {
    ARENALITE_RETURN_IF_ERROR(
        CheckIndexType(context, i, roles[i], {TensorType::kInt32}));
    const Shape& shape = context.input(i).shape;
    if (shape.rank() != 1 || shape.dim(0) > kMaxEntries ||
        shape != context.input(1).shape) {
      return InvalidModelError("input ", i, " (", roles[i], ") has shape ",
                               shape.dims(), ", allowed 1-D, at most ",
                               kMaxEntries, " and as many as begin");
    }
  }
  const bool begin_known = context.HasValue(context.input(1));
  const bool count_known =
      context.HasValue(context.input(2)) && context.HasValue(context.input(3));
  if (count_known && !begin_known &&
      context.options<StridedSliceOptions>().offset) {
    ARENALITE_ASSIGN_OR_RETURN(CopyJob job,
                               SliceBuilder(context, false).Build());
    return PrepareLateCopy(context, 0, job.shape, ResolveStridedSlice);
  }
  return PrepareSelection(context, 0, begin_known && count_known,
                          ResolveStridedSlice);
}

}  // namespace

namespace ops {

const OpDefinition kStridedSlice = {
    "STRIDED_SLICE",
    schema::BuiltinOperator_STRIDED_SLICE,
    8,
    kOpDefault,
    sizeof(StridedSliceOptions),
    ParseStridedSlice,
    PrepareStridedSlice,
    nullptr,
    CopyOverlap,
};

}  // namespace ops
}  // namespace arenalite
