// Storages: which tensors are views of the same bytes.

#ifndef ARENALITE_LIFETIME_STORAGES_H_
#define ARENALITE_LIFETIME_STORAGES_H_

#include <cstdint>

#include "arenalite/array.h"
#include "arenalite/status.h"
#include "lifetime/timeline.h"

namespace arenalite {

// A partition of the tensors: union by the lower index, so that the root of a
// class is its lowest tensor.
class StorageClasses {
 public:
  static Result<StorageClasses> Create(size_t tensors);

  // The class of `tensor`, named by its lowest member.
  int32_t Find(int32_t tensor);
  void Join(int32_t a, int32_t b);

 private:
  Array<int32_t> parent_;
};

// Joins the two tensors of every alias where both are planned and sharing
// their bytes is sound:
//   never a graph input with a graph output (it would surprise the caller);
//   a branch's result only when nothing outside of that branch sees it, since
//   the other branches write the same bytes;
//   a loop's next value only when the old one has had its last read.
// With `share` false every tensor is its own storage.
Result<StorageClasses> FindStorages(const Timeline& timeline, bool share);

}  // namespace arenalite

#endif  // ARENALITE_LIFETIME_STORAGES_H_
