#include "kernels/broadcast.h"

#include <algorithm>
#include <cstring>

namespace arenalite {
namespace {

// The dimension `d` from the end, 1 where the shape has none.
int32_t DimFromEnd(const Shape& shape, int d) {
  return d < shape.rank() ? shape.dim_from_end(d) : 1;
}

Status NotBroadcastable(Span<const Shape* const> shapes) {
  const Shape& last = *shapes[shapes.size() - 1];
  if (shapes.size() == 3) {
    return InvalidModelError("inputs of shapes ", shapes[0]->dims(), ", ",
                             shapes[1]->dims(), " and ", last.dims(),
                             " do not broadcast: dimensions from the last on "
                             "must be equal or 1");
  }
  return InvalidModelError("inputs of shapes ", shapes[0]->dims(), " and ",
                           last.dims(),
                           " do not broadcast: dimensions from the last on "
                           "must be equal or 1");
}

Result<Shape> BroadcastShape(Span<const Shape* const> shapes) {
  Shape output;
  for (const Shape* shape : shapes) {
    output.set_rank(std::max(output.rank(), shape->rank()));
  }
  for (int d = 0; d < output.rank(); ++d) {
    int32_t extent = 1;
    for (const Shape* shape : shapes) {
      const int32_t dim = DimFromEnd(*shape, d);
      if (dim == 1 || dim == extent) continue;
      if (extent != 1) return NotBroadcastable(shapes);
      extent = dim;
    }
    output.set_dim(output.rank() - 1 - d, extent);
  }
  // Two inputs that fit into memory may broadcast to more than 2^63 elements.
  return Shape::Create(output.dims());
}

// True when loop `d` of the output continues the loop inside of it: every
// input that varies in the one varies in the other.
bool Continues(Span<const Shape* const> shapes, int d, int inside) {
  for (const Shape* shape : shapes) {
    if ((DimFromEnd(*shape, d) == 1) != (DimFromEnd(*shape, inside) == 1)) {
      return false;
    }
  }
  return true;
}

template <class T>
void FillWith(const void* element, int64_t count, void* to) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  T* out = static_cast<T*>(to);
  for (int64_t i = 0; i < count; ++i) out[i] = value;
}

struct Bytes16 {
  uint64_t halves[2];
};

// Fills `to` with `count` copies of an element of 1, 2, 4, 8 or 16 bytes.
void Replicate(const void* element, int64_t bytes, int64_t count, void* to) {
  switch (bytes) {
    case 1:
      return FillWith<uint8_t>(element, count, to);
    case 2:
      return FillWith<uint16_t>(element, count, to);
    case 4:
      return FillWith<uint32_t>(element, count, to);
    case 8:
      return FillWith<uint64_t>(element, count, to);
    default:
      return FillWith<Bytes16>(element, count, to);
  }
}

}  // namespace

Result<Broadcast> MakeBroadcast(Span<const Shape* const> inputs) {
  Broadcast result;
  ARENALITE_ASSIGN_OR_RETURN(result.output, BroadcastShape(inputs));
  result.num_inputs = static_cast<int>(inputs.size());
  if (result.output.NumElements() == 0) return result;
  result.run = 1;
  result.runs = 1;
  int64_t elements[kMaxBroadcastInputs] = {1, 1, 1};  // Inside of dimension d.
  int inside = -1;  // The last dimension that became a loop.
  for (int d = 0; d < result.output.rank(); ++d) {
    const int32_t extent = result.output.dim_from_end(d);
    if (extent == 1) continue;
    int64_t* loop = &result.run;
    if (inside >= 0 && Continues(inputs, d, inside)) {
      if (result.num_outer > 0) loop = &result.extent[result.num_outer - 1];
    } else if (inside >= 0) {
      loop = &result.extent[result.num_outer++];
      *loop = 1;
    }
    *loop *= extent;
    if (loop != &result.run) result.runs *= extent;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const int32_t dim = DimFromEnd(*inputs[i], d);
      if (dim == 1) continue;
      if (loop == &result.run) {
        result.run_stride[i] = 1;
      } else if (*loop == extent) {
        result.stride[i][result.num_outer - 1] = elements[i];
      }
      elements[i] *= dim;
    }
    inside = d;
  }
  return result;
}

int64_t BroadcastDistance(const Broadcast& broadcast, int input,
                          int64_t input_bytes, int64_t output_bytes) {
  // A single block gathers all it needs: nothing limits the distance. The
  // input's size stands for that, and is never the smaller of the terms below
  // once there is a second step.
  int64_t elements = broadcast.run_stride[input] != 0 ? broadcast.run : 1;
  for (int d = 0; d < broadcast.num_outer; ++d) {
    if (broadcast.stride[input][d] != 0) elements *= broadcast.extent[d];
  }
  int64_t distance = elements * input_bytes;
  const int64_t last_block = (broadcast.run - 1) / kBroadcastBlock;
  if (broadcast.run_stride[input] != 0 && last_block > 0) {
    const int64_t growth = kBroadcastBlock * (input_bytes - output_bytes);
    distance = std::min(growth, growth * last_block);
  }
  // From the inside out: `distance` holds for one iteration of loop d, during
  // which `written` bytes come out. Reads of iteration k start k * stride
  // later, or at the same place when the input is re-read.
  int64_t written = broadcast.run * output_bytes;
  for (int d = 0; d < broadcast.num_outer; ++d) {
    const int64_t last = broadcast.extent[d] - 1;
    const int64_t growth = broadcast.stride[input][d] * input_bytes - written;
    if (broadcast.stride[input][d] == 0) {
      // Before the last iteration begins, the next read is again the first.
      distance = std::min<int64_t>(distance, 0) + growth * last;
    } else {
      distance = std::min(distance + std::min<int64_t>(0, growth * last),
                          std::min(growth, growth * last));
    }
    written *= broadcast.extent[d];
  }
  return distance;
}

void RunCursor::Next() {
  ++run_;
  for (int d = 0; d < broadcast_.num_outer; ++d) {
    const bool wraps = ++index_[d] == broadcast_.extent[d];
    for (int i = 0; i < broadcast_.num_inputs; ++i) {
      const int64_t stride = broadcast_.stride[i][d];
      at_[i] += wraps ? stride * (1 - broadcast_.extent[d]) : stride;
    }
    if (!wraps) return;
    index_[d] = 0;
  }
}

void RunBroadcast(const BroadcastLoop& loop, const void* const* inputs,
                  void* output) {
  const Broadcast& broadcast = loop.broadcast;
  // A block of copies of each input that does not vary in a run.
  alignas(16) uint8_t copies[kMaxBroadcastInputs][kBroadcastBlock * 16];
  const int64_t copy_count = std::min<int64_t>(broadcast.run, kBroadcastBlock);
  uint8_t* out = static_cast<uint8_t*>(output);
  for (RunCursor cursor(broadcast); !cursor.done(); cursor.Next()) {
    const void* at[kMaxBroadcastInputs];
    for (int i = 0; i < broadcast.num_inputs; ++i) {
      const int64_t bytes = loop.input_bytes[i];
      at[i] = static_cast<const uint8_t*>(inputs[i]) + cursor.input(i) * bytes;
      if (broadcast.run_stride[i] != 0) continue;
      Replicate(at[i], bytes, copy_count, copies[i]);
      at[i] = copies[i];
    }
    for (int64_t done = 0; done < broadcast.run; done += kBroadcastBlock) {
      const int64_t count =
          std::min<int64_t>(broadcast.run - done, kBroadcastBlock);
      loop.block(loop.functor, at, out, static_cast<int>(count));
      out += count * loop.output_bytes;
      for (int i = 0; i < broadcast.num_inputs; ++i) {
        if (broadcast.run_stride[i] == 0) continue;
        at[i] =
            static_cast<const uint8_t*>(at[i]) + count * loop.input_bytes[i];
      }
    }
  }
}

BroadcastLoop MakeUnaryLoop(const Shape& shape, int64_t input_bytes,
                            int64_t output_bytes) {
  BroadcastLoop loop;
  loop.broadcast.output = shape;
  loop.broadcast.num_inputs = 1;
  loop.broadcast.run = shape.NumElements();
  loop.broadcast.runs = loop.broadcast.run == 0 ? 0 : 1;
  loop.broadcast.run_stride[0] = 1;
  loop.input_bytes[0] = input_bytes;
  loop.output_bytes = output_bytes;
  return loop;
}

Status EvalBroadcast(OpContext& context) {
  const auto& loop = context.data<BroadcastLoop>();
  const void* inputs[kMaxBroadcastInputs];
  for (int i = 0; i < loop.broadcast.num_inputs; ++i) {
    inputs[i] = context.input(i).data;
  }
  RunBroadcast(loop, inputs, context.output(0).data);
  return OkStatus();
}

int64_t BroadcastOverlap(const OpContext& context, int, int input) {
  const auto& loop = context.data<BroadcastLoop>();
  if (loop.broadcast.runs == 0) return 0;
  // Strings are read at the places that their offsets name.
  if (loop.input_bytes[input] == 0) return kNoOverlap;
  return BroadcastDistance(loop.broadcast, input, loop.input_bytes[input],
                           loop.output_bytes);
}

}  // namespace arenalite
