// SPDX-License-Identifier: BSD-3-Clause
//
// docs/doctor.schema.json.
#include <nlohmann/json.hpp>

#include "command/doctor/report.h"

namespace roofmark::cli {
namespace {

using nlohmann::ordered_json;

ordered_json FindingJson(const Finding& finding) {
  const Diagnosis& diagnosis = finding.diagnosis;
  return {{"id", finding.id},
          {"section", finding.section},
          {"title", finding.title},
          {"status", StateName(diagnosis.state)},
          {"found", finding.found},
          {"errno",
           diagnosis.error == 0 ? ordered_json(nullptr) : ordered_json(ErrnoName(diagnosis.error))},
          {"cause", diagnosis.cause},
          {"cure", diagnosis.cure}};
}

}  // namespace

std::string DoctorJson(const DoctorReport& report) {
  ordered_json json;
  json["format"] = "roofmark-doctor";
  json["version"] = 1;
  json["host"] = report.host;
  json["kernel"] = report.kernel;
  json["findings"] = ordered_json::array();
  for (const Finding& finding : report.findings) json["findings"].push_back(FindingJson(finding));
  json["automatic"] = {{"collector", report.automatic.collector},
                       {"line", report.automatic.why},
                       {"gives", report.automatic.gives},
                       {"lacks", report.automatic.lacks},
                       {"descriptors_per_thread", report.automatic.events}};
  json["conclusion"] = {{"counts", report.conclusion.counts},
                        {"summary", report.conclusion.summary},
                        {"with", report.conclusion.with},
                        {"first", report.conclusion.first},
                        {"first_cure", report.conclusion.first_cure}};
  json["self_test"] = report.self_test ? ordered_json::parse(SelfTestToJson(*report.self_test))
                                       : ordered_json(nullptr);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace roofmark::cli
