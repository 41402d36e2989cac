#include "lifetime/storages.h"

#include <algorithm>
#include <utility>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// What a class holds that an application can see.
struct Visible {
  bool input = false;
  bool output = false;
};

}  // namespace

Result<StorageClasses> StorageClasses::Create(size_t tensors) {
  StorageClasses classes;
  ARENALITE_RETURN_IF_ERROR(classes.parent_.Resize(tensors));
  for (size_t i = 0; i < tensors; ++i) {
    classes.parent_[i] = static_cast<int32_t>(i);
  }
  return classes;
}

int32_t StorageClasses::Find(int32_t tensor) {
  while (parent_[Index(tensor)] != tensor) {
    int32_t& parent = parent_[Index(tensor)];
    parent = parent_[Index(parent)];  // Halves the path for the next search.
    tensor = parent;
  }
  return tensor;
}

void StorageClasses::Join(int32_t a, int32_t b) {
  a = Find(a);
  b = Find(b);
  parent_[Index(std::max(a, b))] = std::min(a, b);
}

Result<StorageClasses> FindStorages(const Timeline& timeline,
                                    bool share_views) {
  const size_t count = timeline.tensors.size();
  ARENALITE_ASSIGN_OR_RETURN(StorageClasses classes,
                             StorageClasses::Create(count));
  ARENALITE_ASSIGN_OR_RETURN(Array<Visible> visible,
                             Array<Visible>::Create(count));
  for (size_t i = 0; i < count; ++i) {
    visible[i] = {timeline.tensors[i].is_input, timeline.tensors[i].is_output};
  }
  for (int step = 0; share_views && step < timeline.num_steps(); ++step) {
    if (!timeline.steps[Index(step)].is_view) continue;
    const int32_t from = timeline.ReadsOf(step)[0];
    const int32_t to = timeline.WritesOf(step)[0];
    if (!timeline.tensors[Index(from)].planned ||
        !timeline.tensors[Index(to)].planned) {
      continue;
    }
    const Visible a = visible[Index(classes.Find(from))];
    const Visible b = visible[Index(classes.Find(to))];
    const Visible both = {a.input || b.input, a.output || b.output};
    if (both.input && both.output) continue;
    classes.Join(from, to);
    visible[Index(classes.Find(from))] = both;
  }
  return classes;
}

}  // namespace arenalite
