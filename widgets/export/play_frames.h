// The steps of a collective or an iteration as exported frames.
#pragma once

#include "widgets/export/pictures.h"
#include "widgets/modes/play_frame.h"

namespace railyard {

// Writes one frame for each step, as an animated SVG or as numbered files.
Status drawPlay(const PlayedOn& on, const PlayedSteps& steps, const QString& path, const PictureOptions& options);

} // namespace railyard
