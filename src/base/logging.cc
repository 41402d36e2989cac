#include "arenalite/logging.h"

#include <cstring>
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
    std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  installed.sink(severity, std::string_view(line, length), installed.user_data);
  ::operator delete(line);
}

}  // namespace arenalite
