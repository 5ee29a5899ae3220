# libheadlight: the room `library` with all below it, which exports what exports.map lists, and what
# programs need to build against it.
set(exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
add_library(headlight_shared SHARED $<TARGET_OBJECTS:headlight_library>)
add_library(headlight::headlight ALIAS headlight_shared)
set_target_properties(headlight_shared PROPERTIES
  OUTPUT_NAME headlight
  EXPORT_NAME headlight
  VERSION 0.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH}
  SOVERSION 0
  LINK_DEPENDS ${exports})
target_include_directories(headlight_shared INTERFACE
  $<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(headlight_shared PRIVATE headlight_report headlight_options ${CMAKE_DL_LIBS})
target_link_options(headlight_shared PRIVATE
  -Wl,--version-script=${exports} -Wl,--exclude-libs,ALL)

set_property(TARGET headlight_shared PROPERTY RULE_LAUNCH_LINK "${HEADLIGHT_LINKER}")

# A wheel has no links and no headers.
if(HEADLIGHT_ONE_OBJECT)
  set_target_properties(headlight_shared PROPERTIES VERSION 0)
  install(TARGETS headlight_shared LIBRARY DESTINATION lib/headlight COMPONENT runtime NAMELINK_SKIP)
  return()
endif()

set(development ${CMAKE_INSTALL_LIBDIR}/cmake/headlight)
install(TARGETS headlight_shared EXPORT headlight
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
install(EXPORT headlight NAMESPACE headlight:: FILE headlightConfig.cmake
  DESTINATION ${development} COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/headlightConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/headlightConfigVersion.cmake
  DESTINATION ${development} COMPONENT development)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/headlight.h ${CMAKE_CURRENT_LIST_DIR}/headlight.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix ${pkgconfig} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH includedir ${pkgconfig} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/headlight.pc.in ${PROJECT_BINARY_DIR}/headlight.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/headlight.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
