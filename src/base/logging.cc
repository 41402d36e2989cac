#include "arenalite/logging.h"

#include <new>

namespace arenalite {
namespace {

struct InstalledSink {
  LogSink sink;
  void* user_data;
};

InstalledSink installed = {nullptr, nullptr};

}  // namespace

void SetLogSink(LogSink sink, void* user_data) {
  installed = {sink, user_data};
}

bool HasLogSink() { return installed.sink != nullptr; }

void Log(LogSeverity severity, std::initializer_list<std::string_view> parts) {
  if (!HasLogSink()) return;
  size_t length = 0;
  for (std::string_view part : parts) length += part.size();
  char* line = static_cast<char*>(::operator new(length + 1, std::nothrow));
  if (line == nullptr) return;
  char* out = line;
  for (std::string_view part : parts) {
    // Names come from files: a line stays one line.
    for (char c : part) *out++ = static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  installed.sink(severity, std::string_view(line, length), installed.user_data);
  ::operator delete(line);
}

}  // namespace arenalite
