# Installs the libraries, the public headers and the package files, so that
# find_package(arenalite) gives arenalite::arenalite and arenalite::planner.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/arenalite")

install(TARGETS arenalite arenalite_planner EXPORT arenalite_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/arenalite DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT arenalite_targets
  FILE arenalite_targets.cmake
  NAMESPACE arenalite::
  DESTINATION ${package_dir})

write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/arenaliteConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/arenaliteConfig.cmake.in
  "${PROJECT_BINARY_DIR}/arenaliteConfig.cmake"
  INSTALL_DESTINATION ${package_dir})
install(FILES
  "${PROJECT_BINARY_DIR}/arenaliteConfig.cmake"
  "${PROJECT_BINARY_DIR}/arenaliteConfigVersion.cmake"
  DESTINATION ${package_dir})
if(TARGET arenalite_tool)
  install(TARGETS arenalite_tool DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
