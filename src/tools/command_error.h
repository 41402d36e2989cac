// CommandError: ends the command with one line on stderr and exit code 1.

#ifndef ARENALITE_TOOLS_COMMAND_ERROR_H_
#define ARENALITE_TOOLS_COMMAND_ERROR_H_

#include <stdexcept>
#include <string>
#include <utility>

#include "arenalite/status.h"

namespace arenalite {

class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The tool turns Statuses into exceptions: it has no state to keep.
inline void ThrowIfError(const Status& status) {
  if (!status.ok()) throw CommandError(status.message());
}

template <class T>
T ValueOrThrow(Result<T> result) {
  if (!result.ok()) throw CommandError(result.message());
  return std::move(result).value();
}

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_COMMAND_ERROR_H_
