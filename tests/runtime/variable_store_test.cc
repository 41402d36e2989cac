#include "runtime/variable_store.h"

#include <gtest/gtest.h>

#include "testing/matchers.h"

namespace arenalite {
namespace {

using testing::IsOk;

TEST(VariableStore, KeepsWhatFits) {
  VariableStore store;
  VariableSlot slot;
  ASSERT_THAT(store.Place(slot, 24, 8), IsOk());
  slot.fresh = false;
  ASSERT_THAT(store.Place(slot, 24, 4), IsOk());
  EXPECT_FALSE(slot.fresh);
  EXPECT_EQ(slot.offset, 0);
}

// Another type may take as many bytes, at other places.
TEST(VariableStore, MovesWhatIsNoLongerAligned) {
  VariableStore store;
  VariableSlot first;
  VariableSlot second;
  ASSERT_THAT(store.Place(first, 1, 1), IsOk());
  ASSERT_THAT(store.Place(second, 8, 1), IsOk());
  ASSERT_EQ(second.offset, 1);
  ASSERT_THAT(store.Place(second, 8, 8), IsOk());
  EXPECT_EQ(second.offset, 8);
  EXPECT_EQ(store.required_bytes(), 16);
}

}  // namespace
}  // namespace arenalite
