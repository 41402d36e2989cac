#include "runtime/report.h"

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

// Walks the steps and says of each pair of storages what became of it. The
// cases follow Lifetimes: a pair may overlap where the output's bytes begin
// and the input's end.
class Chances {
 public:
  Chances(const ProgramPlan& plan, bool overlap_is_off, MemoryReport& report)
      : plan_(plan), overlap_is_off_(overlap_is_off), report_(report) {}

  Status Collect() {
    for (int step = 0; step < plan_.timeline.num_steps(); ++step) {
      first_ = report_.chances.size();
      FindOverlapsOf(step);
      for (int32_t output : plan_.timeline.WritesOf(step)) {
        for (int32_t input : plan_.timeline.ReadsOf(step)) {
          ARENALITE_RETURN_IF_ERROR(Consider(step, output, input));
        }
      }
    }
    return OkStatus();
  }

 private:
  // Lifetimes list overlaps in the order of steps.
  void FindOverlapsOf(int step) {
    const auto& all = plan_.lifetimes.overlaps;
    overlaps_begin_ = overlaps_end_;
    while (overlaps_end_ < all.size() &&
           Request(all[overlaps_end_].output).first_step == step) {
      ++overlaps_end_;
    }
  }

  Status Consider(int step, int32_t output, int32_t input) {
    OverlapChance chance;
    chance.step = step;
    chance.output = plan_.lifetimes.storage_of[Index(output)];
    chance.input = plan_.lifetimes.storage_of[Index(input)];
    const bool planned = chance.output >= 0 && chance.input >= 0;
    if (!planned || chance.output == chance.input || IsKnown(chance)) {
      return OkStatus();
    }
    Judge(chance);
    return report_.chances.Append(chance);
  }

  bool IsKnown(const OverlapChance& chance) const {
    for (size_t i = first_; i < report_.chances.size(); ++i) {
      const OverlapChance& known = report_.chances[i];
      if (known.output == chance.output && known.input == chance.input) {
        return true;
      }
    }
    return false;
  }

  void Judge(OverlapChance& chance) const {
    chance.verdict = VerdictOf(chance);
    if (chance.verdict != OverlapVerdict::kAllowed) return;
    for (size_t i = overlaps_begin_; i < overlaps_end_; ++i) {
      const AllowedOverlap& overlap = plan_.lifetimes.overlaps[i];
      if (overlap.output != chance.output || overlap.input != chance.input) {
        continue;
      }
      chance.allowed_bytes = overlap.bytes;
      return;
    }
    chance.verdict = OverlapVerdict::kOpForbids;
  }

  OverlapVerdict VerdictOf(const OverlapChance& chance) const {
    if (overlap_is_off_) return OverlapVerdict::kTurnedOff;
    const int32_t last = Request(chance.input).last_step;
    if (last == plan_.timeline.num_steps()) return OverlapVerdict::kLivesToEnd;
    if (last > chance.step) return OverlapVerdict::kReadLater;
    if (Request(chance.output).first_step < chance.step) {
      return OverlapVerdict::kUsedBefore;
    }
    return OverlapVerdict::kAllowed;
  }

  const BufferRequest& Request(int32_t storage) const {
    return plan_.lifetimes.requests[Index(storage)];
  }

  const ProgramPlan& plan_;
  const bool overlap_is_off_;
  MemoryReport& report_;
  size_t first_ = 0;  // Where the step's chances begin.
  size_t overlaps_begin_ = 0;
  size_t overlaps_end_ = 0;
};

}  // namespace

Status AddChances(const ProgramPlan& plan, bool overlap_is_off,
                  MemoryReport& report) {
  return Chances(plan, overlap_is_off, report).Collect();
}

const char* OverlapVerdictName(OverlapVerdict verdict) {
  switch (verdict) {
    case OverlapVerdict::kAllowed:
      return "allowed";
    case OverlapVerdict::kReadLater:
      return "read_later";
    case OverlapVerdict::kLivesToEnd:
      return "lives_to_the_end";
    case OverlapVerdict::kUsedBefore:
      return "output_used_before";
    case OverlapVerdict::kOpForbids:
      return "op_forbids";
    case OverlapVerdict::kTurnedOff:
      return "turned_off";
  }
  return "unknown";
}

}  // namespace arenalite
