#include "kernels/copy_plan.h"

#include <algorithm>

#include "arenalite/op_definition.h"

namespace arenalite {
namespace {

// Elements of one machine width; Unit has no alignment of its own.
template <class Unit>
void CopyUnits(const CopyPlan&, const CopyAxis& axis, const uint8_t* source,
               int64_t source_offset, uint8_t* target, int64_t target_offset) {
  source += source_offset;
  target += target_offset;
  for (int64_t i = 0; i < axis.count; ++i) {
    Unit unit;
    std::memcpy(&unit, source + i * axis.source_step, sizeof(Unit));
    std::memcpy(target + i * axis.target_step, &unit, sizeof(Unit));
  }
}

void CopyRuns(const CopyPlan& plan, const CopyAxis& axis, const uint8_t* source,
              int64_t source_offset, uint8_t* target, int64_t target_offset) {
  source += source_offset;
  target += target_offset;
  for (int64_t i = 0; i < axis.count; ++i) {
    MoveBytes(target + i * axis.target_step, source + i * axis.source_step,
              plan.run);
  }
}

void CopyNibbleRuns(const CopyPlan& plan, const CopyAxis& axis,
                    const uint8_t* source, int64_t source_offset,
                    uint8_t* target, int64_t target_offset) {
  for (int64_t i = 0; i < axis.count; ++i) {
    MoveNibbles(target, target_offset + i * axis.target_step, source,
                source_offset + i * axis.source_step, plan.run);
  }
}

CopyPlan::InnerLoop ChooseInnerLoop(const CopyPlan& plan) {
  if (plan.is_nibbles) return CopyNibbleRuns;
  switch (plan.run) {
    case 1:
      return CopyUnits<uint8_t>;
    case 2:
      return CopyUnits<uint16_t>;
    case 4:
      return CopyUnits<uint32_t>;
    case 8:
      return CopyUnits<uint64_t>;
    default:
      return CopyRuns;
  }
}

void Multiply(CopyPlan& plan, int64_t factor) {
  plan.run *= factor;
  plan.source_start *= factor;
  plan.target_start *= factor;
  for (int i = 0; i < plan.num_axes; ++i) {
    plan.axes[i].source_step *= factor;
    plan.axes[i].target_step *= factor;
  }
}

bool IsWholeBytes(const CopyPlan& nibbles) {
  int64_t bits = nibbles.run | nibbles.source_start | nibbles.target_start;
  for (int i = 0; i < nibbles.num_axes; ++i) {
    bits |= nibbles.axes[i].source_step | nibbles.axes[i].target_step;
  }
  return (bits & 1) == 0;
}

void Halve(CopyPlan& plan) {
  plan.run /= 2;
  plan.source_start /= 2;
  plan.target_start /= 2;
  for (int i = 0; i < plan.num_axes; ++i) {
    plan.axes[i].source_step /= 2;
    plan.axes[i].target_step /= 2;
  }
}

}  // namespace

CopyPlan MakeCopyPlan(Span<const CopyAxis> axes, TensorType type,
                      int64_t source_start, int64_t target_start) {
  CopyPlan plan;
  for (const CopyAxis& axis : axes) {
    if (axis.count == 0) return CopyPlan();
  }
  plan.source_start = source_start;
  plan.target_start = target_start;
  plan.run = 1;
  for (const CopyAxis& axis : axes) {
    if (axis.count == 1) continue;
    CopyAxis* outer = plan.num_axes ? &plan.axes[plan.num_axes - 1] : nullptr;
    if (outer && outer->source_step == axis.count * axis.source_step &&
        outer->target_step == axis.count * axis.target_step) {
      *outer = {outer->count * axis.count, axis.source_step, axis.target_step};
    } else {
      plan.axes[plan.num_axes++] = axis;
    }
  }
  if (plan.num_axes > 0) {
    const CopyAxis& inner = plan.axes[plan.num_axes - 1];
    if (inner.source_step == 1 && inner.target_step == 1) {
      plan.run = inner.count;
      --plan.num_axes;
    }
  }
  const int bits = TensorTypeBits(type);
  if (bits == 0) return plan;
  if (bits >= 8) {
    Multiply(plan, bits / 8);
  } else if (IsWholeBytes(plan)) {
    Halve(plan);
  } else {
    plan.is_nibbles = true;
  }
  plan.inner = ChooseInnerLoop(plan);
  return plan;
}

CopyPlan MakeDenseCopyPlan(Span<CopyAxis> axes, TensorType type,
                           int64_t source_start) {
  int64_t step = 1;
  for (size_t i = axes.size(); i-- > 0;) {
    axes[i].target_step = step;
    step *= axes[i].count;
  }
  return MakeCopyPlan(axes, type, source_start);
}

void RowMajorSteps(const Shape& shape, int64_t steps[kMaxRank]) {
  int64_t step = 1;
  for (int i = shape.rank(); i-- > 0;) {
    steps[i] = step;
    step *= shape.dim(i);
  }
}

void RunCopyPlan(const CopyPlan& plan, const void* source, void* target) {
  const auto* from = static_cast<const uint8_t*>(source);
  auto* to = static_cast<uint8_t*>(target);
  ForEachInnerAxis(plan, [&](const CopyAxis& axis, int64_t s, int64_t t) {
    plan.inner(plan, axis, from, s, to, t);
  });
}

int64_t CopyDistance(const CopyPlan& plan, int64_t source_bytes) {
  // A half byte that is written lies in one byte with others still unread.
  if (plan.is_nibbles) return kNoOverlap;
  if (plan.run == 0) return source_bytes;
  // source - target offset is linear in the loop counters: its minimum over
  // the box of all runs lies in a corner.
  int64_t lowest = 0;
  int64_t smallest_step = source_bytes;
  for (int i = 0; i < plan.num_axes; ++i) {
    const CopyAxis& axis = plan.axes[i];
    const int64_t step = axis.source_step - axis.target_step;
    if (step < 0) lowest += (axis.count - 1) * step;
    smallest_step = std::min(smallest_step, step);
  }
  // Nothing is written before the first run when it starts the target: then
  // the runs next to it count.
  const bool first_counts = plan.target_start > 0 || lowest < 0;
  const int64_t distance = plan.source_start - plan.target_start +
                           (first_counts ? lowest : smallest_step);
  return std::min(distance, source_bytes);
}

void MoveNibbles(uint8_t* target, int64_t target_offset, const uint8_t* source,
                 int64_t source_offset, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t s = source_offset + i;
    const int64_t t = target_offset + i;
    const int nibble = (s & 1) ? source[s / 2] >> 4 : source[s / 2] & 15;
    if (t & 1) {
      target[t / 2] = static_cast<uint8_t>(target[t / 2] | (nibble << 4));
    } else {
      target[t / 2] = static_cast<uint8_t>(nibble);
    }
  }
}

}  // namespace arenalite
