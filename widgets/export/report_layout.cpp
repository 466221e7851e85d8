#include "widgets/export/report_layout.h"

#include "widgets/theme/text.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextCursor>
#include <QTextTable>
#include <cmath>
#include <numeric>

namespace railyard {
namespace {

QFont reportFont(int pixels, bool isBold = false) {
    QFont font = fontFor(TextRole::Body);
    font.setPixelSize(pixels);
    font.setBold(isBold);
    return font;
}

QTextCharFormat ink(const QColor& color, int pixels, bool isBold = false) {
    QTextCharFormat format;
    format.setFont(reportFont(pixels, isBold));
    format.setForeground(color);
    return format;
}

QTextBlockFormat spaced(double above, double below) {
    QTextBlockFormat format;
    format.setTopMargin(above);
    format.setBottomMargin(below);
    return format;
}

constexpr int bodyPixels = 13, cellPixels = 11, sectionPixels = 20, titlePixels = 26;

} // namespace

int ReportPictures::add(Picture picture) {
    m_pictures.push_back(std::move(picture));
    return static_cast<int>(m_pictures.size()) - 1;
}

QSizeF ReportPictures::intrinsicSize(QTextDocument*, int, const QTextFormat& format) {
    return m_pictures[static_cast<std::size_t>(format.intProperty(place))].size;
}

void ReportPictures::drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format) {
    painter->save();
    m_pictures[static_cast<std::size_t>(format.intProperty(place))].paint(*painter, area);
    painter->restore();
}

ReportLayout::ReportLayout(const Head& head, const Offer& offer, const Tokens& tokens,
                           const std::function<ReportPictures::Picture(OfferPicture)>& picture)
    : m_tokens(tokens),
      m_pictures(new ReportPictures(&m_document)) {
    m_document.setDocumentMargin(0);
    m_document.setDefaultFont(reportFont(bodyPixels));
    m_document.setPageSize(QSizeF(page.width() - 2 * margin, page.height() - 2 * margin - footHeight));
    m_document.documentLayout()->registerHandler(ReportPictures::type, m_pictures);
    QTextCursor cursor(&m_document);
    cursor.beginEditBlock(); // one layout at the end, not one for each cell
    addHead(cursor, head);
    std::vector<Start> starts;
    for (const OfferSection& section : offer.sections) starts.push_back(addSection(cursor, section, starts.empty(), picture));
    cursor.endEditBlock();
    keepTogether(starts);
}

// A heading moves to the next page where what must stand below it has no room. From the top down, because each move moves the rest.
void ReportLayout::keepTogether(const std::vector<Start>& starts) {
    const double height = m_document.pageSize().height();
    for (const Start& start : starts) {
        QTextCursor cursor(&m_document);
        cursor.setPosition(start.position);
        const double top = m_document.documentLayout()->blockBoundingRect(cursor.block()).top();
        const double left = height - std::fmod(top, height);
        if (top < 1 || left >= start.needs) continue;
        QTextBlockFormat format = cursor.blockFormat();
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        format.setTopMargin(0);
        cursor.setBlockFormat(format);
    }
}

void ReportLayout::addHead(QTextCursor& cursor, const Head& head) const {
    cursor.setBlockFormat(spaced(0, 6));
    cursor.insertText(head.title, ink(m_tokens.text, titlePixels, true));
    cursor.insertBlock(spaced(0, 10));
    cursor.insertText(head.subtitle, ink(m_tokens.text2, bodyPixels + 2));
    cursor.insertBlock(spaced(0, 8));
    bool isFirst = true;
    for (const auto& [name, value] : head.block) {
        cursor.insertText((std::exchange(isFirst, false) ? QString() : QStringLiteral("     ")) + name + QLatin1Char(' '),
                          ink(m_tokens.text2, bodyPixels - 1));
        cursor.insertText(value, ink(m_tokens.text, bodyPixels - 1, true));
    }
}

ReportLayout::Start ReportLayout::addSection(QTextCursor& cursor, const OfferSection& section, bool isFirst,
                                             const std::function<ReportPictures::Picture(OfferPicture)>& picture) {
    constexpr double few = 150; // px: the heading with a few rows
    Start start{0, few};
    const auto addPicture = [&] {
        if (section.picture == OfferPicture::None) return;
        ReportPictures::Picture made = picture(section.picture);
        start.needs += made.size.height();
        QTextCharFormat object;
        object.setObjectType(ReportPictures::type);
        object.setProperty(ReportPictures::place, m_pictures->add(std::move(made)));
        cursor.insertBlock(spaced(6, 4));
        cursor.insertText(QString(QChar::ObjectReplacementCharacter), object);
    };
    if (isFirst) addPicture(); // below the head of the page
    cursor.insertBlock(spaced(isFirst ? 4 : 26, 6));
    start.position = cursor.position();
    cursor.insertText(text(section.title), ink(m_tokens.text, sectionPixels, true));
    for (const std::string& sentence : section.sentences) {
        cursor.insertBlock(spaced(0, 4));
        cursor.insertText(text(sentence), ink(m_tokens.text, bodyPixels));
    }
    if (!isFirst) addPicture();
    for (const OfferTable& table : section.tables)
        if (!table.rows.empty()) addTable(cursor, table);
    for (const std::string& note : section.notes) {
        cursor.insertBlock(spaced(2, 0));
        cursor.insertText(text(note), ink(m_tokens.text2, cellPixels));
    }
    return start;
}

void ReportLayout::addTable(QTextCursor& cursor, const OfferTable& table) const {
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(3);
    format.setTopMargin(6);
    format.setBottomMargin(6);
    format.setHeaderRowCount(1);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    const double all = std::accumulate(table.columns.begin(), table.columns.end(), 0.0,
                                       [](double sum, const OfferColumn& column) { return sum + column.share; });
    QList<QTextLength> widths;
    for (const OfferColumn& column : table.columns) widths << QTextLength(QTextLength::PercentageLength, column.share / all * 100);
    format.setColumnWidthConstraints(widths);
    QTextTable* made = cursor.insertTable(static_cast<int>(table.rows.size()) + 1, static_cast<int>(table.columns.size()), format);
    const auto write = [&](std::size_t row, std::size_t column, const std::string& words, const QTextCharFormat& look,
                           const QColor& below) {
        QTextTableCell cell = made->cellAt(static_cast<int>(row), static_cast<int>(column));
        QTextTableCellFormat frame;
        frame.merge(look); // an empty cell is no higher than others
        frame.setTopPadding(2);
        frame.setBottomPadding(2);
        frame.setRightPadding(3);
        frame.setLeftPadding(column > 0 && table.columns[column - 1].isNumber && !table.columns[column].isNumber ? 16 : 3);
        frame.setVerticalAlignment(QTextCharFormat::AlignTop);
        frame.setBottomBorder(1);
        frame.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        frame.setBottomBorderBrush(below);
        cell.setFormat(frame);
        QTextCursor at = cell.firstCursorPosition();
        QTextBlockFormat block;
        block.setAlignment(table.columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft);
        block.setNonBreakableLines(table.columns[column].isNumber);
        at.setBlockFormat(block);
        at.insertText(text(words), look);
    };
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        write(0, c, table.columns[c].name, ink(m_tokens.text2, cellPixels, true), m_tokens.text2);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const bool isTotal = table.endsInTotal && r + 1 == table.rows.size();
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const bool isKey = table.columns[c].name == "Key";
            write(r + 1, c, table.rows[r][c], ink(isKey ? m_tokens.text2 : m_tokens.text, cellPixels, isTotal), m_tokens.cardBorder);
        }
    }
    cursor.movePosition(QTextCursor::End);
}

void ReportLayout::paint(QPainter& painter, int number, const QString& foot) const {
    const QSizeF body = m_document.pageSize();
    painter.fillRect(QRectF(QPointF(0, 0), page), m_tokens.canvas);
    painter.save();
    painter.translate(margin, margin - number * body.height());
    const QRectF shown(0, number * body.height(), body.width(), body.height());
    painter.setClipRect(shown);
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = shown;
    context.palette.setColor(QPalette::Text, m_tokens.text);
    m_document.documentLayout()->draw(&painter, context);
    painter.restore();
    const QRectF line(margin, page.height() - margin - footHeight + 14, page.width() - 2 * margin, footHeight - 14);
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.drawLine(line.topLeft(), line.topRight());
    painter.setPen(m_tokens.text2);
    painter.setFont(reportFont(cellPixels - 1));
    painter.drawText(line.adjusted(0, 4, -90, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(foot, Qt::ElideRight, line.width() - 90));
    painter.drawText(line.adjusted(0, 4, 0, 0), Qt::AlignRight | Qt::AlignVCenter, QObject::tr("%1 of %2").arg(number + 1).arg(pages()));
}

} // namespace railyard
