// Custom operators that published models use, one definition each.
//
// BuiltinOpResolver knows all of them, by name; a MutableOpResolver those that
// are added to it:
//     resolver.AddCustom(ops::kConvolution2dTransposeBias);

#ifndef ARENALITE_CUSTOM_OPS_H_
#define ARENALITE_CUSTOM_OPS_H_

#include "arenalite/op_definition.h"

namespace arenalite {
namespace ops {

// "TFLite_Detection_PostProcess": box decoding and non-maximum suppression of
// SSD detectors.
extern const OpDefinition kDetectionPostProcess;
// MediaPipe's "Convolution2DTransposeBias".
extern const OpDefinition kConvolution2dTransposeBias;
// MediaPipe's "MaxPoolingWithArgmax2D": indices are positions in the window.
extern const OpDefinition kMaxPoolingWithArgmax2d;
// "MaxUnpooling2D": with FLOAT32 indices MediaPipe's, positions in the window;
// with INT32 indices TensorFlow Lite's, positions in the output.
extern const OpDefinition kMaxUnpooling2d;
// The same under the name that LiteRT's converter gives it.
extern const OpDefinition kLiteRtMaxUnpooling2d;

}  // namespace ops
}  // namespace arenalite

#endif  // ARENALITE_CUSTOM_OPS_H_
