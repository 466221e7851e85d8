// Whether the numbers of a workbook, a PDF, a picture or a slide still follow from a design. Of workbooks and presentations what people see
// is read, wherever it was saved last; other files carry the list of what they state.
#pragma once

#include "core/io/stated/stated_figures.h"

namespace railyard {

struct StaleFigure {
    std::string key; // of the figure; quantity.ID of a line of the bill
    std::string stated, now;
};

struct Verification {
    std::int64_t figures = 0; // compared
    std::string fingerprint;  // of the design that the file was written of; empty: the file does not say
    std::vector<StaleFigure> stale;
};

// `metrics`: of the design. Errors: the file states no figures, or cannot be read.
Result<Verification> verifyFigures(const std::string& bytes, const std::string& file, const Metrics& metrics);

} // namespace railyard
