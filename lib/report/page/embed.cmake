# SPDX-License-Identifier: BSD-3-Clause
# cmake -DOUTPUT=FILE -DFOLDER=... -P embed.cmake
# Writes the page's script and styles as C++ constants, with the SHA-256 of each for the page's
# content security policy.
set(scripts plot labels layout chart export folds filters table loops panel section still main)
set(script "(() => {\n\"use strict\";\n")
foreach(name IN LISTS scripts)
  file(READ "${FOLDER}/${name}.js" text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
file(READ "${FOLDER}/page.css" page_style)
file(READ "${FOLDER}/chart.css" chart_style)
file(READ "${FOLDER}/chart_dark.css" dark_style)
file(READ "${FOLDER}/runs.css" runs_style)
string(APPEND page_style "${dark_style}${runs_style}")

set(code "// Made by lib/report/page/embed.cmake.\n#include \"lib/report/page_assets.h\"\n\nnamespace roofmark {\n\n")
foreach(asset script page_style chart_style dark_style runs_style)
  string(SHA256 hash "${${asset}}")
  string(APPEND code "const PageAsset k_${asset} = {R\"roofmark(${${asset}})roofmark\", \"${hash}\"};\n")
endforeach()
string(REPLACE "k_script" "kPageScript" code "${code}")
string(REPLACE "k_page_style" "kPageStyle" code "${code}")
string(REPLACE "k_chart_style" "kChartStyle" code "${code}")
string(REPLACE "k_dark_style" "kDarkStyle" code "${code}")
string(REPLACE "k_runs_style" "kRunsStyle" code "${code}")
string(APPEND code "\n}  // namespace roofmark\n")
file(WRITE "${OUTPUT}" "${code}")
