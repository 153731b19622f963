# The decoder, natively.
roofmark_add_test(counting_decoder_test SOURCES decoder_test.cc DEPENDS roofmark_decoder)
find_path(ZYDIS_INCLUDE Zydis/Zydis.h)
find_library(ZYDIS_LIBRARY Zydis)
if(ZYDIS_INCLUDE AND ZYDIS_LIBRARY)
  roofmark_add_test(counting_decoder_zydis_test SOURCES decoder_zydis_test.cc
                    DEPENDS roofmark_decoder ${ZYDIS_LIBRARY})
  target_include_directories(counting_decoder_zydis_test PRIVATE ${ZYDIS_INCLUDE})
else()
  message(STATUS "roofmark: the decoder is not compared with Zydis: libzydis-dev not found")
endif()

if(NOT ROOFMARK_COUNTING)
  return()
endif()

# Guests: programs that run under the tool. They know nothing of the rest of roofmark.
set(guests ${PROJECT_BINARY_DIR}/tests/guests)
add_custom_target(counting_guests)
# counting_guest(NAME SOURCES ... [OPTIONS ...] [DEPENDS ...])
function(counting_guest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;OPTIONS;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND guests/)
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${guests} C_STANDARD 11)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} m $<BUILD_INTERFACE:roofmark_warnings>)
  add_dependencies(counting_guests ${name})
endfunction()

# counting_tool_test(NAME SOURCES ...)
function(counting_tool_test name)
  roofmark_add_test(${name} SOURCES ${ARGN} tool_run.cc LABELS counting TIMEOUT 300)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ROOFMARK_GUESTS="${guests}"
                             ROOFMARK_TOOL_DIR="${ROOFMARK_PLUGIN_DIR}/valgrind")
  add_dependencies(${name} roofmark_tool counting_guests)
endfunction()

set(math -fno-math-errno -fno-trapping-math)
foreach(real double float)
  counting_guest(exact_O2_${real} SOURCES exact.c kernels.c OPTIONS -O2 ${math} -DREAL=${real})
  counting_guest(exact_O3_${real} SOURCES exact.c kernels.c OPTIONS -O3 ${math} -DREAL=${real})
  counting_guest(exact_v3_${real} SOURCES exact.c kernels.c
                 OPTIONS -O3 -march=x86-64-v3 ${math} -DREAL=${real})
endforeach()
counting_tool_test(counting_exact_test tool_exact_test.cc)
