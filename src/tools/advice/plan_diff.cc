#include "tools/advice/plan_diff.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tools/report/report_names.h"
#include "tools/text.h"

namespace arenalite {
namespace {

using Json = nlohmann::ordered_json;
using Place = PlanDiff::Place;

// Subgraph, name, and which of those with the same name.
using Key = std::tuple<int32_t, std::string, int>;

Place PlaceOf(const TensorReport& tensor) {
  Place place;
  place.index = tensor.index;
  place.type = TensorTypeName(tensor.type);
  place.shape = std::string(TextPiece(tensor.shape.dims()).view());
  place.bytes = tensor.bytes;
  place.offset = tensor.offset;
  place.first_step = tensor.first_step;
  place.last_step = tensor.last_step;
  return place;
}

std::vector<std::pair<Key, Place>> PlacesOf(const MemoryReport& report) {
  std::map<std::pair<int32_t, std::string>, int> seen;
  std::vector<std::pair<Key, Place>> places;
  for (const TensorReport& tensor : report.tensors) {
    const int number = seen[{tensor.subgraph, tensor.name}]++;
    if (tensor.storage < 0) continue;
    places.emplace_back(Key(tensor.subgraph, tensor.name, number),
                        PlaceOf(tensor));
  }
  return places;
}

PlanDiff::Tensor Compared(const Key& key, std::optional<Place> a,
                          std::optional<Place> b) {
  PlanDiff::Tensor tensor;
  tensor.subgraph = std::get<0>(key);
  tensor.name = std::get<1>(key);
  if (a && b) {
    tensor.resized =
        a->type != b->type || a->shape != b->shape || a->bytes != b->bytes;
    tensor.moved = a->offset != b->offset;
    tensor.retimed =
        a->first_step != b->first_step || a->last_step != b->last_step;
  }
  tensor.a = std::move(a);
  tensor.b = std::move(b);
  return tensor;
}

bool IsSame(const PlanDiff::Tensor& tensor) {
  return tensor.a && tensor.b && !tensor.resized && !tensor.moved &&
         !tensor.retimed;
}

void MatchTensors(const MemoryReport& a, const MemoryReport& b,
                  PlanDiff& diff) {
  const auto places_b = PlacesOf(b);
  std::map<Key, Place> left(places_b.begin(), places_b.end());
  for (const auto& [key, place] : PlacesOf(a)) {
    const auto found = left.find(key);
    std::optional<Place> other;
    if (found != left.end()) {
      other = found->second;
      left.erase(found);
    }
    PlanDiff::Tensor tensor = Compared(key, place, std::move(other));
    if (IsSame(tensor)) {
      ++diff.same_tensors;
    } else {
      diff.tensors.push_back(std::move(tensor));
    }
  }
  for (const auto& [key, place] : places_b) {
    if (left.count(key) != 0) {
      diff.tensors.push_back(Compared(key, std::nullopt, place));
    }
  }
}

int64_t PeakBytes(const MemoryUsage& usage) {
  return usage.peak_io_bytes + usage.peak_activation_bytes +
         usage.peak_scratch_bytes;
}

std::string ChangeText(const PlanDiff::Tensor& tensor) {
  if (!tensor.a) return "added";
  if (!tensor.b) return "removed";
  std::string text;
  const auto add = [&](bool changed, const char* what) {
    if (changed) text += (text.empty() ? "" : ",") + std::string(what);
  };
  add(tensor.resized, "resized");
  add(tensor.moved, "moved");
  add(tensor.retimed, "retimed");
  return text;
}

// "12", "12 -> 16", "- -> 16".
std::string Both(const PlanDiff::Tensor& tensor, int64_t Place::*field) {
  const auto one = [&](const std::optional<Place>& place) {
    return place ? std::to_string((*place).*field) : std::string("-");
  };
  const std::string a = one(tensor.a);
  const std::string b = one(tensor.b);
  return a == b ? a : a + " -> " + b;
}

std::string StepsText(const PlanDiff::Tensor& tensor) {
  const auto one = [](const std::optional<Place>& place) {
    return place ? Format("%d..%d", place->first_step, place->last_step)
                 : std::string("-");
  };
  const std::string a = one(tensor.a);
  const std::string b = one(tensor.b);
  return a == b ? a : a + " -> " + b;
}

int64_t LargestBytes(const PlanDiff::Tensor& tensor) {
  return std::max(tensor.a ? tensor.a->bytes : 0,
                  tensor.b ? tensor.b->bytes : 0);
}

Json PlaceJson(const std::optional<Place>& place) {
  if (!place) return nullptr;
  return Json{{"index", place->index},        {"type", place->type},
              {"shape", place->shape},        {"bytes", place->bytes},
              {"offset", place->offset},      {"first_step", place->first_step},
              {"last_step", place->last_step}};
}

}  // namespace

PlanDiff DiffPlans(const MemoryReport& a, const MemoryReport& b) {
  PlanDiff diff;
  const auto add = [&](const char* key, int64_t of_a, int64_t of_b) {
    diff.figures.push_back({key, of_a, of_b});
  };
  const MemoryUsage& x = a.usage;
  const MemoryUsage& y = b.usage;
  add("arena_bytes", x.arena_bytes, y.arena_bytes);
  add("planned_bytes", x.planned_bytes, y.planned_bytes);
  add("persistent_bytes", x.persistent_bytes, y.persistent_bytes);
  add("lower_bound_bytes", x.lower_bound_bytes, y.lower_bound_bytes);
  add("liveness_bound_bytes", x.liveness_bound_bytes, y.liveness_bound_bytes);
  add("naive_bytes", x.naive_bytes, y.naive_bytes);
  add("peak_live_bytes", PeakBytes(x), PeakBytes(y));
  add("peak_io_bytes", x.peak_io_bytes, y.peak_io_bytes);
  add("peak_activation_bytes", x.peak_activation_bytes,
      y.peak_activation_bytes);
  add("peak_scratch_bytes", x.peak_scratch_bytes, y.peak_scratch_bytes);
  add("steps", static_cast<int64_t>(a.steps.size()),
      static_cast<int64_t>(b.steps.size()));
  diff.peak_a = StepText(a, x.peak_step);
  diff.peak_b = StepText(b, y.peak_step);
  diff.growth_bytes = y.arena_bytes - x.arena_bytes;
  MatchTensors(a, b, diff);
  return diff;
}

std::string DiffTable(const PlanDiff& diff, size_t max_tensors) {
  std::string text = Format("%-22s %14s %14s %14s\n", "", "A", "B", "B - A");
  for (const PlanDiff::Figure& figure : diff.figures) {
    text += Format("%-22s %14lld %14lld %+14lld\n", figure.key.c_str(),
                   static_cast<long long>(figure.a),
                   static_cast<long long>(figure.b),
                   static_cast<long long>(figure.b - figure.a));
  }
  text += "peak of A              " + diff.peak_a + "\n";
  text += "peak of B              " + diff.peak_b + "\n\n";
  std::vector<const PlanDiff::Tensor*> sorted;
  for (const PlanDiff::Tensor& tensor : diff.tensors) sorted.push_back(&tensor);
  std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) {
    return LargestBytes(*a) > LargestBytes(*b);
  });
  if (!sorted.empty()) {
    text += Format("%-22s %-20s %-20s %-16s %s\n", "tensors", "bytes", "offset",
                   "steps", "name");
  }
  for (size_t i = 0; i < sorted.size() && i < max_tensors; ++i) {
    const PlanDiff::Tensor& tensor = *sorted[i];
    text += Format("%-22s %-20s %-20s %-16s %s\n", ChangeText(tensor).c_str(),
                   Both(tensor, &Place::bytes).c_str(),
                   Both(tensor, &Place::offset).c_str(),
                   StepsText(tensor).c_str(), tensor.name.c_str());
  }
  if (sorted.size() > max_tensors) {
    text += Format("and %zu smaller ones (--all shows them)\n",
                   sorted.size() - max_tensors);
  }
  return text + Format("%zu tensors differ, %zu are the same\n", sorted.size(),
                       diff.same_tensors);
}

Json DiffJson(const PlanDiff& diff) {
  Json json;
  json["schema"] = "arenalite.diff/1";
  json["growth_bytes"] = diff.growth_bytes;
  json["figures"] = Json::object();
  for (const PlanDiff::Figure& figure : diff.figures) {
    json["figures"][figure.key] = {
        {"a", figure.a}, {"b", figure.b}, {"change", figure.b - figure.a}};
  }
  json["peak"] = {{"a", diff.peak_a}, {"b", diff.peak_b}};
  json["same_tensors"] = diff.same_tensors;
  json["tensors"] = Json::array();
  for (const PlanDiff::Tensor& tensor : diff.tensors) {
    Json change = Json::array();
    if (!tensor.a) change.push_back("added");
    if (!tensor.b) change.push_back("removed");
    if (tensor.resized) change.push_back("resized");
    if (tensor.moved) change.push_back("moved");
    if (tensor.retimed) change.push_back("retimed");
    json["tensors"].push_back({{"subgraph", tensor.subgraph},
                               {"name", tensor.name},
                               {"change", change},
                               {"a", PlaceJson(tensor.a)},
                               {"b", PlaceJson(tensor.b)}});
  }
  return json;
}

}  // namespace arenalite
