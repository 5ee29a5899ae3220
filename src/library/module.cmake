# The room `library` with all below it as a WebAssembly module, for pages and for node: live/headlight.js, which
# ends with the files of module/, and live/headlight.wasm. It exports what the first part of exports.map lists.
set(exports ${CMAKE_CURRENT_LIST_DIR}/exports.map)
set(interface ${CMAKE_CURRENT_LIST_DIR}/module/memory.js ${CMAKE_CURRENT_LIST_DIR}/module/headlight.js)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${exports})
file(READ ${exports} functions)
string(REGEX REPLACE "/\\* Not in the WebAssembly module.*" "" functions "${functions}")
string(REGEX MATCHALL "hl_[a-z_]+" functions "${functions}")
list(TRANSFORM functions PREPEND _)
list(JOIN functions , functions)

add_executable(headlight_module $<TARGET_OBJECTS:headlight_library>)
set_target_properties(headlight_module PROPERTIES
  OUTPUT_NAME headlight
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/live
  LINK_DEPENDS "${interface}")
target_link_libraries(headlight_module PRIVATE headlight_inside headlight_options)
target_link_options(headlight_module PRIVATE
  --no-entry
  "SHELL:--extern-post-js $<JOIN:${interface}, --extern-post-js >"
  -sMODULARIZE=1 -sEXPORT_NAME=headlightModule -sENVIRONMENT=web,worker,node
  -sEXPORTED_FUNCTIONS=${functions},_malloc,_free
  -sEXPORTED_RUNTIME_METHODS=FS -sFORCE_FILESYSTEM=1
  -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=4GB
  -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0)
