// ModelFields: every number of a model file, by name and place, and the values
// that hostile files put there.

#ifndef ARENALITE_TESTS_TESTING_MODEL_FIELDS_H_
#define ARENALITE_TESTS_TESTING_MODEL_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/span.h"

namespace arenalite {
namespace testing {

// A number that is `bytes` (1 to 8) wide, at `offset` of the file.
struct ModelField {
  size_t offset;
  int bytes;
  std::string path;  // "subgraphs[0].tensors[1].shape[2]"
};

// The numbers of tables and vectors, and how long vectors and texts say they
// are. Of vectors, the first 16 elements; of tensors' data, the first 16 words
// of four bytes. None for a file that is no FlatBuffer of a model.
std::vector<ModelField> ModelFields(Span<const uint8_t> file);

// Zero, small and negative numbers, powers of two and their neighbours, the
// ends of the range, and the bits of infinities and NaN; the lowest `bytes` of
// each count.
std::vector<uint64_t> ExtremeValues(int bytes);

uint64_t GetField(const std::vector<uint8_t>& file, const ModelField& field);
void SetField(std::vector<uint8_t>& file, const ModelField& field,
              uint64_t value);

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_MODEL_FIELDS_H_
