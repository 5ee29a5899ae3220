# libheadlight: the room `library` with all below it, which exports what exports.map lists.
set(exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
add_library(headlight_shared SHARED $<TARGET_OBJECTS:headlight_library>)
set_target_properties(headlight_shared PROPERTIES
  OUTPUT_NAME headlight
  EXPORT_NAME headlight
  VERSION 0.${PROJECT_VERSION_MINOR}.${PROJECT_VERSION_PATCH}
  SOVERSION 0
  LINK_DEPENDS ${exports})
target_link_libraries(headlight_shared PRIVATE headlight_inside headlight_options ${CMAKE_DL_LIBS})
target_link_options(headlight_shared PRIVATE
  -Wl,--version-script=${exports} -Wl,--exclude-libs,ALL)
