// What all convolutions share: the checks of types, bias and quantization, and
// how results are scaled.

#ifndef ARENALITE_KERNELS_CONV_SCALING_H_
#define ARENALITE_KERNELS_CONV_SCALING_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "kernels/hybrid.h"
#include "kernels/quantization.h"

namespace arenalite {

// The arithmetic that the types of input, weights and bias ask for.
enum class ConvKind : uint8_t {
  kFloat,
  kHybrid,  // Float activations, integer weights.
  kInt8,
  kUInt8,
  kInt16,        // 64-bit bias and accumulator.
  kInt16Narrow,  // 32-bit bias and accumulator.
};

// The tensors of a convolution, and their names in errors.
struct ConvTensors {
  const Tensor* input = nullptr;
  const Tensor* weights = nullptr;
  const Tensor* bias = nullptr;  // Null when absent.
  Tensor* output = nullptr;
  const char* input_name = "input 0";
  const char* weights_name = "input 1 (filter)";
  const char* bias_name = "input 2 (bias)";
};

// The input at position `input`, the weights at 1; the bias comes after both.
ConvTensors FindConvTensors(const OpContext& context, int input);

// What differs between the operators.
struct ConvTraits {
  int channel_dimension = 0;  // Of the weights: the output channels.
  bool int4_weights = false;
  bool int4_hybrid = false;
  bool uint8_hybrid = false;  // uint8 weights that hold int8 values.
  bool narrow_int16 = false;
  // The weights of int8 and int16 inputs must say that their zero points are
  // 0; elsewhere the reference ignores what they say.
  bool checks_zero_points = false;
};

struct ConvOptions {
  int32_t padding = 0;
  int32_t stride_height = 0;
  int32_t stride_width = 0;
  int32_t dilation_height = 1;
  int32_t dilation_width = 1;
  int32_t activation = 0;           // schema::ActivationFunctionType
  int32_t quantized_bias_type = 0;  // schema::TensorType; 0: unset.
};

// The options that CONV_2D and DEPTHWISE_CONV_2D share.
template <class Table>
ConvOptions ReadConvOptions(const Table& table) {
  ConvOptions options;
  options.padding = table.padding();
  options.stride_height = table.stride_h();
  options.stride_width = table.stride_w();
  options.dilation_height = table.dilation_h_factor();
  options.dilation_width = table.dilation_w_factor();
  options.activation = table.fused_activation_function();
  return options;
}

// A value for each channel (step 1), or one for all (step 0).
template <class T>
struct PerChannel {
  const T* values = nullptr;
  int32_t step = 1;

  const T& at(int64_t channel) const { return values[channel * step]; }
};

// What eval needs to scale results.
struct ConvScaling {
  ConvKind kind = ConvKind::kFloat;
  PerChannel<QuantizedMultiplier> multipliers;  // Integer kinds.
  ActivationRange range;
  FloatRange float_range;    // Float and hybrid kinds.
  int quantized_input = -1;  // Scratch of the hybrid kind.
  int input_scales = -1;
  bool asymmetric = true;  // How the hybrid kind quantizes its input.
};

// Checks types, bias and quantization. For the hybrid kind, asks for scratch.
Result<ConvScaling> PrepareConvScaling(OpContext& context,
                                       const ConvTensors& tensors,
                                       const ConvTraits& traits,
                                       const ConvOptions& options);

// Refuses a tensor whose rank is not `rank`, and one of whose dimensions from
// `first_positive` on is 0.
Status CheckSpatial(const Tensor& tensor, const char* name, int rank,
                    int first_positive);

// eval: quantizes every batch of the hybrid kind's input into its scratch.
// Returns the scale of each batch.
const RowScale* QuantizeInput(const OpContext& context, const Tensor& input,
                              const ConvScaling& scaling);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_CONV_SCALING_H_
