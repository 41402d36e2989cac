# Files of the repository as bytes of a program.
#
# Included: arenalite_embed(TARGET FILE...) compiles each file into TARGET as
#   extern const std::string_view kEmbedded_<name>;
# where <name> is the file's name with every other character as '_'
# ("report.css" -> kEmbedded_report_css), in namespace arenalite.
#
# As a script (cmake -DINPUT=F -DOUTPUT=F.cc -DNAME=n -P this file) it writes
# one of those sources.

if(CMAKE_SCRIPT_MODE_FILE)
  file(READ "${INPUT}" hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n"
         bytes "${bytes}")
  file(WRITE "${OUTPUT}" "#include <string_view>

namespace arenalite {
namespace {
constexpr unsigned char kBytes[] = {
${bytes}0};
}  // namespace
extern const std::string_view kEmbedded_${NAME};
const std::string_view kEmbedded_${NAME}(
    reinterpret_cast<const char*>(kBytes), sizeof(kBytes) - 1);
}  // namespace arenalite
")
  return()
endif()

set(ARENALITE_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(arenalite_embed target)
  foreach(file ${ARGN})
    get_filename_component(input "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    string(MAKE_C_IDENTIFIER "${name}" name)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cc")
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -DINPUT=${input} -DOUTPUT=${output}
              -DNAME=${name} -P ${ARENALITE_EMBED_SCRIPT}
      DEPENDS ${input} ${ARENALITE_EMBED_SCRIPT}
      COMMENT "Embedding ${file}")
    target_sources(${target} PRIVATE ${output})
  endforeach()
endfunction()
