// The offer as a PDF: summary with the answer and the drawing, comparison, bill, power, floor, failures, training, assumptions. Pages are
// A4, upright.
#pragma once

#include "widgets/export/pictures.h"

namespace railyard {

// `options.other`: what it is compared with; null: its twin. Carries the figures that it states and, but for a copy for the customer
// (`options.slide.showsPrices` is false), the design. Errors: another extension than .pdf, those of writing.
Result<QStringList> drawReport(const FabricPointer& fabric, const QString& path, const PictureOptions& options);

} // namespace railyard
