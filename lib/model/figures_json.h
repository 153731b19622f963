// SPDX-License-Identifier: BSD-3-Clause
//
// What points of a measured machine have in common in its file, whatever they were measured on.
#ifndef ROOFMARK_LIB_MODEL_FIGURES_JSON_H_
#define ROOFMARK_LIB_MODEL_FIGURES_JSON_H_

#include "lib/core/limits.h"
#include "lib/profile/json_document.h"

namespace roofmark {

template <typename Point>
void FiguresToJson(const Point& point, Json& json) {
  json["value"] = FiniteOrNull(point.value);
  json["median"] = FiniteOrNull(point.median);
  json["min"] = FiniteOrNull(point.min);
  json["max"] = FiniteOrNull(point.max);
  json["samples"] = point.samples;
  json["noise"] = FiniteOrNull(point.noise);
  if (point.ghz > 0) json["ghz"] = FiniteOrNull(point.ghz);
}

// A figure that is the base of a roof must be positive; the file says null where there is none.
template <typename Point>
void FiguresFromJson(const JsonNode& node, Point& point) {
  point.value = node["value"].Required().Figure(limits::kFigure);
  if (!(point.value > 0)) node["value"].Fail("must be above zero");
  point.median = node["median"].Figure(limits::kFigure);
  point.min = node["min"].Figure(limits::kFigure);
  point.max = node["max"].Figure(limits::kFigure);
  point.samples = node["samples"].Uint32();
  point.noise = node["noise"].Figure(limits::kFigure);
  point.ghz = node["ghz"].Figure(limits::kFigure);
}

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_FIGURES_JSON_H_
