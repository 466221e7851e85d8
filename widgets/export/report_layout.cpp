#include "widgets/export/report_layout.h"

#include "widgets/theme/text.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextCursor>
#include <QTextTable>
#include <cmath>
#include <limits>
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
    m_breaks.resize(std::accumulate(offer.sections.begin(), offer.sections.end(), std::size_t{0},
                                    [](std::size_t sum, const OfferSection& section) { return sum + section.tables.size(); }));
    build(head, offer, picture);
    // Qt divides a row between its lines. There the table is divided instead, which moves what follows.
    for (auto divided = dividedRow(); divided && m_breaks[divided->first].insert(divided->second).second; divided = dividedRow())
        build(head, offer, picture);
}

void ReportLayout::build(const Head& head, const Offer& offer, const std::function<ReportPictures::Picture(OfferPicture)>& picture) {
    m_document.clear();
    m_pictures->clear();
    m_rows.clear();
    m_tables = 0;
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

std::optional<std::pair<std::size_t, std::size_t>> ReportLayout::dividedRow() const {
    const double height = m_document.pageSize().height();
    const auto* layout = m_document.documentLayout();
    for (const Rows& rows : m_rows)
        for (int row = 1; row < rows.made->rows(); ++row) {
            double top = std::numeric_limits<double>::max(), bottom = 0;
            for (int column = 0; column < rows.made->columns(); ++column) {
                const QTextTableCell cell = rows.made->cellAt(row, column);
                top = std::min(top, layout->blockBoundingRect(cell.firstCursorPosition().block()).top());
                bottom = std::max(bottom, layout->blockBoundingRect(cell.lastCursorPosition().block()).bottom());
            }
            if (std::floor(top / height) != std::floor((bottom - 1) / height))
                return std::pair(rows.table, rows.from + static_cast<std::size_t>(row) - 1);
        }
    return {};
}

void ReportLayout::addHead(QTextCursor& cursor, const Head& head) const {
    cursor.setBlockFormat(spaced(0, 6));
    cursor.insertText(head.title, ink(m_tokens.text, titlePixels, true));
    cursor.insertBlock(spaced(0, 10));
    cursor.insertText(head.subtitle, ink(m_tokens.text2, bodyPixels + 2));
    cursor.insertBlock(spaced(0, 8));
    bool isFirst = true;
    for (const auto& [name, value] : head.block) {
        cursor.insertText((std::exchange(isFirst, false) ? QString() : QStringLiteral("     ")) + text(name) + QLatin1Char(' '),
                          ink(m_tokens.text2, bodyPixels - 1));
        cursor.insertText(text(value), ink(m_tokens.text, bodyPixels - 1, true));
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
    const auto addNote = [&](const std::string& note) {
        cursor.insertBlock(spaced(2, 0));
        cursor.insertText(text(note), ink(m_tokens.text2, cellPixels));
    };
    for (const OfferTable& table : section.tables) {
        if (!table.rows.empty()) {
            addTable(cursor, table);
            if (!table.keys.empty()) addNote(table.keys);
        }
        ++m_tables;
    }
    for (const std::string& note : section.notes) addNote(note);
    return start;
}

void ReportLayout::addTable(QTextCursor& cursor, const OfferTable& table) {
    std::size_t from = 0;
    bool isOnNewPage = false;
    for (const std::size_t row : m_breaks[m_tables]) {
        if (row > from) addRows(cursor, table, from, row, isOnNewPage);
        from = row;
        isOnNewPage = true;
    }
    addRows(cursor, table, from, table.rows.size(), isOnNewPage);
}

void ReportLayout::addRows(QTextCursor& cursor, const OfferTable& table, std::size_t from, std::size_t to, bool isOnNewPage) {
    if (isOnNewPage) cursor.setBlockCharFormat(ink(m_tokens.text, 1)); // between two tables is a line of text
    QTextTableFormat format;
    format.setBorder(0);
    format.setCellSpacing(0);
    format.setCellPadding(3);
    format.setTopMargin(isOnNewPage ? 0 : 6);
    format.setBottomMargin(to < table.rows.size() ? 0 : 6);
    format.setHeaderRowCount(1);
    format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
    if (isOnNewPage) format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    const double all = std::accumulate(table.columns.begin(), table.columns.end(), 0.0,
                                       [](double sum, const OfferColumn& column) { return sum + column.share; });
    QList<QTextLength> widths;
    for (const OfferColumn& column : table.columns) widths << QTextLength(QTextLength::PercentageLength, column.share / all * 100);
    format.setColumnWidthConstraints(widths);
    QTextTable* made = cursor.insertTable(static_cast<int>(to - from) + 1, static_cast<int>(table.columns.size()), format);
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
        const std::size_t line = words.find('\n');
        at.insertText(text(words.substr(0, line)), look);
        if (line == std::string::npos) return;
        QTextCharFormat key = look;
        key.setForeground(m_tokens.text2);
        key.setFontWeight(QFont::Normal);
        at.insertText(QString(QChar::LineSeparator) + text(words.substr(line + 1)), key);
    };
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        write(0, c, table.columns[c].name, ink(m_tokens.text2, cellPixels, true), m_tokens.text2);
    m_rows.push_back({m_tables, from, made});
    for (std::size_t r = from; r < to; ++r) {
        const bool isTotal = table.endsInTotal && r + 1 == table.rows.size();
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const bool isKey = table.columns[c].name == "Key";
            write(r - from + 1, c, table.rows[r][c], ink(isKey ? m_tokens.text2 : m_tokens.text, cellPixels, isTotal), m_tokens.cardBorder);
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
