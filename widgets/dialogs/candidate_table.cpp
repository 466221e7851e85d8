#include "widgets/dialogs/candidate_table.h"

#include "core/base/unit_text.h"
#include "widgets/document/error_words.h"
#include "widgets/theme/text.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace railyard {
namespace {

QIcon pictureIcon(const QImage& picture) {
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected}) icon.addPixmap(QPixmap::fromImage(picture), mode); // not tinted
    return icon;
}

// Its figures; above 70,000 GPUs only what the plan says.
std::vector<ShownFigure> figuresOf(const SizeCandidate& candidate) {
    const BackgroundMetrics* background = candidate.background ? &*candidate.background : nullptr;
    std::vector<ShownFigure> figures =
        shownFigures(FigureDisplay::Candidate, {candidate.instant ? *candidate.instant : InstantMetrics(), background});
    const auto* estimate =
        background && background->training && background->training->estimate ? &*background->training->estimate : nullptr;
    for (ShownFigure& figure : figures)
        if (figure.key.starts_with("training.") && estimate && !estimate->isFeasible()) figure.value = {}, figure.text = "–";
    if (candidate.instant) return figures;
    for (ShownFigure& figure : figures) {
        figure.value = {};
        if (candidate.best && figure.key == "counts.gpus") figure.value = candidate.best->settings.gpus();
        if (candidate.best && figure.key == "counts.tiers") figure.value = candidate.best->plan.tiers;
        if (candidate.best && figure.key == "counts.switches_all_networks") figure.value = double(candidate.best->plan.switches());
        figure.compared = figure.value;
        figure.text = !candidate.best ? "" : figure.value ? figureText(*figure.row, *figure.value) : "–";
    }
    return figures;
}

// What fits a column: of a bisection the share alone.
QString cellText(const ShownFigure& figure) {
    const QString all = text(figure.text);
    const QString first = all.section(QStringLiteral(" · "), 0, 0);
    return first.section(QLatin1Char(','), 0, 0) == QStringLiteral("0") ? QStringLiteral("0") : first;
}

} // namespace

CandidateTable::CandidateTable(const Tokens& tokens, QWidget* parent) : QTableWidget(parent), m_tokens(tokens) {
    QStringList headings{tr("Layout")};
    for (const ShownFigure& figure : figuresOf({})) {
        m_keys.push_back(figure.key);
        headings << text(std::string(figure.row->display.heading));
    }
    headings << tr("Reason");
    setRowCount(3);
    setColumnCount(static_cast<int>(headings.size()));
    setObjectName(QStringLiteral("candidates"));
    setHorizontalHeaderLabels(headings);
    verticalHeader()->hide();
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setShowGrid(false);
    setAccessibleName(tr("Candidate fabrics"));
    setIconSize(thumbnail);
    constexpr int rowHeight = 102, headHeight = 46;
    verticalHeader()->setDefaultSectionSize(rowHeight);
    horizontalHeader()->setMinimumHeight(headHeight);
    setFixedHeight(3 * rowHeight + headHeight + 4);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(reasonColumn(), QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
    setColumnWidth(0, thumbnail.width() + 200);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

int CandidateTable::columnOf(std::string_view key) const {
    return 1 + static_cast<int>(std::find(m_keys.begin(), m_keys.end(), key) - m_keys.begin());
}

int CandidateTable::reasonColumn() const { return columnCount() - 1; }

void CandidateTable::show(const QStringList& names, const std::vector<DrawnCandidate>& candidates) {
    for (int row = 0; row < names.size(); ++row) showRow(row, names[row], candidates[static_cast<std::size_t>(row)]);
    markBest(candidates);
}

void CandidateTable::showRow(int row, const QString& name, const DrawnCandidate& candidate) {
    const SizeCandidate& found = candidate.found;
    QStringList cells{name};
    if (found.best) cells[0] += QLatin1Char('\n') + text(found.best->words).replace(QStringLiteral(", "), QStringLiteral(",\n"));
    for (const ShownFigure& figure : figuresOf(found)) cells << cellText(figure);
    cells << (found.problem ? wordsOf(*found.problem) : QString());
    const auto* background = found.background ? &*found.background : nullptr;
    if (background && background->bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)].isZeroByDesign())
        cells.back() = tr("rails are not joined: 0 by design");
    for (int column = 0; column < columnCount(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        const bool isText = column == 0 || column == reasonColumn();
        item->setTextAlignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (column == 0 && !candidate.picture.isNull()) item->setIcon(pictureIcon(candidate.picture));
        if (column == reasonColumn() && found.problem) item->setForeground(m_tokens.danger);
        setItem(row, column, item);
    }
}

// Of fabrics of several sizes only GPUs and bisection can be compared, and costs only where they leave out the same kinds of parts. Equal
// texts are equally good.
void CandidateTable::markBest(const std::vector<DrawnCandidate>& candidates) {
    std::vector<std::vector<ShownFigure>> rows;
    std::set<double> sizes;
    std::set<unsigned long> leftOut;
    for (const DrawnCandidate& candidate : candidates) {
        rows.push_back(figuresOf(candidate.found));
        if (candidate.found.best) sizes.insert(candidate.found.best->settings.gpus());
        if (candidate.found.instant) leftOut.insert(networksLeftOut(candidate.found.instant->bill).to_ulong());
    }
    for (std::size_t f = 0; f < m_keys.size(); ++f) {
        const FigureInfo& info = *rows.front()[f].row;
        const bool isOfAnySize = info.key == "counts.gpus" || info.key.starts_with("bisection.");
        if (info.display.best.empty() || (sizes.size() > 1 && !isOfAnySize)) continue;
        if (info.pricesOf != PricesOf::Nothing && leftOut.size() > 1) continue;
        const ShownFigure* best = nullptr;
        std::set<QString> texts;
        for (const auto& row : rows) {
            if (!row[f].value) continue;
            texts.insert(cellText(row[f]));
            if (!best || (info.display.lessIsBetter ? *row[f].value < *best->value : *row[f].value > *best->value)) best = &row[f];
        }
        if (texts.size() < 2) continue; // nothing to choose by
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (rows[row][f].value && cellText(rows[row][f]) == cellText(*best)) mark(static_cast<int>(row), static_cast<int>(f) + 1, info);
    }
}

void CandidateTable::mark(int row, int column, const FigureInfo& info) {
    QTableWidgetItem* cell = item(row, column);
    QFont bold = font();
    bold.setBold(true);
    cell->setFont(bold);
    cell->setForeground(m_tokens.ok);
    QTableWidgetItem* reason = item(row, reasonColumn());
    reason->setText(reason->text() + (reason->text().isEmpty() ? QString() : QStringLiteral("\n")) + text(std::string(info.display.best)));
}

} // namespace railyard
