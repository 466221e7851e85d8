// A comparison as pages: one sentence, then every figure with its difference.
#pragma once

#include "widgets/export/pictures.h"

namespace railyard {

// A table of all metrics under one sentence; `metrics` as in `metrics --json`, the first design is the reference.
Result<QStringList> drawComparison(const std::vector<Json>& metrics, const QString& verdict, const QString& path,
                                   const PictureOptions& options);

} // namespace railyard
