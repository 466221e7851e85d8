#include "widgets/dialogs/candidate_table.h"

#include "core/base/unit_text.h"
#include "widgets/dialogs/candidate_cells.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QHeaderView>
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

namespace railyard {
namespace {

QIcon pictureIcon(const QImage& picture) {
    QIcon icon;
    for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Selected}) icon.addPixmap(QPixmap::fromImage(picture), mode); // not tinted
    return icon;
}

// Its figures; above 70,000 GPUs only what the plan says.
std::vector<ShownFigure> columnsOf(const SizeCandidate& candidate) {
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

constexpr int usualHeight = 96; // of a thumbnail and five lines

// What fits a column: of a bisection the share alone.
QString cellText(const ShownFigure& figure) {
    const QString all = text(figure.text);
    const QString first = all.section(QStringLiteral(" · "), 0, 0);
    return first.section(QLatin1Char(','), 0, 0) == QStringLiteral("0") ? QStringLiteral("0") : first;
}

} // namespace

std::vector<DrawnCandidate> sortedCandidates(std::vector<DrawnCandidate> ranked, std::string_view key) {
    if (key.empty()) return ranked;
    const auto rankOf = [&](const DrawnCandidate& candidate) {
        const std::vector<ShownFigure> figures = columnsOf(candidate.ranked.found);
        const auto figure = std::find_if(figures.begin(), figures.end(), [&](const ShownFigure& each) { return each.key == key; });
        const bool isKnown = figure != figures.end() && figure->value;
        const double value = isKnown ? (figure->row->display.lessIsBetter ? *figure->value : -*figure->value) : 0;
        return std::tuple(candidate.isMiss(), !isKnown, value);
    };
    std::stable_sort(ranked.begin(), ranked.end(), [&](const DrawnCandidate& a, const DrawnCandidate& b) { return rankOf(a) < rankOf(b); });
    return ranked;
}

CandidateTable::CandidateTable(const Tokens& tokens, QWidget* parent) : QTableWidget(parent), m_tokens(tokens) {
    for (const ShownFigure& figure : columnsOf({})) m_keys.push_back(figure.key);
    setColumnCount(static_cast<int>(m_keys.size()) + 2);
    setHeadings({});
    setObjectName(QStringLiteral("candidates"));
    verticalHeader()->hide();
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setShowGrid(false);
    setAccessibleName(tr("Candidate fabrics"));
    setIconSize(thumbnail);
    setItemDelegate(new CandidateDelegate(this));
    setItemDelegateForColumn(0, new LayoutDelegate(this));
    setItemDelegateForColumn(reasonColumn(), new ReasonDelegate(m_tokens, this));
    setStyleSheet(QStringLiteral("QTableView::item { padding: 0 8px; border-bottom: 1px solid %1; }").arg(m_tokens.grid.name()));
    constexpr int headHeight = 46, fewestRows = 3;
    verticalHeader()->setDefaultSectionSize(usualHeight);
    horizontalHeader()->setMinimumHeight(headHeight);
    setMinimumHeight(fewestRows * usualHeight + headHeight + 4);
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(reasonColumn(), QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::Fixed);
    setColumnWidth(0, thumbnail.width() + 200);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void CandidateTable::setHeadings(const QString& model) {
    QStringList headings{tr("Layout")};
    for (const ShownFigure& figure : columnsOf({})) {
        QString heading = text(std::string(figure.row->display.heading));
        if (figure.key.starts_with("training.") && !model.isEmpty())
            heading = heading.section(QLatin1Char('\n'), 0, 0) + QLatin1Char('\n') + model;
        headings << heading;
    }
    headings << tr("Reason");
    setHorizontalHeaderLabels(headings);
}

int CandidateTable::columnOf(std::string_view key) const {
    return 1 + static_cast<int>(std::find(m_keys.begin(), m_keys.end(), key) - m_keys.begin());
}

int CandidateTable::reasonColumn() const { return columnCount() - 1; }

void CandidateTable::show(const std::vector<DrawnCandidate>& candidates, const QString& model) {
    setRowCount(static_cast<int>(candidates.size()));
    setHeadings(model);
    for (int row = 0; row < rowCount(); ++row) {
        const DrawnCandidate& candidate = candidates[static_cast<std::size_t>(row)];
        showRow(row, candidate);
        const auto lines = static_cast<int>(item(row, 0)->text().count(QLatin1Char('\n'))) + 1;
        constexpr int margins = 4;
        setRowHeight(row, std::max(usualHeight, lines * fontMetrics().lineSpacing() + margins));
        if (candidate.isMiss()) showMiss(row);
    }
    markBest(candidates);
}

void CandidateTable::showRow(int row, const DrawnCandidate& candidate) {
    const auto& [name, found, reasons, misses, isBest] = candidate.ranked;
    QStringList cells{text(name)};
    if (candidate.isMiss()) cells[0].prepend(tr("Nearest miss\n"));
    if (found.best) cells[0] += QLatin1Char('\n') + text(found.best->words).replace(QStringLiteral(", "), QStringLiteral(",\n"));
    for (const ShownFigure& figure : columnsOf(found)) cells << cellText(figure);
    QStringList why;
    for (const std::string& reason : reasons) why << text(reason);
    for (const Miss& miss : misses) why << QStringLiteral("✕ ") + text(miss.text);
    const auto* background = found.background ? &*found.background : nullptr;
    if (background && background->bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)].isZeroByDesign())
        why << tr("rails are not joined: 0 by design");
    QStringList inFull = why;
    if (const QString noStep = text(whyNoStep(found)); !noStep.isEmpty()) { // may be long
        why << tr("no step time: %1").arg(noStep.section(QStringLiteral("; "), 0, 0));
        inFull << tr("no step time: %1").arg(noStep);
    }
    cells << why.join(QLatin1Char('\n'));
    for (int column = 0; column < columnCount(); ++column) {
        auto* item = new QTableWidgetItem(cells[column]);
        const bool isText = column == 0 || column == reasonColumn();
        item->setTextAlignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        if (column == 0 && !candidate.picture.isNull()) item->setIcon(pictureIcon(candidate.picture));
        if (column == reasonColumn()) {
            item->setForeground(m_tokens.text2);
            item->setData(candidateTagsRole, isBest ? static_cast<int>(reasons.size()) : 0);
            item->setData(Qt::ToolTipRole, asToolTip(inFull.join(QLatin1Char('\n'))));
        }
        setItem(row, column, item);
    }
}

void CandidateTable::showMiss(int row) {
    for (int column = 0; column < columnCount(); ++column) {
        QTableWidgetItem* cell = item(row, column);
        cell->setFlags(Qt::ItemIsEnabled);
        cell->setBackground(m_tokens.well);
        cell->setForeground(column == reasonColumn() ? m_tokens.danger : m_tokens.text2);
    }
}

// Of fabrics of several sizes only GPUs and bisection can be compared, and costs only where they leave out the same kinds of parts, and
// no switch or transceiver. Equal texts are equally good. The nearest miss takes no part.
void CandidateTable::markBest(const std::vector<DrawnCandidate>& candidates) {
    std::vector<std::vector<ShownFigure>> rows;
    std::set<double> sizes;
    std::set<unsigned long> leftOut;
    bool isPriced = true;
    for (const DrawnCandidate& candidate : candidates) {
        if (candidate.isMiss()) break; // the last one
        const SizeCandidate& found = candidate.ranked.found;
        rows.push_back(columnsOf(found));
        if (found.best) sizes.insert(found.best->settings.gpus());
        if (!found.instant) continue;
        leftOut.insert(networksLeftOut(found.instant->bill).to_ulong());
        isPriced = isPriced && networksTotal(*found.instant).areDevicesPriced();
    }
    if (rows.empty()) return;
    for (std::size_t f = 0; f < m_keys.size(); ++f) {
        const FigureInfo& info = *rows.front()[f].row;
        const bool isOfAnySize = info.key == "counts.gpus" || info.key.starts_with("bisection.");
        if (info.display.best.empty() || (sizes.size() > 1 && !isOfAnySize)) continue;
        if (info.pricesOf != PricesOf::Nothing && (leftOut.size() > 1 || !isPriced)) continue;
        const auto isBound = [&](const ShownFigure& figure) { return figure.text.starts_with(info.display.lessIsBetter ? "≥" : "≤"); };
        const ShownFigure* best = nullptr;
        std::set<QString> texts;
        for (const auto& row : rows) {
            if (!row[f].value) continue;
            texts.insert(cellText(row[f]));
            const double sign = info.display.lessIsBetter ? 1 : -1, value = sign * *row[f].value, known = best ? sign * *best->value : 0;
            if (!best || value < known || (value == known && isBound(*best))) best = &row[f];
        }
        if (texts.size() < 2) continue; // nothing to choose by
        // "≤ 1.00" of a bisection may be less than what another has for certain. Costs and times leave out the same parts of all.
        const bool areAllBounds = std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return isBound(row[f]); });
        const bool isComparable = info.pricesOf != PricesOf::Nothing || (info.display.lessIsBetter && areAllBounds);
        if (isBound(*best) && !isComparable) continue;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row][f].value || cellText(rows[row][f]) != cellText(*best)) continue;
            QTableWidgetItem* cell = item(static_cast<int>(row), static_cast<int>(f) + 1);
            QFont bold = font();
            bold.setBold(true);
            cell->setFont(bold);
            cell->setForeground(m_tokens.ok);
        }
    }
}

} // namespace railyard
