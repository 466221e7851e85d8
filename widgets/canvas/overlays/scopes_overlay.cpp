#include "widgets/canvas/overlays/scopes_overlay.h"

#include <QTextDocument>
#include <algorithm>

namespace railyard {

// Draws a chip below the selection, unless the selection is spread too far for one chip.
void ScopesOverlay::paint(QPainter& painter) {
    constexpr std::size_t few = 12;
    if (m_words.isEmpty() || m_port.selected().empty() || m_port.selected().size() > few) return;
    QRectF around;
    for (const std::size_t n : m_port.selected()) around = around.united(view().toScreen(scene().nodes[n].rect));
    QTextDocument words;
    words.setDefaultFont(fontFor(TextRole::Caption));
    words.setDefaultStyleSheet(QStringLiteral("body { color: %1 }").arg(tokens().text.name()));
    words.setDocumentMargin(0);
    setRichText(words, RichText::filled(QStringLiteral("<body>%1</body>"), m_words));
    const QSizeF size = words.size() + QSizeF(16, 8);
    QRectF chip(QPointF(around.center().x() - size.width() / 2, around.bottom() + 8), size);
    chip.moveLeft(std::clamp(chip.left(), 6.0, std::max(6.0, m_port.size().width() - size.width() - 6)));
    if (chip.bottom() > m_port.size().height() - 6) chip.moveBottom(around.top() - 8);
    if (!m_port.area().contains(chip)) return;
    painter.setPen(QPen(tokens().select, 1));
    painter.setBrush(tokens().card);
    painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2);
    painter.save();
    painter.translate(chip.topLeft() + QPointF(8, 4));
    words.drawContents(&painter);
    painter.restore();
}

} // namespace railyard
