// How commands print JSON.

#ifndef ARENALITE_TOOLS_JSON_TEXT_H_
#define ARENALITE_TOOLS_JSON_TEXT_H_

#include <string>

#include "nlohmann/json.hpp"

namespace arenalite {

// Indented, with a newline at the end. Names come from model files: bytes
// that are no UTF-8 become U+FFFD.
inline std::string JsonText(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace arenalite

#endif  // ARENALITE_TOOLS_JSON_TEXT_H_
