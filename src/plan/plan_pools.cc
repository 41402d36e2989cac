#include <algorithm>

#include "arenalite/pool_planner.h"
#include "base/checked_math.h"
#include "plan/validate.h"

namespace arenalite {
namespace {

constexpr int kMaxPools = 64;
// Plans that one pool may cost while exchanges are tried.
constexpr int kMaxTrials = 400;

Status Validate(Span<const BufferRequest> requests, Span<const PoolUse> uses,
                Span<const MemoryPool> pools) {
  if (pools.empty() || pools.size() > kMaxPools) {
    return InvalidArgumentError(pools.size(), " pools, allowed 1..", kMaxPools);
  }
  if (uses.size() != requests.size()) {
    return InvalidArgumentError(uses.size(), " pool uses for ", requests.size(),
                                " requests");
  }
  int64_t most = 0;
  for (size_t p = 0; p < pools.size(); ++p) {
    if (pools[p].cost_per_byte < 0) {
      return InvalidArgumentError("pool ", p, ": the cost per byte ",
                                  pools[p].cost_per_byte, " is negative");
    }
    most = std::max(most, pools[p].cost_per_byte);
  }
  int64_t sum = 0;
  for (size_t i = 0; i < uses.size(); ++i) {
    int64_t cost;
    if (uses[i].accessed_bytes < 0 ||
        !CheckedMul(uses[i].accessed_bytes, most, &cost) ||
        !CheckedAdd(sum, cost, &sum)) {
      return InvalidArgumentError("request ", i, ": its accessed bytes, ",
                                  uses[i].accessed_bytes,
                                  ", are negative or their cost overflows");
    }
    const uint64_t all = ~uint64_t{0} >> (kMaxPools - pools.size());
    if ((uses[i].allowed_pools & all) == 0) {
      return InvalidArgumentError("request ", i, ": none of the ", pools.size(),
                                  " pools may hold it");
    }
  }
  return OkStatus();
}

// Fills one pool.
class PoolFiller {
 public:
  PoolFiller(Span<const BufferRequest> requests,
             Span<const AllowedOverlap> overlaps, int64_t capacity,
             const PlanOptions& options)
      : requests_(requests),
        overlaps_(overlaps),
        capacity_(capacity),
        options_(options) {
    options_.capacity = capacity;
  }

  // Plans the requests of `chosen`; true when they fit, and then the plan is
  // kept.
  Result<bool> Try(Span<const int32_t> chosen) {
    ++trials_;
    Array<BufferRequest> requests;
    ARENALITE_RETURN_IF_ERROR(index_.Resize(requests_.size()));
    index_.Fill(-1);
    for (int32_t i : chosen) {
      index_[i] = static_cast<int32_t>(requests.size());
      ARENALITE_RETURN_IF_ERROR(requests.Append(requests_[i]));
    }
    Array<AllowedOverlap> overlaps;
    for (const AllowedOverlap& overlap : overlaps_) {
      const int32_t out = index_[overlap.output];
      const int32_t in = index_[overlap.input];
      if (out < 0 || in < 0) continue;
      ARENALITE_RETURN_IF_ERROR(overlaps.Append({out, in, overlap.bytes}));
    }
    ARENALITE_ASSIGN_OR_RETURN(MemoryPlan plan,
                               PlanMemory(requests, overlaps, options_));
    const bool fits = capacity_ < 0 || plan.total_bytes <= capacity_;
    if (!fits && !must_explain_) return false;
    if (!fits) return Explain(requests, chosen, plan);
    plan_ = std::move(plan);
    kept_.Clear();
    for (int32_t i : chosen) ARENALITE_RETURN_IF_ERROR(kept_.Append(i));
    return true;
  }

  // Requests that have nowhere else to go.
  Status Require(Span<const int32_t> chosen) {
    must_explain_ = true;
    Result<bool> fits = Try(chosen);
    must_explain_ = false;
    return std::move(fits).status();
  }

  // Adds as many of `wanted`, in their order, as fit on top of what is kept:
  // all, or the first half, then the second half.
  Status Add(Span<const int32_t> wanted) {
    if (wanted.empty()) return OkStatus();
    Array<int32_t> chosen;
    ARENALITE_RETURN_IF_ERROR(chosen.Reserve(kept_.size() + wanted.size()));
    for (int32_t i : kept_) ARENALITE_RETURN_IF_ERROR(chosen.Append(i));
    for (int32_t i : wanted) ARENALITE_RETURN_IF_ERROR(chosen.Append(i));
    ARENALITE_ASSIGN_OR_RETURN(const bool fits, Try(chosen));
    if (fits || wanted.size() == 1) return OkStatus();
    const size_t half = wanted.size() / 2;
    ARENALITE_RETURN_IF_ERROR(Add(wanted.subspan(0, half)));
    return Add(wanted.subspan(half, wanted.size() - half));
  }

  // Puts `in` in the place of `out`, when that fits.
  Result<bool> Exchange(int32_t out, int32_t in) {
    Array<int32_t> chosen;
    for (int32_t i : kept_) {
      ARENALITE_RETURN_IF_ERROR(chosen.Append(i == out ? in : i));
    }
    return Try(chosen);
  }

  Span<const int32_t> kept() const { return kept_; }
  const MemoryPlan& plan() const { return plan_; }
  int trials() const { return trials_; }

 private:
  Status Explain(Span<const BufferRequest> requests, Span<const int32_t> chosen,
                 const MemoryPlan& plan) const {
    ARENALITE_ASSIGN_OR_RETURN(const Misfit misfit,
                               ExplainMisfit(requests, plan, capacity_));
    const int32_t largest = chosen[misfit.buffers[0]];
    return ResourceExhaustedError(
        misfit.shortfall_bytes, " bytes are missing: ", plan.total_bytes,
        " are needed of ", capacity_, "; step ", misfit.step, " holds ",
        misfit.buffers.size(), " buffers, the largest is request ", largest,
        " of ", requests_[largest].size, " bytes");
  }

  Span<const BufferRequest> requests_;
  Span<const AllowedOverlap> overlaps_;
  const int64_t capacity_;
  PlanOptions options_;
  bool must_explain_ = false;
  int trials_ = 0;
  Array<int32_t> index_;
  Array<int32_t> kept_;
  MemoryPlan plan_;
};

class PoolPlanner {
 public:
  PoolPlanner(Span<const BufferRequest> requests,
              Span<const AllowedOverlap> overlaps, Span<const PoolUse> uses,
              Span<const MemoryPool> pools, const PlanOptions& options)
      : requests_(requests),
        overlaps_(overlaps),
        uses_(uses),
        pools_(pools),
        options_(options) {}

  Result<PoolPlan> Plan() {
    ARENALITE_RETURN_IF_ERROR(plan_.pools.Resize(requests_.size()));
    ARENALITE_RETURN_IF_ERROR(plan_.offsets.Resize(requests_.size()));
    ARENALITE_RETURN_IF_ERROR(plan_.total_bytes.Resize(pools_.size()));
    ARENALITE_RETURN_IF_ERROR(saving_.Resize(requests_.size()));
    plan_.pools.Fill(-1);
    for (size_t p = 0; p < pools_.size(); ++p) {
      ARENALITE_RETURN_IF_ERROR(order_.Append(static_cast<int32_t>(p)));
    }
    std::sort(order_.begin(), order_.end(), [&](int32_t a, int32_t b) {
      const int64_t cost_a = pools_[a].cost_per_byte;
      const int64_t cost_b = pools_[b].cost_per_byte;
      return cost_a != cost_b ? cost_a < cost_b : a < b;
    });
    for (size_t rank = 0; rank < order_.size(); ++rank) {
      Status status = FillPool(rank);
      if (!status.ok()) {
        return std::move(status).WithPrefix(
            {"pool ", TextPiece(order_[rank]).view(), ": "});
      }
    }
    return std::move(plan_);
  }

 private:
  bool Allows(int32_t request, int32_t pool) const {
    return (uses_[request].allowed_pools >> pool & 1) != 0;
  }

  // What it costs to send the request on to the next pool it may use.
  // -1: there is none.
  int64_t SavingIn(size_t rank, int32_t request) const {
    for (size_t next = rank + 1; next < order_.size(); ++next) {
      if (!Allows(request, order_[next])) continue;
      return uses_[request].accessed_bytes *
             (pools_[order_[next]].cost_per_byte -
              pools_[order_[rank]].cost_per_byte);
    }
    return -1;
  }

  Status FillPool(size_t rank) {
    const int32_t pool = order_[rank];
    Array<int32_t> required, wanted;
    for (int32_t i = 0; i < static_cast<int32_t>(requests_.size()); ++i) {
      if (plan_.pools[i] >= 0 || !Allows(i, pool)) continue;
      saving_[i] = SavingIn(rank, i);
      ARENALITE_RETURN_IF_ERROR((saving_[i] < 0 ? required : wanted).Append(i));
    }
    // Most saved per byte first: the order of a knapsack's greedy solution.
    std::sort(wanted.begin(), wanted.end(), [&](int32_t a, int32_t b) {
      const double gain_a = Density(a);
      const double gain_b = Density(b);
      return gain_a != gain_b ? gain_a > gain_b : a < b;
    });
    PoolFiller filler(requests_, overlaps_, pools_[pool].capacity, options_);
    ARENALITE_RETURN_IF_ERROR(filler.Require(required));
    ARENALITE_RETURN_IF_ERROR(filler.Add(wanted));
    ARENALITE_RETURN_IF_ERROR(Improve(wanted, &filler));
    for (size_t k = 0; k < filler.kept().size(); ++k) {
      const int32_t i = filler.kept()[k];
      plan_.pools[i] = pool;
      plan_.offsets[i] = filler.plan().offsets[k];
      plan_.access_cost += uses_[i].accessed_bytes * pools_[pool].cost_per_byte;
    }
    plan_.total_bytes[pool] = filler.plan().total_bytes;
    return OkStatus();
  }

  double Density(int32_t i) const {
    return static_cast<double>(saving_[i]) /
           static_cast<double>(std::max<int64_t>(requests_[i].size, 1));
  }

  // Exchanges a kept request for one that saves more, while there is one.
  Status Improve(Span<const int32_t> wanted, PoolFiller* filler) {
    for (int32_t in : wanted) {
      if (Contains(filler->kept(), in)) continue;
      for (int32_t out : wanted) {
        if (saving_[out] >= saving_[in] || !Contains(filler->kept(), out)) {
          continue;
        }
        if (filler->trials() >= kMaxTrials) return OkStatus();
        ARENALITE_ASSIGN_OR_RETURN(const bool done, filler->Exchange(out, in));
        if (!done) continue;
        const int32_t again[] = {out};
        ARENALITE_RETURN_IF_ERROR(filler->Add(again));
        break;
      }
    }
    return OkStatus();
  }

  static bool Contains(Span<const int32_t> values, int32_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  Span<const BufferRequest> requests_;
  Span<const AllowedOverlap> overlaps_;
  Span<const PoolUse> uses_;
  Span<const MemoryPool> pools_;
  const PlanOptions& options_;
  Array<int32_t> order_;   // Pools, the cheapest first.
  Array<int64_t> saving_;  // Of each request, in the pool being filled.
  PoolPlan plan_;
};

}  // namespace

Result<PoolPlan> PlanPools(Span<const BufferRequest> requests,
                           Span<const AllowedOverlap> overlaps,
                           Span<const PoolUse> uses,
                           Span<const MemoryPool> pools,
                           const PlanOptions& options) {
  ARENALITE_RETURN_IF_ERROR(ValidateRequests(requests, overlaps));
  ARENALITE_RETURN_IF_ERROR(Validate(requests, uses, pools));
  return PoolPlanner(requests, overlaps, uses, pools, options).Plan();
}

}  // namespace arenalite
