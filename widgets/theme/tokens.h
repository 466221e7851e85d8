// The colours of both themes. Every widget and picture takes its colours from here.
#pragma once

#include <QColor>
#include <QFont>
#include <array>

namespace railyard {

// Colour scales of heat maps: for screens, for projectors and colour-blind readers, and for black-and-white print.
enum class ColorScale { Viridis, Cividis, Gray };

struct Tokens {
    QColor window, panel, canvas, grid, card, cardBorder, controlBorder, well, text, text2, textOff, accent, onAccent, select, selectFill,
        focus;
    QColor danger, dangerBg, warn, warnBg, ok, okBg, ghost, ghostFill, overridden, neutral, neutralFill, tip, onTip;
    std::array<QColor, 8> rails, jobs; // jobs have colours of their own, so that a territory is not taken for a rail
    bool isDark = false;
    ColorScale scale = ColorScale::Viridis;

    // Beyond eight rails, the rail number and highlighting identify a rail instead of colour.
    QColor rail(int index, int railCount) const {
        return index >= 1 && railCount <= 8 ? rails[static_cast<std::size_t>((index - 1) % 8)] : neutral;
    }
};

const Tokens& lightTokens();
const Tokens& darkTokens();
Tokens printTokens(); // the light theme on white

double contrastRatio(const QColor& a, const QColor& b); // WCAG 2
QColor inkOn(const QColor& background);                 // black or white, whichever has the higher contrast

enum class TextRole { Verdict, ChartTitle, ObjectName, Body, BodyBold, Caption };
QFont fontFor(TextRole role);

// Colour scales: ten stops (sequential), nine stops centred on 0 (diverging, from worse to better).
const std::array<QColor, 10>& viridis();
const std::array<QColor, 10>& cividis();
const std::array<QColor, 10>& sequential(ColorScale scale);
const std::array<QColor, 9>& diverging();

} // namespace railyard
