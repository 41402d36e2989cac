// Reads the op-level cases of a conformance corpus (`*.cases` files; their
// format is described in the corpus' ops/README.md).

#ifndef ARENALITE_TESTS_CONFORMANCE_CASE_READER_H_
#define ARENALITE_TESTS_CONFORMANCE_CASE_READER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/tensor.h"

namespace arenalite {
namespace conformance {

using Bytes = std::vector<uint8_t>;

// The value of one tensor of a case.
struct CaseTensor {
  bool present = true;  // False for an input that the graph leaves out.
  bool typed = true;    // False: only the bytes were stored.
  TensorType type = TensorType::kFloat32;
  std::vector<int32_t> dims;
  Bytes data;
};

enum class CaseStatus : uint8_t {
  kOk = 0,
  kPrepareError = 1,
  kInvokeError = 2
};

enum CaseFlags : uint8_t {
  kCaseHasState = 2,         // The first Invoke after a reset of variables.
  kCaseOnlyShapes = 32,      // The values are no function of the inputs.
  kCaseNeedsTolerance = 128  // Two builds of the reference differ.
};

struct Case {
  std::string name;
  std::string op;
  uint32_t op_version = 1;
  CaseStatus status = CaseStatus::kOk;
  uint8_t flags = 0;
  Bytes model;
  std::vector<CaseTensor> inputs;
  std::vector<CaseTensor> outputs;
  std::vector<CaseTensor> alternative;  // Another implementation's outputs.
};

// The cases of one file. On failure an empty list, and `*error` says where.
std::vector<Case> ReadCases(const std::string& path, std::string* error);

// The whole file; false when it cannot be read.
bool ReadFile(const std::string& path, Bytes* bytes);

}  // namespace conformance
}  // namespace arenalite

#endif  // ARENALITE_TESTS_CONFORMANCE_CASE_READER_H_
