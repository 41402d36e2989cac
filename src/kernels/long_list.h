// Lists of int64 in operator options: one number for each dimension.

#ifndef ARENALITE_KERNELS_LONG_LIST_H_
#define ARENALITE_KERNELS_LONG_LIST_H_

#include "arenalite/status.h"
#include "arenalite/tensor.h"
#include "flatbuffers/flatbuffers.h"

namespace arenalite {

// A list as an options struct keeps it; empty where the file has none.
template <int kMaxSize = kMaxRank>
struct LongList {
  int size;
  int64_t values[kMaxSize];

  int64_t operator[](int i) const { return values[i]; }
  bool Contains(int64_t value) const { return Find(value) >= 0; }
  // The position of `value`, or -1.
  int Find(int64_t value) const {
    for (int i = 0; i < size; ++i) {
      if (values[i] == value) return i;
    }
    return -1;
  }

  Status Parse(const char* name, const flatbuffers::Vector<int64_t>* list) {
    if (list == nullptr) return OkStatus();
    if (list->size() > kMaxSize) {
      return InvalidModelError(name, " has ", list->size(),
                               " entries, allowed 0..", kMaxSize);
    }
    size = static_cast<int>(list->size());
    for (int i = 0; i < size; ++i) {
      values[i] = list->Get(static_cast<flatbuffers::uoffset_t>(i));
    }
    return OkStatus();
  }

  // Refuses numbers outside of 0..count - 1, and any that comes twice.
  Status CheckDistinct(const char* name, int count) const {
    for (int i = 0; i < size; ++i) {
      if (values[i] < 0 || values[i] >= count || Find(values[i]) != i) {
        return InvalidModelError(name, " holds ", values[i],
                                 ", allowed is each of 0..", count - 1,
                                 " once");
      }
    }
    return OkStatus();
  }

  Status CheckSize(const char* name, int expected) const {
    if (size == expected) return OkStatus();
    return InvalidModelError(name, " has ", size, " entries, allowed ",
                             expected);
  }
};

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_LONG_LIST_H_
