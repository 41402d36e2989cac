#include "tools/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tools/command_error.h"

namespace arenalite {
namespace {

struct Closer {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, Closer>;

[[noreturn]] void Fail(const char* what, const std::string& path) {
  throw CommandError(std::string("cannot ") + what + " '" + path +
                     "': " + std::strerror(errno));
}

}  // namespace

std::vector<uint8_t> ReadFile(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) Fail("open", path);
  std::vector<uint8_t> bytes;
  uint8_t block[65536];
  while (size_t count = std::fread(block, 1, sizeof(block), file.get())) {
    bytes.insert(bytes.end(), block, block + count);
  }
  if (std::ferror(file.get())) Fail("read", path);
  return bytes;
}

void WriteFile(const std::string& path, Span<const uint8_t> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) Fail("create", path);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0) {
    Fail("write", path);
  }
}

}  // namespace arenalite
