// How each operator with an overlap number is set up, at random, for the test
// of the contract.

#ifndef ARENALITE_TESTS_KERNELS_OVERLAP_ROWS_H_
#define ARENALITE_TESTS_KERNELS_OVERLAP_ROWS_H_

#include <functional>
#include <random>
#include <vector>

#include "testing/op_runner.h"

namespace arenalite {
namespace testing {

// Random sizes.
class Draw {
 public:
  explicit Draw(std::mt19937& random) : random_(random) {}
  int32_t UpTo(int most) { return 1 + Below(most); }  // 1..most
  int32_t Below(int end) {
    return static_cast<int32_t>(random_() % static_cast<uint32_t>(end));
  }
  bool Coin() { return Below(2) == 1; }
  Shape AnyShape(int rank, int most = 5) {
    Shape shape;
    shape.set_rank(rank);
    for (int i = 0; i < rank; ++i) shape.set_dim(i, UpTo(most));
    return shape;
  }
  std::mt19937& random() { return random_; }

 private:
  std::mt19937& random_;
};

using Build = std::function<void(OpRunner&, Draw&)>;

struct OverlapRow {
  const OpDefinition* op;
  Build build;
  // No distance is too large: the input is moved as a whole, or is not read
  // once there is output.
  bool anywhere = false;
};
using OverlapRows = std::vector<OverlapRow>;

OverlapRows ElementwiseRows();
OverlapRows MoveRows();
OverlapRows WindowRows();  // And matrices.
OverlapRows StateRows();   // And reductions.

// A 1-D INT32 constant.
inline void AddNumbers(OpRunner& runner, const std::vector<int32_t>& numbers) {
  runner.AddConstant<int32_t>({static_cast<int32_t>(numbers.size())}, numbers);
}
inline void AddRandom(OpRunner& runner, TensorType type, const Shape& shape,
                      Draw& draw) {
  runner.AddRandomInput(type, shape, draw.random());
}
inline void AddRandomConstant(OpRunner& runner, TensorType type,
                              const Shape& shape, Draw& draw) {
  runner.AddRandomInput(type, shape, draw.random(), {}, {}, 0, true);
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_KERNELS_OVERLAP_ROWS_H_
