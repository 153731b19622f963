# What Debian's policy wants of every package: copyright, changelog, and the reasons why a rule does
# not fit. Read by roofmark_package for the package
# `deb_package` of `deb_component`.
set(debian_dir ${PROJECT_BINARY_DIR}/debian/${deb_package})
set(source_dir ${PROJECT_SOURCE_DIR}/lib/cmake/debian)
set(doc_dir share/doc/${deb_package})
configure_file(${source_dir}/copyright.in ${debian_dir}/copyright @ONLY)
string(TIMESTAMP ROOFMARK_DEB_DATE "%a, %d %b %Y 00:00:00 +0000" UTC)
configure_file(${source_dir}/changelog.in ${debian_dir}/changelog.Debian @ONLY)
install(FILES ${debian_dir}/copyright DESTINATION ${doc_dir}
        COMPONENT ${deb_component}_debian EXCLUDE_FROM_ALL)
install(CODE "
  set(folder \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${doc_dir})
  execute_process(COMMAND gzip -9nc ${debian_dir}/changelog.Debian
    OUTPUT_FILE \${folder}/changelog.Debian.gz COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT ${deb_component}_debian EXCLUDE_FROM_ALL)
if(EXISTS ${source_dir}/${deb_component}.overrides.in)
  configure_file(${source_dir}/${deb_component}.overrides.in ${debian_dir}/${deb_package} @ONLY)
  install(FILES ${debian_dir}/${deb_package} DESTINATION share/lintian/overrides
          COMPONENT ${deb_component}_debian EXCLUDE_FROM_ALL)
endif()
