// How large a picture is and how it looks, a row each: the command line and the dialogs of the window read them here.
#pragma once

#include "core/base/parameter.h"
#include "widgets/export/pictures.h"

namespace railyard {

struct PictureSettings {
    QSize size{1600, 1000}; // pixels at 96 dpi
    double dpi = 96;        // above 96 the same picture has more pixels
    bool isDark = false, isTransparent = false;

    void apply(PictureOptions& options) const; // keeps the colour scale of maps
};

std::span<const Parameter<PictureSettings>> pictureParameters();
Result<PictureSettings> readPictureSettings(const ParameterTexts& texts, const PictureSettings& usual = {});

} // namespace railyard
