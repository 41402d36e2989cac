#include "plan/validate.h"

#include <algorithm>

#include "base/checked_math.h"

namespace arenalite {
namespace {

Status ValidateFixedOffset(const BufferRequest& request, size_t i) {
  if (request.fixed_offset < -1) {
    return InvalidArgumentError("request ", i, ": the fixed offset ",
                                request.fixed_offset,
                                " is negative (-1 stands for none)");
  }
  if (request.fixed_offset > 0 &&
      (request.fixed_offset & (request.alignment - 1)) != 0) {
    return InvalidArgumentError(
        "request ", i, ": the fixed offset ", request.fixed_offset,
        " is no multiple of its alignment ", request.alignment);
  }
  return OkStatus();
}

Status ValidateRequest(const BufferRequest& request, size_t i) {
  if (request.size < 0) {
    return InvalidArgumentError("request ", i, ": the size ", request.size,
                                " is negative");
  }
  if (request.last_step < request.first_step) {
    return InvalidArgumentError("request ", i, ": the last step ",
                                request.last_step, " is before the first, ",
                                request.first_step);
  }
  if (!IsPowerOfTwo(request.alignment)) {
    return InvalidArgumentError("request ", i, ": the alignment ",
                                request.alignment, " is no power of two");
  }
  return ValidateFixedOffset(request, i);
}

Status ValidateSum(Span<const BufferRequest> requests) {
  int64_t end = 0;
  for (const BufferRequest& request : requests) {
    end = std::max(end, request.fixed_offset);
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    int64_t padded;
    if (!CheckedAdd(requests[i].size, requests[i].alignment - 1, &padded) ||
        !CheckedAdd(end, padded, &end) || end > kMaxPlanBytes) {
      return InvalidArgumentError(
          "request ", i, ": with its size ", requests[i].size,
          " the sum of all sizes overflows (at most ", kMaxPlanBytes, ")");
    }
  }
  return OkStatus();
}

Status ValidateOverlap(const AllowedOverlap& overlap, size_t i, size_t count) {
  for (int32_t index : {overlap.output, overlap.input}) {
    if (index < 0 || static_cast<size_t>(index) >= count) {
      return InvalidArgumentError("overlap ", i, " names the request ", index,
                                  ", of ", count, " requests");
    }
  }
  if (overlap.output == overlap.input) {
    return InvalidArgumentError("overlap ", i, " names the request ",
                                overlap.input, " as both output and input");
  }
  return OkStatus();
}

struct Pair {
  int32_t low, high;
  bool operator<(const Pair& other) const {
    return low != other.low ? low < other.low : high < other.high;
  }
  bool operator==(const Pair& other) const {
    return low == other.low && high == other.high;
  }
};

Status ValidateOverlaps(Span<const AllowedOverlap> overlaps, size_t count) {
  Array<Pair> pairs;
  ARENALITE_RETURN_IF_ERROR(pairs.Reserve(overlaps.size()));
  for (size_t i = 0; i < overlaps.size(); ++i) {
    ARENALITE_RETURN_IF_ERROR(ValidateOverlap(overlaps[i], i, count));
    const auto [low, high] =
        std::minmax({overlaps[i].output, overlaps[i].input});
    ARENALITE_RETURN_IF_ERROR(pairs.Append({low, high}));
  }
  std::sort(pairs.begin(), pairs.end());
  const Pair* twice = std::adjacent_find(pairs.begin(), pairs.end());
  if (twice != pairs.end()) {
    return InvalidArgumentError("two overlaps name the requests ", twice->low,
                                " and ", twice->high, ", allowed is one");
  }
  return OkStatus();
}

}  // namespace

Status ValidateRequests(Span<const BufferRequest> requests,
                        Span<const AllowedOverlap> overlaps) {
  if (requests.size() > INT32_MAX) {
    return InvalidArgumentError(requests.size(), " requests, at most ",
                                INT32_MAX, " are allowed");
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    ARENALITE_RETURN_IF_ERROR(ValidateRequest(requests[i], i));
  }
  ARENALITE_RETURN_IF_ERROR(ValidateSum(requests));
  return ValidateOverlaps(overlaps, requests.size());
}

}  // namespace arenalite
