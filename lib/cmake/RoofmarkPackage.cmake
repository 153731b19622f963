# cpack: an archive that can be unpacked anywhere (TGZ) and packages of Debian (DEB). docs/packages.md
# describes them. Components, which the install rules of each folder name:
#   runtime        libraries and plug-ins, what programs need    libroofmark0.1
#   detail_<mpi>   the plug-in for files of all ranks, with HDF5 libroofmark0.1-hdf5-<mpi>
#   native         the native engine, with Zydis                 libroofmark0.1-native
#   engine         the counting tool                             libroofmark0.1-engine
#     engine_links    with links into the package of Valgrind (only packages)
#     engine_copies   with copies (all but packages)
#   dev            headers, CMake package, pkg-config, module    libroofmark-dev
#   command        `roofmark`, its manual, shell completion      roofmark
#   doc            documents                                     roofmark-doc
#   <any>_debian   the files that Debian's policy wants of each package (only packages)
set(ROOFMARK_PACKAGER "The roofmark authors <authors@roofmark.invalid>" CACHE STRING
  "Maintainer of the packages: name and address")
mark_as_advanced(ROOFMARK_PACKAGER)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR "The roofmark authors")
set(CPACK_PACKAGE_FILE_NAME
  ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "rooflines of MPI codes, region by region")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(library libroofmark${ROOFMARK_ABI})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${ROOFMARK_PACKAGER}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# Debian's prefix; what is unpacked elsewhere is an archive.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/lib/cmake/RoofmarkPackageOfGenerator.cmake)
set(deb_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(same "(= ${deb_version})")

set(CPACK_COMPONENTS_ALL)
# roofmark_package(COMPONENT NAME SECTION TEXT [SHLIBDEPS] [DEPENDS ...] [RECOMMENDS ...]
#                  [SUGGESTS ...] [PROVIDES ...] [PARTS more components])
macro(roofmark_package component name section text)
  cmake_parse_arguments(ARG "SHLIBDEPS" "" "DEPENDS;RECOMMENDS;SUGGESTS;PROVIDES;PARTS" ${ARGN})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION
    "roofmark measures how far each loop nest of an MPI code is from what the\nmachine allows.\n.\n${text}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ${ARG_SHLIBDEPS})
  foreach(kind DEPENDS RECOMMENDS SUGGESTS PROVIDES)
    list(JOIN ARG_${kind} ", " CPACK_DEBIAN_${upper}_PACKAGE_${kind})
  endforeach()
  if("${component}" STREQUAL doc)
    set(CPACK_DEBIAN_${upper}_PACKAGE_ARCHITECTURE all)
  endif()
  foreach(part ${component} ${component}_debian ${ARG_PARTS})
    string(TOUPPER ${part} part_upper)
    set(CPACK_COMPONENT_${part_upper}_GROUP ${component})
    list(APPEND CPACK_COMPONENTS_ALL ${part})
  endforeach()
  set(deb_package ${name})
  set(deb_component ${component})
  include(RoofmarkDebianFiles)
endmacro()

set(engines "${library}-engine ${same}")
if(TARGET roofmark_native)
  list(APPEND engines "${library}-native ${same}")
endif()
roofmark_package(runtime ${library} libs
  "The shared libraries that programs with markers load, and the plug-ins for\nOpen MPI and MPICH, which need neither of them to be installed."
  SHLIBDEPS RECOMMENDS ${engines})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/lib/cmake/debian/triggers)
foreach(mpi IN LISTS ROOFMARK_MPIS)
  if(TARGET roofmark_detail_${mpi})
    roofmark_package(detail_${mpi} ${library}-hdf5-${mpi} libs
      "The plug-in that writes the details of all ranks into one HDF5 file, with\nthe HDF5 of ${mpi}."
      SHLIBDEPS DEPENDS "${library} ${same}")
  endif()
endforeach()
roofmark_package(dev libroofmark-dev libdevel
  "The headers for C, C++ and Fortran, and what CMake and pkg-config need."
  DEPENDS "${library} ${same}")
roofmark_package(command roofmark science
  "The command, which measures machines, runs programs, and shows and compares\nrooflines."
  SHLIBDEPS DEPENDS "${library} ${same}" RECOMMENDS ${engines}
  SUGGESTS roofmark-doc libroofmark-dev librsvg2-bin python3-pandas)
roofmark_package(doc roofmark-doc doc
  "The guide, and the descriptions of the model and of the file formats.")
if(TARGET roofmark_native)
  roofmark_package(native ${library}-native libs
    "The engine that counts FLOPs exactly, and models cache traffic, while the\nprocessor executes the program itself, AVX-512 included."
    SHLIBDEPS DEPENDS "${library} ${same}")
endif()
if(ROOFMARK_COUNTING)
  # The tool holds the core of this Valgrind, and its links lead to the same version's files.
  find_program(DPKG_QUERY dpkg-query)
  mark_as_advanced(DPKG_QUERY)
  set(valgrind ${VALGRIND_VERSION})
  if(DPKG_QUERY)
    execute_process(COMMAND ${DPKG_QUERY} -W -f "\${source:Upstream-Version} \${Version}" valgrind
      OUTPUT_VARIABLE versions ERROR_QUIET)
    if(versions MATCHES "^([^ ]+) ([0-9]+:)")
      set(valgrind ${CMAKE_MATCH_2}${CMAKE_MATCH_1})
    endif()
  endif()
  roofmark_package(engine ${library}-engine libs
   
    "The tool for Valgrind that counts FLOPs exactly and models cache traffic,\nwhere there are no hardware counters."
    DEPENDS "${library} ${same}" "valgrind (>= ${valgrind})" "valgrind (<< ${valgrind}.1~)"
    PROVIDES roofmark-engine PARTS engine_links)
endif()
include(CPack)
