// What changed from one plan to another: of two models, or of one model with
// other options.

#ifndef ARENALITE_TOOLS_ADVICE_PLAN_DIFF_H_
#define ARENALITE_TOOLS_ADVICE_PLAN_DIFF_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arenalite/memory_report.h"
#include "nlohmann/json.hpp"

namespace arenalite {

struct PlanDiff {
  // A figure that both plans have, in bytes unless its key says otherwise.
  struct Figure {
    std::string key;  // "arena_bytes"
    int64_t a = 0;
    int64_t b = 0;
  };
  // Where a tensor lies.
  struct Place {
    int32_t index = 0;
    std::string type;
    std::string shape;  // "[1,224,224,3]"
    int64_t bytes = 0;
    int64_t offset = 0;
    int32_t first_step = 0;
    int32_t last_step = 0;
  };
  // A planned tensor that is not the same in both. Tensors are matched by
  // subgraph and name; of several with one name the first with the first.
  struct Tensor {
    int32_t subgraph = 0;
    std::string name;
    std::optional<Place> a;  // None: added.
    std::optional<Place> b;  // None: removed.
    bool resized = false;    // Type, shape or bytes differ.
    bool moved = false;      // The offset differs.
    bool retimed = false;    // The first or the last step differs.
  };

  std::vector<Figure> figures;
  std::string peak_a;  // "step 3 CONV_2D"
  std::string peak_b;
  std::vector<Tensor> tensors;  // In the order of a, then what b adds.
  size_t same_tensors = 0;

  int64_t growth_bytes = 0;  // Of the arena; negative when it shrank.
};

PlanDiff DiffPlans(const MemoryReport& a, const MemoryReport& b);

// At most `max_tensors` tensors, those with most bytes.
std::string DiffTable(const PlanDiff& diff, size_t max_tensors);
// As schemas/diff.schema.json says; keys are only added.
nlohmann::ordered_json DiffJson(const PlanDiff& diff);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_ADVICE_PLAN_DIFF_H_
