#include "widgets/canvas/overlays/halves_overlay.h"

#include "core/base/unit_text.h"
#include "widgets/theme/tokens.h"

#include <unordered_map>

namespace railyard {

void HalvesOverlay::show(const QString& key) {
    m_figure = key;
    m_text.clear();
    take();
}

// Determines the share of every visible server on side A; repeated after every edit.
void HalvesOverlay::take() {
    m_halves.clear();
    const QStringList parts = m_figure.split(QLatin1Char('.'));
    const BackgroundMetrics* background = m_port.document().background();
    if (!background || parts.size() < 2 || parts[0] != QStringLiteral("bisection")) return;
    const Fabric& fabric = *m_port.document().degraded(); // the partition divides the endpoints of the degraded fabric
    for (const auto which : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        if (parts[1].toStdString() != toText(which)) continue;
        const Bisection& cut = background->bisection[static_cast<std::size_t>(which)];
        const auto share = shareOnSideA(fabric, which, cut.sideA);
        std::unordered_map<std::uint32_t, double> ofScope;
        for (std::size_t d = 0; d < share.size(); ++d)
            if (share[d]) ofScope[fabric.hbDomains[d]] = *share[d];
        for (std::size_t n = 0; n < scene().nodes.size(); ++n)
            if (const auto own = ofScope.find(scene().nodes[n].scope); scene().nodes[n].scope != none && own != ofScope.end())
                m_halves.emplace_back(n, own->second);
        std::int64_t links = 0;
        for (const auto& [tier, count] : cut.cutLinks) links += count;
        m_text =
            QObject::tr("Smallest cut found: %1 across %2 links")
                .arg(QString::fromStdString(formatBandwidth(gigabitsPerSecond(cut.upperGbps))), QString::fromStdString(formatCount(links)));
        if (scene().foldedSus > 0)
            m_text += QObject::tr("  ·  press U to unfold %1 SUs").arg(QString::fromStdString(formatCount(scene().foldedSus)));
    }
}

// Blue and orange are safe for colour-blind readers; the side of the server on which they are drawn differs too.
void HalvesOverlay::paint(QPainter& painter) {
    if (m_halves.empty()) return;
    const auto clear = [](QColor color) {
        color.setAlphaF(0.42F);
        return color;
    };
    const QColor a = clear(tokens().rail(6, 8)), b = clear(tokens().rail(1, 8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [node, share] : m_halves) {
        const QRectF box = view().toScreen(scene().nodes[node].rect);
        if (!box.intersects(m_port.area())) continue;
        if (share > 0) painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()), a);
        if (share < 1) painter.fillRect(QRectF(box.left() + box.width() * share, box.top(), box.width() * (1 - share), box.height()), b);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QFont font = fontFor(TextRole::Body);
    painter.setFont(font);
    const double width = QFontMetricsF(font).horizontalAdvance(m_text) + 150;
    const QRectF box(12, m_port.size().height() - 40, std::min(width, m_port.size().width() - 24.0), 28);
    painter.setPen(QPen(tokens().cardBorder, 1));
    painter.setBrush(tokens().card);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(tokens().text);
    double x = box.left() + 10;
    for (const auto& [color, words] : {std::pair(a, QObject::tr("Half A")), std::pair(b, QObject::tr("Half B"))}) {
        painter.fillRect(QRectF(x, box.center().y() - 6, 12, 12), color);
        painter.drawText(QRectF(x + 16, box.top(), 46, box.height()), Qt::AlignVCenter | Qt::AlignLeft, words);
        x += 64;
    }
    painter.drawText(box.adjusted(x - box.left(), 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
}

} // namespace railyard
