# Flags that every target of ours shares.

# Settings for all our code: language level, warnings, sanitizers.
function(arenalite_configure target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${ARENALITE_WERROR}>:-Werror>)
  if(ARENALITE_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${ARENALITE_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer -g1
      # The library has no RTTI to check virtual tables with.
      -fno-sanitize=vptr
      # Its instrumentation makes g++ 12 warn of the standard library.
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=${ARENALITE_SANITIZE})
  endif()
endfunction()

# Settings for library code: no exceptions, no RTTI, the same floating-point
# results on every machine, and sections that the linker can drop.
function(arenalite_configure_library target)
  arenalite_configure(${target})
  target_compile_options(${target} PRIVATE
    -fno-exceptions -fno-rtti -fno-strict-aliasing
    -ffp-contract=off -fno-math-errno
    -ffunction-sections -fdata-sections)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()
