#include "tools/report/report_view.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace arenalite {
namespace {

size_t Index(int32_t i) { return static_cast<size_t>(i); }

bool IsEnd(const MemoryReport& report, int32_t step) {
  return Index(step) >= report.steps.size();
}

// The length of the UTF-8 sequence at `at`; 0 when there is none. (RFC 3629:
// no surrogates, nothing above U+10FFFF, shortest forms only.)
size_t SequenceLength(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool bad =
      (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

// U+0000 to U+001F and U+007F to U+009F, which terminals obey.
bool IsControl(const std::string& text, size_t at, size_t length) {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (length == 1) return lead < ' ' || lead == 0x7F;
  return lead == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

}  // namespace

int32_t MainMember(const MemoryReport& report, size_t storage) {
  int32_t best = -1;
  for (int32_t member : report.MembersOf(storage)) {
    // Inputs have no writer, -1, and come first.
    if (best < 0 || report.tensors[Index(member)].writer_step <
                        report.tensors[Index(best)].writer_step) {
      best = member;
    }
  }
  return best;
}

std::string StorageName(const MemoryReport& report, size_t storage) {
  const int32_t member = MainMember(report, storage);
  if (member >= 0) return report.tensors[Index(member)].name;
  return "scratch of " + OpOfStep(report, report.storages[storage].first_step);
}

OpFamily FamilyOfStorage(const MemoryReport& report, size_t storage) {
  const int32_t member = MainMember(report, storage);
  if (member < 0) return OpFamily::kScratch;
  const int32_t writer = report.tensors[Index(member)].writer_step;
  if (writer < 0) return OpFamily::kInput;
  const StepReport& step = report.steps[Index(writer)];
  return step.is_control ? OpFamily::kControl : FamilyOfOp(step.op_name);
}

std::vector<size_t> LiveAt(const MemoryReport& report, int32_t step) {
  std::vector<size_t> live;
  for (size_t i = 0; i < report.storages.size(); ++i) {
    const StorageReport& storage = report.storages[i];
    if (storage.bytes > 0 && storage.first_step <= step &&
        step <= storage.last_step) {
      live.push_back(i);
    }
  }
  std::stable_sort(live.begin(), live.end(), [&](size_t a, size_t b) {
    return report.storages[a].bytes > report.storages[b].bytes;
  });
  return live;
}

std::string OpOfStep(const MemoryReport& report, int32_t step) {
  return IsEnd(report, step) ? "the end" : report.steps[Index(step)].op_name;
}

int64_t LiveBytesOf(const MemoryReport& report, int32_t step) {
  return IsEnd(report, step) ? report.end_bytes
                             : report.steps[Index(step)].live_bytes;
}

int64_t BoundBytesOf(const MemoryReport& report, int32_t step) {
  return IsEnd(report, step) ? report.end_bytes
                             : report.steps[Index(step)].bound_bytes;
}

SharedBytes BytesInCommon(const StorageReport& a, const StorageReport& b) {
  SharedBytes shared;
  shared.begin = std::max(a.offset, b.offset);
  const int64_t end = std::min(a.offset + a.bytes, b.offset + b.bytes);
  shared.bytes = std::max<int64_t>(end - shared.begin, 0);
  return shared;
}

std::string CommonFolder(const MemoryReport& report) {
  std::vector<std::string> names;
  for (size_t i = 0; i < report.storages.size(); ++i) {
    if (!report.storages[i].is_scratch) names.push_back(StorageName(report, i));
  }
  std::string folder;
  for (;;) {
    std::map<std::string, size_t> counts;
    const std::string* most = nullptr;
    size_t most_count = 0;
    for (const std::string& name : names) {
      if (name.compare(0, folder.size(), folder) != 0) continue;
      const size_t slash = name.find('/', folder.size());
      if (slash == std::string::npos || slash + 1 == name.size()) continue;
      const auto entry = counts.emplace(name.substr(0, slash + 1), 0).first;
      if (++entry->second > most_count) {
        most_count = entry->second;
        most = &entry->first;
      }
    }
    if (most == nullptr || 2 * most_count < names.size()) return folder;
    folder = *most;
  }
}

std::string ShortName(const std::string& name, const std::string& folder) {
  const bool inside = name.compare(0, folder.size(), folder) == 0;
  const size_t begin = inside ? folder.size() : 0;
  const size_t end = name.find(';', begin);
  const std::string text = name.substr(begin, end - begin);
  return text.empty() ? name : text;
}

std::string LastPart(const std::string& path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string GroupDigits(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) {
    i -= 3;
    digits.insert(i, 1, ',');
  }
  return digits;
}

std::string BytesText(int64_t bytes) {
  std::string text = GroupDigits(bytes) + " bytes";
  if (bytes < 1024) return text;
  const bool mega = bytes >= 1024 * 1024;
  char size[32];
  std::snprintf(size, sizeof(size), " (%.1f %s)",
                static_cast<double>(bytes) / (mega ? 1048576 : 1024),
                mega ? "MiB" : "KiB");
  return text + size;
}

std::string CleanText(const std::string& text) {
  std::string clean;
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0) {
      clean += "\xEF\xBF\xBD";
    } else if (IsControl(text, i, length)) {
      clean += ' ';
    } else {
      clean.append(text, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return clean;
}

std::string EscapeMarkup(const std::string& text) {
  std::string escaped;
  for (char c : CleanText(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace arenalite
