#include "lifetime/lifetimes.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;

// A timeline in a few lines. Tensors are planned unless told otherwise.
class TimelineBuilder {
 public:
  int Tensor(int64_t bytes) {
    TimelineTensor tensor;
    tensor.bytes = bytes;
    tensor.planned = true;
    EXPECT_THAT(timeline.tensors.Append(tensor), IsOk());
    return static_cast<int>(timeline.tensors.size()) - 1;
  }
  int Input(int64_t bytes) {
    const int index = Tensor(bytes);
    timeline.tensors.back().is_input = true;
    return index;
  }
  int Output(int64_t bytes) {
    const int index = Tensor(bytes);
    timeline.tensors.back().is_output = true;
    return index;
  }
  void Op(std::vector<int> reads, std::vector<int> writes,
          std::vector<OverlapClaim> claims = {},
          std::vector<int64_t> scratch = {}) {
    for (int tensor : reads) EXPECT_THAT(timeline.reads.Append(tensor), IsOk());
    for (int tensor : writes) {
      EXPECT_THAT(timeline.writes.Append(tensor), IsOk());
    }
    for (const OverlapClaim& claim : claims) {
      EXPECT_THAT(timeline.claims.Append(claim), IsOk());
    }
    for (int64_t bytes : scratch) {
      EXPECT_THAT(timeline.scratch_bytes.Append(bytes), IsOk());
    }
    TimelineStep step;
    step.reads_end = static_cast<int32_t>(timeline.reads.size());
    step.writes_end = static_cast<int32_t>(timeline.writes.size());
    step.claims_end = static_cast<int32_t>(timeline.claims.size());
    step.scratch_end = static_cast<int32_t>(timeline.scratch_bytes.size());
    EXPECT_THAT(timeline.steps.Append(step), IsOk());
  }
  void InPlace(int input, int output) {
    Op({input}, {output}, {{output, input, 0}});
  }
  void View(int input, int output) {
    Alias(input, output, AliasKind::kView, 0);
  }
  // A step that copies, where `from` and `to` may share their bytes.
  void Alias(int from, int to, AliasKind kind, int region_begin) {
    EXPECT_THAT(timeline.aliases.Append(
                    {timeline.num_steps(), from, to, kind, region_begin}),
                IsOk());
    Op({from}, {to}, {{to, from, 0}});
  }
  Lifetimes Compute(LifetimeOptions options = {}) {
    options.alignment = 1;
    return ComputeLifetimes(timeline, options).value();
  }
  int64_t PlannedBytes(LifetimeOptions options = {}) {
    const Lifetimes lifetimes = Compute(options);
    Result<MemoryPlan> plan =
        PlanMemory(Span<const BufferRequest>(lifetimes.requests),
                   Span<const AllowedOverlap>(lifetimes.overlaps), {});
    EXPECT_THAT(
        CheckPlan(Span<const BufferRequest>(lifetimes.requests),
                  Span<const AllowedOverlap>(lifetimes.overlaps), plan.value()),
        IsOk());
    return plan->total_bytes;
  }

  Timeline timeline;
};

// True when the storage of `output` may start on that of `input`.
bool MayOverlap(const Lifetimes& lifetimes, int output, int input) {
  const auto storage = [&](int t) {
    return lifetimes.storage_of[static_cast<size_t>(t)];
  };
  for (const AllowedOverlap& overlap : lifetimes.overlaps) {
    if (overlap.output == storage(output) && overlap.input == storage(input)) {
      return true;
    }
  }
  return false;
}

// step   0   1   2   end
// in     xxx                 1   (input reuse: dies at its read)
// a      xxxxxxx             2
// b          xxxxxxx         2
// out            xxxxxxx     1
TEST(Lifetimes, ChainTakesItsTwoLargestNeighbours) {
  constexpr int64_t kMegabyte = 1 << 20;
  TimelineBuilder b;
  const int in = b.Input(1 * kMegabyte);
  const int x = b.Tensor(2 * kMegabyte);
  const int y = b.Tensor(2 * kMegabyte);
  const int out = b.Output(1 * kMegabyte);
  b.Op({in}, {x});
  b.Op({x}, {y});
  b.Op({y}, {out});
  LifetimeOptions reuse;
  reuse.allow_input_reuse = true;
  EXPECT_EQ(b.PlannedBytes(reuse), 4 * kMegabyte);
  EXPECT_EQ(b.PlannedBytes(), 5 * kMegabyte);
  LifetimeOptions all;
  all.preserve_all = true;
  EXPECT_EQ(b.PlannedBytes(all), 6 * kMegabyte);
}

// t2 = view(t1), t3 = view(t2), t4 = view(t2), t5 = in-place(t3); t4, t5 read.
TEST(Lifetimes, OverwriteAsksTheWholeStorage) {
  TimelineBuilder b;
  const int t0 = b.Input(8);
  const int t1 = b.Tensor(8);
  const int t2 = b.Tensor(8);
  const int t3 = b.Tensor(8);
  const int t4 = b.Tensor(8);
  const int t5 = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({t0}, {t1});
  b.View(t1, t2);
  b.View(t2, t3);
  b.View(t2, t4);
  b.InPlace(t3, t5);
  b.Op({t4, t5}, {out});
  const Lifetimes lifetimes = b.Compute();
  EXPECT_EQ(lifetimes.storage_of[1], lifetimes.storage_of[4]);
  EXPECT_FALSE(MayOverlap(lifetimes, t5, t3));
}

// x + z -> a, view(a) -> v, in-place(v) -> m, then a is read again.
TEST(Lifetimes, AReadOfTheRootStopsOverwritingItsView) {
  TimelineBuilder b;
  const int x = b.Input(8);
  const int z = b.Input(8);
  const int a = b.Tensor(8);
  const int v = b.Tensor(8);
  const int m = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({x, z}, {a}, {{a, x, 0}, {a, z, 0}});
  b.View(a, v);
  b.InPlace(v, m);
  b.Op({a, m}, {out}, {{out, a, 0}, {out, m, 0}});
  const Lifetimes lifetimes = b.Compute();
  EXPECT_FALSE(MayOverlap(lifetimes, m, v));
  EXPECT_FALSE(MayOverlap(lifetimes, a, x));  // Inputs are pinned.
  EXPECT_TRUE(MayOverlap(lifetimes, out, a));
  EXPECT_TRUE(MayOverlap(lifetimes, out, m));
}

// A residual add whose input another branch reads again keeps it.
TEST(Lifetimes, ResidualAddKeepsAnInputThatIsReadAgain) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int x = b.Tensor(8);
  const int y = b.Tensor(8);
  const int sum = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({in}, {x});
  b.Op({x}, {y});
  b.Op({x, y}, {sum}, {{sum, x, 0}, {sum, y, 0}});
  b.Op({sum, x}, {out});
  const Lifetimes lifetimes = b.Compute();
  EXPECT_FALSE(MayOverlap(lifetimes, sum, x));
  EXPECT_TRUE(MayOverlap(lifetimes, sum, y));
}

// x * view(x): the smaller of the two numbers holds for the one storage.
TEST(Lifetimes, MembersOfOneStorageLowerItsOverlap) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int x = b.Tensor(8);
  const int v = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({in}, {x});
  b.View(x, v);
  b.Op({x, v}, {out}, {{out, x, 0}, {out, v, -6}});
  const Lifetimes lifetimes = b.Compute();
  ASSERT_EQ(lifetimes.overlaps.size(), 1u);
  EXPECT_EQ(lifetimes.overlaps[0].bytes, 2);
}

TEST(Lifetimes, AMemberWithoutAClaimForbidsOverlap) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int x = b.Tensor(8);
  const int v = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({in}, {x});
  b.View(x, v);
  b.Op({x, v}, {out}, {{out, x, 0}});
  EXPECT_TRUE(b.Compute().overlaps.empty());
}

TEST(Lifetimes, AViewBetweenInputAndOutputIsACopy) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int v = b.Tensor(8);
  const int out = b.Output(8);
  b.View(in, v);
  b.View(v, out);
  const Lifetimes lifetimes = b.Compute();
  EXPECT_EQ(lifetimes.storage_of[0], lifetimes.storage_of[1]);
  EXPECT_NE(lifetimes.storage_of[1], lifetimes.storage_of[2]);
}

TEST(Lifetimes, TensorsElsewhereAndUnusedOnesTakeNothing) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int constant = b.Tensor(100);
  b.timeline.tensors.back().planned = false;
  const int unused = b.Tensor(50);
  const int out = b.Output(8);
  b.Op({in, constant}, {out});
  const Lifetimes lifetimes = b.Compute();
  EXPECT_EQ(lifetimes.storage_of[static_cast<size_t>(constant)], -1);
  EXPECT_EQ(lifetimes.storage_of[static_cast<size_t>(unused)], -1);
  EXPECT_EQ(b.PlannedBytes(), 16);
}

TEST(Lifetimes, ScratchLivesForItsStepAndOverlapsNothing) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int x = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({in}, {x}, {}, {24});
  b.Op({x}, {out}, {{out, x, 0}});
  const Lifetimes lifetimes = b.Compute();
  ASSERT_EQ(lifetimes.requests.size(), 4u);
  EXPECT_EQ(lifetimes.num_storages, 3);
  EXPECT_EQ(lifetimes.requests[3].first_step, 0);
  EXPECT_EQ(lifetimes.requests[3].last_step, 0);
  EXPECT_EQ(b.PlannedBytes(), 8 + 8 + 24);
}

TEST(Lifetimes, AnUnreadOutputLivesForItsStep) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int unread = b.Tensor(8);
  const int out = b.Output(8);
  b.Op({in}, {unread});
  b.Op({in}, {out});
  const Lifetimes lifetimes = b.Compute();
  const auto storage =
      static_cast<size_t>(lifetimes.storage_of[static_cast<size_t>(unread)]);
  EXPECT_EQ(lifetimes.requests[storage].first_step, 0);
  EXPECT_EQ(lifetimes.requests[storage].last_step, 0);
  EXPECT_EQ(b.PlannedBytes(), 16);
}

TEST(Lifetimes, KeptTensorsLiveToTheEnd) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int x = b.Tensor(8);
  const int y = b.Tensor(8);
  const int out = b.Output(8);
  b.InPlace(in, x);
  b.InPlace(x, y);
  b.InPlace(y, out);
  EXPECT_EQ(b.PlannedBytes(), 16);  // Input, and one place for the chain.
  b.timeline.tensors[static_cast<size_t>(x)].kept = true;
  EXPECT_EQ(b.PlannedBytes(), 24);
}

// An output that is ready long before the end, and read by a later op.
TEST(Lifetimes, GraphOutputsLiveToTheEnd) {
  TimelineBuilder b;
  const int in = b.Input(8);
  const int early = b.Output(8);
  const int x = b.Tensor(8);
  const int late = b.Output(8);
  b.Op({in}, {early});
  b.InPlace(early, x);
  b.Op({x}, {late});
  const Lifetimes lifetimes = b.Compute();
  const auto storage =
      static_cast<size_t>(lifetimes.storage_of[static_cast<size_t>(early)]);
  EXPECT_EQ(lifetimes.requests[storage].last_step, 3);
  EXPECT_FALSE(MayOverlap(lifetimes, x, early));
}

// A branch computes x and ends with it; its view y is an output of the graph.
// The other branch must not write the bytes of y, so z needs bytes of its own.
TEST(Lifetimes, ABranchResultWithAVisibleViewIsACopy) {
  for (bool visible : {false, true}) {
    TimelineBuilder b;
    const int in = b.Input(8);
    const int x = b.Tensor(8);
    const int y = b.Tensor(8);
    b.timeline.tensors.back().is_output = visible;
    const int z = b.Tensor(8);
    const int out = b.Output(8);
    b.Op({in}, {x});
    b.View(x, y);
    b.Alias(x, z, AliasKind::kBranchResult, 0);
    b.Op({z}, {out});
    const Lifetimes lifetimes = b.Compute();
    const auto storage = [&](int t) {
      return lifetimes.storage_of[static_cast<size_t>(t)];
    };
    EXPECT_EQ(storage(x), storage(y));
    EXPECT_EQ(storage(x) == storage(z), !visible);
  }
}

TEST(Lifetimes, RoundsSizesAndRefusesOverflow) {
  TimelineBuilder b;
  const int in = b.Input(100);
  b.timeline.tensors.back().alignment = 4;
  const int out = b.Output(INT64_MAX - 3);
  b.Op({in}, {out});
  LifetimeOptions options;
  options.alignment = 64;
  EXPECT_EQ(ComputeLifetimes(b.timeline, options).code(),
            StatusCode::kResourceExhausted);
  b.timeline.tensors.back().bytes = 1;
  const Lifetimes lifetimes = ComputeLifetimes(b.timeline, options).value();
  EXPECT_EQ(lifetimes.requests[0].size, 128);
  EXPECT_EQ(lifetimes.requests[1].size, 64);
  EXPECT_EQ(lifetimes.requests[0].alignment, 64);
}

}  // namespace
}  // namespace arenalite
