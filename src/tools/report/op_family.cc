#include "tools/report/op_family.h"

#include <algorithm>
#include <cstddef>

namespace arenalite {
namespace {

constexpr OpFamilyInfo kFamilies[] = {
    {OpFamily::kInput, "input", "input of the model"},
    {OpFamily::kConvolution, "convolution", "convolution"},
    {OpFamily::kMatrix, "matrix", "matrix product, recurrent"},
    {OpFamily::kElementwise, "elementwise", "element-wise"},
    {OpFamily::kPooling, "pooling", "pooling, reduction, resizing"},
    {OpFamily::kMovement, "movement", "copy, join, cut, gather"},
    {OpFamily::kControl, "control", "control flow, variables"},
    {OpFamily::kOther, "other", "other"},
    {OpFamily::kScratch, "scratch", "scratch"},
};

// A part of a name that tells the family.
struct Clue {
  std::string_view part;
  OpFamily family;
};

// The first part that a name has decides: so "MAX_POOL_2D" is found before
// "MAX", and "REVERSE_SEQUENCE" before "SEQUENCE_".
constexpr Clue kClues[] = {
    {"VARIABLE", OpFamily::kControl},
    {"VAR_HANDLE", OpFamily::kControl},
    {"WHILE", OpFamily::kControl},
    {"CALL", OpFamily::kControl},
    {"CASE", OpFamily::kControl},
    {"COMPOSITE", OpFamily::kControl},
    {"UNPOOLING", OpFamily::kPooling},
    {"Unpooling", OpFamily::kPooling},
    {"POOL", OpFamily::kPooling},
    {"Pool", OpFamily::kPooling},
    {"RESIZE", OpFamily::kPooling},
    {"REDUCE", OpFamily::kPooling},
    {"MEAN", OpFamily::kPooling},
    {"SEGMENT", OpFamily::kPooling},
    {"ARG_M", OpFamily::kPooling},
    {"CUMSUM", OpFamily::kPooling},
    {"CONVERT", OpFamily::kElementwise},
    {"CONV", OpFamily::kConvolution},
    {"Conv", OpFamily::kConvolution},
    {"FULLY_CONNECTED", OpFamily::kMatrix},
    {"MATMUL", OpFamily::kMatrix},
    {"DOT_GENERAL", OpFamily::kMatrix},
    {"LSTM", OpFamily::kMatrix},
    {"SEQUENCE_RNN", OpFamily::kMatrix},
    {"RNN", OpFamily::kMatrix},
    {"SVDF", OpFamily::kMatrix},
    {"CONCATENAT", OpFamily::kMovement},
    {"PACK", OpFamily::kMovement},
    {"SPLIT", OpFamily::kMovement},
    {"SLICE", OpFamily::kMovement},
    {"PAD", OpFamily::kMovement},
    {"TRANSPOSE", OpFamily::kMovement},
    {"RESHAPE", OpFamily::kMovement},
    {"SQUEEZE", OpFamily::kMovement},
    {"EXPAND_DIMS", OpFamily::kMovement},
    {"BITCAST", OpFamily::kMovement},
    {"BROADCAST", OpFamily::kMovement},
    {"TILE", OpFamily::kMovement},
    {"REVERSE", OpFamily::kMovement},
    {"GATHER", OpFamily::kMovement},
    {"SCATTER", OpFamily::kMovement},
    {"LOOKUP", OpFamily::kMovement},
    {"TO_DEPTH", OpFamily::kMovement},
    {"TO_SPACE", OpFamily::kMovement},
    {"TO_BATCH", OpFamily::kMovement},
    {"TO_DENSE", OpFamily::kMovement},
    {"DENSIFY", OpFamily::kMovement},
    {"DIAG", OpFamily::kMovement},
    {"FILL", OpFamily::kMovement},
    {"SHAPE", OpFamily::kMovement},
    {"DILATE", OpFamily::kMovement},
    {"RANDOM", OpFamily::kOther},
    {"MULTINOMIAL", OpFamily::kOther},
    {"TOPK", OpFamily::kOther},
    {"NON_MAX", OpFamily::kOther},
    {"PostProcess", OpFamily::kOther},
};

// Names that a part would mistake: equal to it, not only with it.
constexpr Clue kNames[] = {
    {"IF", OpFamily::kControl},
    {"SUM", OpFamily::kPooling},
};

// What works on each element alone, or on one row.
constexpr std::string_view kElementwise[] = {
    "ABS",       "ADD",       "AND",     "ATAN2",   "BUCKETIZE",     "CAST",
    "CBRT",      "CEIL",      "CLAMP",   "COMPARE", "COMPLEX",       "CONVERT",
    "COS",       "DIV",       "ELU",     "EQUAL",   "ERF",           "EXP",
    "FLOOR",     "GELU",      "GREATER", "IMAG",    "LESS",          "LOG",
    "MAXIMUM",   "MINIMUM",   "MUL",     "NEG",     "NORMALIZATION", "NOT",
    "OR",        "POW",       "PRELU",   "QUANT",   "REAL",          "RELU",
    "REMAINDER", "ROUND",     "SELECT",  "SHIFT",   "SIGN",          "SIN",
    "SOFTMAX",   "SQRT",      "SQUARE",  "SUB",     "SWISH",         "TANH",
    "XOR",       "ZEROS_LIKE"};

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

OpFamily FamilyOfOp(std::string_view op_name) {
  for (const Clue& name : kNames) {
    if (op_name == name.part) return name.family;
  }
  for (const Clue& clue : kClues) {
    if (Has(op_name, clue.part)) return clue.family;
  }
  const bool elementwise =
      std::any_of(std::begin(kElementwise), std::end(kElementwise),
                  [&](std::string_view part) { return Has(op_name, part); });
  return elementwise ? OpFamily::kElementwise : OpFamily::kOther;
}

Span<const OpFamilyInfo> OpFamilies() {
  return Span<const OpFamilyInfo>(kFamilies);
}

const char* OpFamilyKey(OpFamily family) {
  return kFamilies[static_cast<size_t>(family)].key;
}

}  // namespace arenalite
