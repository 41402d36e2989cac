#include "plan/exhaustive.h"

#include <algorithm>

#include "plan/exact_search.h"
#include "plan/pair_search.h"

namespace arenalite {
namespace {

// Run times are heavy-tailed: each ranking is fast on some problems and
// hopeless on others. So all are tried in turn, with more and more nodes.
constexpr Ranking kRankings[] = {
    {{RankBy::kTotal, RankBy::kSteps, RankBy::kArea}},
    {{RankBy::kTotal, RankBy::kArea, RankBy::kSteps}},
    {{RankBy::kSteps, RankBy::kArea, RankBy::kTotal}},
    {{RankBy::kTotal, RankBy::kDegree, RankBy::kSteps}},
};
constexpr int kRankingCount = sizeof(kRankings) / sizeof(kRankings[0]);
constexpr int64_t kFirstSlice = 2000;

int64_t NodeBudget(const PlanOptions& options, int64_t items) {
  if (options.node_budget >= 0) return options.node_budget;
  constexpr int64_t kMost = 3'000'000;
  const int64_t most =
      std::min(kMost, kMost * 500 / std::max<int64_t>(items, 1));
  return std::max(most, 4 * items);
}

class Exhaustive {
 public:
  Exhaustive(const Problem& problem, const ExactModel& model,
             const PlanOptions& options)
      : problem_(problem),
        model_(model),
        options_(options),
        budget_(NodeBudget(options, model.size())) {}

  Result<ExhaustiveResult> Run(Placement start, int64_t lower_bound) {
    result_.best = std::move(start);
    RaiseLowerBound(lower_bound);
    ARENALITE_ASSIGN_OR_RETURN(ExactSearch search,
                               ExactSearch::Create(model_, {&Interrupt, this}));
    PairSearch pairs(model_, {&Interrupt, this});
    search_ = &search;
    pairs_ = &pairs;
    // Enough to place all without much backtracking.
    int64_t slice = std::max<int64_t>(kFirstSlice, 2 * int64_t{model_.size()});
    for (; !Ended(); slice *= 2) ARENALITE_RETURN_IF_ERROR(Improve(slice));
    result_.nodes = nodes();
    return std::move(result_);
  }

 private:
  static bool Interrupt(void* context) {
    const Exhaustive& self = *static_cast<Exhaustive*>(context);
    if (self.options_.cancel == nullptr) return false;
    return self.options_.cancel(
        self.options_.cancel_context,
        {self.nodes(), self.budget_, self.result_.best.total,
         self.result_.lower_bound});
  }

  // What is small enough. Where no plan fits the capacity, the smallest one
  // tells what is missing.
  int64_t Goal() const {
    return std::max(options_.capacity, result_.lower_bound);
  }

  bool Ended() const {
    return result_.best.total <= Goal() || nodes() >= budget_ ||
           search_->interrupted() || pairs_->interrupted();
  }

  int64_t nodes() const { return search_->nodes() + pairs_->nodes(); }

  // The least total that a pushed-down plan can have.
  void RaiseLowerBound(int64_t bound) {
    const int64_t granule = model_.granule();
    result_.lower_bound =
        std::min((bound + granule - 1) / granule * granule, result_.best.total);
  }

  // First the goal itself: a tight capacity makes both proofs and finds
  // easier. Then in between, by halves: lower for as long as that succeeds,
  // higher after a failure.
  Status Improve(int64_t slice) {
    ARENALITE_RETURN_IF_ERROR(Try(Goal(), slice));
    const int64_t small_slice =
        std::max<int64_t>(slice / 16, 2 * int64_t{model_.size()});
    int64_t failed = Goal();
    for (int failures = 0; failures < 4 && !Ended();) {
      failed = std::max(failed, Goal());
      const int64_t high = result_.best.total;
      const int64_t halves = (high - failed) / model_.granule() / 2;
      if (halves == 0) break;
      const int64_t capacity = failed + halves * model_.granule();
      ARENALITE_RETURN_IF_ERROR(Try(capacity, small_slice));
      if (result_.best.total < high) continue;
      failed = capacity;
      ++failures;
    }
    return OkStatus();
  }

  // Searches for a plan of at most `capacity` bytes, in one way after the
  // other: by pairs where overlaps ask for it (first where only that proves
  // anything: see dips()), and by offsets with each ranking.
  Status Try(int64_t capacity, int64_t slice) {
    const bool dips = model_.dips();
    const int ways = kRankingCount + (model_.has_shares() ? 1 : 0);
    for (int way = 0; way < ways && !Ended(); ++way) {
      const bool by_pairs = way == (dips ? 0 : kRankingCount);
      const int64_t limit = std::min(slice, budget_ - nodes());
      ARENALITE_ASSIGN_OR_RETURN(
          const SearchOutcome outcome,
          by_pairs
              ? pairs_->Run(capacity, limit)
              : search_->Run(capacity, kRankings[way - (dips ? 1 : 0)], limit));
      if (outcome == SearchOutcome::kGaveUp) continue;
      if (outcome == SearchOutcome::kFound) {
        Keep(by_pairs ? pairs_->offsets() : search_->offsets());
      } else if (by_pairs || !dips) {
        RaiseLowerBound(capacity + 1);
      }
      break;
    }
    return OkStatus();
  }

  void Keep(Span<const int64_t> offsets) {
    Placement& best = result_.best;
    best.total = 0;
    best.strategy = PlanStrategy::kExhaustive;
    for (int32_t i = 0; i < model_.size(); ++i) {
      best.offsets[model_.item(i).buffer] = offsets[i];
    }
    for (int32_t b = 0; b < problem_.size(); ++b) {
      best.total =
          std::max(best.total, best.offsets[b] + problem_.buffer(b).size);
    }
  }

  const Problem& problem_;
  const ExactModel& model_;
  const PlanOptions& options_;
  const int64_t budget_;
  ExactSearch* search_ = nullptr;
  PairSearch* pairs_ = nullptr;
  ExhaustiveResult result_;
};

}  // namespace

Result<ExhaustiveResult> PlanExhaustively(const Problem& problem,
                                          Placement start, int64_t lower_bound,
                                          const PlanOptions& options) {
  ARENALITE_ASSIGN_OR_RETURN(const ExactModel model,
                             ExactModel::Create(problem));
  return Exhaustive(problem, model, options).Run(std::move(start), lower_bound);
}

}  // namespace arenalite
