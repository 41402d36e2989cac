// Logging: one process-wide sink that the application may replace.

#ifndef ARENALITE_LOGGING_H_
#define ARENALITE_LOGGING_H_

#include <initializer_list>
#include <string_view>

namespace arenalite {

enum class LogSeverity { kInfo, kWarning, kError };

// Receives one finished line without a newline. Must not call back into the
// library. May be called from any thread that runs an interpreter.
using LogSink = void (*)(LogSeverity severity, std::string_view line,
                         void* user_data);

// Installs `sink` for the whole process; null (the default) drops all lines.
// Call it before other threads use the library.
void SetLogSink(LogSink sink, void* user_data);

// True when a sink is installed: lets callers skip building costly lines.
bool HasLogSink();

// Sends the concatenation of `parts` to the sink, if there is one; control
// characters become '?'.
void Log(LogSeverity severity, std::initializer_list<std::string_view> parts);

}  // namespace arenalite

#endif  // ARENALITE_LOGGING_H_
