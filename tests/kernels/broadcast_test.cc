#include "kernels/broadcast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;

Result<Broadcast> Make(const std::vector<Shape>& shapes) {
  std::vector<const Shape*> pointers;
  for (const Shape& shape : shapes) pointers.push_back(&shape);
  return MakeBroadcast(Span<const Shape* const>(pointers));
}

// The input element that an output element reads, by the definition.
int64_t ReadElement(const Shape& input, const Shape& output, int64_t element) {
  int64_t read = 0;
  int64_t stride = 1;
  for (int d = 0; d < output.rank(); ++d) {
    const int32_t at = static_cast<int32_t>(element % output.dim_from_end(d));
    element /= output.dim_from_end(d);
    if (d >= input.rank()) continue;
    if (input.dim_from_end(d) != 1) read += at * stride;
    stride *= input.dim_from_end(d);
  }
  return read;
}

// Up to `count` shapes that broadcast together, some of them of lower rank.
std::vector<Shape> RandomShapes(int count, std::mt19937& random) {
  const int rank = static_cast<int>(random() % 5);
  std::vector<Shape> shapes(static_cast<size_t>(count));
  for (Shape& shape : shapes) shape.set_rank(rank);
  for (int d = 0; d < rank; ++d) {
    const int32_t dim = random() % 8 == 0 ? 70 : 1 + random() % 4;
    for (Shape& shape : shapes) {
      shape.set_dim(d, random() % 3 == 0 ? 1 : dim);
    }
  }
  return shapes;
}

TEST(Broadcast, VisitsEveryElementOnceWithItsInputs) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const std::vector<Shape> shapes = RandomShapes(3, random);
    auto made = Make(shapes);
    ASSERT_THAT(made, IsOk());
    int64_t next = 0;
    for (RunCursor cursor(*made); !cursor.done(); cursor.Next()) {
      ASSERT_EQ(cursor.output(), next);
      for (int64_t i = 0; i < made->run; ++i, ++next) {
        for (size_t k = 0; k < 3; ++k) {
          ASSERT_EQ(cursor.input(static_cast<int>(k)) + i * made->run_stride[k],
                    ReadElement(shapes[k], made->output, next));
        }
      }
    }
    EXPECT_EQ(next, made->output.NumElements());
  }
}

TEST(Broadcast, MergesDimensionsThatBroadcastAlike) {
  auto same = Make({{2, 3, 4}, {2, 3, 4}});
  ASSERT_THAT(same, IsOk());
  EXPECT_EQ(same->run, 24);
  EXPECT_EQ(same->num_outer, 0);

  auto bias = Make({{2, 3, 4}, {4}});
  ASSERT_THAT(bias, IsOk());
  EXPECT_EQ(bias->run, 4);
  EXPECT_EQ(bias->num_outer, 1);
  EXPECT_EQ(bias->extent[0], 6);
}

TEST(Broadcast, RefusesOtherShapes) {
  EXPECT_THAT(Make({{2, 3}, {2}}),
              HasStatus(StatusCode::kInvalidModel, "[2,3] and [2]"));
  EXPECT_THAT(Make({{3, 0}, {2}}), HasStatus(StatusCode::kInvalidModel, ""));
  EXPECT_THAT(Make({{0}, {1}}), IsOk());
}

// D by the definition: min over the steps before the last of the lowest byte
// read later less the bytes written so far.
int64_t DefinedDistance(const Broadcast& b, const Shape& input, size_t k,
                        int64_t in_bytes, int64_t out_bytes) {
  std::vector<int64_t> reads;    // Lowest byte of each step; -1: none.
  std::vector<int64_t> written;  // After each step.
  for (int64_t run = 0; run < b.runs; ++run) {
    for (int64_t i = 0; i < b.run; i += kBroadcastBlock) {
      const int64_t at = ReadElement(input, b.output, run * b.run + i);
      // An input that does not vary in the run is read once, at its start.
      reads.push_back(b.run_stride[k] == 0 && i > 0 ? -1 : at * in_bytes);
      written.push_back((run * b.run + std::min(b.run, i + kBroadcastBlock)) *
                        out_bytes);
    }
  }
  int64_t distance = input.NumElements() * in_bytes;
  int64_t later = INT64_MAX;
  for (size_t t = reads.size(); t-- > 1;) {
    if (reads[t] >= 0) later = std::min(later, reads[t]);
    if (later != INT64_MAX) {
      distance = std::min(distance, later - written[t - 1]);
    }
  }
  return distance;
}

TEST(Broadcast, DistanceIsTheOneOfTheDefinition) {
  std::mt19937 random(2);
  const int64_t widths[] = {1, 2, 4, 8};
  for (int round = 0; round < 5000; ++round) {
    const std::vector<Shape> shapes = RandomShapes(2, random);
    auto made = Make(shapes);
    ASSERT_THAT(made, IsOk());
    const int64_t in = widths[random() % 4];
    const int64_t out = widths[random() % 4];
    for (size_t k = 0; k < 2; ++k) {
      ASSERT_EQ(BroadcastDistance(*made, static_cast<int>(k), in, out),
                DefinedDistance(*made, shapes[k], k, in, out))
          << "round " << round;
    }
  }
}

}  // namespace
}  // namespace arenalite
