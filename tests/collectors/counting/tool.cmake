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
