# Builds for WebAssembly with Debian's emscripten. What scripts/build-page unpacked into build/sources is
# compiled with the rest. Headers of the system are linked one by one, because those of its C library must not be
# seen. README.md says what is left out.
enable_language(C)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
set(wasm_sources ${PROJECT_SOURCE_DIR}/build/sources)
set(wasm_include ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${wasm_include})
foreach(name hwy nlohmann xtl xtensor xtensor-blas xflens zlib.h zconf.h zstd.h)
  file(CREATE_LINK /usr/include/${name} ${wasm_include}/${name} SYMBOLIC)
endforeach()
set(HIGHWAY_INCLUDE_DIR ${wasm_include})
if(NOT EXISTS ${wasm_sources}/libonig)
  message(FATAL_ERROR "${wasm_sources} has no sources; scripts/build-page unpacks them")
endif()

add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${wasm_include})
add_library(TBB::tbb INTERFACE IMPORTED)
target_include_directories(TBB::tbb INTERFACE ${CMAKE_CURRENT_LIST_DIR}/include)
add_library(Threads::Threads INTERFACE IMPORTED)
# Of zlib and zstd only the headers: what calls them is not linked.
foreach(name PkgConfig::zlib PkgConfig::zstd xtensor_headers)
  add_library(${name} INTERFACE IMPORTED)
  target_include_directories(${name} INTERFACE ${wasm_include})
endforeach()

add_library(utf8proc STATIC ${wasm_sources}/utf8proc/utf8proc.c)
target_compile_definitions(utf8proc PUBLIC UTF8PROC_STATIC)
target_include_directories(utf8proc SYSTEM PUBLIC ${wasm_sources}/utf8proc)
add_library(PkgConfig::utf8proc ALIAS utf8proc)

add_library(xxhash STATIC ${wasm_sources}/xxhash/xxhash.c)
target_include_directories(xxhash SYSTEM PUBLIC ${wasm_sources}/xxhash)
add_library(PkgConfig::xxhash ALIAS xxhash)
set_target_properties(xxhash utf8proc PROPERTIES UNITY_BUILD OFF)

set(BUILD_SHARED_LIBS OFF CACHE BOOL "" FORCE)
set(BUILD_TEST OFF)
set(INSTALL_EXAMPLES OFF)
add_subdirectory(${wasm_sources}/libonig ${PROJECT_BINARY_DIR}/libonig EXCLUDE_FROM_ALL)
set_target_properties(onig PROPERTIES UNITY_BUILD OFF)
add_library(PkgConfig::oniguruma ALIAS onig)

# What libc++ 13 lacks of C++20.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-include${CMAKE_CURRENT_LIST_DIR}/include/standard_library.h>)
