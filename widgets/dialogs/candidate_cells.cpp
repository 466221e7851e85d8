#include "widgets/dialogs/candidate_cells.h"

#include "widgets/dialogs/candidate_table.h"

#include <QPainter>
#include <algorithm>
#include <vector>

namespace railyard {

void CandidateDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(Qt::ForegroundRole).isValid())
        option->palette.setBrush(QPalette::HighlightedText, option->palette.brush(QPalette::Text));
}

QStyleOptionViewItem CandidateDelegate::paintedWithoutText(QPainter* painter, const QStyleOptionViewItem& option,
                                                           const QModelIndex& index) const {
    QStyleOptionViewItem own = option;
    initStyleOption(&own, index);
    QStyleOptionViewItem empty = own;
    empty.text.clear();
    const QWidget* widget = own.widget;
    widget->style()->drawControl(QStyle::CE_ItemViewItem, &empty, painter, widget);
    const bool isOn = (own.state & QStyle::State_Enabled) != 0;
    painter->setPen(own.palette.color(isOn ? QPalette::Normal : QPalette::Disabled, QPalette::Text));
    painter->setFont(own.font);
    return own;
}

void LayoutDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    const QStyleOptionViewItem own = paintedWithoutText(painter, option, index);
    const QStringList lines = own.text.split(QChar::LineSeparator);
    QFont bold = own.font;
    bold.setBold(true);
    const qsizetype name = lines.front() == CandidateTable::tr("Nearest miss") ? 1 : 0;
    const int height = QFontMetrics(own.font).lineSpacing(), all = height * static_cast<int>(lines.size());
    QRect line(own.rect.left() + own.decorationSize.width() + 16, own.rect.center().y() - all / 2, own.rect.width(), height);
    for (qsizetype i = 0; i < lines.size(); ++i, line.translate(0, height)) {
        painter->setFont(i == name ? bold : own.font);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, lines[i]);
    }
    painter->restore();
}

void ReasonDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    constexpr int margin = 8, inset = 10, gap = 4; // of the cell; of a tag left and right; between tags and lines
    painter->save();
    const QStyleOptionViewItem own = paintedWithoutText(painter, option, index);
    const QStringList lines = own.text.split(QChar::LineSeparator);
    const auto tags = std::min<qsizetype>(index.data(candidateTagsRole).toInt(), lines.size());
    QFont bold = own.font;
    bold.setBold(true);
    const QFontMetrics ofTags(bold), ofLines(own.font);
    const int height = ofTags.lineSpacing() + 4;
    const QRect room = own.rect.adjusted(margin, 2, -margin, -2);
    std::vector<QRect> boxes;
    int x = 0, y = 0;
    for (qsizetype i = 0; i < tags; ++i) {
        const int width = std::min(ofTags.horizontalAdvance(lines[i]) + 2 * inset, room.width());
        if (x > 0 && x + width > room.width()) x = 0, y += height + gap;
        boxes.emplace_back(x, y, width, height);
        x += width + gap;
    }
    const int tagsHeight = boxes.empty() ? 0 : y + height + gap;
    const QString rest = lines.mid(tags).join(QLatin1Char('\n'));
    const int restHeight = rest.isEmpty() ? -gap : ofLines.boundingRect(QRect(0, 0, room.width(), 1000), Qt::TextWordWrap, rest).height();
    const QPoint first(room.left(), room.top() + std::max(0, (room.height() - tagsHeight - restHeight) / 2));
    const bool isOn = (own.state & QStyle::State_Enabled) != 0, isChosen = (own.state & QStyle::State_Selected) != 0;
    const QPen words = painter->pen();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(bold);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const QRect box = boxes[i].translated(first);
        painter->setPen(Qt::NoPen);
        painter->setBrush(isChosen ? m_tokens.card : m_tokens.okBg);
        painter->drawRoundedRect(box, height / 2.0, height / 2.0);
        painter->setPen(isOn ? m_tokens.ok : m_tokens.textOff);
        painter->drawText(box.adjusted(inset, 0, -inset, 0), Qt::AlignCenter,
                          ofTags.elidedText(lines[static_cast<qsizetype>(i)], Qt::ElideRight, box.width() - 2 * inset + 1));
    }
    painter->setFont(own.font);
    painter->setPen(words);
    painter->drawText(QRect(first.x(), first.y() + tagsHeight, room.width(), room.bottom() - first.y() - tagsHeight + 1),
                      Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, rest);
    painter->restore();
}

} // namespace railyard
