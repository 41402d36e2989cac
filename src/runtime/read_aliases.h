// ShowReadsInPlace: READ_VARIABLE without a copy.

#ifndef ARENALITE_RUNTIME_READ_ALIASES_H_
#define ARENALITE_RUNTIME_READ_ALIASES_H_

#include "runtime/frame.h"

namespace arenalite {

// Lets the output of each READ_VARIABLE be the variable's own bytes where all
// its readers run before anything can assign the variable again. Notes them
// in Frame::resource_of. The frame's nodes are prepared.
void ShowReadsInPlace(Frame& frame);

}  // namespace arenalite

#endif  // ARENALITE_RUNTIME_READ_ALIASES_H_
