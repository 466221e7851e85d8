#include "widgets/export/picture_parameters.h"

#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace railyard {
namespace {

using Info = ParameterInfo;
constexpr std::array<std::string_view, 2> themes{"light", "dark"}, onOff{"off", "on"};
constexpr int leastSide = 64, mostSide = 16384; // px
constexpr double leastDpi = 48, mostDpi = 1200;

namespace picture_field {
constexpr auto dpi = [](PictureSettings & s) -> auto& { return s.dpi; };
constexpr auto isDark = [](PictureSettings & s) -> auto& { return s.isDark; };
constexpr auto isTransparent = [](PictureSettings & s) -> auto& { return s.isTransparent; };
} // namespace picture_field

Status setSize(PictureSettings& settings, const std::string& text) {
    int width = 0, height = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < leastSide || height < leastSide || width > mostSide ||
        height > mostSide)
        return Error::parameter(Error::Kind::Usage, "range", "size", text,
                                fmt::format("the size must be WIDTHxHEIGHT, such as 1920x1080, each from {} to {}", leastSide, mostSide));
    settings.size = QSize(width, height);
    return Done{};
}

} // namespace

void PictureSettings::apply(PictureOptions& options) const {
    options.size = size;
    options.dpi = dpi;
    const ColorScale scale = options.tokens.scale;
    options.tokens = isDark ? darkTokens() : printTokens();
    options.tokens.scale = scale;
    if (isTransparent) options.tokens.canvas.setAlpha(0);
}

std::span<const Parameter<PictureSettings>> pictureParameters() {
    static const std::vector<Parameter<PictureSettings>> rows{
        {Info{.key = "size",
              .label = "Size",
              .unit = "pixels",
              .help = "size in pixels at 96 dpi, width x height",
              .kind = Info::Kind::Text},
         [](const PictureSettings& s) { return fmt::format("{}x{}", s.size.width(), s.size.height()); }, setSize},
        numberParameter<PictureSettings, picture_field::dpi>({.key = "dpi",
                                                              .label = "Resolution",
                                                              .unit = "dpi",
                                                              .help = "resolution; values above 96 give the same picture more pixels",
                                                              .kind = Info::Kind::Real,
                                                              .low = leastDpi,
                                                              .high = mostDpi}),
        choiceParameter<PictureSettings, picture_field::isDark, themes>({.key = "theme",
                                                                         .label = "Theme",
                                                                         .help = "light or dark",
                                                                         .kind = Info::Kind::Choice,
                                                                         .choices = {{"light", "light"}, {"dark", "dark"}}}),
        choiceParameter<PictureSettings, picture_field::isTransparent, onOff>(
            {.key = "transparent",
             .label = "Transparent",
             .help = "without a ground: what lies below a picture on a slide shows through",
             .kind = Info::Kind::Switch,
             .choices = {{"off", "off"}, {"on", "on"}}})};
    return rows;
}

Result<PictureSettings> readPictureSettings(const ParameterTexts& texts, const PictureSettings& usual) {
    return withTexts(pictureParameters(), usual, texts, "a picture");
}

} // namespace railyard
