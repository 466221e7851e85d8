// A comparison as pages: the sentence, both drawings and what differs with bars; then every figure that people compare.
#pragma once

#include "widgets/export/pictures.h"

namespace railyard {

// `metrics` are of the fabrics; the first is the reference.
struct ComparedDesigns {
    const Fabric &first, &second;
    const Metrics &firstMetrics, &secondMetrics;
};
Result<QStringList> drawComparison(const ComparedDesigns& designs, const QString& path, const PictureOptions& options);

} // namespace railyard
