# What Debian's policy wants of every package: copyright, changelog, and the reasons why a rule does
# not fit. Read by roofmark_package for ROOFMARK_DEB_PACKAGE of `component`.
set(debian_dir ${PROJECT_BINARY_DIR}/debian/${ROOFMARK_DEB_PACKAGE})
set(source_dir ${PROJECT_SOURCE_DIR}/lib/cmake/debian)
set(doc_dir share/doc/${ROOFMARK_DEB_PACKAGE})
configure_file(${source_dir}/copyright.in ${debian_dir}/copyright @ONLY)
string(TIMESTAMP ROOFMARK_DEB_DATE "%a, %d %b %Y 00:00:00 +0000" UTC)
configure_file(${source_dir}/changelog.in ${debian_dir}/changelog.Debian @ONLY)
install(FILES ${debian_dir}/copyright DESTINATION ${doc_dir}
        COMPONENT ${component}_debian EXCLUDE_FROM_ALL)
install(CODE "
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${doc_dir})
  execute_process(COMMAND gzip -9nc ${debian_dir}/changelog.Debian
    OUTPUT_FILE \${folder}/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT ${component}_debian EXCLUDE_FROM_ALL)
if(EXISTS ${source_dir}/${component}.overrides.in)
  configure_file(${source_dir}/${component}.overrides.in ${debian_dir}/${ROOFMARK_DEB_PACKAGE} @ONLY)
  install(FILES ${debian_dir}/${ROOFMARK_DEB_PACKAGE} DESTINATION share/lintian/overrides
          COMPONENT ${component}_debian EXCLUDE_FROM_ALL)
endif()
