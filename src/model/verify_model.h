// VerifyModel: the rules of a model that FlatBuffers cannot express.

#ifndef ARENALITE_MODEL_VERIFY_MODEL_H_
#define ARENALITE_MODEL_VERIFY_MODEL_H_

#include "arenalite/status.h"
#include "model/model.h"

namespace arenalite {

// `model` has passed the FlatBuffers verifier. Afterwards all of this holds:
// * The schema version is 3; there is a subgraph; buffers kept behind the
//   FlatBuffer lie inside of the file.
// * Each tensor has a known type, at most kMaxRank dimensions, none negative,
//   a byte count that fits 63 bits, a shape signature that agrees, data of
//   exactly its size, sound quantization and sparsity. Variables are neither
//   constant nor written by an op.
// * Each op has a known code, a version from 1, a name when it is custom, and
//   names tensors that exist; -1 (absent) is allowed for inputs, intermediates
//   and graph inputs, and for results of a called subgraph. Each tensor has at
//   most one writer, which is no op for graph inputs and constants. No op reads
//   what nothing writes, but for tensors without elements. (A graph output
//   that nothing writes is allowed: its bytes are unspecified.)
// * Subgraphs call subgraphs that exist, never themselves, at limited depth.
// * Signatures name inputs and outputs of their subgraph.
// * Lists shared by many owners add up to no more than a small multiple of
//   the file, so that no walk over the model takes absurdly long.
// An error names subgraph, op, tensor, the value found and what is allowed.
Status VerifyModel(const Model& model);

}  // namespace arenalite

#endif  // ARENALITE_MODEL_VERIFY_MODEL_H_
