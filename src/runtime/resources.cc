#include "runtime/resources.h"

#include <cstring>

namespace arenalite {

Result<int32_t> Resources::FindOrAdd(const char* container, const char* name) {
  for (size_t i = 0; i < all_.size(); ++i) {
    if (std::strcmp(all_[i].container, container) == 0 &&
        std::strcmp(all_[i].name, name) == 0) {
      return static_cast<int32_t>(i);
    }
  }
  ResourceVariable variable;
  variable.container = container;
  variable.name = name;
  variable.value.name = name;
  variable.value.memory = TensorMemory::kVariable;
  ARENALITE_RETURN_IF_ERROR(all_.Append(variable));
  return static_cast<int32_t>(all_.size()) - 1;
}

ResourceVariable* Resources::Find(int32_t id) {
  const bool known = id >= 0 && static_cast<size_t>(id) < all_.size();
  return known ? &all_[static_cast<size_t>(id)] : nullptr;
}

void Resources::ForgetShapes() {
  for (ResourceVariable& variable : all_) variable.has_shape = false;
}

void Resources::Reset() {
  for (ResourceVariable& variable : all_) variable.initialized = false;
}

}  // namespace arenalite
