// How libFuzzer changes a model: half of the time as it does any bytes, else by
// another number in some field, which leaves a file that can be read.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "testing/model_fields.h"
#include "writer/prng.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using namespace arenalite;
using testing::ModelField;

uint64_t AnyValue(const std::vector<uint8_t>& file,
                  const std::vector<ModelField>& fields,
                  const ModelField& field, Prng& prng) {
  switch (prng.Below(4)) {
    case 0:
      return prng.AnyOf(testing::ExtremeValues(field.bytes));
    case 1:
      return static_cast<uint64_t>(prng.Between(-2, 140));
    case 2:
      return testing::GetField(file, field) +
             static_cast<uint64_t>(prng.Between(-2, 2));
    default:
      return testing::GetField(file, prng.AnyOf(fields));
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned int seed) {
  Prng prng(seed);
  const auto fields = testing::ModelFields(Span<const uint8_t>(data, size));
  if (fields.empty() || prng.OneIn(2)) {
    return LLVMFuzzerMutate(data, size, max_size);
  }
  std::vector<uint8_t> file(data, data + size);
  for (int k = prng.Between(1, 3); k > 0; --k) {
    const ModelField& field = prng.AnyOf(fields);
    testing::SetField(file, field, AnyValue(file, fields, field, prng));
  }
  std::copy(file.begin(), file.end(), data);
  return size;
}
