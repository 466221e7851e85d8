// A drawing on paper, as large as the page allows.
#pragma once

#include "widgets/export/pictures.h"

class QPrinter;

namespace railyard {

// Errors: the printer cannot be used.
Status printTopology(QPrinter& printer, const Fabric& fabric, PictureOptions options);

} // namespace railyard
