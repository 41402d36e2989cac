#include "tools/report/svg_parts.h"

#include <algorithm>
#include <cstdio>

namespace arenalite {

const char* MarksOf(OpFamily family) {
  switch (family) {
    case OpFamily::kInput:
      return "M0 8h8M8 0v8";
    case OpFamily::kMatrix:
      return "M2 2h2v2h-2zM6 6h2v2h-2z";
    case OpFamily::kElementwise:
      return "M0 2h8M0 6h8";
    case OpFamily::kPooling:
      return "M2 0v8M6 0v8";
    case OpFamily::kMovement:
      return "M0 5l4 -4l4 4";
    case OpFamily::kControl:
      return "M1 4a3 3 0 1 0 6 0a3 3 0 1 0 -6 0";
    case OpFamily::kOther:
      return "M4 2v4M2 4h4";
    case OpFamily::kScratch:
      return "M0 8l8 -8";
    case OpFamily::kConvolution:
      break;
  }
  return "M0 0";
}

std::string SvgNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", value);
  std::string number = text;
  if (number.size() > 2 && number.substr(number.size() - 2) == ".0") {
    number.resize(number.size() - 2);
  }
  return number;
}

std::string ShortBytes(int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  const bool mega = bytes >= 1024 * 1024;
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g %s",
                static_cast<double>(bytes) / (mega ? 1048576 : 1024),
                mega ? "MiB" : "KiB");
  return text;
}

std::string FitText(const std::string& text, double pixels) {
  const auto letters = static_cast<size_t>(std::max(pixels, 0.0) / 7.4);
  if (text.size() <= letters) return text;
  return letters < 4 ? "" : text.substr(0, letters - 1) + "\xE2\x80\xA6";
}

std::string Box::Path() const {
  return "M" + SvgNumber(x) + " " + SvgNumber(y) + "h" + SvgNumber(w) + "v" +
         SvgNumber(h) + "h" + SvgNumber(-w) + "z";
}

std::string Box::Attributes() const {
  return "x=\"" + SvgNumber(x) + "\" y=\"" + SvgNumber(y) + "\" width=\"" +
         SvgNumber(w) + "\" height=\"" + SvgNumber(h) + "\"";
}

Box Box::Without(const Box& taken) const {
  const double right = std::max(x, taken.x + taken.w);
  const double bottom = std::max(y, taken.y + taken.h);
  const Box parts[] = {{x, y, std::min(w, taken.x - x), h},
                       {right, y, x + w - right, h},
                       {x, y, w, std::min(h, taken.y - y)},
                       {x, bottom, w, y + h - bottom}};
  Box best = {x, y, 0, 0};
  for (const Box& part : parts) {
    const bool real = part.w > 0 && part.h > 0;
    if (real && part.w * part.h > best.w * best.h) best = part;
  }
  return best;
}

}  // namespace arenalite
