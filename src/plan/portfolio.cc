#include "plan/portfolio.h"

#include "plan/placer.h"
#include "plan/strategies.h"
#include "plan/sweep.h"

namespace arenalite {
namespace {

struct Member {
  PlanStrategy strategy;
  Fit fit;
  Result<Array<int32_t>> (*order)(const Problem&);
};

// The cheap ones that are enough for most models come first.
constexpr Member kMembers[] = {
    {PlanStrategy::kFirstUse, Fit::kLowest, OrderByFirstUse},
    {PlanStrategy::kGreedyBySize, Fit::kTightest, OrderBySize},
    {PlanStrategy::kGreedyByBreadth, Fit::kTightest, OrderByBreadth},
};

// The Placer sorts every pair (a second here), and where neighbours are
// not stored, at every buffer each time.
bool IsTooDense(const Problem& problem) {
  constexpr int64_t kMostPairs = int64_t{1} << 24;
  constexpr int32_t kMostSearched = 1 << 16;
  return problem.pair_count() > kMostPairs ||
         (!problem.stores_neighbours() && problem.size() > kMostSearched);
}

}  // namespace

Result<Placement> PlanGreedily(const Problem& problem, PlanStrategy strategy,
                               int64_t enough) {
  if (IsTooDense(problem)) return PlanBySweep(problem);
  ARENALITE_ASSIGN_OR_RETURN(Placer placer, Placer::Create(problem));
  ARENALITE_ASSIGN_OR_RETURN(auto offsets,
                             Array<int64_t>::Create(problem.size()));
  Placement best;
  best.offsets = std::move(offsets);
  for (const Member& member : kMembers) {
    if (strategy != PlanStrategy::kAuto && strategy != member.strategy) {
      continue;
    }
    ARENALITE_ASSIGN_OR_RETURN(auto order, member.order(problem));
    placer.Clear();
    for (int32_t buffer : order) {
      placer.Place(buffer, member.fit);
      if (placer.total() >= best.total) break;
    }
    if (placer.total() >= best.total) continue;
    for (int32_t i = 0; i < problem.size(); ++i) {
      best.offsets[i] = placer.offset(i);
    }
    best.total = placer.total();
    best.strategy = member.strategy;
    if (best.total <= enough) break;
  }
  return best;
}

}  // namespace arenalite
