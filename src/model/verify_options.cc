#include "model/flatbuffer_span.h"
#include "model/verify_parts.h"

namespace arenalite {
namespace {

using Int64s = flatbuffers::Vector<int64_t>;

// Writers align no list without numbers, and nobody reads one.
bool IsAligned(const Int64s* list) {
  return SizeOf(list) == 0 ||
         reinterpret_cast<uintptr_t>(list->Data()) % alignof(int64_t) == 0;
}

// Each list of 64-bit numbers that `options` holds is where op definitions can
// read it: FlatBuffers checks only the alignment of the length in front.
template <class... Lists>
Status VerifyAligned(const Lists*... lists) {
  if ((IsAligned(lists) && ...)) return OkStatus();
  return InvalidModelError(
      "options hold 64-bit numbers at an address that is no multiple of 8");
}

Status VerifyLists(const schema::StablehloBroadcastInDimOptions& options) {
  return VerifyAligned(options.broadcast_dimensions());
}

Status VerifyLists(const schema::StablehloSliceOptions& options) {
  return VerifyAligned(options.start_indices(), options.limit_indices(),
                       options.strides());
}

Status VerifyLists(const schema::StablehloConvolutionOptions& options) {
  return VerifyAligned(
      options.window_strides(), options.padding(), options.lhs_dilation(),
      options.rhs_dilation(), options.input_spatial_dimensions(),
      options.kernel_spatial_dimensions(), options.output_spatial_dimensions());
}

Status VerifyLists(const schema::StablehloReduceOptions& options) {
  return VerifyAligned(options.dimensions());
}

Status VerifyLists(const schema::StablehloScatterOptions& options) {
  return VerifyAligned(options.update_window_dims(),
                       options.inserted_window_dims(),
                       options.scatter_dims_to_operand_dims());
}

Status VerifyLists(const schema::StablehloDynamicSliceOptions& options) {
  return VerifyAligned(options.slice_sizes());
}

Status VerifyLists(const schema::StablehloPadOptions& options) {
  return VerifyAligned(options.edge_padding_low(), options.edge_padding_high(),
                       options.interior_padding());
}

Status VerifyLists(const schema::StablehloDotGeneralOptions& options) {
  return VerifyAligned(options.lhs_batching_dimensions(),
                       options.rhs_batching_dimensions(),
                       options.lhs_contracting_dimensions(),
                       options.rhs_contracting_dimensions());
}

Status VerifyLists(const schema::StablehloReduceWindowOptions& options) {
  return VerifyAligned(options.window_dimensions(), options.window_strides(),
                       options.base_dilations(), options.window_dilations(),
                       options.padding());
}

Status VerifyLists(const schema::StablehloGatherOptions& options) {
  return VerifyAligned(options.offset_dims(), options.collapsed_slice_dims(),
                       options.start_index_map(), options.slice_sizes());
}

Status VerifyLists(const schema::StablehloTransposeOptions& options) {
  return VerifyAligned(options.permutation());
}

// Checks the options of `op` when they are a T.
template <class T>
Status VerifyListsIf(const schema::Operator& op) {
  const T* options = op.builtin_options_2_as<T>();
  return options == nullptr ? OkStatus() : VerifyLists(*options);
}

template <class... Ts>
Status VerifyListsIfAny(const schema::Operator& op) {
  Status status;
  (void)((status = VerifyListsIf<Ts>(op), status.ok()) && ...);
  return status;
}

}  // namespace

Status VerifyOptions(Verification& v, const schema::Operator& op) {
  if (const auto* handle = op.builtin_options_as_VarHandleOptions()) {
    ARENALITE_RETURN_IF_ERROR(v.Charge(handle->container()));
    ARENALITE_RETURN_IF_ERROR(v.Charge(handle->shared_name()));
  }
  return VerifyListsIfAny<
      schema::StablehloBroadcastInDimOptions, schema::StablehloSliceOptions,
      schema::StablehloConvolutionOptions, schema::StablehloReduceOptions,
      schema::StablehloScatterOptions, schema::StablehloDynamicSliceOptions,
      schema::StablehloPadOptions, schema::StablehloDotGeneralOptions,
      schema::StablehloReduceWindowOptions, schema::StablehloGatherOptions,
      schema::StablehloTransposeOptions>(op);
}

}  // namespace arenalite
