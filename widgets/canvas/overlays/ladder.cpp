#include "widgets/canvas/overlays/ladder.h"

#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>

namespace railyard {
namespace {

constexpr double rowHeight = 26, padding = 12, titleHeight = 26, besidePointer = 40; // px

QString tr(const char* words) { return QCoreApplication::translate("Ladder", words); }

QStringList cellsOf(const SpineOption& option, const SpineOption* now) {
    QString cost = tr("now");
    if (!option.isNow && now) {
        const Money difference = option.networkCost - now->networkCost;
        cost = (difference.inCents() > 0 ? QStringLiteral("+") : QString()) + text(formatMoney(difference));
    }
    return {QString::number(option.spines), text(formatRatio(option.oversubscription)), QString::number(option.linksPerPair),
            QString::number(option.freePorts), cost};
}

} // namespace

void paintLadder(QPainter& painter, const Tokens& tokens, const QRectF& area, QPointF at, const QString& title,
                 const std::vector<SpineOption>& options, int chosen, const QStringList& notes) {
    const QStringList heads{tr("spines"), tr("down : up"), tr("links per pair"), tr("free ports"), tr("network cost")};
    const auto now = std::find_if(options.begin(), options.end(), [](const SpineOption& option) { return option.isNow; });
    std::vector<QStringList> rows{heads};
    for (const SpineOption& option : options) rows.push_back(cellsOf(option, now == options.end() ? nullptr : &*now));
    const QFont body = fontFor(TextRole::Body), bold = fontFor(TextRole::BodyBold), caption = fontFor(TextRole::Caption);
    std::vector<double> widths(static_cast<std::size_t>(heads.size()));
    for (const QStringList& row : rows)
        for (qsizetype c = 0; c < row.size(); ++c)
            widths[static_cast<std::size_t>(c)] =
                std::max(widths[static_cast<std::size_t>(c)], QFontMetricsF(bold).horizontalAdvance(row[c]) + 18);
    double width = 2 * padding;
    for (const double each : widths) width += each;
    const QFontMetricsF small(caption);
    for (const QString& note : notes) width = std::max(width, small.horizontalAdvance(note) + 2 * padding);
    width = std::max(width, QFontMetricsF(bold).horizontalAdvance(title) + 2 * padding);
    const double noteHeight = 17;
    QRectF box(0, 0, width,
               titleHeight + rowHeight * static_cast<double>(rows.size()) + noteHeight * static_cast<double>(notes.size()) + padding);
    const bool isRight = area.right() - at.x() >= at.x() - area.left();
    box.moveLeft(isRight ? at.x() + besidePointer : at.x() - besidePointer - width);
    box.moveTop(at.y() + 24);
    box.moveTopLeft({std::clamp(box.left(), area.left() + 8, std::max(area.left() + 8, area.right() - 8 - box.width())),
                     std::clamp(box.top(), area.top() + 8, std::max(area.top() + 8, area.bottom() - 8 - box.height()))});
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, tokens.isDark ? 115 : 56));
    painter.drawRoundedRect(box.translated(0, 4), 8, 8);
    painter.setPen(QPen(tokens.controlBorder, 1));
    painter.setBrush(tokens.panel);
    painter.drawRoundedRect(box, 8, 8);
    painter.setFont(bold);
    painter.setPen(tokens.text);
    painter.drawText(QRectF(box.left() + padding, box.top() + 4, width - 2 * padding, titleHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     title);
    double y = box.top() + titleHeight;
    for (std::size_t r = 0; r < rows.size(); ++r, y += rowHeight) {
        const bool isHead = r == 0, isChosen = !isHead && options[r - 1].spines == chosen;
        if (isChosen) {
            painter.setPen(QPen(tokens.select, 1.4));
            painter.setBrush(tokens.selectFill);
            painter.drawRoundedRect(QRectF(box.left() + 6, y + 1, width - 12, rowHeight - 2), 4, 4);
        }
        double right = box.left() + padding;
        for (qsizetype c = 0; c < rows[r].size(); ++c) {
            right += widths[static_cast<std::size_t>(c)];
            painter.setFont(isHead ? caption : isChosen || c == 0 ? bold : body);
            painter.setPen(isHead ? tokens.text2 : tokens.text);
            painter.drawText(QRectF(right - widths[static_cast<std::size_t>(c)], y, widths[static_cast<std::size_t>(c)] - 8, rowHeight),
                             Qt::AlignRight | Qt::AlignVCenter, rows[r][c]);
        }
    }
    painter.setFont(caption);
    painter.setPen(tokens.text2);
    for (const QString& note : notes) {
        painter.drawText(QRectF(box.left() + padding, y, width - 2 * padding, noteHeight), Qt::AlignLeft | Qt::AlignVCenter, note);
        y += noteHeight;
    }
}

} // namespace railyard
