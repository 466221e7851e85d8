// Highlights what a metric counts: the two halves of a bisection, or the bottleneck of a collective.
#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"
#include "widgets/canvas/canvas.h"

#include <QPainter>
#include <unordered_map>

namespace railyard {

void Canvas::showFigure(const QString& key) {
    m_figure = key;
    m_halves.clear();
    m_halvesText.clear();
    takeHalves();
    const BackgroundMetrics* background = m_document.background();
    const QStringList parts = key.split(QLatin1Char('.'));
    if (background && parts.size() == 3 && parts[0] == QStringLiteral("collectives")) {
        const std::size_t index = parts[1].toUInt();
        const auto* result = index < background->collectives.size() && background->collectives[index].result
                                 ? &*background->collectives[index].result
                                 : nullptr;
        const PathFinder finder(*m_document.now().fabric);
        for (std::size_t p = 0; result && p < result->best.phases.size(); ++p) {
            std::string path = result->best.phases[p].bottleneck;
            path = path.substr(0, path.find(':'));
            if (finder.device(path) || finder.scope(path)) return selectPaths({path});
        }
    }
    update();
}

// Determines the share of every visible server on side A; repeated after every edit.
void Canvas::takeHalves() {
    m_halves.clear();
    const QStringList parts = m_figure.split(QLatin1Char('.'));
    const BackgroundMetrics* background = m_document.background();
    if (!background || parts.size() < 2 || parts[0] != QStringLiteral("bisection")) return;
    const Fabric& fabric = *m_document.left(); // the partition divides the endpoints of the degraded fabric
    for (const auto which : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        if (parts[1].toStdString() != toText(which)) continue;
        const Bisection& cut = background->bisection[static_cast<std::size_t>(which)];
        const auto share = shareOnSideA(fabric, which, cut.sideA);
        std::unordered_map<std::uint32_t, double> ofScope;
        for (std::size_t d = 0; d < share.size(); ++d)
            if (share[d]) ofScope[fabric.hbDomains[d]] = *share[d];
        for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
            if (const auto own = ofScope.find(m_scene.nodes[n].scope); m_scene.nodes[n].scope != none && own != ofScope.end())
                m_halves.emplace_back(n, own->second);
        std::int64_t links = 0;
        for (const auto& [tier, count] : cut.cutLinks) links += count;
        m_halvesText =
            tr("Smallest cut found: %1 across %2 links")
                .arg(QString::fromStdString(formatBandwidth(gigabitsPerSecond(cut.upperGbps))), QString::fromStdString(formatCount(links)));
        if (m_scene.foldedSus > 0) m_halvesText += tr("  ·  press U to unfold %1 SUs").arg(m_scene.foldedSus);
    }
}

// Blue and orange are safe for colour-blind readers; the side of the server on which they are drawn differs too.
void Canvas::paintHalves(QPainter& painter) const {
    if (m_halves.empty()) return;
    const auto clear = [](QColor color) {
        color.setAlphaF(0.42F);
        return color;
    };
    const QColor a = clear(m_tokens.rail(6, 8)), b = clear(m_tokens.rail(1, 8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [node, share] : m_halves) {
        const QRectF box = m_view.toScreen(m_scene.nodes[node].rect);
        if (!box.intersects(QRectF(rect()))) continue;
        if (share > 0) painter.fillRect(QRectF(box.left(), box.top(), box.width() * share, box.height()), a);
        if (share < 1) painter.fillRect(QRectF(box.left() + box.width() * share, box.top(), box.width() * (1 - share), box.height()), b);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QFont font = fontFor(TextRole::Body);
    painter.setFont(font);
    const double width = QFontMetricsF(font).horizontalAdvance(m_halvesText) + 150;
    const QRectF box(12, height() - 40, std::min(width, this->width() - 24.0), 28);
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(m_tokens.text);
    double x = box.left() + 10;
    for (const auto& [color, words] : {std::pair(a, tr("Half A")), std::pair(b, tr("Half B"))}) {
        painter.fillRect(QRectF(x, box.center().y() - 6, 12, 12), color);
        painter.drawText(QRectF(x + 16, box.top(), 46, box.height()), Qt::AlignVCenter | Qt::AlignLeft, words);
        x += 64;
    }
    painter.drawText(box.adjusted(x - box.left(), 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft, m_halvesText);
}

} // namespace railyard
