// What several report formats ask of a MemoryReport.

#ifndef ARENALITE_TOOLS_REPORT_REPORT_VIEW_H_
#define ARENALITE_TOOLS_REPORT_REPORT_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "arenalite/memory_report.h"
#include "tools/report/op_family.h"

namespace arenalite {

// The member by which people know a storage: the one that is written first.
// -1: scratch, which has none.
int32_t MainMember(const MemoryReport& report, size_t storage);

// A member's name, or "scratch of CONV_2D".
std::string StorageName(const MemoryReport& report, size_t storage);

OpFamily FamilyOfStorage(const MemoryReport& report, size_t storage);

// Positions of the storages that are live at `step`, the largest first.
std::vector<size_t> LiveAt(const MemoryReport& report, int32_t step);

// The op of a step, or "the end".
std::string OpOfStep(const MemoryReport& report, int32_t step);
int64_t LiveBytesOf(const MemoryReport& report, int32_t step);
int64_t BoundBytesOf(const MemoryReport& report, int32_t step);

// Bytes [begin, begin + bytes) that two storages have in common; 0 bytes:
// none.
struct SharedBytes {
  int64_t begin = 0;
  int64_t bytes = 0;
};
SharedBytes BytesInCommon(const StorageReport& a, const StorageReport& b);

// The folders, "net/net/", that most names of tensors begin with: labels leave
// them out. Empty when there are none.
std::string CommonFolder(const MemoryReport& report);
// A name as a label: without `folder`, and of fused ops' names the first.
std::string ShortName(const std::string& name, const std::string& folder);

// "model.tflite" of "a/b/model.tflite".
std::string LastPart(const std::string& path);

// "46,080".
std::string GroupDigits(int64_t number);
// "46,080 bytes (45.0 KiB)".
std::string BytesText(int64_t bytes);

// Valid UTF-8: every byte that is none becomes U+FFFD. Control characters
// become spaces.
std::string CleanText(const std::string& text);
// The same as text of HTML and SVG, also inside of quotes.
std::string EscapeMarkup(const std::string& text);

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_REPORT_REPORT_VIEW_H_
