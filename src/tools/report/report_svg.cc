#include <algorithm>
#include <array>
#include <string_view>

#include "tools/report/report.h"
#include "tools/report/report_view.h"
#include "tools/report/svg_parts.h"

namespace arenalite {

// Written by the build from the file in src/tools/report/.
extern const std::string_view kEmbedded_picture_css;

namespace {

constexpr double kWidth = 1280;
constexpr double kLeft = 84, kRight = 1262;
constexpr double kMapTop = 132, kMapBottom = 632;
constexpr double kCurveTop = 682, kCurveBottom = 792;
constexpr double kHeight = 806;
// Smaller blocks are one path for each family.
constexpr double kSmall = 2;

class Picture {
 public:
  explicit Picture(const ReportInput& input)
      : input_(input),
        report_(input.report),
        columns_(static_cast<double>(report_.steps.size()) + 1),
        arena_(static_cast<double>(
            std::max<int64_t>(report_.usage.planned_bytes, 1))),
        folder_(CommonFolder(report_)) {}

  std::string Draw() {
    FindShared();
    Open();
    Legend();
    Axes();
    Blocks();
    if (!shared_path_.empty()) Path("shared", shared_path_);
    Peak(kMapTop, kMapBottom);
    PeakText();
    Curve();
    return text_ + "</svg>\n";
  }

 private:
  double X(double step) const {
    return kLeft + step / columns_ * (kRight - kLeft);
  }
  double Y(double address) const {
    return kMapBottom - address / arena_ * (kMapBottom - kMapTop);
  }
  double CurveY(double bytes) const {
    const auto most = static_cast<double>(
        std::max(report_.usage.liveness_bound_bytes, int64_t{1}));
    const double top = std::max(most, arena_);
    return kCurveBottom - bytes / top * (kCurveBottom - kCurveTop);
  }
  Box BoxOf(int32_t first, int32_t last, int64_t offset, int64_t bytes) const {
    const double left = X(first);
    const double top = Y(static_cast<double>(offset + bytes));
    return {left, top, std::max(X(last + 1.0) - left, .8),
            std::max(Y(static_cast<double>(offset)) - top, .8)};
  }

  void Text(double x, double y, std::string_view attributes,
            const std::string& text) {
    text_ += "<text x=\"" + SvgNumber(x) + "\" y=\"" + SvgNumber(y) + "\" ";
    text_ += attributes;
    text_ += ">" + EscapeMarkup(text) + "</text>\n";
  }
  void Path(std::string_view kind, const std::string& d) {
    text_ += "<path class=\"";
    text_ += kind;
    text_ += "\" d=\"" + d + "\"/>\n";
  }

  void Open() {
    const MemoryUsage& usage = report_.usage;
    const std::string name = LastPart(input_.model_path);
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
            SvgNumber(kWidth) + " " + SvgNumber(kHeight) + "\" width=\"" +
            SvgNumber(kWidth) + "\" height=\"" + SvgNumber(kHeight) +
            "\" role=\"img\" class=\"picture\">\n<title>Memory map of " +
            EscapeMarkup(name) + "</title>\n<style>\n";
    text_ += kEmbedded_picture_css;
    text_ += "</style>\n<defs>\n";
    for (const OpFamilyInfo& family : OpFamilies()) Pattern(family);
    text_ +=
        "<pattern id=\"q-shared\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
        "<path class=\"shared-line\" d=\"M0 0v6M3 0v6\"/></pattern>\n</defs>\n"
        "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n";
    Text(kLeft, 34, "class=\"title\"", name);
    Text(kLeft, 58, "class=\"figures\"",
         "arena " + BytesText(usage.arena_bytes) + ", lower bound " +
             GroupDigits(usage.lower_bound_bytes) +
             (report_.proven_optimal ? " (met)" : "") + ", without overlap " +
             GroupDigits(usage.liveness_bound_bytes) + ", without sharing " +
             GroupDigits(usage.naive_bytes));
  }

  void Pattern(const OpFamilyInfo& family) {
    text_ += "<pattern id=\"q-" + std::string(family.key) +
             "\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
             "<rect width=\"8\" height=\"8\" class=\"fill-" +
             family.key + "\"/><path class=\"mark\" d=\"" +
             MarksOf(family.family) + "\"/></pattern>\n";
  }

  void Legend() {
    std::array<bool, 9> used = {};
    for (size_t i = 0; i < report_.storages.size(); ++i) {
      used[static_cast<size_t>(FamilyOfStorage(report_, i))] = true;
    }
    double x = kLeft;
    for (const OpFamilyInfo& family : OpFamilies()) {
      if (!used[static_cast<size_t>(family.family)]) continue;
      x = LegendEntry(x, family.key, family.label);
    }
    LegendEntry(x, "shared", "bytes that two share");
  }
  double LegendEntry(double x, const std::string& key,
                     const std::string& label) {
    text_ += "<rect " + Box{x, 74, 20, 13}.Attributes() + " class=\"key\" " +
             "fill=\"url(#q-" + key + ")\"/>\n";
    Text(x + 25, 85, "", label);
    return x + 25 + 6.1 * static_cast<double>(label.size()) + 16;
  }

  void Axes() {
    text_ +=
        "<rect class=\"ground\" " +
        Box{kLeft, kMapTop, kRight - kLeft, kMapBottom - kMapTop}.Attributes() +
        "/>\n";
    Path("end-column",
         Box{X(columns_ - 1), kMapTop, X(1) - X(0), kMapBottom - kMapTop}
             .Path());
    double unit = 1;
    while (arena_ / unit > 8) unit *= 2;
    for (double a = 0; a <= arena_; a += unit) {
      Path("line", "M" + SvgNumber(kLeft) + " " + SvgNumber(Y(a)) + "H" +
                       SvgNumber(kRight));
      Text(kLeft - 7, Y(a) + 4, "text-anchor=\"end\"",
           ShortBytes(static_cast<int64_t>(a)));
    }
    int64_t every = 1;
    for (int i = 0; columns_ / static_cast<double>(every) > 18; ++i) {
      every = every * (i % 3 == 1 ? 5 : 4) / 2;
    }
    const auto steps = static_cast<int64_t>(report_.steps.size());
    for (int64_t step = 0; step < steps; step += every) {
      Text(X(static_cast<double>(step) + .5), kMapBottom + 17,
           "text-anchor=\"middle\"", std::to_string(step));
    }
  }

  void Blocks() {
    std::array<std::string, 9> small;
    for (size_t i = 0; i < report_.storages.size(); ++i) {
      const StorageReport& storage = report_.storages[i];
      if (storage.bytes == 0) continue;
      const Box box = BoxOf(storage.first_step, storage.last_step,
                            storage.offset, storage.bytes);
      if (box.w < kSmall || box.h < kSmall) {
        small[static_cast<size_t>(FamilyOfStorage(report_, i))] += box.Path();
      } else {
        Block(i, box);
      }
    }
    for (const OpFamilyInfo& family : OpFamilies()) {
      const std::string& d = small[static_cast<size_t>(family.family)];
      if (!d.empty()) Path("fill-" + std::string(family.key), d);
    }
  }

  void Block(size_t i, const Box& box) {
    const StorageReport& storage = report_.storages[i];
    const std::string name =
        CleanText(ShortName(StorageName(report_, i), folder_));
    text_ += "<g><title>" + EscapeMarkup(Describe(i)) + "</title><rect " +
             box.Attributes() + " class=\"edge\" fill=\"url(#q-" +
             OpFamilyKey(FamilyOfStorage(report_, i)) + ")\"/>";
    const std::array<std::string, 2> lines = {name, ShortBytes(storage.bytes)};
    Box free = box;
    for (const Box& taken : shared_[i]) free = free.Without(taken);
    const bool up = free.w < 60 && free.w >= 13 && free.h >= 46;
    const bool across = !up && free.w >= 34 && free.h >= 15;
    const double room = up ? free.w : across ? free.h : 0;
    for (size_t row = 0; row < lines.size(); ++row) {
      const double from = 13 * static_cast<double>(row);
      if (from + 13 <= room) Label(free, from, across, lines[row]);
    }
    text_ += "</g>\n";
  }

  // A line that begins so many pixels from the block's top, or left.
  void Label(const Box& box, double from, bool across,
             const std::string& line) {
    const std::string kind = from == 0 ? "class=\"name\"" : "class=\"more\"";
    if (across) {
      Text(box.x + 5, box.y + 12 + from, kind, FitText(line, box.w - 8));
      return;
    }
    const double x = box.x + 10 + from;
    const double y = box.y + box.h - 5;
    Text(x, y,
         kind + " transform=\"rotate(-90 " + SvgNumber(x) + " " + SvgNumber(y) +
             ")\"",
         FitText(line, box.h - 8));
  }

  std::string Describe(size_t i) const {
    const StorageReport& storage = report_.storages[i];
    const int32_t member = MainMember(report_, i);
    std::string text = StorageName(report_, i);
    int64_t bytes = storage.bytes;
    if (member >= 0) {
      const TensorReport& tensor = report_.tensors[static_cast<size_t>(member)];
      bytes = tensor.bytes;
      text += std::string(", ") + TensorTypeName(tensor.type) + " " +
              std::string(TextPiece(tensor.shape.dims()).view());
    }
    return text + ", " + BytesText(bytes) + " at offset " +
           GroupDigits(storage.offset) + ", steps " +
           std::to_string(storage.first_step) + " to " +
           std::to_string(storage.last_step);
  }

  // Where two storages lie on each other.
  void FindShared() {
    shared_.resize(report_.storages.size());
    for (const OverlapChance& chance : report_.chances) {
      if (chance.verdict != OverlapVerdict::kAllowed) continue;
      const auto output = static_cast<size_t>(chance.output);
      const auto input = static_cast<size_t>(chance.input);
      const SharedBytes bytes =
          BytesInCommon(report_.storages[output], report_.storages[input]);
      if (bytes.bytes == 0) continue;
      const Box box = BoxOf(chance.step, chance.step, bytes.begin, bytes.bytes);
      shared_[output].push_back(box);
      shared_[input].push_back(box);
      // Smaller ones would hide what they lie on.
      if (box.w >= 2.5 && box.h >= 2) shared_path_ += box.Path();
    }
  }

  void Peak(double top, double bottom) {
    const double left = X(report_.usage.peak_step);
    const double width = std::max(X(1) - X(0), 1.5);
    text_ += "<rect class=\"peak\" " +
             Box{left, top, width, bottom - top}.Attributes() + "/>\n";
  }
  void PeakText() {
    const int32_t peak = report_.usage.peak_step;
    const std::string text = "peak: step " + std::to_string(peak) + " " +
                             CleanText(OpOfStep(report_, peak)) + " needs " +
                             GroupDigits(BoundBytesOf(report_, peak));
    const double middle = X(peak + .5);
    const double half = 3.9 * static_cast<double>(text.size());
    const double x = std::min(std::max(middle, kLeft + half), kRight - half);
    Path("peak-arrow", "M" + SvgNumber(middle - 5) + " " +
                           SvgNumber(kMapTop - 8) + "h10l-5 8z");
    Text(x, kMapTop - 13, "class=\"peak-text\" text-anchor=\"middle\"", text);
  }

  // The most of all steps of each pixel.
  template <class BytesOf>
  std::string Stairs(BytesOf bytes_of) const {
    std::string d;
    const auto end = static_cast<int32_t>(columns_);
    for (int32_t step = 0; step < end;) {
      const double left = X(step);
      int64_t most = 0;
      do {
        most = std::max(most, bytes_of(step++));
      } while (step < end && X(step) < left + 1);
      d += (d.empty() ? "M" : "L") + SvgNumber(left) + " " +
           SvgNumber(CurveY(static_cast<double>(most))) + "H" +
           SvgNumber(X(step));
    }
    return d;
  }

  void Curve() {
    const std::string live =
        Stairs([&](int32_t step) { return LiveBytesOf(report_, step); });
    const std::string needed =
        Stairs([&](int32_t step) { return BoundBytesOf(report_, step); });
    Path("live",
         live + "V" + SvgNumber(kCurveBottom) + "H" + SvgNumber(kLeft) + "z");
    Path("needed", needed);
    Path("arena-line", "M" + SvgNumber(kLeft) + " " +
                           SvgNumber(CurveY(arena_)) + "H" + SvgNumber(kRight));
    Peak(kCurveTop, kCurveBottom);
    const auto most = report_.usage.liveness_bound_bytes;
    Text(kLeft - 7, CurveY(static_cast<double>(most)) + 4,
         "text-anchor=\"end\"", ShortBytes(most));
    Text(kLeft - 7, kCurveBottom + 4, "text-anchor=\"end\"", "0 B");
    Text(kLeft, kCurveTop - 10, "",
         "filled: live bytes of each step; line: needed at least, overlaps "
         "taken off; dashed: the arena");
  }

  const ReportInput& input_;
  const MemoryReport& report_;
  const double columns_;
  const double arena_;
  const std::string folder_;
  std::vector<std::vector<Box>> shared_;  // Of each storage.
  std::string shared_path_;
  std::string text_;
};

}  // namespace

std::string SvgReport(const ReportInput& input) {
  return Picture(input).Draw();
}

}  // namespace arenalite
