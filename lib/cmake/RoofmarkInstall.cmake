# cmake --install: the library, its headers, the command, plug-ins and the counting tool (each in its
# own folder's rules), and what find_package(roofmark) and pkg-config need. What is installed can be
# moved. RoofmarkPackage lists the components.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roofmark)
set(ROOFMARK_INSTALL_MODULE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/roofmark/fortran)

set(exported roofmark roofmark_adapters roofmark_openmp_wait)
if(TARGET roofmark_mpi_wait)
  list(APPEND exported roofmark_mpi_wait)
endif()
if(ROOFMARK_FORTRAN)
  # Includes the directory of roofmark.mod; other compilers build the module from roofmark.f90.
  add_library(roofmark_fortran_module INTERFACE)
  set_target_properties(roofmark_fortran_module PROPERTIES EXPORT_NAME fortran)
  target_include_directories(roofmark_fortran_module INTERFACE
    $<INSTALL_INTERFACE:${ROOFMARK_INSTALL_MODULE_DIR}>)
  target_link_libraries(roofmark_fortran_module INTERFACE roofmark)
  install(FILES ${ROOFMARK_MODULE_DIR}/roofmark.mod DESTINATION ${ROOFMARK_INSTALL_MODULE_DIR}
          COMPONENT dev)
  list(APPEND exported roofmark_fortran_module)
endif()

install(TARGETS ${exported} EXPORT roofmarkTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev)
install(DIRECTORY include/roofmark DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.f90")
install(EXPORT roofmarkTargets NAMESPACE roofmark:: DESTINATION ${config_dir}
        COMPONENT dev)

configure_package_config_file(lib/cmake/roofmarkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/roofmarkConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/roofmarkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/roofmarkConfig.cmake
              ${PROJECT_BINARY_DIR}/roofmarkConfigVersion.cmake DESTINATION ${config_dir}
        COMPONENT dev)

# Files of pkg-config find the prefix from where they lie.
file(RELATIVE_PATH ROOFMARK_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" ROOFMARK_PC_PREFIX "${ROOFMARK_PC_PREFIX}")
set(pc_names roofmark)
if(ROOFMARK_FORTRAN)
  list(APPEND pc_names roofmark-fortran)
endif()
foreach(name IN LISTS pc_names)
  configure_file(lib/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT dev)
endforeach()
# The Python module, for every Python 3: it is found by PYTHONPATH.
install(DIRECTORY lib/python/roofmark DESTINATION ${CMAKE_INSTALL_DATADIR}/roofmark/python
        COMPONENT command FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
        PATTERN "__pycache__" EXCLUDE)

install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)

# For `module load`, where many versions are installed, each in a prefix of its own.
set(modulefile_dir ${CMAKE_INSTALL_DATADIR}/modulefiles/roofmark)
file(RELATIVE_PATH ROOFMARK_MODULEFILE_PREFIX /${modulefile_dir} /)
configure_file(packaging/modulefile.in ${PROJECT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${modulefile_dir} RENAME ${PROJECT_VERSION}
        COMPONENT modulefile)
