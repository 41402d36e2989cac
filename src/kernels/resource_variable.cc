// VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE: values that live from Invoke to
// Invoke, shared by name. A handle is the number of its variable.

#include <cstring>

#include "arenalite/builtin_ops.h"
#include "kernels/options.h"
#include "model_generated.h"

namespace arenalite {
namespace {

struct HandleOptions {
  const char* container;
  const char* name;
};

const char* TextOf(const flatbuffers::String* text) {
  return text == nullptr ? "" : text->c_str();
}

Status ParseHandle(const OpSource& source, void* options) {
  auto* parsed = static_cast<HandleOptions*>(options);
  const auto* table = OptionsTable<schema::VarHandleOptions>(source);
  parsed->container = table ? TextOf(table->container()) : "";
  parsed->name = table ? TextOf(table->shared_name()) : "";
  return OkStatus();
}

Status PrepareHandle(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(0, 0, 1, 1));
  const Tensor& output = context.output(0);
  if (output.type != TensorType::kResource) {
    return InvalidModelError("output 0 is ", TensorTypeName(output.type),
                             ", allowed RESOURCE");
  }
  const auto& options = context.options<HandleOptions>();
  ARENALITE_ASSIGN_OR_RETURN(int32_t * id, context.CreateData<int32_t>());
  ARENALITE_ASSIGN_OR_RETURN(
      *id, context.ResourceId(options.container, options.name));
  return context.SetOutputShape(0, Shape({1}));
}

Status EvalHandle(OpContext& context) {
  *context.output(0).data_as<int32_t>() = context.data<int32_t>();
  return OkStatus();
}

// The variable that input 0 names.
Result<ResourceVariable*> Variable(const OpContext& context) {
  const Tensor& handle = context.input(0);
  if (handle.type != TensorType::kResource || handle.shape.NumElements() != 1) {
    return InvalidModelError("input 0 is ", TensorTypeName(handle.type),
                             " of shape ", handle.shape.dims(),
                             ", allowed one RESOURCE");
  }
  if (!context.HasValue(handle)) {
    return UnimplementedError(
        "input 0 is a handle that is known only at "
        "Invoke, allowed those of VAR_HANDLE");
  }
  const int32_t id = *handle.data_as<int32_t>();
  ResourceVariable* variable = context.resource(id);
  if (variable == nullptr) {
    return OutOfRangeError("input 0 is handle ", id, ", which names nothing");
  }
  return variable;
}

// The first op that names a shape decides; others must agree.
Status AgreeOnShape(ResourceVariable& variable, const Tensor& tensor) {
  if (variable.has_shape) {
    if (variable.value.type == tensor.type &&
        variable.value.shape == tensor.shape) {
      return OkStatus();
    }
    return UnimplementedError(
        "variable '", variable.name, "' is ",
        TensorTypeName(variable.value.type), " ", variable.value.shape.dims(),
        " elsewhere and ", TensorTypeName(tensor.type), " ",
        tensor.shape.dims(), " here: one fixed shape is allowed");
  }
  ARENALITE_ASSIGN_OR_RETURN(variable.value.bytes,
                             TensorBytes(tensor.type, tensor.shape));
  variable.value.type = tensor.type;
  variable.value.shape = tensor.shape;
  variable.has_shape = true;
  return OkStatus();
}

Status PrepareAssign(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(2, 2, 0, 0));
  ARENALITE_ASSIGN_OR_RETURN(ResourceVariable * variable, Variable(context));
  return AgreeOnShape(*variable, context.input(1));
}

// Where data decide the shape, it is known too late to give bytes.
Status NotPlaced(const ResourceVariable& variable, const Tensor& tensor) {
  return UnimplementedError(
      "variable '", variable.name, "' has ", variable.placed_bytes,
      " bytes and is used with ", tensor.bytes,
      ": its shape must be known before Invoke, allowed one fixed shape");
}

Status EvalAssign(OpContext& context) {
  ResourceVariable* variable =
      context.resource(*context.input(0).data_as<int32_t>());
  const Tensor& value = context.input(1);
  if (value.bytes > variable->placed_bytes) return NotPlaced(*variable, value);
  if (value.data != variable->value.data && value.bytes > 0) {
    std::memcpy(variable->value.data, value.data,
                static_cast<size_t>(value.bytes));
  }
  variable->initialized = true;
  return OkStatus();
}

Status PrepareRead(OpContext& context) {
  ARENALITE_RETURN_IF_ERROR(context.CheckCounts(1, 1, 1, 1));
  ARENALITE_ASSIGN_OR_RETURN(ResourceVariable * variable, Variable(context));
  Tensor& output = context.output(0);
  if (!variable->has_shape) {
    ARENALITE_RETURN_IF_ERROR(AgreeOnShape(*variable, output));
  }
  if (output.type != variable->value.type) {
    return InvalidModelError("output 0 is ", TensorTypeName(output.type),
                             ", but variable '", variable->name, "' is ",
                             TensorTypeName(variable->value.type));
  }
  return context.SetOutputShape(0, variable->value.shape);
}

Status EvalRead(OpContext& context) {
  const ResourceVariable* variable =
      context.resource(*context.input(0).data_as<int32_t>());
  if (!variable->initialized) {
    return FailedPreconditionError("variable '", variable->name,
                                   "' is read before anything assigns it");
  }
  Tensor& output = context.output(0);
  if (output.bytes > variable->placed_bytes)
    return NotPlaced(*variable, output);
  if (output.data != variable->value.data && output.bytes > 0) {
    std::memcpy(output.data, variable->value.data,
                static_cast<size_t>(output.bytes));
  }
  return OkStatus();
}

}  // namespace

namespace ops {

// None of them has an overlap: the variable's bytes are not planned.
const OpDefinition kVarHandle = {"VAR_HANDLE",
                                 schema::BuiltinOperator_VAR_HANDLE,
                                 1,
                                 kOpReadsShapes,
                                 sizeof(HandleOptions),
                                 ParseHandle,
                                 PrepareHandle,
                                 EvalHandle,
                                 nullptr};
const OpDefinition kReadVariable = {"READ_VARIABLE",
                                    schema::BuiltinOperator_READ_VARIABLE,
                                    1,
                                    kOpHasState,
                                    0,
                                    nullptr,
                                    PrepareRead,
                                    EvalRead,
                                    nullptr};
const OpDefinition kAssignVariable = {"ASSIGN_VARIABLE",
                                      schema::BuiltinOperator_ASSIGN_VARIABLE,
                                      1,
                                      kOpHasState,
                                      0,
                                      nullptr,
                                      PrepareAssign,
                                      EvalAssign,
                                      nullptr};

}  // namespace ops
}  // namespace arenalite
