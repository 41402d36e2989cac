#include <string_view>

#include "tools/report/report.h"
#include "tools/report/report_view.h"

namespace arenalite {

// Written by the build from the files in src/tools/report/.
extern const std::string_view kEmbedded_report_html;
extern const std::string_view kEmbedded_report_css;
extern const std::string_view kEmbedded_data_js;
extern const std::string_view kEmbedded_map_js;
extern const std::string_view kEmbedded_marks_js;
extern const std::string_view kEmbedded_moves_js;
extern const std::string_view kEmbedded_panel_js;
extern const std::string_view kEmbedded_summary_js;
extern const std::string_view kEmbedded_table_js;
extern const std::string_view kEmbedded_main_js;

namespace {

using Json = nlohmann::ordered_json;

// {"count": 2, "columns": {"a": [1, 2], ...}} of [{"a": 1}, {"a": 2}]: the
// rows of a large model without their keys. All rows have the same keys.
Json Columns(const Json& rows) {
  Json columns = Json::object();
  for (const Json& row : rows) {
    for (const auto& [key, value] : row.items()) columns[key].push_back(value);
  }
  return {{"count", rows.size()}, {"columns", std::move(columns)}};
}

// JSON that is harmless inside of a <script> element: no '<', so no
// "</script" and no "<!--".
std::string DataText(const ReportInput& input) {
  Json document = ReportDocument(input);
  for (const char* list : {"steps", "storages", "tensors", "overlaps"}) {
    document[list] = Columns(document[list]);
  }
  Json families = Json::array();
  for (const OpFamilyInfo& family : OpFamilies()) {
    families.push_back({{"key", family.key}, {"label", family.label}});
  }
  document["families"] = std::move(families);
  document["common_folder"] = CleanText(CommonFolder(input.report));
  std::string text;
  for (char c : document.dump()) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string ScriptText() {
  std::string text = "(() => {\n'use strict';\n";
  for (std::string_view part :
       {kEmbedded_data_js, kEmbedded_summary_js, kEmbedded_marks_js,
        kEmbedded_map_js, kEmbedded_moves_js, kEmbedded_panel_js,
        kEmbedded_table_js, kEmbedded_main_js}) {
    text += part;
  }
  return text + "})();\n";
}

std::string ValueOf(std::string_view place, const ReportInput& input) {
  if (place == "title") return EscapeMarkup(LastPart(input.model_path));
  if (place == "style") return std::string(kEmbedded_report_css);
  if (place == "script") return ScriptText();
  if (place == "data") return DataText(input);
  if (place == "picture") return SvgReport(input);
  return {};
}

}  // namespace

// Fills each {{place}} of the template; what is filled in is not looked at
// again.
std::string HtmlReport(const ReportInput& input) {
  std::string text;
  std::string_view rest = kEmbedded_report_html;
  for (size_t open; (open = rest.find("{{")) != std::string_view::npos;) {
    const size_t close = rest.find("}}", open);
    text += rest.substr(0, open);
    text += ValueOf(rest.substr(open + 2, close - open - 2), input);
    rest.remove_prefix(close + 2);
  }
  return text.append(rest);
}

}  // namespace arenalite
