#include "widgets/theme/tokens.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QColor hex(const char* text) { return QColor(QLatin1String(text)); }

Tokens makeLight() {
    Tokens t;
    t.window = hex("#E6E9ED"), t.panel = hex("#F8F9FA"), t.canvas = hex("#F3F5F7"), t.grid = hex("#E0E4E9");
    t.card = hex("#FFFFFF"), t.cardBorder = hex("#BFC7D0"), t.controlBorder = hex("#7D8794"), t.well = hex("#EDF0F3");
    t.text = hex("#1A2129"), t.text2 = hex("#525D69"), t.textOff = hex("#8B95A1");
    t.accent = hex("#1D5BB8"), t.onAccent = hex("#FFFFFF"), t.select = hex("#1D5BB8"), t.selectFill = hex("#DCE8F9"),
    t.focus = hex("#0A4FC4");
    t.danger = hex("#B3261E"), t.dangerBg = hex("#FBE9E7"), t.warn = hex("#8A5500"), t.warnBg = hex("#FFF3DC"), t.ok = hex("#1B7740"),
    t.okBg = hex("#E4F4EA");
    t.ghost = hex("#1D5BB8"), t.ghostFill = hex("#DCE8F9"), t.overridden = hex("#9A2FA6"), t.neutral = hex("#6B7683"),
    t.neutralFill = hex("#DDE2E8");
    t.tip = hex("#232B34"), t.onTip = hex("#F3F5F7");
    t.rails = {hex("#F7500C"), hex("#5D1E00"), hex("#735708"), hex("#4A9A5B"),
               hex("#044B51"), hex("#3356BE"), hex("#9872F3"), hex("#AA4983")};
    t.jobs = {hex("#0E7C86"), hex("#B8336A"), hex("#6B7A0F"), hex("#5B3FA6"),
              hex("#C0392B"), hex("#2C6E9B"), hex("#8A5A3B"), hex("#1E3D2F")};
    return t;
}

Tokens makeDark() {
    Tokens t;
    t.window = hex("#0E1216"), t.panel = hex("#1A2026"), t.canvas = hex("#13171C"), t.grid = hex("#222931");
    t.card = hex("#20272F"), t.cardBorder = hex("#414C58"), t.controlBorder = hex("#7C8998"), t.well = hex("#13181D");
    t.text = hex("#E9EDF2"), t.text2 = hex("#AAB4C0"), t.textOff = hex("#6F7A87");
    t.accent = hex("#6FA9FF"), t.onAccent = hex("#0B1522"), t.select = hex("#6FA9FF"), t.selectFill = hex("#1E3556"),
    t.focus = hex("#9CC6FF");
    t.danger = hex("#FF8D83"), t.dangerBg = hex("#43211F"), t.warn = hex("#F2B950"), t.warnBg = hex("#3B2E14"), t.ok = hex("#6FD18E"),
    t.okBg = hex("#17351F");
    t.ghost = hex("#8EBBFF"), t.ghostFill = hex("#1B2C45"), t.overridden = hex("#E795F1"), t.neutral = hex("#97A3B0"),
    t.neutralFill = hex("#323B46");
    t.tip = hex("#EDF1F5"), t.onTip = hex("#1A2129");
    t.rails = {hex("#FD6679"), hex("#F4AF64"), hex("#E3E23C"), hex("#6C9B16"),
               hex("#4FAAB2"), hex("#C0DAFE"), hex("#BD92FF"), hex("#AE6085")};
    t.jobs = {hex("#77E0D0"), hex("#FF9EC4"), hex("#B9D84C"), hex("#8F8CFF"),
              hex("#FF8A5C"), hex("#5FB4F0"), hex("#D9B38C"), hex("#8FBF9F")};
    t.isDark = true;
    return t;
}

double luminance(const QColor& color) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

const Tokens& lightTokens() {
    static const Tokens tokens = makeLight();
    return tokens;
}

const Tokens& darkTokens() {
    static const Tokens tokens = makeDark();
    return tokens;
}

Tokens printTokens() {
    Tokens tokens = lightTokens();
    tokens.canvas = hex("#FFFFFF");
    return tokens;
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor inkOn(const QColor& background) {
    const QColor dark = hex("#14181D"), light(Qt::white);
    return contrastRatio(light, background) > contrastRatio(dark, background) ? light : dark;
}

QFont fontFor(TextRole role) {
    QFont font;
    font.setFamilies(
        {QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"), QStringLiteral("Segoe UI"), QStringLiteral("sans-serif")});
    switch (role) {
    case TextRole::Verdict: font.setPixelSize(20), font.setBold(true); break;
    case TextRole::ChartTitle: font.setPixelSize(18), font.setBold(true); break;
    case TextRole::ObjectName: font.setPixelSize(14), font.setBold(true); break;
    case TextRole::Body: font.setPixelSize(13); break;
    case TextRole::BodyBold: font.setPixelSize(13), font.setBold(true); break;
    case TextRole::Caption: font.setPixelSize(11); break;
    }
    return font;
}

const std::array<QColor, 10>& viridis() {
    static const std::array<QColor, 10> stops{hex("#440154"), hex("#482878"), hex("#3E4A89"), hex("#31688E"), hex("#26828E"),
                                              hex("#1F9E89"), hex("#35B779"), hex("#6DCD59"), hex("#B4DE2C"), hex("#FDE725")};
    return stops;
}

const std::array<QColor, 10>& cividis() {
    static const std::array<QColor, 10> stops{hex("#00224E"), hex("#123570"), hex("#3B496C"), hex("#575D6D"), hex("#707173"),
                                              hex("#8A8678"), hex("#A59C74"), hex("#C3B369"), hex("#E1CC55"), hex("#FEE838")};
    return stops;
}

const std::array<QColor, 10>& sequential(ColorScale scale) {
    static const std::array<QColor, 10> grays{hex("#F2F2F2"), hex("#DEDEDE"), hex("#CACACA"), hex("#B5B5B5"), hex("#A0A0A0"),
                                              hex("#8A8A8A"), hex("#737373"), hex("#5C5C5C"), hex("#434343"), hex("#2A2A2A")};
    return scale == ColorScale::Viridis ? viridis() : scale == ColorScale::Cividis ? cividis() : grays;
}

const std::array<QColor, 9>& diverging() {
    static const std::array<QColor, 9> stops{hex("#8C3B00"), hex("#C8681A"), hex("#E9A866"), hex("#F6DDC0"), hex("#F4F4F2"),
                                             hex("#C9DDF0"), hex("#86B4DC"), hex("#3F82C0"), hex("#0D4F8B")};
    return stops;
}

} // namespace railyard
