// What people can set about a slide or an offer, a row each: title block and copy. The command line and the dialog of the window read
// them here.
#pragma once

#include "core/base/parameter.h"
#include "core/io/presentation/slide_content.h"

namespace railyard {

std::span<const Parameter<SlideOptions>> slideParameters();
Result<SlideOptions> readSlideOptions(const ParameterTexts& texts);

} // namespace railyard
