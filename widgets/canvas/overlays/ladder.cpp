#include "widgets/canvas/overlays/ladder.h"

#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>

namespace railyard {
namespace {

constexpr double rowHeight = 26, padding = 12, titleHeight = 26, reachHeight = 46, noteHeight = 17, besidePointer = 40; // px

QString tr(const char* words) { return QCoreApplication::translate("Ladder", words); }

QString moneyAbove(const std::optional<Money>& difference) {
    if (!difference) return QStringLiteral("–");
    return (difference->inCents() > 0 ? QStringLiteral("+") : QString()) + text(formatMoney(*difference));
}

QStringList cellsOf(const SpineOption& option, const SpineOption* now) {
    QString cost = tr("now");
    if (!option.isNow && now) {
        cost = moneyAbove(option.costAbove(*now));
    }
    return {QString::number(option.spines), text(formatRatio(option.oversubscription)), QString::number(option.linksPerPair),
            QString::number(option.freePorts), cost};
}

// "+64 · +$6.76 M"
QString amountOf(const LadderReach& reach) {
    return QStringLiteral("%1%2 · %3")
        .arg(reach.switches > 0 ? QStringLiteral("+") : QString(), text(formatCount(reach.switches)), moneyAbove(reach.networkCost));
}

class LadderPainter {
public:
    LadderPainter(QPainter& painter, const Tokens& tokens, const Ladder& ladder) : m_painter(painter), m_tokens(tokens), m_ladder(ladder) {
        const auto now = std::find_if(ladder.options.begin(), ladder.options.end(), [](const SpineOption& option) { return option.isNow; });
        m_rows.push_back({tr("spines"), tr("down : up"), tr("links per pair"), tr("free ports"), tr("network cost")});
        for (const SpineOption& option : ladder.options) m_rows.push_back(cellsOf(option, now == ladder.options.end() ? nullptr : &*now));
        m_widths.assign(static_cast<std::size_t>(m_rows.front().size()), 0);
        for (const QStringList& row : m_rows)
            for (qsizetype c = 0; c < row.size(); ++c)
                m_widths[static_cast<std::size_t>(c)] =
                    std::max(m_widths[static_cast<std::size_t>(c)], QFontMetricsF(m_bold).horizontalAdvance(row[c]) + 18);
    }
    void paint(const QRectF& area, QPointF at) {
        const QRectF box = placed(area, at);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(QColor(0, 0, 0, m_tokens.isDark ? 115 : 56));
        m_painter.drawRoundedRect(box.translated(0, 4), 8, 8);
        m_painter.setPen(QPen(m_tokens.controlBorder, 1));
        m_painter.setBrush(m_tokens.panel);
        m_painter.drawRoundedRect(box, 8, 8);
        m_painter.setFont(m_bold);
        m_painter.setPen(m_tokens.text);
        m_painter.drawText(QRectF(box.left() + padding, box.top() + 4, box.width() - 2 * padding, titleHeight),
                           Qt::AlignLeft | Qt::AlignVCenter, m_ladder.title);
        rows(box);
        double y = box.top() + titleHeight + rowHeight * static_cast<double>(m_rows.size());
        reaches(QRectF(box.left() + 6, y + 3, box.width() - 12, reachHeight - 6));
        if (!m_ladder.reaches.empty()) y += reachHeight;
        m_painter.setFont(m_caption);
        m_painter.setPen(m_tokens.text2);
        for (const QString& note : m_ladder.notes) {
            m_painter.drawText(QRectF(box.left() + padding, y, box.width() - 2 * padding, noteHeight), Qt::AlignLeft | Qt::AlignVCenter,
                               note);
            y += noteHeight;
        }
    }

private:
    QRectF placed(const QRectF& area, QPointF at) const {
        const QFontMetricsF small(m_caption), bold(m_bold);
        double width = 2 * padding, segments = 2 * padding;
        for (const double each : m_widths) width += each;
        for (const QString& note : m_ladder.notes) width = std::max(width, small.horizontalAdvance(note) + 2 * padding);
        for (const LadderReach& reach : m_ladder.reaches)
            segments += std::max(bold.horizontalAdvance(reach.words), small.horizontalAdvance(amountOf(reach))) + 2 * padding;
        width = std::max({width, segments, bold.horizontalAdvance(m_ladder.title) + 2 * padding});
        const double height = titleHeight + rowHeight * static_cast<double>(m_rows.size()) + (m_ladder.reaches.empty() ? 0 : reachHeight) +
                              noteHeight * static_cast<double>(m_ladder.notes.size()) + padding;
        QRectF box(0, 0, width, height);
        const bool isRight = area.right() - at.x() >= at.x() - area.left();
        box.moveLeft(isRight ? at.x() + besidePointer : at.x() - besidePointer - width);
        box.moveTop(at.y() + 24);
        box.moveTopLeft({std::clamp(box.left(), area.left() + 8, std::max(area.left() + 8, area.right() - 8 - box.width())),
                         std::clamp(box.top(), area.top() + 8, std::max(area.top() + 8, area.bottom() - 8 - box.height()))});
        return box;
    }
    void mark(const QRectF& rect) {
        m_painter.setPen(QPen(m_tokens.select, 1.4));
        m_painter.setBrush(m_tokens.selectFill);
        m_painter.drawRoundedRect(rect, 4, 4);
    }
    void rows(const QRectF& box) {
        double y = box.top() + titleHeight;
        for (std::size_t r = 0; r < m_rows.size(); ++r, y += rowHeight) {
            const bool isHead = r == 0, isChosen = !isHead && m_ladder.options[r - 1].spines == m_ladder.chosen;
            if (isChosen) mark(QRectF(box.left() + 6, y + 1, box.width() - 12, rowHeight - 2));
            double right = box.left() + padding;
            for (qsizetype c = 0; c < m_rows[r].size(); ++c) {
                const double width = m_widths[static_cast<std::size_t>(c)];
                right += width;
                m_painter.setFont(isHead ? m_caption : isChosen || c == 0 ? m_bold : fontFor(TextRole::Body));
                m_painter.setPen(isHead ? m_tokens.text2 : m_tokens.text);
                m_painter.drawText(QRectF(right - width, y, width - 8, rowHeight), Qt::AlignRight | Qt::AlignVCenter, m_rows[r][c]);
            }
        }
    }
    void reaches(const QRectF& strip) {
        const double each = strip.width() / static_cast<double>(std::max<std::size_t>(1, m_ladder.reaches.size()));
        double x = strip.left();
        for (const LadderReach& reach : m_ladder.reaches) {
            const QRectF segment(x, strip.top(), each - 4, strip.height());
            if (reach.isChosen) mark(segment);
            const QRectF inner = segment.adjusted(padding - 4, 2, -4, -2);
            m_painter.setFont(m_bold);
            m_painter.setPen(m_tokens.text);
            m_painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, reach.words);
            m_painter.setFont(m_caption);
            m_painter.setPen(reach.isChosen ? m_tokens.text : m_tokens.text2);
            m_painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, amountOf(reach));
            x += each;
        }
    }

    QPainter& m_painter;
    const Tokens& m_tokens;
    const Ladder& m_ladder;
    const QFont m_bold = fontFor(TextRole::BodyBold), m_caption = fontFor(TextRole::Caption);
    std::vector<QStringList> m_rows;
    std::vector<double> m_widths; // of the columns
};

} // namespace

void paintLadder(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const Ladder& ladder) {
    LadderPainter(painter, tokens, ladder).paint(area, at);
}

} // namespace railyard
