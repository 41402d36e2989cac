#include "plan/random_requests.h"

#include <algorithm>
#include <utility>

namespace arenalite {
namespace testing {

uint64_t Random::Next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

int64_t Random::In(int64_t low, int64_t high) {
  return low +
         static_cast<int64_t>(Next() % static_cast<uint64_t>(high - low + 1));
}

namespace {

BufferRequest MakeRequest(Random& random, const RandomProblemOptions& options) {
  BufferRequest request;
  request.size = random.OneIn(20) ? 0 : random.In(1, options.max_size);
  request.first_step = static_cast<int32_t>(random.In(0, options.max_step));
  request.last_step = static_cast<int32_t>(std::min<int64_t>(
      options.max_step,
      request.first_step +
          random.In(0, random.OneIn(4) ? options.max_step : 2)));
  if (options.alignments && random.OneIn(3)) {
    request.alignment = 1 << random.In(0, 5);
  }
  return request;
}

bool Collide(const BufferRequest& a, const BufferRequest& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step &&
         a.fixed_offset < b.fixed_offset + b.size &&
         b.fixed_offset < a.fixed_offset + a.size;
}

void FixSome(Random& random, RandomProblem* problem) {
  for (BufferRequest& request : problem->requests) {
    if (!random.OneIn(8)) continue;
    const int64_t offset = random.In(0, 8) * std::max(request.alignment, 8);
    request.fixed_offset = offset;
    for (const BufferRequest& other : problem->requests) {
      if (&other != &request && other.fixed_offset >= 0 &&
          Collide(request, other)) {
        request.fixed_offset = -1;
        break;
      }
    }
  }
}

template <class T>
void Shuffle(std::vector<T>* values, Random& random) {
  for (size_t i = values->size(); i > 1; --i) {
    std::swap((*values)[i - 1], (*values)[random.Next() % i]);
  }
}

}  // namespace

namespace {

// An input that dies where its output is born, as an op has them.
bool MeetAtAnOp(const BufferRequest& output, const BufferRequest& input) {
  return output.first_step == input.last_step &&
         input.first_step < output.first_step;
}

bool LiveTogether(const BufferRequest& a, const BufferRequest& b) {
  return a.first_step <= b.last_step && b.first_step <= a.last_step;
}

// How far the output's tail reaches into the input: in place, a little before
// or behind that, or anything from nothing to no limit.
int64_t MakeOverlap(Random& random, const BufferRequest& output,
                    const BufferRequest& input) {
  switch (random.In(0, 4)) {
    case 0:
    case 1:
      return output.size;
    case 2:
      return output.size + random.In(-3, 3);
    default:
      return random.In(-1, output.size + 2 * input.size);
  }
}

}  // namespace

RandomProblem MakeRandomProblem(Random& random,
                                const RandomProblemOptions& options) {
  RandomProblem problem;
  const int64_t count = random.In(0, options.max_buffers);
  for (int64_t i = 0; i < count; ++i) {
    problem.requests.push_back(MakeRequest(random, options));
  }
  if (options.fixed_offsets && random.OneIn(2)) FixSome(random, &problem);
  if (!options.overlaps) return problem;
  const bool anywhere = random.OneIn(4);
  for (int32_t out = 0; out < count; ++out) {
    for (int32_t in = 0; in < count; ++in) {
      const BufferRequest& output = problem.requests[out];
      const BufferRequest& input = problem.requests[in];
      // Never the same pair the other way, too.
      const bool may = anywhere ? in < out && LiveTogether(output, input)
                                : MeetAtAnOp(output, input);
      if (!may || random.OneIn(3)) continue;
      problem.overlaps.push_back({out, in, MakeOverlap(random, output, input)});
    }
  }
  return problem;
}

RandomProblem Shuffled(const RandomProblem& problem, Random& random,
                       std::vector<int>* order) {
  const size_t count = problem.requests.size();
  order->resize(count);
  for (size_t i = 0; i < count; ++i) (*order)[i] = static_cast<int>(i);
  Shuffle(order, random);
  RandomProblem shuffled;
  std::vector<int32_t> now_at(count);
  for (size_t k = 0; k < count; ++k) {
    shuffled.requests.push_back(problem.requests[(*order)[k]]);
    now_at[(*order)[k]] = static_cast<int32_t>(k);
  }
  for (const AllowedOverlap& overlap : problem.overlaps) {
    shuffled.overlaps.push_back(
        {now_at[overlap.output], now_at[overlap.input], overlap.bytes});
  }
  Shuffle(&shuffled.overlaps, random);
  return shuffled;
}

}  // namespace testing
}  // namespace arenalite
