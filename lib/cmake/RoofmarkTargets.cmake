# roofmark_add_layer(NAME SOURCES ... [ALONE ...] [DEPENDS ...])
# One layer of the house as a static, position-independent library; includes start at the root.
# Several C++ sources of it are compiled together (ROOFMARK_UNITY): most of what they cost alone is
# the same headers. So names in their anonymous namespaces differ within a layer. C has cheap headers.
# The linker takes a source with whatever else its object holds. So sources of markers and mpi stay
# alone, since many of them begin to work when they are loaded, or stand in place of other functions;
# of other layers those that do so are listed as ALONE.
function(roofmark_add_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_ALONE})
  file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT ROOFMARK_UNITY EQUAL 1 AND place MATCHES "^(lib|command|benchmarks|collectors)(/|$)")
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ROOFMARK_UNITY})
  endif()
  set(alone ${ARG_SOURCES})
  list(FILTER alone INCLUDE REGEX "\\.c$")
  set_source_files_properties(${alone} ${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION TRUE)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${name} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:roofmark_hardening>)
endfunction()

# Targets of groups that are built alone: `fast_tests`, so that ./test can pass the fast group before
# the rest is built; `races_tests`, what ThreadSanitizer checks; `input_tests`, what AddressSanitizer
# checks where time is short.
if(ROOFMARK_TESTS)
  add_custom_target(fast_tests)
  add_custom_target(races_tests)
  add_custom_target(input_tests)
  # Headers of GoogleTest and of the standard library, read once for all tests. GCC takes them only
  # with the same options; if it does not, -Winvalid-pch is an error. ccache would keep no test that
  # uses them. Tests include what they need: other compilers read them without (tests/gates).
  if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache" AND NOT DEFINED CMAKE_DISABLE_PRECOMPILE_HEADERS)
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
  endif()
  add_executable(test_headers ${PROJECT_SOURCE_DIR}/tests/support/test_headers.cc)
  target_precompile_headers(test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/test_headers.h)
  target_link_libraries(test_headers PRIVATE GTest::gtest GTest::gmock)
  target_compile_options(test_headers PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0;-g1>)
  set_target_properties(test_headers PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endif()

# roofmark_add_test(NAME SOURCES ... [LABELS ...] [DEPENDS ...] [TIMEOUT seconds] [ENVIRONMENT ...]
#                   [ALONE] [OWN_OPTIONS])
# A GoogleTest program registered test by test. Labels default to `fast`. Tests run beside each other,
# except those that are ALONE because they time something; the group `bench` always is. OWN_OPTIONS:
# a dependency brings options of the compiler, so that it cannot use the headers of test_headers.
include(GoogleTest)
function(roofmark_add_test name)
  cmake_parse_arguments(ARG "ALONE;OWN_OPTIONS" "TIMEOUT" "SOURCES;LABELS;DEPENDS;ENVIRONMENT" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS fast)
  endif()
  set(alone ${ARG_ALONE})
  if("bench" IN_LIST ARG_LABELS)
    set(alone TRUE)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)  # ends what hangs; a busy machine takes some tests minutes
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  # A test spends its time in what it tests; optimising its own code is half of compiling it.
  if(NOT alone)
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0;-g1>)
    if(NOT ARG_OWN_OPTIONS)
      target_precompile_headers(${name} REUSE_FROM test_headers)
      set(other ${ARG_SOURCES})
      list(FILTER other EXCLUDE REGEX "\\.cc$")
      set_source_files_properties(${other} PROPERTIES SKIP_PRECOMPILE_HEADERS TRUE)
    endif()
  endif()
  foreach(label IN LISTS ARG_LABELS)
    if(TARGET ${label}_tests)
      add_dependencies(${label}_tests ${name})
    endif()
  endforeach()
  # PROPERTIES cannot carry a list. ctest searches labels by regular expressions, so "fast-races" is
  # found as both.
  string(JOIN "-" label ${ARG_LABELS})
  # A busy machine with a cold disk may take longer than five seconds to start a test.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    PROPERTIES LABELS ${label} TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${alone}
               ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()
