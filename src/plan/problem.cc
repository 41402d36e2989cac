#include "plan/problem.h"

#include <algorithm>

#include "plan/canonical_order.h"

namespace arenalite {
namespace {

// Above so many pairs neighbours are searched, not stored: memory stays in
// proportion to the buffers. Real models have some dozens a buffer.
size_t MostStoredNeighbours(size_t buffers) {
  return std::max(size_t{1} << 22, 256 * buffers);
}

struct PartnerOf {
  int32_t owner;
  Partner partner;
};

}  // namespace

Result<Problem> Problem::Create(Span<const BufferRequest> requests,
                                Span<const AllowedOverlap> overlaps) {
  Problem problem;
  ARENALITE_RETURN_IF_ERROR(problem.AddBuffers(requests, overlaps));
  ARENALITE_RETURN_IF_ERROR(problem.CutSections(requests));
  ARENALITE_RETURN_IF_ERROR(problem.FindNeighbours());
  ARENALITE_RETURN_IF_ERROR(problem.AddPartners(requests.size(), overlaps));
  ARENALITE_RETURN_IF_ERROR(problem.CheckFixedOffsets());
  return problem;
}

Status Problem::AddBuffers(Span<const BufferRequest> requests,
                           Span<const AllowedOverlap> overlaps) {
  ARENALITE_ASSIGN_OR_RETURN(Array<int32_t> order,
                             CanonicalOrder(requests, overlaps));
  ARENALITE_RETURN_IF_ERROR(buffers_.Resize(order.size()));
  for (size_t i = 0; i < order.size(); ++i) {
    const BufferRequest& request = requests[order[i]];
    Buffer& buffer = buffers_[i];
    buffer.size = request.size;
    buffer.alignment = request.alignment;
    buffer.fixed_offset = request.fixed_offset;
    buffer.steps = int64_t{request.last_step} - request.first_step;
    buffer.request = order[i];
  }
  return OkStatus();
}

Status Problem::CutSections(Span<const BufferRequest> requests) {
  for (Buffer& buffer : buffers_) {
    const int32_t step = requests[buffer.request].first_step;
    if (section_steps_.empty() || section_steps_.back() != step) {
      ARENALITE_RETURN_IF_ERROR(section_steps_.Append(step));
    }
    buffer.first = section_count() - 1;
  }
  for (Buffer& buffer : buffers_) {
    const int32_t step = requests[buffer.request].last_step;
    const int32_t* next =
        std::upper_bound(section_steps_.begin(), section_steps_.end(), step);
    buffer.last = static_cast<int32_t>(next - section_steps_.begin()) - 1;
  }
  return OkStatus();
}

Status Problem::FindNeighbours() {
  ARENALITE_RETURN_IF_ERROR(later_end_.Resize(buffers_.size()));
  ARENALITE_RETURN_IF_ERROR(earlier_begin_.Resize(buffers_.size() + 1));
  Array<int32_t> live;
  ARENALITE_RETURN_IF_ERROR(live.Reserve(buffers_.size()));
  const size_t most = MostStoredNeighbours(buffers_.size());
  bool stored = true;
  for (int32_t i = 0; i < size(); ++i) {
    const Buffer& buffer = buffers_[i];
    later_end_[i] = static_cast<int32_t>(
        std::upper_bound(
            buffers_.begin() + i, buffers_.end(), buffer.last,
            [](int32_t last, const Buffer& b) { return last < b.first; }) -
        buffers_.begin());
    pair_count_ += later_end_[i] - i - 1;
    if (!stored) continue;
    size_t kept = 0;
    for (int32_t j : live) {
      if (buffers_[j].last >= buffer.first) live[kept++] = j;
    }
    ARENALITE_RETURN_IF_ERROR(live.Resize(kept));
    stored = earlier_.size() + kept <= most;
    for (size_t k = 0; stored && k < kept; ++k) {
      ARENALITE_RETURN_IF_ERROR(earlier_.Append(live[k]));
    }
    earlier_begin_[i + 1] = earlier_.size();
    ARENALITE_RETURN_IF_ERROR(live.Append(i));
  }
  if (!stored) {
    earlier_begin_.Reset();
    earlier_.Reset();
  }
  return OkStatus();
}

Status Problem::AddPartners(size_t request_count,
                            Span<const AllowedOverlap> overlaps) {
  ARENALITE_RETURN_IF_ERROR(partner_begin_.Resize(buffers_.size() + 1));
  if (overlaps.empty()) return OkStatus();
  ARENALITE_ASSIGN_OR_RETURN(auto buffer_of,
                             Array<int32_t>::Create(request_count));
  buffer_of.Fill(-1);
  for (int32_t i = 0; i < size(); ++i) buffer_of[buffers_[i].request] = i;
  Array<PartnerOf> found;
  for (const AllowedOverlap& overlap : overlaps) {
    const int32_t out = buffer_of[overlap.output];
    const int32_t in = buffer_of[overlap.input];
    if (out < 0 || in < 0 || overlap.bytes <= 0 ||
        buffers_[out].first > buffers_[in].last ||
        buffers_[in].first > buffers_[out].last) {
      continue;
    }
    const int64_t out_size = buffers_[out].size;
    const int64_t in_size = buffers_[in].size;
    // From out_size + in_size on, every placement is right.
    const int64_t gap = out_size - std::min(overlap.bytes, out_size + in_size);
    ARENALITE_RETURN_IF_ERROR(found.Append({out, {in, gap, in_size}}));
    ARENALITE_RETURN_IF_ERROR(found.Append({in, {out, in_size, gap}}));
  }
  std::sort(found.begin(), found.end(),
            [](const PartnerOf& a, const PartnerOf& b) {
              return a.owner != b.owner ? a.owner < b.owner
                                        : a.partner.buffer < b.partner.buffer;
            });
  ARENALITE_RETURN_IF_ERROR(partners_.Resize(found.size()));
  for (size_t k = 0; k < found.size(); ++k) {
    partners_[k] = found[k].partner;
    ++partner_begin_[found[k].owner + 1];
  }
  for (int32_t i = 0; i < size(); ++i) {
    partner_begin_[i + 1] += partner_begin_[i];
  }
  return OkStatus();
}

Status Problem::CheckFixedOffsets() const {
  for (int32_t i = 0; i < size(); ++i) {
    if (buffers_[i].fixed_offset < 0) continue;
    Status status;
    ForEachNeighbour(i, [&](int32_t j) {
      if (j < i && buffers_[j].fixed_offset >= 0 && status.ok()) {
        status = CheckFixedPair(i, j);
      }
    });
    ARENALITE_RETURN_IF_ERROR(std::move(status));
  }
  return OkStatus();
}

Status Problem::CheckFixedPair(int32_t i, int32_t j) const {
  const Buffer& a = buffers_[i];
  const Buffer& b = buffers_[j];
  int64_t below = a.size;
  int64_t above = b.size;
  for (const Partner& partner : partners(i)) {
    if (partner.buffer != j) continue;
    below = partner.below;
    above = partner.above;
  }
  if (a.fixed_offset <= b.fixed_offset - below ||
      a.fixed_offset >= b.fixed_offset + above) {
    return OkStatus();
  }
  const auto [low, high] = std::minmax({a.request, b.request});
  return InvalidArgumentError("the fixed offsets of the requests ", low,
                              " and ", high,
                              " make them share bytes while both are live");
}

}  // namespace arenalite
