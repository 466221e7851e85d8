#include "widgets/export/compare_pages.h"

#include "core/io/tables/compare.h"
#include "widgets/export/page_file.h"
#include "widgets/theme/text.h"

#include <algorithm>
#include <numeric>
#include <qcustomplot.h>

namespace railyard {
namespace {

QString shown(const Cell& cell, const Column& column) {
    if (const auto* words = std::get_if<std::string>(&cell)) return text(*words);
    const auto value = numberIn(cell);
    const auto* figure = std::get_if<Figure>(&cell);
    return value ? text(shownNumber(*value, figure ? figure->format : column.format)) : QString();
}

// The table of the comparison, laid out for pages of one size. Everything is drawn twice as large as on screen, to be read from
// a slide.
class ComparePages {
public:
    ComparePages(Table table, QString verdict, const PictureOptions& options)
        : m_table(std::move(table)),
          m_verdict(std::move(verdict)),
          m_tokens(options.tokens),
          m_scale(std::max(1.0, std::min(options.size.width() / 960.0, options.size.height() / 540.0))),
          m_page(QSizeF(options.size) / m_scale) {
        const double room = m_page.height() - head() - noteHeight * static_cast<double>(m_table.notes.size()) - 2 * margin - rowHeight;
        m_rowsOnPage = std::max(std::size_t{1}, static_cast<std::size_t>(room / rowHeight));
    }

    int count() const { return std::max(1, static_cast<int>((m_table.rows.size() + m_rowsOnPage - 1) / m_rowsOnPage)); }

    void paint(QPainter& painter, int page) const {
        painter.scale(m_scale, m_scale);
        painter.fillRect(QRectF(QPointF(0, 0), m_page), m_tokens.canvas);
        paintTitle(painter, page);
        double y = margin + head();
        painter.setFont(fontFor(TextRole::BodyBold));
        painter.setPen(m_tokens.text2);
        for (std::size_t c = firstShown; c < m_table.columns.size(); ++c) paintCell(painter, c, y, text(m_table.columns[c].name));
        painter.drawLine(QLineF(margin, y + rowHeight - 1, m_page.width() - margin, y + rowHeight - 1));
        const std::size_t first = static_cast<std::size_t>(page) * m_rowsOnPage, last = std::min(m_table.rows.size(), first + m_rowsOnPage);
        for (std::size_t r = first; r < last; ++r) paintRow(painter, r, y += rowHeight, r == first);
        painter.setFont(fontFor(TextRole::Caption));
        painter.setPen(m_tokens.text2);
        y = m_page.height() - margin - noteHeight * static_cast<double>(m_table.notes.size());
        for (const std::string& note : m_table.notes) {
            painter.drawText(QRectF(margin, y, m_page.width() - 2 * margin, noteHeight), Qt::AlignLeft | Qt::AlignVCenter, text(note));
            y += noteHeight;
        }
    }

private:
    static constexpr double margin = 20, rowHeight = 19, noteHeight = 15, unitWidth = 44; // px before scaling
    static constexpr std::size_t firstShown = 1;                                          // the section stands in the figure's column

    double head() const { return m_verdict.isEmpty() ? 30 : 52; }

    void paintTitle(QPainter& painter, int page) const {
        painter.setPen(m_tokens.text);
        painter.setFont(fontFor(TextRole::ChartTitle));
        const QString pages = count() > 1 ? QObject::tr("Page %1 of %2").arg(page + 1).arg(count()) : QString();
        const QRectF room(margin, margin, m_page.width() - 2 * margin - (pages.isEmpty() ? 0 : 90), head() - 6);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         m_verdict.isEmpty() ? QObject::tr("Comparison") : m_verdict);
        painter.setFont(fontFor(TextRole::Caption));
        painter.setPen(m_tokens.text2);
        painter.drawText(QRectF(margin, margin, m_page.width() - 2 * margin, 20), Qt::AlignRight | Qt::AlignTop, pages);
    }

    // Figure, unit, then columns of one width.
    QRectF place(std::size_t column, double y) const {
        const double columns = static_cast<double>(m_table.columns.size() - 3);
        const double figure = std::max(200.0, (m_page.width() - 2 * margin) * 0.4 - unitWidth);
        const double each = (m_page.width() - 2 * margin - figure - unitWidth) / columns;
        if (column == 1) return {margin, y, figure, rowHeight};
        if (column == 2) return {margin + figure, y, unitWidth, rowHeight};
        return {margin + figure + unitWidth + static_cast<double>(column - 3) * each, y, each - 8, rowHeight};
    }

    void paintCell(QPainter& painter, std::size_t column, double y, const QString& words) const {
        const QRectF box = place(column, y);
        const Qt::Alignment side = column > 2 ? Qt::AlignRight : Qt::AlignLeft;
        painter.drawText(box, side | Qt::AlignVCenter, QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, box.width()));
    }

    void paintRow(QPainter& painter, std::size_t r, double y, bool isFirst) const {
        const std::vector<Cell>& row = m_table.rows[r];
        const bool opens = isFirst || std::get<std::string>(row[0]) != std::get<std::string>(m_table.rows[r - 1][0]);
        if (opens && !isFirst) {
            painter.setPen(QPen(m_tokens.controlBorder, 1));
            painter.drawLine(QLineF(margin, y, m_page.width() - margin, y));
        }
        painter.setFont(fontFor(TextRole::Body));
        painter.setPen(m_tokens.text);
        for (std::size_t c = firstShown; c < row.size(); ++c) paintCell(painter, c, y, shown(row[c], m_table.columns[c]));
    }

    Table m_table;
    QString m_verdict;
    Tokens m_tokens;
    double m_scale;
    QSizeF m_page; // before scaling
    std::size_t m_rowsOnPage = 1;
};

} // namespace

Result<QStringList> drawComparison(const std::vector<Json>& metrics, const QString& verdict, const QString& path,
                                   const PictureOptions& options) {
    const ComparePages pages(comparisonTable(metrics), verdict, options);
    QStringList names;
    for (const Json& design : metrics) names << text(design.value("name", std::string("design")));
    return writeSheets(path, options.size, options.dpi, names.join(QStringLiteral(", ")), pages.count(),
                       [&](QCPPainter& painter, int page) { pages.paint(painter, page); });
}

} // namespace railyard
