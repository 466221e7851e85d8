// A design as slides of native shapes, .pptx: the page of slide.h, and the comparison with its twin as a table and bars.
#pragma once

#include "widgets/export/pictures.h"

namespace railyard {

Status writeSlideDeck(const Fabric& fabric, const QString& path, const PictureOptions& options);

} // namespace railyard
