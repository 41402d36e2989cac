// OpFamily: the kinds of work by which reports colour memory.

#ifndef ARENALITE_TOOLS_REPORT_OP_FAMILY_H_
#define ARENALITE_TOOLS_REPORT_OP_FAMILY_H_

#include <string_view>

#include "arenalite/span.h"

namespace arenalite {

enum class OpFamily {
  kInput,        // Filled by the application.
  kConvolution,  // Sliding windows with weights.
  kMatrix,       // Matrix products and recurrent cells.
  kElementwise,  // Arithmetic and activations.
  kPooling,      // Pools, reductions, resizing.
  kMovement,     // Copies, joins, cuts, gathers, views.
  kControl,      // Control flow and variables.
  kOther,
  kScratch,  // Not an op's result: its work space.
};

// Of an operator's name as in the file format: "CONV_2D".
OpFamily FamilyOfOp(std::string_view op_name);

struct OpFamilyInfo {
  OpFamily family;
  const char* key;    // "convolution": in files.
  const char* label;  // "convolution": for people.
};
// All, in the order of the enum.
Span<const OpFamilyInfo> OpFamilies();

const char* OpFamilyKey(OpFamily family);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_REPORT_OP_FAMILY_H_
