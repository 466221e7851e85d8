// The rows of each file of figures.
#pragma once

#include "core/analysis/figures/figure.h"

#include <span>

namespace railyard {

std::span<const FigureInfo> countFigures(), bandwidthFigures(), collectiveFigures(), latencyFigures(), costFigures(), powerFigures(),
    bufferFigures(), floorFigures(), networkFigures(), failureFigures(), trainingFigures();

} // namespace railyard
