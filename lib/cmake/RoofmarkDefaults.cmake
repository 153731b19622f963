# The options with which every target of roofmark is built.
include(GNUInstallDirs)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Everything lands in the same places as after installation, so that the command finds the library,
# the plug-ins and the counting tool by the same relative paths in both.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(ROOFMARK_PLUGIN_DIR ${PROJECT_BINARY_DIR}/lib/roofmark)
set(ROOFMARK_INSTALL_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/roofmark)
set(ROOFMARK_MODULE_DIR ${PROJECT_BINARY_DIR}/include/fortran)

# -Wrestrict: GCC 12 sees overlaps in std::string that cannot happen (GCC bug 105651).
add_library(roofmark_warnings INTERFACE)
target_compile_options(roofmark_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -Wshadow -Wno-unused-parameter>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${PROJECT_IS_TOP_LEVEL}>>:-Werror>)
