#include "widgets/canvas/painter/load_scale.h"

#include "widgets/theme/tokens.h"

#include <algorithm>
#include <cmath>

namespace railyard {

QColor loadColor(double utilisation, const Tokens& tokens) {
    if (utilisation < 0) return tokens.controlBorder;
    if (utilisation > 1 + 1e-9) return tokens.danger;
    // Full is bright in both themes. On a dark canvas the darkest stops could not be seen.
    const double darkest = tokens.isDark ? 0.7 : 0, at = darkest + utilisation * (9 - darkest - 1e-9);
    const auto low = std::min<std::size_t>(8, static_cast<std::size_t>(at));
    const QColor &a = viridis()[low], &b = viridis()[low + 1];
    const double part = at - static_cast<double>(low);
    const auto mix = [&](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * part)); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

double bundleWidth(int links) { return std::min(9.0, 1 + 0.8 * std::log2(std::max(1, links))); }

void paintLoadScale(QPainter& painter, QPointF at, const Tokens& tokens) {
    constexpr int width = 120, height = 12;
    for (int x = 0; x < width; ++x) painter.fillRect(QRectF(at.x() + x, at.y() + 3, 1, height), loadColor(x / double{width - 1}, tokens));
    painter.fillRect(QRectF(at.x() + width + 2, at.y() + 3, 14, height), tokens.danger);
    painter.setPen(tokens.text2);
    painter.setFont(fontFor(TextRole::Caption));
    painter.drawText(QRectF(at.x() + width + 20, at.y(), loadScaleSize.width() - width - 20, loadScaleSize.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("> 100 %"));
}

} // namespace railyard
