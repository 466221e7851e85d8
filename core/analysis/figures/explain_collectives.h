// How collective times are calculated.
#pragma once

#include "core/analysis/figures/explain_book.h"

namespace railyard {

void explainCollectives(ExplanationBook& book, const BackgroundMetrics& metrics);

} // namespace railyard
