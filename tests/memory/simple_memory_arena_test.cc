#include "memory/simple_memory_arena.h"

#include <gtest/gtest.h>

#include <new>

#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::HasStatus;
using testing::IsOk;

// Notes how many bytes are out at once, and refuses on request.
class MeteredAllocator final : public Allocator {
 public:
  void* Allocate(size_t bytes, size_t alignment) override {
    if (refuse) return nullptr;
    ++calls;
    held += bytes;
    peak = std::max(peak, held);
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void Deallocate(void* memory, size_t bytes, size_t alignment) override {
    held -= bytes;
    ::operator delete(memory, std::align_val_t(alignment));
  }
  bool refuse = false;
  int calls = 0;
  size_t held = 0;
  size_t peak = 0;
};

TEST(SimpleMemoryArena, AlignsOffsets) {
  SimpleMemoryArena arena({});
  EXPECT_EQ(*arena.Allocate(100, 1), 0);
  EXPECT_EQ(*arena.Allocate(8, 16), 112);
  // In a gap, too: that of [8, 112) begins between two multiples of 16.
  ASSERT_THAT(arena.Release(0), IsOk());
  EXPECT_EQ(*arena.Allocate(8, 1), 0);
  EXPECT_EQ(*arena.Allocate(8, 16), 16);
}

// Bytes that only alignment left out are a gap like any other.
TEST(SimpleMemoryArena, ServesFromTheGapsOfAlignment) {
  SimpleMemoryArena arena({});
  ASSERT_EQ(*arena.Allocate(1, 1), 0);
  ASSERT_EQ(*arena.Allocate(8, 64), 64);
  EXPECT_EQ(*arena.Allocate(63, 1), 1);
  EXPECT_EQ(arena.required_bytes(), 128);
}

TEST(SimpleMemoryArena, RoundsEachRecord) {
  SimpleMemoryArena arena({});
  for (int i = 0; i < 100; ++i) ASSERT_THAT(arena.Allocate(1000, 16), IsOk());
  EXPECT_EQ(arena.required_bytes(), 100800);
}

// |0 aaaa|4 b|5 cc|7 d|   a and c go: 2 bytes take the gap of c, not of a.
TEST(SimpleMemoryArena, ServesFromTheSmallestReleasedGap) {
  SimpleMemoryArena arena({});
  ASSERT_EQ(*arena.Allocate(4, 1), 0);
  ASSERT_EQ(*arena.Allocate(1, 1), 4);
  ASSERT_EQ(*arena.Allocate(2, 1), 5);
  ASSERT_EQ(*arena.Allocate(1, 1), 7);
  ASSERT_THAT(arena.Release(0), IsOk());
  ASSERT_THAT(arena.Release(5), IsOk());
  EXPECT_EQ(*arena.Allocate(2, 1), 5);
  EXPECT_EQ(*arena.Allocate(4, 1), 0);
  EXPECT_EQ(arena.required_bytes(), 8);
  EXPECT_THAT(arena.Release(3), HasStatus(StatusCode::kInvalidArgument, "3"));
}

TEST(SimpleMemoryArena, DoesNotGrowPastItsPeak) {
  MeteredAllocator allocator;
  SimpleMemoryArena arena({16, &allocator, {}});
  for (int64_t bytes : {1000, 400, 1000, 16}) {
    arena.ClearRecords();
    ASSERT_THAT(arena.Allocate(bytes, 16), IsOk());
    ASSERT_THAT(arena.Commit(false), IsOk());
  }
  EXPECT_EQ(allocator.calls, 1);
  EXPECT_EQ(arena.committed_bytes(), 1008);
}

TEST(SimpleMemoryArena, GrowsWithoutHoldingTwoArenas) {
  MeteredAllocator allocator;
  SimpleMemoryArena arena({64, &allocator, {}});
  arena.Require(1000);
  ASSERT_THAT(arena.Commit(false), IsOk());
  arena.Require(5000);
  ASSERT_THAT(arena.Commit(false), IsOk());
  EXPECT_EQ(allocator.peak, 5000u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.data()) % 64, 0u);
  arena.data()[999] = 7;
  arena.Require(6000);
  ASSERT_THAT(arena.Commit(true), IsOk());
  EXPECT_EQ(arena.data()[999], 7);
  EXPECT_EQ(allocator.peak, 11000u);
  arena.ReleaseBytes();
  EXPECT_EQ(allocator.held, 0u);
}

TEST(SimpleMemoryArena, SaysWhatTheAllocatorRefused) {
  MeteredAllocator allocator;
  SimpleMemoryArena arena({16, &allocator, {}});
  arena.Require(640);
  allocator.refuse = true;
  EXPECT_THAT(arena.Commit(false),
              HasStatus(StatusCode::kResourceExhausted, "640"));
  allocator.refuse = false;
  EXPECT_THAT(arena.Commit(false), IsOk());
}

TEST(SimpleMemoryArena, LivesInTheCallersBuffer) {
  alignas(64) uint8_t memory[129];
  SimpleMemoryArena exact({16, nullptr, Span<uint8_t>(memory, 128)});
  exact.Require(128);
  ASSERT_THAT(exact.Commit(false), IsOk());
  EXPECT_EQ(exact.data(), memory);
  SimpleMemoryArena small({16, nullptr, Span<uint8_t>(memory, 127)});
  small.Require(128);
  EXPECT_THAT(small.Commit(false),
              HasStatus(StatusCode::kResourceExhausted, "1 bytes are missing"));
  SimpleMemoryArena shifted({16, nullptr, Span<uint8_t>(memory + 1, 128)});
  shifted.Require(112);
  ASSERT_THAT(shifted.Commit(false), IsOk());
  EXPECT_EQ(shifted.data(), memory + 16);
}

TEST(SimpleMemoryArena, RefusesNonsense) {
  SimpleMemoryArena arena({});
  EXPECT_FALSE(arena.Allocate(-1, 16).ok());
  EXPECT_FALSE(arena.Allocate(1, 3).ok());
  EXPECT_FALSE(arena.Allocate(INT64_MAX - 2, 16).ok());
}

}  // namespace
}  // namespace arenalite
