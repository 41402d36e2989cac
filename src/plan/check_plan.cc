// The verifier. On purpose it includes nothing of the planners and is as
// plain as can be: a mistake there must not be repeated here.

#include "arenalite/planner.h"

namespace arenalite {
namespace {

bool LiveTogether(const BufferRequest& a, const BufferRequest& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

Status CheckBuffer(const BufferRequest& request, int64_t offset, size_t i) {
  if (request.size < 0 || request.alignment < 1) {
    return InvalidArgumentError("request ", i, " has size ", request.size,
                                " and alignment ", request.alignment);
  }
  if (offset < 0 || offset > INT64_MAX - request.size) {
    return InternalError("buffer ", i, " of ", request.size,
                         " bytes is at offset ", offset);
  }
  if (offset % request.alignment != 0) {
    return InternalError("buffer ", i, " is at offset ", offset,
                         ", no multiple of its alignment ", request.alignment);
  }
  if (request.fixed_offset >= 0 && offset != request.fixed_offset) {
    return InternalError("buffer ", i, " is at offset ", offset,
                         ", not at its fixed offset ", request.fixed_offset);
  }
  return OkStatus();
}

bool OverlapIsAllowed(Span<const BufferRequest> requests,
                      Span<const AllowedOverlap> overlaps,
                      Span<const int64_t> offsets, size_t a, size_t b) {
  for (const AllowedOverlap& overlap : overlaps) {
    const size_t out = static_cast<size_t>(overlap.output);
    const size_t in = static_cast<size_t>(overlap.input);
    if (!(out == a && in == b) && !(out == b && in == a)) continue;
    if (overlap.bytes <= 0) continue;
    const int64_t end = offsets[out] + requests[out].size;
    if (end - overlap.bytes <= offsets[in]) return true;
  }
  return false;
}

bool MayBeThere(Span<const BufferRequest> requests,
                Span<const AllowedOverlap> overlaps,
                Span<const int64_t> offsets, size_t a, size_t b) {
  return requests[b].size == 0 || !LiveTogether(requests[a], requests[b]) ||
         offsets[a] + requests[a].size <= offsets[b] ||
         offsets[b] + requests[b].size <= offsets[a] ||
         OverlapIsAllowed(requests, overlaps, offsets, a, b);
}

Status Conflict(Span<const BufferRequest> requests, Span<const int64_t> offsets,
                size_t a, size_t b) {
  return InternalError("buffers ", a, " [", offsets[a], ", ",
                       offsets[a] + requests[a].size, ") and ", b, " [",
                       offsets[b], ", ", offsets[b] + requests[b].size,
                       ") share bytes while both are live");
}

}  // namespace

Status CheckPlan(Span<const BufferRequest> requests,
                 Span<const AllowedOverlap> overlaps, const MemoryPlan& plan) {
  const Span<const int64_t> offsets = plan.offsets;
  if (offsets.size() != requests.size()) {
    return InternalError("the plan has ", offsets.size(), " offsets for ",
                         requests.size(), " requests");
  }
  int64_t total = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    ARENALITE_RETURN_IF_ERROR(CheckBuffer(requests[i], offsets[i], i));
    const int64_t end = offsets[i] + requests[i].size;
    if (requests[i].size > 0 && end > total) total = end;
  }
  if (plan.total_bytes != total) {
    return InternalError("the plan states ", plan.total_bytes,
                         " bytes in total, but its buffers end at ", total);
  }
  if (plan.lower_bound_bytes > total) {
    return InternalError("the plan states a lower bound of ",
                         plan.lower_bound_bytes, " bytes, above its total of ",
                         total);
  }
  for (size_t a = 0; a < requests.size(); ++a) {
    if (requests[a].size == 0) continue;
    for (size_t b = a + 1; b < requests.size(); ++b) {
      if (MayBeThere(requests, overlaps, offsets, a, b)) continue;
      return Conflict(requests, offsets, a, b);
    }
  }
  return OkStatus();
}

}  // namespace arenalite
