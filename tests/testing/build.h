// From a ModelBuilder to an interpreter in one line.

#ifndef ARENALITE_TESTS_TESTING_BUILD_H_
#define ARENALITE_TESTS_TESTING_BUILD_H_

#include <memory>
#include <vector>

#include "arenalite/interpreter.h"
#include "testing/matchers.h"
#include "writer/model_builder.h"

namespace arenalite {
namespace testing {

// A model with all that its interpreter points to.
struct BuiltModel {
  std::vector<uint8_t> file;
  std::unique_ptr<FlatBufferModel> model;
  BuiltinOpResolver resolver;
  std::unique_ptr<Interpreter> interpreter;

  Interpreter* operator->() { return interpreter.get(); }
};

// On the heap, because interpreters point into it. A failure of the file is a
// failure of the test; one of the interpreter is the result.
inline Result<std::unique_ptr<BuiltModel>> TryBuild(
    const ModelBuilder& builder, const InterpreterOptions& options = {},
    std::vector<const OpDefinition*> customs = {}) {
  auto built = std::make_unique<BuiltModel>();
  built->file = builder.Finish();
  ARENALITE_ASSIGN_OR_RETURN(
      built->model,
      FlatBufferModel::BuildFromBuffer(Span<const uint8_t>(built->file)));
  for (const OpDefinition* custom : customs) {
    ARENALITE_RETURN_IF_ERROR(built->resolver.AddCustom(*custom));
  }
  ARENALITE_ASSIGN_OR_RETURN(
      built->interpreter,
      InterpreterBuilder(*built->model, built->resolver, options).Build());
  return built;
}

inline std::unique_ptr<BuiltModel> Build(
    const ModelBuilder& builder, const InterpreterOptions& options = {},
    std::vector<const OpDefinition*> customs = {}) {
  auto built = TryBuild(builder, options, std::move(customs));
  EXPECT_THAT(built, IsOk());
  return built.ok() ? std::move(built).value() : nullptr;
}

}  // namespace testing
}  // namespace arenalite

#endif  // ARENALITE_TESTS_TESTING_BUILD_H_
