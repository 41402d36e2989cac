#include <algorithm>
#include <tuple>

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
      ARENALITE_RETURN_IF_ERROR(SortOverlapsOf(step));
      ARENALITE_RETURN_IF_ERROR(CollectPairs(step));
      for (const Pair& pair : pairs_) {
        OverlapChance chance;
        chance.step = step;
        chance.output = pair.output;
        chance.input = pair.input;
        Judge(chance);
        ARENALITE_RETURN_IF_ERROR(report_.chances.Append(chance));
      }
    }
    return OkStatus();
  }

 private:
  struct Pair {
    int32_t output, input;  // Storages.
    size_t position;

    bool SameAs(const Pair& other) const {
      return output == other.output && input == other.input;
    }
    bool operator<(const Pair& other) const {
      return std::tie(output, input, position) <
             std::tie(other.output, other.input, other.position);
    }
  };

  static bool InOrder(const AllowedOverlap& a, const AllowedOverlap& b) {
    return std::tie(a.output, a.input) < std::tie(b.output, b.input);
  }

  // Lifetimes list overlaps in the order of steps.
  Status SortOverlapsOf(int step) {
    const auto& all = plan_.lifetimes.overlaps;
    overlaps_.Clear();
    while (next_overlap_ < all.size() &&
           Request(all[next_overlap_].output).first_step == step) {
      ARENALITE_RETURN_IF_ERROR(overlaps_.Append(all[next_overlap_++]));
    }
    std::sort(overlaps_.begin(), overlaps_.end(), InOrder);
    return OkStatus();
  }

  // Every pair of the step once, in the order of its lists. Of a step with a
  // great many, only those that its op has a number for.
  Status CollectPairs(int step) {
    constexpr size_t kMostPairs = 4096;
    const Span<const int32_t> writes = plan_.timeline.WritesOf(step);
    const Span<const int32_t> reads = plan_.timeline.ReadsOf(step);
    pairs_.Clear();
    if (writes.size() * reads.size() > kMostPairs) {
      for (const OverlapClaim& claim : plan_.timeline.ClaimsOf(step)) {
        ARENALITE_RETURN_IF_ERROR(AddPair(claim.output, claim.input));
      }
    } else {
      for (int32_t output : writes) {
        for (int32_t input : reads) {
          ARENALITE_RETURN_IF_ERROR(AddPair(output, input));
        }
      }
    }
    std::sort(pairs_.begin(), pairs_.end());
    Pair* end =
        std::unique(pairs_.begin(), pairs_.end(),
                    [](const Pair& a, const Pair& b) { return a.SameAs(b); });
    std::sort(pairs_.begin(), end, [](const Pair& a, const Pair& b) {
      return a.position < b.position;
    });
    return pairs_.Resize(static_cast<size_t>(end - pairs_.begin()));
  }

  Status AddPair(int32_t output, int32_t input) {
    const int32_t out = plan_.lifetimes.storage_of[Index(output)];
    const int32_t in = plan_.lifetimes.storage_of[Index(input)];
    if (out < 0 || in < 0 || out == in) return OkStatus();
    return pairs_.Append({out, in, pairs_.size()});
  }

  void Judge(OverlapChance& chance) const {
    chance.verdict = VerdictOf(chance);
    if (chance.verdict != OverlapVerdict::kAllowed) return;
    const AllowedOverlap key = {chance.output, chance.input, 0};
    const AllowedOverlap* found =
        std::lower_bound(overlaps_.begin(), overlaps_.end(), key, InOrder);
    if (found != overlaps_.end() && !InOrder(key, *found)) {
      chance.allowed_bytes = found->bytes;
    } else {
      chance.verdict = OverlapVerdict::kOpForbids;
    }
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
  size_t next_overlap_ = 0;
  // Of the step of the moment.
  Array<AllowedOverlap> overlaps_;
  Array<Pair> pairs_;
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
