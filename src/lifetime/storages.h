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

// Joins the output of every view with its input where both are planned and
// sharing surprises nobody: never a graph input with a graph output. With
// `share_views` false every tensor is its own storage.
Result<StorageClasses> FindStorages(const Timeline& timeline, bool share_views);

}  // namespace arenalite

#endif  // ARENALITE_LIFETIME_STORAGES_H_
