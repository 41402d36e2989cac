// CopyPlan: a nest of loops that moves runs of bytes. All operators that only
// rearrange their input are one: slices, transposes, tiles, pads.

#ifndef ARENALITE_KERNELS_COPY_PLAN_H_
#define ARENALITE_KERNELS_COPY_PLAN_H_

#include <cstdint>
#include <cstring>

#include "arenalite/span.h"
#include "arenalite/tensor.h"

namespace arenalite {

// One loop: how often, and how far source and target move each time.
struct CopyAxis {
  int64_t count;
  int64_t source_step;
  int64_t target_step;
};

// Steps, starts and runs are in bytes; in half bytes (and `is_nibbles`) where
// an INT4 run does not begin or end at a byte; in elements for strings.
// Runs follow one another in the target from low to high addresses; a run is
// read whole before it is written.
struct CopyPlan {
  static constexpr int kMaxAxes = 2 * kMaxRank;

  using InnerLoop = void (*)(const CopyPlan& plan, const CopyAxis& axis,
                             const uint8_t* source, int64_t source_offset,
                             uint8_t* target, int64_t target_offset);

  CopyAxis axes[kMaxAxes] = {};  // Outermost first; every count > 1.
  int num_axes = 0;
  int64_t run = 0;  // 0: nothing to copy.
  int64_t source_start = 0;
  int64_t target_start = 0;
  bool is_nibbles = false;
  InnerLoop inner = nullptr;  // Null for strings.
};

// The plan that copies one element of `type` for each point of `axes`
// (outermost first; at most kMaxAxes with count != 1), all numbers in elements.
// Joins axes to runs as long as possible.
CopyPlan MakeCopyPlan(Span<const CopyAxis> axes, TensorType type,
                      int64_t source_start = 0, int64_t target_start = 0);

// The same for a target without gaps; sets the target steps of `axes`.
CopyPlan MakeDenseCopyPlan(Span<CopyAxis> axes, TensorType type,
                           int64_t source_start = 0);

// The steps, in elements, between neighbours along each dimension.
void RowMajorSteps(const Shape& shape, int64_t steps[kMaxRank]);

// Copies. A run whose addresses are equal is left alone.
void RunCopyPlan(const CopyPlan& plan, const void* source, void* target);

// The distance D (see DESIGN, "Overlap") of a kernel that writes every target
// byte in order and reads each run just before it writes it. As target
// offsets grow, the tightest moment for a run is just before it is read, with
// everything below its own target offset written: D is the smallest
// source - target offset over all runs that something was written before.
// Source bytes and beyond mean the same, "anywhere", and are returned as
// `source_bytes`.
int64_t CopyDistance(const CopyPlan& plan, int64_t source_bytes);

// Copies n bytes as if through a buffer. The short cases read all they need
// into registers first.
inline void MoveBytes(uint8_t* target, const uint8_t* source, int64_t n) {
  const auto move_ends = [&](auto low, auto high) {
    constexpr int64_t kBytes = sizeof(low);
    std::memcpy(&low, source, kBytes);
    std::memcpy(&high, source + n - kBytes, kBytes);
    std::memcpy(target, &low, kBytes);
    std::memcpy(target + n - kBytes, &high, kBytes);
  };
  if (n > 16) {
    if (target != source) std::memmove(target, source, static_cast<size_t>(n));
  } else if (n >= 8) {
    move_ends(uint64_t{}, uint64_t{});
  } else if (n >= 4) {
    move_ends(uint32_t{}, uint32_t{});
  } else if (n >= 2) {
    move_ends(uint16_t{}, uint16_t{});
  } else if (n == 1) {
    *target = *source;
  }
}

// Copies n half bytes, in order. The target's half bytes before
// `target_offset` are complete, those from it on are free to be written.
void MoveNibbles(uint8_t* target, int64_t target_offset, const uint8_t* source,
                 int64_t source_offset, int64_t n);

// Calls visit(axis, source_offset, target_offset) for each pass of the
// innermost axis, in target order.
template <class Visit>
void ForEachInnerAxis(const CopyPlan& plan, Visit visit) {
  if (plan.run == 0) return;
  const int outer = plan.num_axes > 0 ? plan.num_axes - 1 : 0;
  const CopyAxis inner =
      plan.num_axes > 0 ? plan.axes[outer] : CopyAxis{1, 0, 0};
  int64_t index[CopyPlan::kMaxAxes] = {};
  int64_t source = plan.source_start;
  int64_t target = plan.target_start;
  for (;;) {
    visit(inner, source, target);
    int i = outer - 1;
    for (; i >= 0; --i) {
      const CopyAxis& axis = plan.axes[i];
      if (++index[i] < axis.count) {
        source += axis.source_step;
        target += axis.target_step;
        break;
      }
      source -= (axis.count - 1) * axis.source_step;
      target -= (axis.count - 1) * axis.target_step;
      index[i] = 0;
    }
    if (i < 0) return;
  }
}

// Calls visit(source_offset, target_offset) for each run, in target order.
template <class Visit>
void ForEachRun(const CopyPlan& plan, Visit visit) {
  ForEachInnerAxis(plan, [&](const CopyAxis& axis, int64_t s, int64_t t) {
    for (int64_t i = 0; i < axis.count; ++i) {
      visit(s + i * axis.source_step, t + i * axis.target_step);
    }
  });
}

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_COPY_PLAN_H_
