// Whether the numbers of a workbook, an offer, a picture or a slide still follow from a design. Of workbooks and presentations what people
// see is read, wherever it was saved last; other files carry the list of what they state.
#pragma once

#include "core/io/presentation/verdict.h"
#include "core/io/stated/stated_figures.h"

namespace railyard {

struct StaleFigure {
    std::string key; // of the figure, or of another number: core/io/stated/stated_figures.h
    std::string stated, now;
};

struct Verification {
    std::int64_t figures = 0; // compared
    std::string fingerprint;  // of the design that the file was written of; empty: the file does not say
    std::vector<StaleFigure> stale;
    std::int64_t unchecked = 0;   // numbers of the design that the file compares with, which was not given
    std::string otherFingerprint; // of that design
};

struct VerifiedDesign {
    FabricPointer fabric;
    const Metrics& metrics;             // of it
    const OtherDesign* other = nullptr; // that an offer compares with, if it is not the twin
};

// Errors: the file states no figures, or cannot be read.
Result<Verification> verifyFigures(const std::string& bytes, const std::string& file, const VerifiedDesign& design);

} // namespace railyard
