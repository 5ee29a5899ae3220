# The libraries of a package are linked in. Debian has no static oneTBB and Oniguruma: they are built with the rest, from
# what scripts/platforms/sources unpacked.
enable_language(C)
set(static_sources ${PROJECT_SOURCE_DIR}/build/sources)
if(NOT EXISTS ${static_sources}/onetbb OR NOT EXISTS ${static_sources}/libonig)
  message(FATAL_ERROR "there are no sources of oneTBB and Oniguruma: scripts/platforms/sources onetbb libonig")
endif()
# The same bytes in any folder. A path of a build stays as room in what is installed.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

set(CMAKE_POLICY_DEFAULT_CMP0063 NEW)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # the variables below are options of theirs
set(BUILD_SHARED_LIBS OFF)
set(TBB_TEST OFF)
set(TBBMALLOC_BUILD OFF)
set(TBB_STRICT OFF)
set(BUILD_TEST OFF)
set(INSTALL_EXAMPLES OFF)
add_subdirectory(${static_sources}/onetbb ${PROJECT_BINARY_DIR}/onetbb EXCLUDE_FROM_ALL)
add_subdirectory(${static_sources}/libonig ${PROJECT_BINARY_DIR}/libonig EXCLUDE_FROM_ALL)
set_target_properties(tbb onig PROPERTIES UNITY_BUILD OFF)
target_compile_options(tbb PRIVATE -w)
foreach(name tbb onig)  # no warnings of their headers
  set_property(TARGET ${name} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
               $<TARGET_PROPERTY:${name},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()
add_library(PkgConfig::oniguruma ALIAS onig)

# headlight_link_static(NAME...): of pkg_check_modules.
function(headlight_link_static)
  foreach(name ${ARGN})
    find_library(HEADLIGHT_STATIC_${name} lib${${name}_LIBRARIES}.a REQUIRED)
    set_property(TARGET PkgConfig::${name} PROPERTY INTERFACE_LINK_LIBRARIES ${HEADLIGHT_STATIC_${name}})
  endforeach()
endfunction()
