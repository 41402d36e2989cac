# Runs flatc in the build: the generated header always fits the installed
# FlatBuffers.

find_package(FlatBuffers CONFIG REQUIRED NAMES FlatBuffers flatbuffers)
find_program(ARENALITE_FLATC flatc REQUIRED)
set(ARENALITE_GENERATED_DIR "${PROJECT_BINARY_DIR}/generated")

# All generated headers, for tools that want nothing but them.
add_custom_target(arenalite_schemas)

# Adds `schemas/NAME.fbs` -> NAME_generated.h to the header target.
function(arenalite_add_schema name)
  set(schema "${PROJECT_SOURCE_DIR}/schemas/${name}.fbs")
  set(header "${ARENALITE_GENERATED_DIR}/${name}_generated.h")
  add_custom_command(
    OUTPUT ${header}
    # Tables of types and names, which tests use to reach every number of a file;
    # inline, so nobody else pays for them.
    COMMAND ${ARENALITE_FLATC} --cpp --reflect-names
            -o ${ARENALITE_GENERATED_DIR} ${schema}
    DEPENDS ${schema}
    COMMENT "Generating ${name}_generated.h")
  add_custom_target(arenalite_${name}_schema DEPENDS ${header})
  add_dependencies(arenalite_schemas arenalite_${name}_schema)
endfunction()

arenalite_add_schema(model)
arenalite_add_schema(plan)

# What code that includes a generated header links.
add_library(arenalite_schema INTERFACE)
target_include_directories(arenalite_schema SYSTEM INTERFACE
  ${ARENALITE_GENERATED_DIR})
add_dependencies(arenalite_schema
  arenalite_model_schema arenalite_plan_schema)
