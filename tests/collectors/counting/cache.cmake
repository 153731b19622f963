# Tests of the cache model.
roofmark_add_test(cache_sim_test
  SOURCES cache_equality_test.cc cache_geometry_test.cc cache_model_test.cc cache_sampling_test.cc
  LABELS fast
  DEPENDS roofmark_cache_sim)
