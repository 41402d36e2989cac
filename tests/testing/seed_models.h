// SeedModels: small valid models that mutations and fuzzers start from.

#ifndef ARENALITE_TESTS_TESTING_SEED_MODELS_H_
#define ARENALITE_TESTS_TESTING_SEED_MODELS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace arenalite {
namespace testing {

struct SeedModel {
  std::string name;
  std::vector<uint8_t> file;
};

// One model for each op whose options or data decide about memory, control
// flow, random graphs, and the smallest ones of the zoo. All of them plan
// within RunBytes' limits; whether one runs to its end may depend on its
// inputs.
std::vector<SeedModel> SeedModels();

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_SEED_MODELS_H_
