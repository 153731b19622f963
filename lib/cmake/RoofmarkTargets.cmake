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
  if(NOT ROOFMARK_LINE_NUMBERS)
    target_compile_options(${name} PRIVATE -g0)
  endif()
endfunction()

# Code of tests, which is executed less long than it takes to optimise it.
function(roofmark_leave_unoptimised name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0;-g0>)
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
  add_executable(test_headers EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/support/test_headers.cc)
  target_precompile_headers(test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/test_headers.h)
  target_link_libraries(test_headers PRIVATE GTest::gtest GTest::gmock)
  roofmark_leave_unoptimised(test_headers)
endif()

# roofmark_test_program(NAME [LABELS ...] [SHARES n] [TIMEOUT seconds] [ENVIRONMENT ...] [ALONE] [OWN_OPTIONS])
# A program of tests with GoogleTest, without sources yet. Its tests are executed one after the other, each
# in a process of its own (tests/support/runner.h); ctest has an entry for each of SHARES shares of them.
# Entries are executed beside each other, except those of a program that is ALONE because it times
# something; the group `bench` always is. Labels default to `fast`. TIMEOUT is that of each test.
# OWN_OPTIONS: a dependency brings options of the compiler, so that the program cannot use test_headers.
function(roofmark_test_program name)
  cmake_parse_arguments(ARG "ALONE;OWN_OPTIONS" "SHARES;TIMEOUT" "LABELS;ENVIRONMENT" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS fast)
  endif()
  if("bench" IN_LIST ARG_LABELS)
    set(ARG_ALONE TRUE)
  endif()
  if(NOT ARG_SHARES)
    set(ARG_SHARES 1)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 900)  # ends what hangs; a busy machine takes some tests minutes
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:roofmark_test_main>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock)
  # A test spends its time in what it tests; optimising its own code is half of compiling it.
  if(NOT ARG_ALONE)
    roofmark_leave_unoptimised(${name})
    if(NOT ARG_OWN_OPTIONS)
      target_precompile_headers(${name} REUSE_FROM test_headers)
    endif()
  endif()
  foreach(what ALONE ENVIRONMENT LABELS SHARES TIMEOUT)
    set_target_properties(${name} PROPERTIES roofmark_${what} "${ARG_${what}}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY roofmark_test_programs ${name})
endfunction()

# roofmark_add_test(PROGRAM SOURCES ... [DEPENDS ...] [options of roofmark_test_program])
# Adds tests to a program. One that is not there yet is made, with these options.
function(roofmark_add_test program)
  cmake_parse_arguments(ARG "ALONE;OWN_OPTIONS" "SHARES;TIMEOUT" "SOURCES;LABELS;DEPENDS;ENVIRONMENT" ${ARGN})
  if(NOT TARGET ${program})
    set(options LABELS ${ARG_LABELS} SHARES ${ARG_SHARES} TIMEOUT ${ARG_TIMEOUT} ENVIRONMENT ${ARG_ENVIRONMENT})
    foreach(option ALONE OWN_OPTIONS)
      if(ARG_${option})
        list(APPEND options ${option})
      endif()
    endforeach()
    roofmark_test_program(${program} ${options})
  endif()
  target_link_libraries(${program} PRIVATE ${ARG_DEPENDS})
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(ABSOLUTE_PATH source)
    get_source_file_property(apart ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(source MATCHES "_test\\.cc$" AND NOT apart)
      set_property(TARGET ${program} APPEND PROPERTY roofmark_SOURCES ${source})
    else()
      target_sources(${program} PRIVATE ${source})
    endif()
    if(NOT source MATCHES "\\.cc$")
      set_source_files_properties(${source} TARGET_DIRECTORY ${program} PROPERTIES SKIP_PRECOMPILE_HEADERS TRUE)
    endif()
  endforeach()
endfunction()

# roofmark_add_exhaustive(PROGRAM FILTER)
# The tests of PROGRAM that match GoogleTest's FILTER once more, with all products of their factors
# (tests/support/pairs.h): one entry for each program, `Exhaustive.PROGRAM`, whose filters are joined.
# `./test -L exhaustive` executes them, and nothing else does.
function(roofmark_add_exhaustive program filter)
  if(NOT TARGET ${program})
    return()  # it is not built here
  endif()
  set_property(TARGET ${program} APPEND PROPERTY roofmark_EXHAUSTIVE ${filter})
endfunction()

# To be called once, after all tests: compiles up to 24 files of tests of a program together, which saves
# three quarters of the time (tests/support/together.py), and makes the entries of ctest.
function(roofmark_finish_test_programs)
  get_property(programs GLOBAL PROPERTY roofmark_test_programs)
  set(rows "")
  foreach(name IN LISTS programs)
    foreach(what ALONE ENVIRONMENT EXHAUSTIVE LABELS SHARES SOURCES TIMEOUT)
      get_target_property(ARG_${what} ${name} roofmark_${what})
    endforeach()
    if(NOT ARG_SOURCES)
      continue()  # nothing of it is built here
    endif()
    # What is generated belongs to the folder that made the program: those of other folders are small.
    get_target_property(place ${name} SOURCE_DIR)
    if(NOT ROOFMARK_UNITY EQUAL 1 AND place STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      roofmark_join_sources(ARG_SOURCES ${name} ${ARG_SOURCES})
      # Names of one file hide those of headers of another one.
      target_compile_options(${name} PRIVATE -Wno-shadow)
    endif()
    target_sources(${name} PRIVATE ${ARG_SOURCES})
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL FALSE)
    foreach(label IN LISTS ARG_LABELS)
      if(TARGET ${label}_tests)
        add_dependencies(${label}_tests ${name})
      endif()
    endforeach()
    # PROPERTIES cannot carry a list. ctest searches labels by regular expressions, so "fast-races" is
    # found as both.
    string(JOIN "-" label ${ARG_LABELS})
    foreach(share RANGE 1 ${ARG_SHARES})
      set(entry ${name})
      if(ARG_SHARES GREATER 1)
        set(entry ${name}.${share}of${ARG_SHARES})
      endif()
      add_test(NAME ${entry} COMMAND ${name} --share=${share}of${ARG_SHARES} --seconds=${ARG_TIMEOUT})
      # The program itself ends a test that hangs, and names it. What has many shares takes long, so
      # that it begins first.
      set_tests_properties(${entry} PROPERTIES LABELS ${label} TIMEOUT 14400 COST ${ARG_SHARES}
        RUN_SERIAL ${ARG_ALONE} ENVIRONMENT "${ARG_ENVIRONMENT}")
    endforeach()
    if(ARG_EXHAUSTIVE)
      list(JOIN ARG_EXHAUSTIVE ":" filter)
      add_test(NAME Exhaustive.${name} COMMAND ${name} --seconds=7200 --gtest_filter=${filter})
      set_tests_properties(Exhaustive.${name} PROPERTIES LABELS exhaustive TIMEOUT 14400
        RUN_SERIAL ${ARG_ALONE} ENVIRONMENT "ROOFMARK_TEST_EXHAUSTIVE=1;${ARG_ENVIRONMENT}")
    endif()
    list(JOIN ARG_ENVIRONMENT " " environment)
    string(APPEND rows "$<TARGET_FILE:${name}> ${ARG_TIMEOUT} ${label} ${environment}\n")
  endforeach()
  # For tests/execute_named.py: how long a test of a program may take, its label, and its variables.
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/tests/programs.txt CONTENT "${rows}")
endfunction()

function(roofmark_join_sources result name)
  set(joined)
  set(sources ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/tests/support/together.py)
  list(LENGTH sources all)
  math(EXPR batches "(${all} + 23) / 24")
  math(EXPR size "(${all} + ${batches} - 1) / ${batches}")
  while(sources)
    list(SUBLIST sources 0 ${size} batch)
    list(REMOVE_ITEM sources ${batch})
    list(LENGTH joined number)
    set(file ${PROJECT_BINARY_DIR}/tests/together/${name}_${number}.cc)
    add_custom_command(OUTPUT ${file} DEPENDS ${batch} ${script}
      COMMAND Python3::Interpreter ${script} ${file} ${batch})
    list(JOIN batch "\n" lines)
    file(WRITE ${file}.sources "${lines}\n")  # for tests/gates/each_file.py
    list(APPEND joined ${file})
  endwhile()
  set(${result} ${joined} PARENT_SCOPE)
endfunction()
