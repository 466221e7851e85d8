#include "widgets/export/compare_pages.h"

#include "core/base/unit_text.h"
#include "widgets/export/page_file.h"
#include "widgets/export/slide.h"
#include "widgets/theme/text.h"
#include "widgets/views/compare_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <qcustomplot.h>

namespace railyard {
namespace {

constexpr std::size_t rowsBelowDrawings = 7;
constexpr double rowHeight = 46, headHeightOfTable = 42;

// Pages of a slide's size and look.
class ComparePages {
public:
    ComparePages(const ComparedDesigns& designs, const PictureOptions& options)
        : m_designs(designs),
          m_options(options),
          m_tokens(options.tokens),
          m_rows(comparedFigures(designs.firstMetrics, designs.secondMetrics)) {
        // What differs, and as much of the rest as there is room for, in the order of all figures; tiers stand on the next page.
        std::vector<ComparedFigure> whole;
        std::copy_if(m_rows.begin(), m_rows.end(), std::back_inserter(whole),
                     [](const ComparedFigure& row) { return !row.name.startsWith(QLatin1Char(' ')); });
        const auto differs = [](const ComparedFigure& row) { return row.delta != QObject::tr("same"); };
        const auto different = static_cast<std::size_t>(std::count_if(whole.begin(), whole.end(), differs));
        std::size_t left = rowsBelowDrawings - std::min(rowsBelowDrawings, different);
        for (const ComparedFigure& row : whole) {
            if (differs(row) ? m_most.size() == rowsBelowDrawings : left == 0) continue;
            if (!differs(row)) --left;
            m_most.push_back(row);
        }
    }

    int count() const { return 1 + static_cast<int>((m_rows.size() + rowsOnPage - 1) / rowsOnPage); }

    void paint(QPainter& painter, int page) const {
        paintOnSlide(painter, QSizeF(m_options.size), m_tokens, [&] {
            paintSlideTitle(painter, text(comparisonVerdict(m_designs.firstMetrics, m_designs.secondMetrics)), m_tokens.text);
            if (page == 0) {
                paintDesign(painter, QRectF(slideLeft, 160, 876, 470), QStringLiteral("A"), m_designs.first, m_designs.firstMetrics);
                paintDesign(painter, QRectF(slideRight - 876, 160, 876, 470), QStringLiteral("B"), m_designs.second,
                            m_designs.secondMetrics);
                paintTable(painter, 648, m_most);
            } else {
                const std::size_t first = static_cast<std::size_t>(page - 1) * rowsOnPage;
                paintTable(painter, 170,
                           {m_rows.begin() + static_cast<std::ptrdiff_t>(first),
                            m_rows.begin() + static_cast<std::ptrdiff_t>(std::min(m_rows.size(), first + rowsOnPage))});
            }
            const QString basis =
                QObject::tr("Bisection in one direction. Catalogue list prices; totals leave out parts without a price (≥).");
            paintSlideWords(painter, QRectF(slideLeft, 1036, slideRight - slideLeft - 200, 28), basis, slideFont(20), m_tokens.text2);
            paintSlideWords(painter, QRectF(slideRight - 200, 1036, 200, 28), QObject::tr("%1 of %2").arg(page + 1).arg(count()),
                            slideFont(20), m_tokens.text2, Qt::AlignRight);
        });
    }

private:
    static constexpr std::size_t rowsOnPage = 17;

    void paintDesign(QPainter& painter, const QRectF& box, const QString& letter, const Fabric& fabric, const Metrics& metrics) const {
        painter.setPen(QPen(m_tokens.cardBorder, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, 10, 10);
        const QRectF badge(box.left() + 14, box.top() + 12, 38, 38);
        painter.setPen(Qt::NoPen);
        painter.setBrush(letter == QStringLiteral("A") ? m_tokens.accent : m_tokens.neutral);
        painter.drawRoundedRect(badge, 6, 6);
        paintSlideWords(painter, badge, letter, slideFont(24, true), inkOn(painter.brush().color()), Qt::AlignHCenter);
        const FabricCounts& counts = metrics.instant.counts;
        const QString facts =
            QObject::tr("%1 GPUs · %2 · %3")
                .arg(text(formatCount(counts.gpus)), counted(counts.tiers, QObject::tr("%1 tier"), QObject::tr("%1 tiers")),
                     counted(counts.switches, QObject::tr("%1 switch"), QObject::tr("%1 switches")));
        const QFont bold = slideFont(26, true);
        const double room = box.width() - 80, factsWidth = QFontMetricsF(slideFont(22)).horizontalAdvance(facts) + 4;
        const double end = paintSlideWords(painter, QRectF(badge.right() + 14, box.top() + 10, room - factsWidth - 20, 42),
                                           text(metrics.name), bold, m_tokens.text);
        paintSlideWords(painter, QRectF(badge.right() + 34 + end, box.top() + 12, factsWidth, 42), facts, slideFont(22), m_tokens.text2);
        painter.setPen(QPen(m_tokens.cardBorder, 2));
        painter.drawLine(QLineF(box.left(), box.top() + 62, box.right(), box.top() + 62));
        paintPageDrawing(painter, fabric, m_tokens, m_options.detail, box.adjusted(8, 70, -8, -6), 2);
    }

    // Name, both values, the difference, its share, and a bar to the left where there is less.
    void paintTable(QPainter& painter, double top, const std::vector<ComparedFigure>& rows) const {
        constexpr double aRight = 860, bRight = 1150, differenceRight = 1340, percentRight = 1480, barLeft = 1520;
        const double middle = (barLeft + slideRight) / 2, half = (slideRight - barLeft) / 2;
        const auto right = [&](double x, double y, const QString& words, const QFont& font, const QColor& color, double width = 240) {
            paintSlideWords(painter, QRectF(x - width, y, width, rowHeight), words, font, color, Qt::AlignRight);
        };
        const QFont head = slideFont(22), body = slideFont(24), bold = slideFont(24, true);
        right(aRight, top, QStringLiteral("A"), head, m_tokens.text2);
        right(bRight, top, QStringLiteral("B"), head, m_tokens.text2);
        right(differenceRight, top, QStringLiteral("B − A"), head, m_tokens.text2);
        right(middle - 12, top, QObject::tr("less"), head, m_tokens.text2, 120);
        paintSlideWords(painter, QRectF(middle + 12, top, 120, rowHeight), QObject::tr("more"), head, m_tokens.text2);
        double most = 0;
        for (const ComparedFigure& row : rows) most = std::max(most, std::abs(row.percent.value_or(0)));
        double y = top + headHeightOfTable;
        painter.fillRect(QRectF(slideLeft, y, slideRight - slideLeft, 2), m_tokens.text);
        for (const ComparedFigure& row : rows) {
            const QColor verdict = !row.percent ? m_tokens.text2 : (*row.percent < 0) == row.lessIsBetter ? m_tokens.ok : m_tokens.danger;
            paintSlideWords(painter, QRectF(slideLeft, y, 520, rowHeight), row.name, body, m_tokens.text);
            right(aRight, y, row.a, body, m_tokens.text, 300);
            right(bRight, y, row.b, bold, m_tokens.text);
            right(differenceRight, y, row.delta, body, m_tokens.text2, 220);
            if (row.percent) right(percentRight, y, text(formatPercent(*row.percent)), bold, verdict, 130);
            if (row.percent && most > 0) {
                const double width = half * std::abs(*row.percent) / most;
                painter.fillRect(QRectF(*row.percent < 0 ? middle - width : middle, y + 11, width, rowHeight - 22), verdict);
            }
            y += rowHeight;
            painter.fillRect(QRectF(slideLeft, y, slideRight - slideLeft, 1), m_tokens.cardBorder);
        }
        painter.fillRect(QRectF(middle - 1, top + headHeightOfTable, 2, y - top - headHeightOfTable), m_tokens.text2);
    }

    const ComparedDesigns& m_designs;
    const PictureOptions& m_options;
    const Tokens& m_tokens;
    std::vector<ComparedFigure> m_rows, m_most;
};

} // namespace

Result<QStringList> drawComparison(const ComparedDesigns& designs, const QString& path, const PictureOptions& options) {
    const ComparePages pages(designs, options);
    const QString title = QStringLiteral("%1, %2").arg(text(designs.firstMetrics.name), text(designs.secondMetrics.name));
    return writeSheets(path, options.size, options.dpi, title, pages.count(),
                       [&](QCPPainter& painter, int page) { pages.paint(painter, page); });
}

} // namespace railyard
