// UsageJson: the figures of an arena, as every command's JSON has them.

#ifndef ARENALITE_TOOLS_USAGE_JSON_H_
#define ARENALITE_TOOLS_USAGE_JSON_H_

#include "arenalite/memory_report.h"
#include "nlohmann/json.hpp"

namespace arenalite {

inline nlohmann::ordered_json UsageJson(const MemoryUsage& usage) {
  return {{"arena_bytes", usage.arena_bytes},
          {"planned_bytes", usage.planned_bytes},
          {"persistent_bytes", usage.persistent_bytes},
          {"lower_bound_bytes", usage.lower_bound_bytes},
          {"liveness_bound_bytes", usage.liveness_bound_bytes},
          {"naive_bytes", usage.naive_bytes},
          {"metadata_bytes", usage.metadata_bytes},
          {"dynamic_bytes", usage.dynamic_bytes}};
}

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_USAGE_JSON_H_
