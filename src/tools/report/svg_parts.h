// Small parts of SVG pictures.

#ifndef ARENALITE_TOOLS_REPORT_SVG_PARTS_H_
#define ARENALITE_TOOLS_REPORT_SVG_PARTS_H_

#include <cstdint>
#include <string>

#include "tools/report/op_family.h"

namespace arenalite {

// The lines of a family's pattern of 8x8; as in report/marks.js.
const char* MarksOf(OpFamily family);

// With at most one decimal.
std::string SvgNumber(double value);
// "36 KiB".
std::string ShortBytes(int64_t bytes);
// As many letters as fit into so many pixels, of which each takes about 7.4.
std::string FitText(const std::string& text, double pixels);

struct Box {
  double x, y, w, h;

  std::string Path() const;
  // x, y, width and height.
  std::string Attributes() const;
  // The largest part beside, above or below `taken`.
  Box Without(const Box& taken) const;
};

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_REPORT_SVG_PARTS_H_
