// What recurrent operators share: products of weight matrices with float or
// on-the-fly quantized vectors, and the order in which they walk a sequence.

#ifndef ARENALITE_KERNELS_RECURRENT_H_
#define ARENALITE_KERNELS_RECURRENT_H_

#include <cstdint>

#include "arenalite/op_definition.h"
#include "kernels/dot.h"
#include "kernels/hybrid.h"

namespace arenalite {

// Weights [rows, cols], bound to their bytes for one eval. Without data: an
// absent tensor, whose product is zero.
struct Matrix {
  const void* data = nullptr;
  float scale = 0.0f;  // Of int8 weights.
  int64_t rows = 0;
  int64_t cols = 0;

  // Row r alone, of elements with `element_bytes` each.
  Matrix Row(int64_t r, size_t element_bytes) const {
    const auto* bytes = static_cast<const uint8_t*>(data);
    return {bytes + static_cast<size_t>(r * cols) * element_bytes, scale, 1,
            cols};
  }
};
Matrix BindMatrix(const Tensor* tensor);

// A vector that is multiplied with several matrices. `HybridVector` quantizes
// it to int8 first.
class FloatVector {
 public:
  using Weight = float;
  FloatVector(int8_t*, bool) {}
  void Set(const float* values, int64_t) { values_ = values; }
  // sum[r] += row r times the vector.
  void AddProduct(const Matrix& matrix, float* sum) const {
    const auto* row = static_cast<const float*>(matrix.data);
    for (int64_t r = 0; r < matrix.rows; ++r, row += matrix.cols) {
      sum[r] += FloatDot(row, values_, matrix.cols);
    }
  }

 private:
  const float* values_ = nullptr;
};

class HybridVector {
 public:
  using Weight = int8_t;
  // `quantized` has room for the longest vector.
  HybridVector(int8_t* quantized, bool asymmetric)
      : quantized_(quantized), asymmetric_(asymmetric) {}
  void Set(const float* values, int64_t count) {
    row_ = QuantizeRow(values, count, asymmetric_, quantized_);
  }
  void AddProduct(const Matrix& matrix, float* sum) const {
    const auto* row = static_cast<const int8_t*>(matrix.data);
    const float scale = row_.scale * matrix.scale;
    for (int64_t r = 0; r < matrix.rows; ++r, row += matrix.cols) {
      const int64_t dot =
          OffsetDot(row, 0, quantized_, -row_.zero_point, matrix.cols);
      sum[r] += static_cast<float>(dot) * scale;
    }
  }

 private:
  int8_t* quantized_;
  bool asymmetric_;
  RowScale row_;
};

// values[i] = activation(values[i]). `activation`: a
// schema::ActivationFunctionType that CheckActivation accepts.
void ApplyActivation(int32_t activation, float* values, int64_t count);
Status CheckActivation(int32_t activation);
void ApplyLogistic(float* values, int64_t count);

// A batch of sequences, stored [time, batch, size] or [batch, time, size].
struct Sequence {
  int64_t batch = 1;
  int64_t time = 1;
  bool time_major = true;
};

// Calls step(row, b) for each vector, in the order in which the steps of one
// sequence follow each other: `row` counts vectors in memory, `b` sequences.
// Forward, rows come in the order of memory.
template <class Step>
void ForEachStep(const Sequence& sequence, bool backward, Step step) {
  const int64_t outer = sequence.time_major ? sequence.time : sequence.batch;
  const int64_t inner = sequence.time_major ? sequence.batch : sequence.time;
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      int64_t t = sequence.time_major ? i : j;
      const int64_t b = sequence.time_major ? j : i;
      if (backward) t = sequence.time - 1 - t;
      step(sequence.time_major ? t * sequence.batch + b : b * sequence.time + t,
           b);
    }
  }
}

// D of a forward pass that reads each input vector whole before it writes the
// output vector of the same row.
int64_t ForwardOverlap(const Tensor& input, const Tensor& output);

// Refuses a tensor that eval could not keep state in, or of another type or
// number of elements. `what` names it: "input 18 (output state)".
Status CheckState(const Tensor* state, const char* what, TensorType type,
                  int64_t elements);

// Refuses a tensor of another type or shape.
Status CheckTensor(const Tensor& tensor, const char* what, TensorType type,
                   const Shape& shape);

// The same for weights; hybrid ones must have one scale.
Status CheckWeights(const Tensor& tensor, const char* what, TensorType type,
                    const Shape& shape);

// INT8 weights of hybrid operators may be called UINT8 by old files.
bool IsHybridWeight(TensorType type);

}  // namespace arenalite

#endif  // ARENALITE_KERNELS_RECURRENT_H_
