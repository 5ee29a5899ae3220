# What scripts/package puts into Debian packages, a tarball and a wheel beside what is installed, such as licences and bills
# of materials, and what a Debian package says of itself.

# Licences of what is compiled in. Debian keeps them with its packages.
set(compiled libutf8proc-dev libzstd-dev libxxhash-dev libhwy-dev libtbb12 libonig5 libstdc++6
             nlohmann-json3-dev libxtensor-dev libxtensor-blas-dev)
set(for_debian ON)
string(REPLACE "-" "~" HEADLIGHT_DEBIAN_VERSION ${HEADLIGHT_VERSION})  # ~ sorts before the release
if(HEADLIGHT_ALONE OR HEADLIGHT_ONE_OBJECT)
  list(APPEND compiled zlib1g)
  set(for_debian OFF)
endif()
if(HEADLIGHT_ALONE)
  list(APPEND compiled libc6)
endif()

# document(PACKAGE COMPONENT LICENCE...): what PACKAGE has in its folder of documents. Policy wants changelogs
# compressed, without the time.
function(document package component)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${package})
  set(documents LICENSE README.md CHANGELOG.md)
  if(for_debian)
    set(made ${PROJECT_BINARY_DIR}/documents/${package})
    configure_file(scripts/packaging/changelog.in ${made}/changelog.Debian @ONLY)
    execute_process(COMMAND gzip -9nf ${made}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
    set(documents ${made}/changelog.Debian.gz scripts/packaging/copyright)
  endif()
  if(ARGN)  # a bill of materials of what is in it
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/documents)
    set(bill ${PROJECT_BINARY_DIR}/documents/${component}.cdx.json)
    execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/scripts/packaging/sbom.py ${HEADLIGHT_VERSION} ${component} ${bill}
                    COMMAND_ERROR_IS_FATAL ANY)
    set(place ${folder})
    if(HEADLIGHT_ONE_OBJECT AND SKBUILD_METADATA_DIR)  # where PEP 770 has it
      set(place ${SKBUILD_METADATA_DIR}/sboms)
    endif()
    install(FILES ${bill} RENAME sbom.cdx.json DESTINATION ${place} COMPONENT ${component})
  endif()
  install(FILES ${documents} DESTINATION ${folder} COMPONENT ${component})
  foreach(licence ${ARGN})
    install(FILES /usr/share/doc/${licence}/copyright RENAME ${licence}.txt OPTIONAL
            DESTINATION ${folder}/licences COMPONENT ${component})
  endforeach()
endfunction()
if(HEADLIGHT_STATIC AND NOT HEADLIGHT_FUZZ)
  # The WebAssembly module has Oniguruma and emscripten's C library.
  document(headlight command ${compiled} libopenblas-dev libcli11-dev libonig-dev emscripten)
endif()
if(HEADLIGHT_ALONE)
  file(GLOB guide apps/*.md)
  install(FILES ${guide} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/headlight/guide COMPONENT command)
  set(scripts ${CMAKE_INSTALL_DATADIR}/headlight/scripts)
  install(PROGRAMS scripts/import scripts/python-env DESTINATION ${scripts} COMPONENT command)
  install(DIRECTORY scripts/importing DESTINATION ${scripts} COMPONENT command PATTERN __pycache__ EXCLUDE)
  foreach(name __init__ command_line launcher program)
    install(FILES scripts/common/${name}.py DESTINATION ${scripts}/common COMPONENT command)
  endforeach()
  return()
endif()
if(HEADLIGHT_STATIC AND for_debian)
  document(libheadlight0 runtime ${compiled})
  document(libheadlight-dev development)
  # Policy wants manual pages compressed, too.
  install(CODE "
    file(GLOB pages \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/man/man1/headlight*.1)
    execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT command)
endif()

set(CPACK_PACKAGE_CONTACT "headlight maintainers <maintainers@headlight.invalid>")
set(CPACK_PACKAGE_VENDOR headlight)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME headlight-${HEADLIGHT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL command models runtime development)
set(CPACK_COMPONENT_COMMAND_GROUP headlight)
set(CPACK_COMPONENT_MODELS_GROUP headlight)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_VERSION ${HEADLIGHT_DEBIAN_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
set(needed "libc6 (>= 2.17), libgcc-s1 (>= 3.0), zlib1g (>= 1:1.2.11)")  # what link_old_glibc leaves shared
set(CPACK_DEBIAN_HEADLIGHT_PACKAGE_DEPENDS ${needed})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS ${needed})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# The first line of a description is the summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")

set(CPACK_DEBIAN_HEADLIGHT_PACKAGE_NAME headlight)
set(CPACK_DEBIAN_HEADLIGHT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_HEADLIGHT_DESCRIPTION
"transformer text classifiers in the shell
headlight classifies texts and files of texts with transformer encoders and
shows what each head attends to, as data, statistics and pictures. It needs
no Python, no server and no GPU. Four small models are included; published
checkpoints load unmodified.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libheadlight0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS headlight)  # for the models
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/scripts/packaging/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
"transformer text classifiers, as a library
libheadlight classifies texts with transformer encoders and gives the vectors
of texts, the attention of each head and the effect of each word. Its
interface is C. The package headlight has four small models for it.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libheadlight-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libheadlight0 (= ${HEADLIGHT_DEBIAN_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"transformer text classifiers, headers of the library
This package has what programs in C and C++ need to build with libheadlight:
headers, and files for pkg-config and CMake.")
include(CPack)
