// Pisarchyk and Lee, "Efficient memory management for deep neural net
// inference" (2020): the step whose live buffers are largest in sum gets its
// buffers first (the larger ones first), then the next fullest step.

#include <algorithm>

#include "plan/buffer_order.h"
#include "plan/strategies.h"

namespace arenalite {
namespace {

// A section, as fullness: a later one wins only when it is larger.
struct Breadth {
  int64_t bytes = -1;
  int32_t section = 0;
  bool operator<(const Breadth& other) const {
    return bytes != other.bytes ? bytes < other.bytes : section > other.section;
  }
};

// The fullest section of a range, in O(log n): a segment tree in an array,
// node k over its children 2k and 2k + 1, the leaves in the second half.
class FullestSection {
 public:
  static Result<FullestSection> Create(const Problem& problem) {
    FullestSection tree;
    const size_t count = problem.section_count();
    ARENALITE_RETURN_IF_ERROR(tree.nodes_.Resize(2 * count));
    Breadth* leaves = tree.nodes_.data() + count;
    for (size_t s = 0; s < count; ++s) {
      leaves[s] = {0, static_cast<int32_t>(s)};
    }
    for (const Buffer& buffer : problem.buffers()) {
      leaves[buffer.first].bytes += buffer.size;
      const size_t end = static_cast<size_t>(buffer.last) + 1;
      if (end < count) leaves[end].bytes -= buffer.size;
    }
    for (size_t s = 1; s < count; ++s) leaves[s].bytes += leaves[s - 1].bytes;
    for (size_t k = count; k-- > 1;) {
      tree.nodes_[k] = std::max(tree.nodes_[2 * k], tree.nodes_[2 * k + 1]);
    }
    return tree;
  }

  Breadth Of(int32_t first, int32_t last) const {
    const size_t count = nodes_.size() / 2;
    Breadth best;
    size_t low = first + count;
    size_t high = last + 1 + count;
    for (; low < high; low /= 2, high /= 2) {
      if (low % 2 == 1) best = std::max(best, nodes_[low++]);
      if (high % 2 == 1) best = std::max(best, nodes_[--high]);
    }
    return best;
  }

 private:
  Array<Breadth> nodes_;
};

struct BreadthKey {
  Breadth breadth;
  int64_t size;
  bool operator<(const BreadthKey& other) const {
    if (breadth < other.breadth) return true;
    return !(other.breadth < breadth) && size < other.size;
  }
};

}  // namespace

Result<Array<int32_t>> OrderByBreadth(const Problem& problem) {
  ARENALITE_ASSIGN_OR_RETURN(FullestSection fullest,
                             FullestSection::Create(problem));
  return OrderByLargest(problem, [&](int32_t i) {
    const Buffer& buffer = problem.buffer(i);
    return BreadthKey{fullest.Of(buffer.first, buffer.last), buffer.size};
  });
}

}  // namespace arenalite
