#include "runtime/resources.h"

#include <cstring>

#include "base/hash.h"

namespace arenalite {
namespace {

uint64_t HashText(uint64_t seed, const char* text) {
  for (; *text != '\0'; ++text) {
    seed = MixHash(seed, static_cast<unsigned char>(*text));
  }
  return MixHash(seed, 0);
}

}  // namespace

Result<int32_t> Resources::FindOrAdd(const char* container, const char* name) {
  const uint64_t hash = HashText(HashText(0, container), name);
  for (size_t i = 0; i < all_.size(); ++i) {
    if (hashes_[i] == hash && std::strcmp(all_[i].container, container) == 0 &&
        std::strcmp(all_[i].name, name) == 0) {
      return static_cast<int32_t>(i);
    }
  }
  ResourceVariable variable;
  variable.container = container;
  variable.name = name;
  variable.value.name = name;
  variable.value.memory = TensorMemory::kVariable;
  // Append, as Resize does not grow ahead. After a failure they may be longer.
  if (given_.size() == all_.size()) {
    ARENALITE_RETURN_IF_ERROR(given_.Append(0));
  }
  if (hashes_.size() == all_.size()) {
    ARENALITE_RETURN_IF_ERROR(hashes_.Append(hash));
  }
  hashes_[all_.size()] = hash;
  ARENALITE_RETURN_IF_ERROR(all_.Append(variable));
  return static_cast<int32_t>(all_.size()) - 1;
}

ResourceVariable* Resources::Find(int32_t id) {
  const bool known = id >= 0 && static_cast<size_t>(id) < all_.size();
  return known ? &all_[static_cast<size_t>(id)] : nullptr;
}

ResourceShape Resources::ShapeOf(size_t i) const {
  const ResourceVariable& variable = all_[i];
  return {variable.has_shape, variable.has_shape || given_[i] != 0,
          variable.value.type, variable.value.shape, variable.value.bytes};
}

void Resources::ForgetShapes() {
  for (size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].has_shape) given_[i] = 1;
    all_[i].has_shape = false;
  }
}

Status Resources::SaveShapes(Array<ResourceShape>& shapes) const {
  ARENALITE_RETURN_IF_ERROR(shapes.Resize(all_.size()));
  for (size_t i = 0; i < all_.size(); ++i) shapes[i] = ShapeOf(i);
  return OkStatus();
}

bool Resources::DifferFrom(const Array<ResourceShape>& shapes) const {
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!all_[i].has_shape || !shapes[i].given) continue;
    if (all_[i].value.type != shapes[i].type ||
        all_[i].value.shape != shapes[i].shape) {
      return true;
    }
  }
  return false;
}

void Resources::ExchangeShapes(Array<ResourceShape>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    const ResourceShape next = shapes[i];
    shapes[i] = ShapeOf(i);
    if (all_[i].has_shape) given_[i] = 1;
    all_[i].has_shape = next.known;
    if (!next.known) continue;
    all_[i].value.type = next.type;
    all_[i].value.shape = next.shape;
    all_[i].value.bytes = next.bytes;
  }
}

void Resources::Reset() {
  for (ResourceVariable& variable : all_) variable.initialized = false;
  has_run_.Fill(0);
}

}  // namespace arenalite
