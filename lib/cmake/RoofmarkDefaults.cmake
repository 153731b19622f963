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
# Before 1.0 each minor version may change the binary interface: the SONAMEs, the version node of
# roofmark_*, the folder of plug-ins and the policy of the CMake package (RoofmarkInstall) all say
# so. Two minor versions lie side by side in one prefix.
set(ROOFMARK_ABI ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(ROOFMARK_PLUGIN_FOLDER roofmark-${ROOFMARK_ABI})
set(ROOFMARK_PLUGIN_DIR ${PROJECT_BINARY_DIR}/lib/${ROOFMARK_PLUGIN_FOLDER})
set(ROOFMARK_INSTALL_PLUGIN_DIR ${CMAKE_INSTALL_LIBDIR}/${ROOFMARK_PLUGIN_FOLDER})
# What looks for plug-ins and libraries at run time, by names that have the version.
set(ROOFMARK_PLACES ROOFMARK_PLUGIN_FOLDER="${ROOFMARK_PLUGIN_FOLDER}" ROOFMARK_ABI="${ROOFMARK_ABI}")
set(ROOFMARK_MODULE_DIR ${PROJECT_BINARY_DIR}/include/fortran)

# Warnings of every target. -Wconversion means the same to both compilers: clang adds the conversions
# of signs in C++, GCC does not. -Wrestrict: GCC 12 sees overlaps in std::string that cannot happen
# (GCC bug 105651).
set(ROOFMARK_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>)
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${ROOFMARK_WARNINGS}>")

# GCC collects garbage from 128 MB on, again and again: a tenth of its time, for 200 MB less memory.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=500000>)

# What is installed resists attacks and errors: layers and whatever is linked of them. Not the
# counting tool, which has no libc. The tables of addresses are read-only once the program runs,
# for which all of them are bound at its start; binding one at its first call would also take more
# stack than a marker may. Fortified calls need optimisation.
include(CheckPIESupported)
check_pie_supported()
add_library(roofmark_hardening INTERFACE)
target_compile_options(roofmark_hardening INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>
  $<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<NOT:$<CONFIG:Debug>>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
target_link_options(roofmark_hardening INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
