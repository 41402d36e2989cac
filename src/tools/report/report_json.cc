#include <cmath>

#include "tools/report/report.h"
#include "tools/report/report_view.h"
#include "tools/usage_json.h"

namespace arenalite {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Steps and positions: null where there is none.
Json OrNull(int64_t number) { return number < 0 ? Json() : Json(number); }

Json OptionsJson(const ReportInput& input) {
  Json shapes = Json::array();
  for (const std::string& shape : input.shapes) {
    shapes.push_back(CleanText(shape));
  }
  return {{"alignment", input.options.alignment},
          {"allow_input_reuse", input.options.allow_input_reuse},
          {"allow_overlap", input.options.allow_overlap},
          {"preserve_all_tensors", input.options.preserve_all_tensors},
          {"strategy", PlanStrategyName(input.options.plan_strategy)},
          {"shapes", std::move(shapes)}};
}

Json PeakJson(const MemoryReport& report) {
  const int32_t peak = report.usage.peak_step;
  const int64_t live_bytes = LiveBytesOf(report, peak);
  Json storages = Json::array();
  for (size_t i : LiveAt(report, peak)) {
    const int64_t bytes = report.storages[i].bytes;
    const double percent =
        100 * static_cast<double>(bytes) / static_cast<double>(live_bytes);
    storages.push_back({{"storage", i},
                        {"bytes", bytes},
                        {"percent", std::round(percent * 100) / 100}});
  }
  return {{"step", peak},
          {"op", CleanText(OpOfStep(report, peak))},
          {"live_bytes", live_bytes},
          {"bound_bytes", BoundBytesOf(report, peak)},
          {"io_bytes", report.usage.peak_io_bytes},
          {"activation_bytes", report.usage.peak_activation_bytes},
          {"scratch_bytes", report.usage.peak_scratch_bytes},
          {"storages", std::move(storages)}};
}

// Writes the lists. Constants are left out, so tensors are renumbered.
class Lists {
 public:
  explicit Lists(const MemoryReport& report) : report_(report) {
    int32_t next = 0;
    for (const TensorReport& tensor : report.tensors) {
      const bool listed = tensor.memory != TensorMemory::kConstant &&
                          tensor.memory != TensorMemory::kNone;
      positions_.push_back(listed ? next++ : -1);
    }
  }

  Json Steps() const {
    Json list = Json::array();
    for (size_t i = 0; i < report_.steps.size(); ++i) {
      const StepReport& step = report_.steps[i];
      list.push_back({{"subgraph", step.subgraph},
                      {"node", step.node},
                      {"op", CleanText(step.op_name)},
                      {"has_kernel", step.has_kernel},
                      {"is_control", step.is_control},
                      {"runs", step.runs},
                      {"is_dynamic", step.is_dynamic},
                      {"live_bytes", step.live_bytes},
                      {"bound_bytes", step.bound_bytes},
                      {"scratch_bytes", step.scratch_bytes},
                      {"reads", Positions(report_.ReadsOf(i))},
                      {"writes", Positions(report_.WritesOf(i))}});
    }
    return list;
  }

  Json Storages() const {
    Json list = Json::array();
    for (size_t i = 0; i < report_.storages.size(); ++i) {
      const StorageReport& storage = report_.storages[i];
      list.push_back({{"offset", storage.offset},
                      {"bytes", storage.bytes},
                      {"alignment", storage.alignment},
                      {"first_step", storage.first_step},
                      {"last_step", storage.last_step},
                      {"is_input", storage.is_input},
                      {"is_output", storage.is_output},
                      {"is_kept", storage.is_kept},
                      {"is_scratch", storage.is_scratch},
                      {"family", OpFamilyKey(FamilyOfStorage(report_, i))},
                      {"main_tensor", MainPosition(i)},
                      {"tensors", Positions(report_.MembersOf(i))}});
    }
    return list;
  }

  Json Tensors() const {
    Json list = Json::array();
    for (size_t i = 0; i < positions_.size(); ++i) {
      if (positions_[i] < 0) continue;
      const TensorReport& tensor = report_.tensors[i];
      list.push_back({{"subgraph", tensor.subgraph},
                      {"index", tensor.index},
                      {"name", CleanText(tensor.name)},
                      {"type", TensorTypeName(tensor.type)},
                      {"shape", Dims(tensor.shape)},
                      {"bytes", tensor.bytes},
                      {"memory", TensorMemoryName(tensor.memory)},
                      {"offset", OrNull(tensor.offset)},
                      {"storage", OrNull(tensor.storage)},
                      {"first_step", OrNull(tensor.first_step)},
                      {"last_step", OrNull(tensor.last_step)},
                      {"writer_step", OrNull(tensor.writer_step)},
                      {"last_reader_step", OrNull(tensor.last_reader_step)},
                      {"is_input", tensor.is_input},
                      {"is_output", tensor.is_output},
                      {"is_kept", tensor.is_kept}});
    }
    return list;
  }

  Json Overlaps() const {
    Json list = Json::array();
    for (const OverlapChance& chance : report_.chances) {
      SharedBytes shared;
      if (chance.verdict == OverlapVerdict::kAllowed) {
        shared = BytesInCommon(report_.storages[Index(chance.output)],
                               report_.storages[Index(chance.input)]);
      }
      list.push_back(
          {{"step", chance.step},
           {"output", chance.output},
           {"input", chance.input},
           {"verdict", OverlapVerdictName(chance.verdict)},
           {"allowed_bytes", chance.allowed_bytes},
           {"shared_offset", shared.bytes > 0 ? Json(shared.begin) : Json()},
           {"shared_bytes", shared.bytes}});
    }
    return list;
  }

 private:
  static Json Dims(const Shape& shape) {
    Json dims = Json::array();
    for (int32_t dim : shape.dims()) dims.push_back(dim);
    return dims;
  }

  Json Positions(Span<const int32_t> tensors) const {
    Json list = Json::array();
    for (int32_t tensor : tensors) {
      if (positions_[Index(tensor)] >= 0) {
        list.push_back(positions_[Index(tensor)]);
      }
    }
    return list;
  }

  Json MainPosition(size_t storage) const {
    const int32_t member = MainMember(report_, storage);
    return member < 0 ? Json() : Json(positions_[Index(member)]);
  }

  const MemoryReport& report_;
  std::vector<int32_t> positions_;
};

Json SuggestionsJson(const ReportInput& input) {
  Json list = Json::array();
  for (const ReportSuggestion& suggestion : input.suggestions) {
    list.push_back({{"what", CleanText(suggestion.what)},
                    {"how", CleanText(suggestion.how)},
                    {"saved_bytes", suggestion.saved_bytes},
                    {"arena_bytes", suggestion.arena_bytes}});
    if (!suggestion.order.empty()) list.back()["order"] = suggestion.order;
  }
  return list;
}

}  // namespace

Json ReportDocument(const ReportInput& input) {
  const MemoryReport& report = input.report;
  const Lists lists(report);
  Json document;
  document["format"] = "arenalite.report";
  document["format_version"] = kFormatVersion;
  document["arenalite_version"] = ARENALITE_VERSION;
  document["model"] = CleanText(LastPart(input.model_path));
  document["options"] = OptionsJson(input);
  document["usage"] = UsageJson(report.usage);
  document["strategy"] = PlanStrategyName(report.strategy);
  document["proven_optimal"] = report.proven_optimal;
  document["peak"] = PeakJson(report);
  document["suggestions"] = SuggestionsJson(input);
  document["steps"] = lists.Steps();
  document["end_bytes"] = report.end_bytes;
  document["storages"] = lists.Storages();
  document["tensors"] = lists.Tensors();
  document["overlaps"] = lists.Overlaps();
  return document;
}

std::string JsonReport(const ReportInput& input) {
  return ReportDocument(input).dump(1) + "\n";
}

}  // namespace arenalite
