// How the figures of the bill are calculated.
#pragma once

#include "core/analysis/figures/explain_book.h"

namespace railyard {

void explainBill(ExplanationBook& book, const InstantMetrics& metrics);

} // namespace railyard
