# What scripts/package makes with CPack: a Debian package, and a .tar.gz that runs where it is
# unpacked. What is installed is said where it is made; here are licences and what a package says of
# itself.

# The licences of what is compiled in or installed along. Debian keeps them with its packages.
set(licences libopenblas-dev libutf8proc-dev libzstd-dev libxxhash-dev libhwy-dev
             nlohmann-json3-dev libcli11-dev libxtensor-dev libxtensor-blas-dev)
if(HEADLIGHT_BUNDLE)
  list(APPEND licences libtbb12 libonig5 libstdc++6 zlib1g)
endif()
if(HEADLIGHT_STATIC)
  foreach(package ${licences})
    install(FILES /usr/share/doc/${package}/copyright RENAME ${package}.txt OPTIONAL
            DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
  endforeach()
  if(HEADLIGHT_BUNDLE)
    install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
  else()
    set(changelog ${PROJECT_BINARY_DIR}/changelog.Debian)
    configure_file(scripts/packaging/changelog.in ${changelog} @ONLY)
    configure_file(scripts/packaging/copyright ${PROJECT_BINARY_DIR}/copyright COPYONLY)
    # Policy wants manual pages and changelogs compressed, without the time.
    install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(FILES ${changelog} DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(CODE "
      set(root \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX})
      file(GLOB files \${root}/${CMAKE_INSTALL_DATADIR}/man/man1/headlight*.1)
      execute_process(COMMAND gzip -9nf \${files} \${root}/${CMAKE_INSTALL_DOCDIR}/changelog.Debian
                      COMMAND_ERROR_IS_FATAL ANY)")
  endif()
endif()

set(CPACK_PACKAGE_CONTACT "headlight maintainers <maintainers@headlight.invalid>")
set(CPACK_PACKAGE_VENDOR headlight)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "transformer text classifiers in the shell")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"headlight classifies texts and files of texts with transformer encoders and
shows what each head attends to, as data, statistics and pictures. It needs
no Python, no server and no GPU. Four small models are included; published
checkpoints load unmodified.")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME headlight-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB)
if(HEADLIGHT_BUNDLE)
  set(CPACK_GENERATOR TGZ)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
