# Every MPI on this machine side by side, where CMake's own FindMPI knows only one at a time.
#
# find_package(RoofmarkMpi) defines, for each MPI that is present (openmpi, mpich):
#   roofmark::mpi_<name>           C and C++: include folders and libraries
#   roofmark::mpi_<name>_fortran   Fortran: module folders and libraries (with ROOFMARK_FORTRAN)
#   ROOFMARK_MPIRUN_<name>         its launcher
#   roofmark::hdf5_<name>          parallel HDF5 built with it, if there is one
# and the list ROOFMARK_MPIS of those found, with ROOFMARK_MPIS_FORTRAN its share with Fortran.
# The wrapper compilers are asked what they would do; -DROOFMARK_MPICC_<name>=..., _MPIFORT_ and
# _MPIRUN_ point to others. A plain `mpicc` serves whichever family answers to its way of asking.

set(_roofmark_mpi_show_openmpi -showme)
set(_roofmark_mpi_show_mpich -show)
set(_roofmark_mpi_library_openmpi "-lmpi( |$)")
set(_roofmark_mpi_library_mpich "-lmpich( |$)|-lmpi( |$)")

# Imports `target` from what `wrapper` says about its include folders and libraries. Folders of an
# earlier wrapper of the same MPI are kept: a Fortran wrapper may leave libmpi's out, and /usr/lib
# may hold another MPI's libmpi.
function(_roofmark_mpi_import target name wrapper)
  if(NOT wrapper OR TARGET ${target})
    return()
  endif()
  execute_process(COMMAND ${wrapper} ${_roofmark_mpi_show_${name}} OUTPUT_VARIABLE line
    OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  # An MPICH wrapper takes -showme for a compiler flag and fails; an Open MPI one knows both.
  if(failed OR NOT line MATCHES "${_roofmark_mpi_library_${name}}"
     OR (name STREQUAL "mpich" AND line MATCHES "openmpi|open-rte"))
    return()
  endif()
  separate_arguments(flags UNIX_COMMAND "${line}")
  set(includes)
  set(folders ${_roofmark_mpi_folders_${name}})
  set(libraries)
  foreach(flag IN LISTS flags)
    if(flag MATCHES "^-I(.+)")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(flag MATCHES "^-L(.+)")
      list(APPEND folders ${CMAKE_MATCH_1})
    elseif(flag MATCHES "^-l(.+)")
      list(APPEND libraries ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES includes)
  set(paths)
  foreach(library IN LISTS libraries)
    unset(path)
    find_library(path ${library} PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
    list(APPEND paths $<IF:$<BOOL:${path}>,${path},${library}>)
  endforeach()
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${includes})
  # Without the removed C++ bindings, whose inline code wants a library of its own.
  target_compile_definitions(${target} INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX=1;MPICH_SKIP_MPICXX=1>)
  target_link_libraries(${target} INTERFACE ${paths})
  set(_roofmark_mpi_folders_${name} ${folders} PARENT_SCOPE)
endfunction()

set(ROOFMARK_MPIS)
set(ROOFMARK_MPIS_FORTRAN)
foreach(_name openmpi mpich)
  find_program(ROOFMARK_MPICC_${_name} NAMES mpicc.${_name} mpicc)
  find_program(ROOFMARK_MPIFORT_${_name} NAMES mpifort.${_name} mpifort)
  find_program(ROOFMARK_MPIRUN_${_name} NAMES mpirun.${_name} mpirun)
  mark_as_advanced(ROOFMARK_MPICC_${_name} ROOFMARK_MPIFORT_${_name} ROOFMARK_MPIRUN_${_name})
  _roofmark_mpi_import(roofmark::mpi_${_name} ${_name} "${ROOFMARK_MPICC_${_name}}")
  if(NOT TARGET roofmark::mpi_${_name})
    message(STATUS "roofmark: no ${_name} found")
    continue()
  endif()
  list(APPEND ROOFMARK_MPIS ${_name})
  # Parallel HDF5 built with it, where Debian and Fedora put them.
  find_path(ROOFMARK_HDF5_INCLUDE_${_name} hdf5.h PATH_SUFFIXES hdf5/${_name} ${_name}-x86_64)
  find_library(ROOFMARK_HDF5_LIBRARY_${_name} NAMES hdf5_${_name} hdf5
    PATH_SUFFIXES hdf5/${_name} ${_name}/lib)
  mark_as_advanced(ROOFMARK_HDF5_INCLUDE_${_name} ROOFMARK_HDF5_LIBRARY_${_name})
  if(ROOFMARK_HDF5_INCLUDE_${_name} AND ROOFMARK_HDF5_LIBRARY_${_name})
    add_library(roofmark::hdf5_${_name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(roofmark::hdf5_${_name} INTERFACE
      ${ROOFMARK_HDF5_INCLUDE_${_name}})
    target_link_libraries(roofmark::hdf5_${_name} INTERFACE ${ROOFMARK_HDF5_LIBRARY_${_name}})
  endif()
  if(CMAKE_Fortran_COMPILER)
    _roofmark_mpi_import(roofmark::mpi_${_name}_fortran ${_name} "${ROOFMARK_MPIFORT_${_name}}")
    if(TARGET roofmark::mpi_${_name}_fortran)
      list(APPEND ROOFMARK_MPIS_FORTRAN ${_name})
    endif()
  endif()
endforeach()
message(STATUS "roofmark: MPI: ${ROOFMARK_MPIS}; with Fortran: ${ROOFMARK_MPIS_FORTRAN}")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RoofmarkMpi REQUIRED_VARS ROOFMARK_MPIS)
