// Random graphs: small seeded models that reach the corners of memory planning.
// Chains of in-place ops, views of views, diamonds, the same tensor twice as an
// input, results nobody reads, outputs that are read, inputs and constants that
// are outputs, absent biases, broadcasts, variables, scratch, files whose
// order has to be sorted.

#ifndef ARENALITE_TESTS_TESTING_RANDOM_GRAPH_H_
#define ARENALITE_TESTS_TESTING_RANDOM_GRAPH_H_

#include <cstdint>
#include <vector>

#include "arenalite/op_definition.h"
#include "arenalite/tensor.h"
#include "writer/model_builder.h"
#include "writer/prng.h"

namespace arenalite {
namespace testing {

struct RandomGraphOptions {
  TensorType type = TensorType::kFloat32;  // Or kInt8.
  int min_ops = 3;
  int max_ops = 30;
  // No tensor has more elements, so that a run takes microseconds.
  int max_elements = 400;
  // Also the ops of RandomGraphCustomOps.
  bool custom_ops = true;
};

// The same seed and options give the same graph with every compiler.
ModelBuilder RandomGraph(uint64_t seed, const RandomGraphOptions& options);

// "Accumulate" adds its input to a variable; "Reverse" needs scratch.
std::vector<const OpDefinition*> RandomGraphCustomOps();

// Fills a tensor that has bytes: floats in [-1, 1), all values of integers.
void FillRandom(Prng& prng, Tensor& tensor);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_RANDOM_GRAPH_H_
